"""tools/build_hdas.py against a stand-in of hou: it makes the nodes, wires and sections of otls/.

    python3 tests/otls/build_hdas_test.py build/release/bin/dashpot
"""
import contextlib
import importlib.util
import io
import pathlib
import sys
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from otls import assets, declaration  # noqa: E402
from otls.checks import networks  # noqa: E402

spec = importlib.util.spec_from_file_location("build_hdas", ROOT / "tools/build_hdas.py")
build_hdas = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build_hdas)


class FakeParm:
    def __init__(self, owner, name):
        self.owner, self.name = owner, name

    def set(self, value):
        self.owner.values[self.name] = value

    def setExpression(self, expression):
        self.owner.expressions[self.name] = expression


class FakeNode:
    declared = None

    def __init__(self, hou, kind, name):
        self.hou, self.kind, self.name = hou, kind, name
        self.children, self.inputs, self.flags, self.values, self.expressions, self.sections = {}, {}, [], {}, {}, {}

    def createNode(self, kind, name):
        self.children[name] = FakeNode(self.hou, kind, name)
        return self.children[name]

    def indirectInputs(self):
        return [0, 1, 2, 3]  # a subnet has four

    def setInput(self, number, source):
        self.inputs[number] = source if isinstance(source, int) else source.name

    def setDisplayFlag(self, on):
        self.flags.append(("display", on))

    def setRenderFlag(self, on):
        self.flags.append(("render", on))

    def parm(self, name):
        if name not in networks.node_parameters(self.kind, FakeNode.declared):
            raise AttributeError(f"a {self.kind} has no parameter {name}")
        return FakeParm(self, name)

    def createDigitalAsset(self, **words):
        self.arguments = words
        self.hou.made[words["name"]] = self
        return self

    def node(self, name):
        return self.children[name]

    def addSection(self, name, text):
        self.sections[name] = text

    def setParmTemplateGroup(self, group):
        self.dialog = group.text

    type = definition = lambda self: self
    allowEditingOfContents = destroy = lambda self: None
    updateFromNode = setIcon = save = lambda self, *_: None
    setExtraFileOption = lambda self, name, value: self.values.update({name: value})


class FakeTemplates:
    def setToDialogScript(self, text):
        self.text = text


class BuildHdas(unittest.TestCase):
    dashpot = None

    def test_builds_what_otls_holds(self):
        declared = FakeNode.declared = declaration.Declaration(self.dashpot)
        hou = types.SimpleNamespace(made={}, ParmTemplateGroup=FakeTemplates)
        hou.node = lambda path: FakeNode(hou, "objects", path)
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            build_hdas.main([folder, self.dashpot], hou)
            self.assertTrue((pathlib.Path(folder) / "presets/Sop/dashpot-solver-1.0.idx").exists())
        for asset in assets.assets(declared):
            made = hou.made[asset.operator]
            inner = next((ROOT / f"otls/dashpot_{asset.name}.1.0.hda").glob("dashpot_8*"))
            self.assertEqual(made.dialog, (inner / "DialogScript").read_text())
            self.assertEqual((made.arguments["min_num_inputs"], made.arguments["max_num_inputs"]),
                             (asset.least_inputs, len(asset.inputs)))
            self.assertEqual(list(made.children), [node.name for node in asset.nodes])
            for node in asset.nodes:
                child = made.children[node.name]
                self.assertEqual(child.inputs, dict(enumerate(node.inputs)))
                self.assertEqual(child.expressions, {name: expression for name, (expression, _) in node.channels.items()})
                self.assertEqual(child.flags, [("display", True), ("render", True)] if node.output else [])
            for name, text in made.sections.items():
                self.assertEqual(text.strip(), (inner / name).read_text().strip(), name)


if __name__ == "__main__":
    BuildHdas.dashpot = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
