"""Presets of material and damping: one undo step, nothing else touched, edits remembered."""
import json

import hou


def presets(node):
    return json.loads(node.type().definition().sections()["presets.json"].contents())


def find(node, token):
    return next((preset for preset in presets(node) if preset["token"] == token), None)


def ramp_of(keys):
    bases = {"linear": hou.rampBasis.Linear, "catmull-rom": hou.rampBasis.CatmullRom,
             "monotonecubic": hou.rampBasis.MonotoneCubic, "bezier": hou.rampBasis.Bezier}
    return hou.Ramp([bases[key["interpolation"]] for key in keys], [key["position"] for key in keys],
                    [key["value"] for key in keys])


def apply_preset(kwargs):
    node = kwargs["node"]
    preset = find(node, node.parm("preset").evalAsString())
    if preset is None:
        node.parm("presetstate").set("Custom")
        return
    with hou.undos.group("Apply " + preset["label"]):
        for token, value in preset["values"].items():
            if node.parm(token) is not None:
                node.parm(token).set(value)
        for token, ends in preset["ranges"].items():
            node.parmTuple(token).set(ends)
        for token, keys in preset["ramps"].items():
            node.parm(token).set(ramp_of(keys))
        node.parm("presetstate").set(preset["label"])


def differs(node, preset):
    for token, value in preset["values"].items():
        parm = node.parm(token)
        if parm is None:
            continue
        if isinstance(value, str) and parm.evalAsString() != value:
            return True
        if not isinstance(value, str) and abs(parm.eval() - value) > 1e-6 * abs(value) + 1e-12:
            return True
    for token, ends in preset["ranges"].items():
        if any(abs(a - b) > 1e-6 for a, b in zip(node.parmTuple(token).eval(), ends)):
            return True
    for token, keys in preset["ramps"].items():
        ramp, wanted = node.parm(token).eval(), ramp_of(keys)
        if list(ramp.basis()) != list(wanted.basis()):
            return True
        there = [*ramp.keys(), *ramp.values()]
        if any(abs(a - b) > 1e-6 for a, b in zip(there, [*wanted.keys(), *wanted.values()])):
            return True
    return False


def parameter_changed(kwargs):
    node = kwargs["node"]
    preset = find(node, node.parm("preset").evalAsString())
    if preset is not None:
        node.parm("presetstate").set(preset["label"] + (" (edited)" if differs(node, preset) else ""))
