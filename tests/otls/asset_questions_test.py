"""The questions about assets that sop_plugin/verify_in_houdini.py asks, against a small fake of hou: what is as assumed
is told from what is not."""
import pathlib
import sys
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "sop_plugin"))
import verify_asset_questions as asked  # noqa: E402


class FakeRamp:
    def __init__(self, bases, keys, values):
        self.parts = (tuple(bases), tuple(keys), tuple(values))

    basis = lambda self: self.parts[0]
    keys = lambda self: self.parts[1]
    values = lambda self: self.parts[2]


class FakeParm:
    def __init__(self, node, name, value=None, menu=()):
        self.node, self._name, self.value, self.first, self.menu = node, name, value, value, menu
        self.source = None  # the parameter that drives it

    name = lambda self: self._name
    eval = evalAsRamp = lambda self: self.source.value if self.source else self.value
    menuItems = lambda self: self.menu
    getReferencedParm = lambda self: self.source or self
    isHidden = lambda self: self._name in self.node.hidden()

    def set(self, value):
        self.value = value

    def revertToDefaults(self):
        self.value = self.first


class FakeNode:
    def __init__(self, name, parms=(), is_asset=False, matches=True):
        self._name, self.inside, self.is_asset, self.matches = name, {}, is_asset, matches
        self.values = {parm: FakeParm(self, parm) for parm in parms}
        self.hidden = lambda: ()

    def put(self, child):
        self.inside[child.name()] = child
        return child

    name = lambda self: self._name
    parm = lambda self, name: self.values.get(name)
    parms = lambda self: tuple(self.values.values())
    node = lambda self, name: self.inside[name]
    children = lambda self: tuple(self.inside.values())
    errors = lambda self: ()
    matchesCurrentDefinition = lambda self: self.matches
    type = lambda self: types.SimpleNamespace(definition=lambda: "a definition" if self.is_asset else None)


HIDDEN = {"none": asked.SLIDERS, "strainrate": ("dampingtime", "dampingstrength"),
          "rayleigh": ("dampingshear", "dampingbulk", "dampingstrength"), "stretchrate": ("dampingshear", "dampingbulk", "dampingtime")}


def soft_body():
    names = ["dampingramp", "youngsmodulus", "resimulate", "dampingmodel", *asked.SLIDERS]
    body = FakeNode("body", names)
    body.parm("dampingramp").value = FakeRamp("a", (0,), (1,))
    body.hidden = lambda: HIDDEN.get(body.parm("dampingmodel").value, ())
    skin = body.put(FakeNode("skin", ["snippet"], is_asset=True))
    skin.parm("snippet").value = (ROOT / "tools/otls/parts/skin.vfl").read_text()
    inner = body.put(FakeNode("solver", names))
    for name in names:
        if name != "resimulate":
            inner.parm(name).source = body.parm(name)
    return body


class AssetQuestions(unittest.TestCase):
    def setUp(self):
        self.body = soft_body()
        hou = types.SimpleNamespace(Ramp=FakeRamp, rampBasis=types.SimpleNamespace(Linear="linear"))
        self.verification = types.SimpleNamespace(hou=hou, made={asked.SOFT_BODY: self.body})

    def answer(self, question):
        return question(self.verification)

    def test_an_unlocked_node_inside_is_named(self):
        self.assertIn("not locked: none", self.answer(asked.locked_inside))
        self.body.node("skin").matches = False
        self.assertIn(asked.SOFT_BODY + "/skin", self.answer(asked.locked_inside))

    def test_a_snippet_on_one_line_is_seen(self):
        lines = len(self.body.node("skin").parm("snippet").value.splitlines())
        self.assertIn("has %d lines" % lines, self.answer(asked.snippets))
        self.body.node("skin").parm("snippet").value = "// all of it is a comment"
        self.assertIn("has 1 lines", self.answer(asked.snippets))

    def test_a_parameter_that_is_not_linked_is_named(self):
        self.assertIn("follow the asset's: resimulate (", self.answer(asked.parameters_arrive))
        self.body.node("solver").parm("youngsmodulus").source = None
        self.assertIn("youngsmodulus, resimulate (", self.answer(asked.parameters_arrive))

    def test_a_ramp_that_stays_behind_is_seen_and_the_old_one_put_back(self):
        before = self.body.parm("dampingramp").value
        self.assertIn("3 keys: True, 5 keys: True, 2 keys: True", self.answer(asked.ramp_arrives))
        inner = self.body.node("solver").parm("dampingramp")
        inner.source, inner.value = None, before
        self.assertIn("3 keys: False, 5 keys: False, 2 keys: False", self.answer(asked.ramp_arrives))
        self.assertIs(self.body.parm("dampingramp").value, before)

    def test_sliders_that_show_are_listed_for_each_model(self):
        self.assertIn("none: none; strainrate: dampingshear, dampingbulk, dampingexponent; rayleigh: dampingtime, dampingexponent; "
                      "stretchrate: dampingstrength, dampingexponent", self.answer(asked.sliders_on_top))

    def test_every_question_has_a_name_of_its_own(self):
        names = [name for name, _ in asked.asset_questions(self.verification)]
        self.assertEqual(len(set(names)), len(names))
        self.assertGreater(len(names), 8)


if __name__ == "__main__":
    unittest.main()
