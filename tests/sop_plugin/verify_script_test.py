"""The logic of sop_plugin/verify_in_houdini.py against a small fake of the hou calls that it makes."""
import importlib.util
import io
import json
import os
import pathlib
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("verify", ROOT / "sop_plugin/verify_in_houdini.py")
verify = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verify)

PARAMETERS = [
    {"token": "substeps", "scope": "solver", "type": "int", "default": 1},
    {"token": "gravity", "scope": "solver", "type": "vector", "default": [0, -9.81, 0]},
    {"token": "youngsmodulus", "scope": "prim", "type": "float", "default": 1e5},
]


PRESETS = [{"token": "jelly", "label": "Jelly", "values": {"youngsmodulus": 2e4, "dampingmodel": "rayleigh"}},
           {"token": "rubber", "label": "Rubber", "values": {"youngsmodulus": 5e5, "dampingmodel": "none"}}]


class FakeGeometry:
    def __init__(self, values=(0.0,)):
        self.values = values

    def prims(self):
        return [1, 2]

    def pointFloatAttribValues(self, name):
        return self.values if name == "P" else (0.0,)

    def saveToFile(self, path):
        open(path, "w").close()

    def loadFromFile(self, path):
        # Frame 7's file holds 7.
        self.values = (float(os.path.basename(path).split(".")[1]),)


class FakeParm:
    def __init__(self, value):
        self.value = value
        self.presses = 0

    def set(self, value):
        self.value = value

    def eval(self):
        return self.value

    def evalAsString(self):
        return str(self.value)

    def pressButton(self):
        self.presses += 1


class FakeNode:
    def __init__(self, hou, kind):
        self.hou, self.kind, self.connected, self.children = hou, kind, {}, {}
        self.number, self.cooks, self.seen = len(hou.made), 0, set()
        self.parms = {p["token"]: FakeParm(p["default"]) for p in PARAMETERS}

    def createNode(self, kind, name=None):
        if kind in self.hou.missing:
            raise self.hou.OperationFailed("Invalid node type name")
        node = FakeNode(self.hou, kind)
        self.children[kind] = self.hou.made[node.path()] = node
        return node

    def node(self, name):
        return self.children.setdefault(name, FakeNode(self.hou, name))

    def parm(self, name):
        if name == "presetstate" and "softbody" not in self.kind:
            return None
        return self.parms.setdefault(name, FakeParm(1))

    def parmTuple(self, name):
        return types.SimpleNamespace(eval=lambda: (self.parms[name].value,)) if name in self.parms else None

    def parent(self):
        return self.hou.root

    def hdaModule(self):
        return types.SimpleNamespace(apply_preset=lambda kwargs: self.hou.apply(kwargs["node"]))

    def setInput(self, index, node):
        self.connected[index] = node

    def inputs(self):
        return [self.connected[i] for i in sorted(self.connected)]

    def path(self):
        return "/obj/%s_%d" % (self.kind, self.number)

    # What questions ask: a solver cooks its second input, and what is above that, at new frames only.
    def cook_upstream(self):
        for source in self.connected.values():
            source.cooks += 1
            source.cook_upstream()

    def cookCount(self):
        return self.cooks

    def infoTree(self):
        rows = (("Body", "2 tets"), ("Since the last edit", "%d frames simulated, 1 orderings" % (len(self.seen) - 1)))
        return types.SimpleNamespace(branches=lambda: {"Dashpot": types.SimpleNamespace(rows=lambda: rows)})

    def geometry(self):
        return FakeGeometry()

    def is_fed_nonsense(self):
        source = self.connected.get(0)
        return source is not None and "youngsmodulus = -1" in str(source.parm("snippet").value)

    def destroy(self):
        pass

    def type(self):
        return types.SimpleNamespace(name=lambda: self.kind)

    def errors(self):
        if self.kind in self.hou.broken:
            return ("a node inside is of an unknown type",)
        return ("input 1: youngsmodulus = -1 is out of range",) if self.is_fed_nonsense() and self.hou.complains else ()

    def geometryAtFrame(self, frame):
        if self.kind != verify.SOP_TYPE:
            return FakeGeometry((-1.0,))
        if self.errors():
            raise self.hou.OperationFailed()
        if frame < self.parm("startframe").value:
            return FakeGeometry((-1.0,))
        if frame not in self.seen or self.hou.forgetful:
            self.cook_upstream()
        self.seen.add(frame)
        return FakeGeometry((self.hou.result(frame),))

    def simulation(self):
        shown = FakeGeometry((self.hou.dop_result(self.hou.frame),))
        return types.SimpleNamespace(
            objects=lambda: [types.SimpleNamespace(geometry=lambda: shown)])


