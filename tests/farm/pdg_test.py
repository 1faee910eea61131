"""dashpot_pdg, the module for PDG's Python Processor, against a stand-in of pdg that also cooks.

    python3 tests/farm/pdg_test.py build/release/bin/dashpot
"""
import pathlib
import re
import shlex
import subprocess
import sys

import dashpot_runs
from dashpot_runs import ROOT, RunsTest

sys.path.insert(0, str(ROOT / "sop_plugin/package/dashpot/scripts/python"))
import dashpot_pdg  # noqa: E402


class FakeItem:
    """A pdg.WorkItem as SideFX's page of the class (20.5) describes it: one type for each call, names without dots."""

    def __init__(self, index, parent):
        self.index, self.parent, self.attributes, self.outputs, self.command = index, parent, {}, {}, None

    def set_value(self, name, value, index, kind):
        if not isinstance(value, kind) or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise TypeError(f"{name} = {value!r} is no attribute of type {kind.__name__}")
        values = self.attributes.setdefault(name, [])
        if index > len(values):
            raise IndexError(name)
        values[index:index + 1] = [value]

    def setStringAttrib(self, name, value, index=0):
        self.set_value(name, value, index, str)

    def setFloatAttrib(self, name, value, index=0):
        self.set_value(name, value, index, float)

    def setCommand(self, command):
        if not isinstance(command, str):
            raise TypeError("a command is a string")
        self.command = command

    def addExpectedOutputFile(self, path, tag="", own=True):
        self.outputs[path] = tag


class OldItem(FakeItem):
    """Before outputs were called so."""
    addExpectedOutputFile = None

    def addExpectedResultData(self, path, tag="", own=True):
        self.outputs[path] = tag


class FakeHolder:
    def __init__(self, item_type=FakeItem):
        self.items, self.item_type = [], item_type

    def addWorkItem(self, index=None, parent=None):
        self.items.append(self.item_type(index, parent))
        return self.items[-1]


class Pdg(RunsTest):
    def setUp(self):
        super().setUp()
        (self.folder / "it's a shot").mkdir()
        self.scene = self.folder / "it's a shot" / "jelly.toml"
        self.write_scene(frames=3)
        (self.folder / "scene.toml").rename(self.scene)

    def add_runs(self, *arguments, upstream_items=(), item_type=FakeItem, **options):
        holder = FakeHolder(item_type)
        items = dashpot_pdg.add_runs(holder, list(upstream_items), *arguments, dashpot=self.dashpot, threads=1, **options)
        self.assertEqual(items, holder.items)
        return items

    def refusal(self, *arguments, **options):
        with self.assertRaises(dashpot_pdg.WedgeError) as caught:
            self.add_runs(*arguments, **options)
        return str(caught.exception)

    def test_every_run_is_an_item_with_its_values(self):
        items = self.add_runs(str(self.scene), {"body.jelly.dampingtime": [0.01, 0.1], "simulation.gravity": [(0, -9.81, 0)],
                                                "preset": ["gel"]})
        self.assertEqual([item.attributes for item in items], [
            {"run": [f"jelly.dampingtime-{time}_gravity-_0_-9.81_0__preset-gel"], "jelly_dampingtime": [time],
             "gravity": [0.0, -9.81, 0.0], "preset": ["gel"]} for time in (0.01, 0.1)])
        self.assertEqual([item.index for item in items], [0, 1])

    def test_cooked_items_have_what_they_promised(self):
        items = self.add_runs(str(self.scene), {"body.jelly.dampingtime": [0.01, 0.1]}, arguments=["--frames", "1-2"])
        # Schedulers start a command with a shell or without.
        subprocess.run(items[0].command, shell=True, check=True, capture_output=True)
        result = subprocess.run(shlex.split(items[1].command), check=True, capture_output=True, text=True)
        self.assertIn("ALF_PROGRESS 100%", result.stdout)
        for item in items:
            name = item.attributes["run"][0]
            self.assertEqual({pathlib.Path(path).name: tag for path, tag in item.outputs.items()},
                             {f"{name}.0001.bgeo.sc": "file/geo", f"{name}.0002.bgeo.sc": "file/geo",
                              "stats.jsonl": "file/text", "report.html": "file/html"})
            for path in item.outputs:
                self.assertTrue(pathlib.Path(path).is_file(), path)

    def test_frames_are_those_that_the_run_will_write(self):
        items = self.add_runs(str(self.scene), {"simulation.frames": [[-1, 1], [1, 4]]}, out=str(self.folder / "w"))
        counts = [sum(tag == "file/geo" for tag in item.outputs.values()) for item in items]
        self.assertEqual(counts, [3, 4])
        subprocess.run(items[0].command, shell=True, check=True, capture_output=True)
        self.assertEqual([path for path in items[0].outputs if not pathlib.Path(path).is_file()], [])

    def test_a_planned_wedge_and_an_item_above(self):
        self.add_runs(str(self.scene), {"preset": ["gel", "jelly"]}, out=str(self.folder / "w"))
        above = FakeItem(0, None)
        items = self.add_runs(str(self.folder / "w"), upstream_items=[above], item_type=OldItem)
        self.assertEqual([(item.parent, item.attributes["preset"]) for item in items],
                         [(above, ["gel"]), (above, ["jelly"])])
        self.assertEqual(list(items[0].outputs.values()), ["file/geo"] * 3 + ["file/text", "file/html"])

    def test_what_is_wrong_is_said_in_a_sentence(self):
        self.assertIn("dampingtim", self.refusal(str(self.scene), {"body.jelly.dampingtim": [1]}))
        self.assertIn("--vary", self.refusal(str(self.scene)))
        self.assertIn("none.toml", self.refusal("none.toml", {"preset": ["gel"]}))
        self.assertIn("wedge.json", self.refusal(str(self.folder)))
        self.assertIn("already", self.refusal(str(self.folder), {"preset": ["gel"]}))
        self.assertIn("Wait for All", self.refusal(str(self.scene), {"preset": ["gel"]}, upstream_items=[1, 2]))
        with self.assertRaisesRegex(dashpot_pdg.WedgeError, "dashpot="):
            dashpot_pdg.add_runs(FakeHolder(), [], str(self.scene), {"preset": ["gel"]}, dashpot="/nowhere/dashpot")


if __name__ == "__main__":
    dashpot_runs.main(__file__)
