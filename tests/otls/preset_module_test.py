"""The Python of the assets against a stand-in of hou: one undo step, nothing else touched, edits remembered."""
import contextlib
import json
import pathlib
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ASSET = ROOT / "otls/dashpot_softbody.1.0.hda/dashpot_8_8Sop_1softbody_8_81.0"


class FakeRamp:
    def __init__(self, bases, keys, values):
        self.parts = (list(bases), list(keys), list(values))

    def basis(self):
        return tuple(self.parts[0])

    def keys(self):
        return self.parts[1]

    def values(self):
        return self.parts[2]


class FakeParm:
    def __init__(self, node, name, value):
        self.node, self.name, self.value = node, name, value

    def set(self, value):
        self.node.sets.append((self.name, self.node.undo_depth))
        self.value = value

    def eval(self):
        return self.value

    def evalAsString(self):
        return str(self.value)


class FakeNode:
    def __init__(self, values):
        self.sets, self.undo_depth, self.undos = [], 0, []
        self.parms = {name: FakeParm(self, name, value) for name, value in values.items()}

    def parm(self, name):
        return self.parms.get(name)

    parmTuple = parm  # of a number with two components

    def type(self):
        return self

    def definition(self):
        return self

    def sections(self):
        return {"presets.json": self}

    def contents(self):
        return (ASSET / "presets.json").read_text()


class PresetModule(unittest.TestCase):
    def setUp(self):
        self.presets = json.loads((ASSET / "presets.json").read_text())
        values = dict(self.presets[0]["values"], preset="custom", presetstate="Custom", substeps=3, dampingramp=None,
                      dampingramprange=None)
        self.node = FakeNode(values)

        @contextlib.contextmanager
        def undo_group(label):
            self.node.undos.append(label)
            self.node.undo_depth += 1
            yield
            self.node.undo_depth -= 1

        basis = types.SimpleNamespace(Linear=0, CatmullRom=1, MonotoneCubic=2, Bezier=3)
        sys.modules["hou"] = types.SimpleNamespace(undos=types.SimpleNamespace(group=undo_group), Ramp=FakeRamp, rampBasis=basis)
        self.addCleanup(sys.modules.pop, "hou")
        self.module = {}
        exec(compile((ASSET / "PythonModule").read_text(), "PythonModule", "exec"), self.module)

    def apply(self, token):
        self.node.parm("preset").value = token
        self.module["apply_preset"]({"node": self.node})

    def test_applies_every_value_in_one_undo_step(self):
        for preset in self.presets:
            self.node.sets.clear()
            self.node.undos.clear()
            self.apply(preset["token"])
            self.assertEqual(len(self.node.undos), 1)
            self.assertEqual({depth for _, depth in self.node.sets}, {1})
            self.assertEqual({name for name, _ in self.node.sets}, {*preset["values"], *preset["ranges"], *preset["ramps"], "presetstate"})
            for token, value in preset["values"].items():
                self.assertEqual(self.node.parm(token).value, value)
            keys = preset["ramps"]["dampingramp"]
            self.assertEqual(self.node.parm("dampingramp").value.values(), [key["value"] for key in keys])
            self.assertEqual(self.node.parm("dampingramprange").value, [0.5, 1.5])
            self.assertEqual(self.node.parm("presetstate").value, preset["label"])

    def test_remembers_edits_and_forgets_them_when_taken_back(self):
        self.apply("jelly")
        changed = self.module["parameter_changed"]
        before = self.node.parm("youngsmodulus").value
        for value, look in ((before * 2, "Jelly (edited)"), (before, "Jelly")):
            self.node.parm("youngsmodulus").value = value
            changed({"node": self.node})
            self.assertEqual(self.node.parm("presetstate").value, look)
        for ends, look in (([0.5, 2], "Jelly (edited)"), ([0.5, 1.5], "Jelly")):
            self.node.parm("dampingramprange").value = ends
            changed({"node": self.node})
            self.assertEqual(self.node.parm("presetstate").value, look)
        ramp = self.node.parm("dampingramp").value
        linear = FakeRamp([0] * len(ramp.keys()), ramp.keys(), ramp.values())
        higher = FakeRamp(ramp.basis(), ramp.keys(), [value + 0.5 for value in ramp.values()])
        fewer = FakeRamp(ramp.basis()[:1], ramp.keys()[:1], ramp.values()[:1])
        for edited in (linear, higher, fewer):
            self.node.parm("dampingramp").value = edited
            changed({"node": self.node})
            self.assertEqual(self.node.parm("presetstate").value, "Jelly (edited)")
            self.node.parm("dampingramp").value = ramp
            changed({"node": self.node})
            self.assertEqual(self.node.parm("presetstate").value, "Jelly")


class FakeAttribute:
    def __init__(self, name, size=1, kind="float"):
        self._name, self._size, self._kind = name, size, kind

    name = lambda self: self._name
    size = lambda self: self._size
    dataType = lambda self: self._kind


class MaskMenu(unittest.TestCase):
    def setUp(self):
        sys.modules["hou"] = types.SimpleNamespace(attribData=types.SimpleNamespace(Float="float"))
        self.addCleanup(sys.modules.pop, "hou")
        self.module = {}
        path = ROOT / "otls/dashpot_damping.1.0.hda/dashpot_8_8Sop_1damping_8_81.0/PythonModule"
        exec(compile(path.read_text(), "PythonModule", "exec"), self.module)

    def menu(self, *inputs):
        return self.module["mask_menu"]({"node": types.SimpleNamespace(inputs=lambda: inputs)})

    def test_offers_single_numbers_of_points_and_primitives(self):
        geometry = types.SimpleNamespace(
            pointAttribs=lambda: [FakeAttribute("P", 3), FakeAttribute("fat"), FakeAttribute("name", kind="string")],
            primAttribs=lambda: [FakeAttribute("bone"), FakeAttribute("fat")])
        self.assertEqual(self.menu(types.SimpleNamespace(geometry=lambda: geometry)), ["bone", "bone", "fat", "fat"])

    def test_is_empty_without_input(self):
        self.assertEqual(self.menu(), [])
        self.assertEqual(self.menu(None), [])
        self.assertEqual(self.menu(types.SimpleNamespace(geometry=lambda: None)), [])


if __name__ == "__main__":
    unittest.main()