class FakeHou:
    class OperationFailed(Exception):
        pass

    def __init__(self):
        self.missing, self.broken, self.complains, self.forgetful = set(), set(), True, False
        self.empty = set()  # preset values that are not taken over
        self.made = {}
        self.types = {verify.SOP_TYPE, verify.DOP_TYPE}
        self.result = float
        self.dop_result = float
        self.frame = 1
        self.root = FakeNode(self, "obj")
        self.Geometry = FakeGeometry
        self.hda = types.SimpleNamespace(
            installFile=lambda path: None,
            definitionsInFile=lambda path: [
                types.SimpleNamespace(nodeTypeName=lambda: "dashpot::softbody::1.0")])

    def applicationVersionString(self):
        return "20.5.550"

    def sopNodeTypeCategory(self):
        return "Sop"

    def dopNodeTypeCategory(self):
        return "Dop"

    def nodeType(self, category, name):
        return name if name in self.types else None

    def node(self, path):
        return self.root

    def fps(self):
        return 24.0

    def setFrame(self, frame):
        self.frame = frame

    def loadIndexDataFromFile(self, path):
        return {"Jelly": b"", "Rubber": b""}

    def hscript(self, command):
        words = command.split()
        self.take(self.made[words[1]], words[2].strip("'"), "label")
        return "", ""

    def take(self, node, name, key):
        preset = next(p for p in PRESETS if p[key] == name)
        for token, value in preset["values"].items():
            if token not in self.empty:
                node.parm(token).set(value)
        return preset

    def apply(self, node):
        node.parm("presetstate").set(self.take(node, node.parm("preset").value, "token")["label"])


def run_program(command, **options):
    out = json.dumps({"params": PARAMETERS, "presets": PRESETS}.get(command[1], ""))
    return types.SimpleNamespace(returncode=0, stdout=out, stderr="")


