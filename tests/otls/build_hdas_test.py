"""tools/build_hdas.py against a stand-in of hou: it makes the nodes, wires and sections of otls/.

    python3 tests/otls/build_hdas_test.py build/release/bin/dashpot
"""
import contextlib
import importlib.util
import io
import pathlib
import re
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


RAMP_LINKS = ('"dampingramp#pos" "../dampingramp#pos" "dampingramp#value" "../dampingramp#value" '
              '"dampingramp#interp" "../dampingramp#interp"')


class FakeParm:
    def __init__(self, owner, name):
        self.owner, self.name = owner, name

    def set(self, value):
        self.owner.values[self.name] = value

    def setExpression(self, expression, language):
        assert language == "hscript"
        self.owner.expressions[self.name] = expression


class FakeNode:
    declared = None

    def __init__(self, hou, kind, name, parent=None):
        self.hou, self.kind, self.name, self.parent = hou, kind, name, parent
        self.inside, self.inputs, self.flags, self.values, self.expressions, self.sections = {}, {}, [], {}, {}, {}
        self.links, self.saved = "", None
        if kind == "subnet":
            self.createNode("output", "output0")

    def createNode(self, kind, name):
        while name in self.inside:  # as Houdini does, without a word
            name = re.sub(r"\d*$", lambda number: str(int(number.group() or 0) + 1), name, count=1)
        self.inside[name] = FakeNode(self.hou, kind, name, self)
        return self.inside[name]

    def children(self):
        return tuple(self.inside.values())

    def destroy(self):
        if self.parent is not None:
            del self.parent.inside[self.name]

    def path(self):
        return self.name if self.parent is None else f"{self.parent.path()}/{self.name}"

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
        return self.inside[name]

    def updateFromNode(self, instance):
        """What the asset will hold: nothing that is done later arrives."""
        self.saved = {name: (dict(child.inputs), list(child.flags), dict(child.expressions), child.links)
                      for name, child in instance.inside.items()}

    def addSection(self, name, text):
        self.sections[name] = text

    def setParmTemplateGroup(self, group):
        self.dialog = group.text

    type = definition = lambda self: self
    allowEditingOfContents = lambda self: None
    setIcon = save = lambda self, *_: None
    setExtraFileOption = lambda self, name, value: self.values.update({name: value})


class FakeTemplates:
    def setToDialogScript(self, text):
        self.text = text


def fake_hou():
    hou = types.SimpleNamespace(made={}, ParmTemplateGroup=FakeTemplates, exprLanguage=types.SimpleNamespace(Hscript="hscript"))
    root = FakeNode(hou, "objects", "/obj")
    hou.node = lambda path: root

    def hscript(command):
        """opmultiparm, the only one that is used; what it notes down is saved with the node."""
        words = command.split()
        node = root
        for name in words[1].split("/")[2:]:
            node = node.inside[name]
        node.links = " ".join(words[2:])
        return "", ""

    hou.hscript = hscript
    return hou


class BuildHdas(unittest.TestCase):
    dashpot = None

    def test_builds_what_otls_holds(self):
        declared = FakeNode.declared = declaration.Declaration(self.dashpot)
        hou = fake_hou()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            build_hdas.main([folder, self.dashpot], hou)
            self.assertTrue((pathlib.Path(folder) / "presets/Sop/dashpot-solver-1.0.idx").exists())
        for asset in assets.assets(declared):
            made = hou.made[asset.operator]
            inner = next((ROOT / f"otls/dashpot_{asset.name}.1.0.hda").glob("dashpot_8*"))
            self.assertEqual(made.dialog, (inner / "DialogScript").read_text())
            self.assertEqual((made.arguments["min_num_inputs"], made.arguments["max_num_inputs"]),
                             (asset.least_inputs, len(asset.inputs)))
            self.assertEqual(list(made.saved), [node.name for node in asset.nodes])
            for node in asset.nodes:
                inputs, flags, expressions, links = made.saved[node.name]
                self.assertEqual(inputs, dict(enumerate(node.inputs)))
                self.assertEqual(expressions, {name: expression for name, (expression, _) in node.channels.items()})
                self.assertEqual(flags, [("display", True), ("render", True)] if node.output else [])
                self.assertEqual(links, RAMP_LINKS if node.kind == networks.SOLVER else "")
            for name, text in made.sections.items():
                self.assertEqual(text.strip(), (inner / name).read_text().strip(), name)


if __name__ == "__main__":
    BuildHdas.dashpot = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