class VerifyScript(unittest.TestCase):
    def verify(self, hou, arguments=(), run=run_program, own_folder="/nowhere"):
        out = io.StringIO()
        stderr, sys.stderr = sys.stderr, io.StringIO()
        try:
            code = verify.main(hou, ["--dashpot", "dashpot", *arguments], out, run, own_folder)
        finally:
            sys.stderr = stderr
        return code, out.getvalue()

    def test_a_good_plugin_passes(self):
        code, text = self.verify_package(FakeHou())
        self.assertEqual(code, 0, text)
        self.assertIn("ok       frames out of order: 24 frames, bit for bit", text)
        self.assertIn("VERDICT  the plugin works here", text)

    def test_without_the_package_it_is_partly_checked(self):
        code, text = self.verify(FakeHou())
        self.assertEqual(code, 2, text)
        self.assertIn("skipped  every asset: no --package", text)
        self.assertIn("VERDICT  partly checked, and what was checked works: ", text)

    def test_the_package_is_its_own_folder_if_nobody_says_another(self):
        with tempfile.TemporaryDirectory() as package:
            self.fill_package(package)
            code, text = self.verify(FakeHou(), own_folder=package)
        self.assertEqual(code, 0, text)

    def test_ends_in_a_table_that_has_every_line(self):
        with tempfile.TemporaryDirectory() as folder:
            _, text = self.verify(FakeHou(), ["--report", folder + "/table.txt"])
            table = pathlib.Path(folder, "table.txt").read_text()
        self.assertIn(table, text)
        self.assertIn("Houdini 20.5.550, Python ", table)
        checks, rows = text.split("-----")[0].strip().splitlines(), table.split("|---|---|---|\n")[1].splitlines()[:-1]
        self.assertEqual(len(checks), len(rows))
        self.assertGreater(len(rows), 28)  # with all questions

    def test_questions_that_houdini_cannot_answer_are_no_failures(self):
        _, text = self.verify(FakeHou())
        self.assertIn("unknown  curves of ramps: AttributeError", text)
        self.assertIn("answer   a hard range: substeps set to 0 is 0 (assumed: 1)", text)
        self.assertNotIn("FAILED", text)

    def test_cooks_of_inputs_are_counted(self):
        hou = FakeHou()
        self.assertIn("answer   how often inputs are cooked: input 2 cooked 24 times in 24 frames played (assumed: 24), 0 "
                      "times in 4 scrubbed (0), 0 times after an output was turned on (0); 23 frames simulated (23)",
                      self.verify(hou)[1])
        hou = FakeHou()
        hou.forgetful = True
        self.assertIn("4 times in 4 scrubbed (0), 1 times after", self.verify(hou)[1])

    def test_curves_of_ramps_are_compared(self):
        hou = FakeHou()
        questions = sys.modules["verify_questions"]
        hou.rampBasis = types.SimpleNamespace(**{name: name for name in questions.RAMP_VALUES})

        class Ramp:
            def __init__(self, bases, keys, values):
                assert (tuple(keys), tuple(values)) == tuple(zip(*questions.RAMP_KEYS))
                self.values = dict(zip(questions.RAMP_AT, questions.RAMP_VALUES[bases[0]]))
                self.off = 0.25 if bases[0] == "Bezier" else 0

            def lookup(self, at):
                return self.values[at] + self.off

        hou.Ramp = Ramp
        self.assertIn("Linear 0, CatmullRom 0, MonotoneCubic 0, Bezier 0.25 (assumed: below 1e-5)", self.verify(hou)[1])

    def test_an_error_that_is_not_shown_fails(self):
        hou = FakeHou()
        hou.complains = False
        code, text = self.verify(hou)
        self.assertEqual(code, 1)
        self.assertIn("FAILED   errors are shown: a bad attribute gave:", text)

    def test_a_new_node_that_is_red_fails(self):
        hou = FakeHou()
        hou.broken.add(verify.SOP_TYPE)
        self.assertIn("FAILED   a new node cooks without an error", self.verify(hou)[1])

    def test_one_wrong_frame_fails(self):
        hou = FakeHou()
        hou.result = lambda frame: frame + (1e-7 if frame == 17 else 0)
        code, text = self.verify(hou)
        self.assertEqual(code, 1)
        self.assertIn("FAILED   frames in order: frame 17: P is not that of dashpot", text)
        self.assertIn("does NOT work", text)

    def test_a_missing_sop_gives_advice_and_everything_else_is_still_asked(self):
        hou = FakeHou()
        hou.types.remove(verify.SOP_TYPE)
        hou.missing.add(verify.SOP_TYPE)
        code, text = self.verify(hou)
        self.assertEqual(code, 1)
        self.assertIn("HOUDINI_DSO_ERROR=1", text)
        self.assertIn("skipped  frames in order: there is no network with the SOP", text)
        self.assertIn("unknown  a hard range: Skipped: there is no network with the SOP", text)

    def test_a_dop_that_remembers_the_future_fails(self):
        hou = FakeHou()
        calls = []
        hou.dop_result = lambda frame: calls.append(frame) or float(len(calls))
        code, text = self.verify(hou)
        self.assertEqual(code, 1)
        self.assertIn("FAILED   the DOP steps and rewinds: frame 6 differs after rewinding", text)

    def test_a_check_that_breaks_is_a_failure_and_the_others_go_on(self):
        hou = FakeHou()
        hou.missing.add("dopnet")
        code, text = self.verify(hou)
        self.assertEqual(code, 1)
        self.assertIn("FAILED   the DOP steps and rewinds: OperationFailed", text)
        self.assertIn("skipped  every preset of the gear menu: no --package", text)

    def test_a_missing_parameter_or_another_default_fails(self):
        hou = FakeHou()
        PARAMETERS.append({"token": "dampingtime", "scope": "prim", "type": "float", "default": 0})
        try:
            original = FakeNode.parmTuple
            FakeNode.parmTuple = lambda node, name: None if name == "dampingtime" else original(
                node, name)
            self.assertIn("FAILED   parameters are those of the scene file: the node has no "
                          "parameter dampingtime", self.verify(hou)[1])
        finally:
            FakeNode.parmTuple = original
            PARAMETERS.pop()

    def test_a_failing_program_is_reported(self):
        def broken(command, **options):
            return types.SimpleNamespace(returncode=2, stdout="", stderr="dashpot: no.")
        code, text = self.verify(FakeHou(), run=broken)
        self.assertEqual(code, 1)
        self.assertIn("FAILED   a network is built: dashpot simulate: dashpot: no.", text)

    def fill_package(self, package):
        os.makedirs(package + "/otls/dashpot_softbody.1.0.hda")
        os.makedirs(package + "/presets/Sop")
        for kind in ("solver", "softbody"):
            open(package + "/presets/Sop/dashpot-%s-1.0.idx" % kind, "w").close()

    def verify_package(self, hou):
        with tempfile.TemporaryDirectory() as package:
            self.fill_package(package)
            return self.verify(hou, ["--package", package])

    def test_assets_and_presets_of_the_package_are_tried(self):
        code, text = self.verify_package(FakeHou())
        self.assertEqual(code, 0, text)
        self.assertIn("ok       every asset: 1 files", text)
        self.assertIn("ok       every preset of the menus: 1 nodes", text)
        self.assertIn("ok       every preset of the gear menu: 4 presets", text)

    def test_an_asset_that_does_not_cook_fails(self):
        hou = FakeHou()
        hou.broken.add("dashpot::softbody::1.0")
        code, text = self.verify_package(hou)
        self.assertEqual(code, 1)
        self.assertIn("FAILED   every asset: dashpot::softbody::1.0: a node inside is of an unknown type", text)

    def test_a_preset_that_does_not_arrive_fails(self):
        hou = FakeHou()
        hou.empty.add("dampingmodel")
        code, text = self.verify_package(hou)
        self.assertEqual(code, 1)
        self.assertIn("FAILED   every preset of the menus: Jelly: dampingmodel is 1 and not rayleigh", text)
        self.assertIn("FAILED   every preset of the gear menu: Jelly: dampingmodel is 1 and not rayleigh", text)


if __name__ == "__main__":
    unittest.main()
