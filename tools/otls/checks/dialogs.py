"""Dialogs of our assets against the declaration of the solver."""
import re

from .. import dialog


def channel_names(parm):
    name, kind = parm.text("name"), parm.text("type")
    if kind == "ramp_flt":
        count = int((parm.all("default") or [[dialog.Block(0)]])[0][0].words()[0])
        return [name, *[f"{name}{i}{part}" for i in range(1, count + 1) for part in ("pos", "value", "interp")]]
    if parm.text("size") == "2":
        return [name + "1", name + "2"]
    return [name + axis for axis in "xyz"] if kind == "vector" else [name]


def rule_of(parm):
    return parm.text("disablewhen") or parm.text("hidewhen")


def default_words(parm):
    return parm.all("default")[0][0].words() if parm.all("default") else []


def check_menu(path, name, parm, declared, faults):
    items = [key for key, _, _ in parm.all("menu")[0][0].entries] if parm.all("menu") else []
    words = default_words(parm)
    if items != [item["token"] for item in declared["menu"]]:
        faults.add(path, f"the menu of {name} is not the declared one")
    elif words and words[0].isdigit() and items[int(words[0]) % len(items)] != declared["default"]:
        faults.add(path, f"the default of {name} is {items[int(words[0]) % len(items)]}, declared is {declared['default']}")


def check_declared(path, tree, own, declaration, needed, faults):
    """Names, defaults, menus and rules are those of the declaration; nothing is missing."""
    there = {parm.text("name"): parm for parm in dialog.parms(tree)}
    of_node = {parm.text("name"): parm for parm in dialog.parms(declaration.tree)}
    for name, parm in there.items():
        declared, words = declaration.parameters.get(name), default_words(parm)
        if declared is None:
            if name not in own:
                faults.add(path, f"{name} is not a parameter that the solver declares")
        elif declared["type"] == "menu":
            check_menu(path, name, parm, declared, faults)
        elif declared["type"] in ("float", "int", "bool"):
            if [float(w) for w in words if re.fullmatch(r"[-+.\deE]+", w)] != [float(declared["default"])]:
                faults.add(path, f"the default of {name} is {' '.join(words)}, declared is {declared['default']}")
        if name in of_node and rule_of(parm) != rule_of(of_node[name]):
            faults.add(path, f"{name} is disabled or hidden by '{rule_of(parm)}', declared is '{rule_of(of_node[name])}'")
    for name in needed:
        if name not in there:
            faults.add(path, f"{name} is declared, but the dialog does not have it")


def check_top_sliders(path, tree, declaration, faults):
    """Every slider that a damping model has is on top while that model is picked, and only then."""
    top = {values[0].text("name"): values[0] for values in tree.all("parm")}
    for parm in dialog.parms(declaration.tree):
        name, rule = parm.text("name"), rule_of(parm)
        if parm.text("type") in ("float", "log") and rule and set(re.findall(r"(\w+) [!=]=", rule)) == {"dampingmodel"}:
            if name not in top:
                faults.add(path, f"{name} is not among the sliders on top, although a damping model needs it")
            elif top[name].text("hidewhen") != rule:
                faults.add(path, f"{name} is on top and must be hidden when {rule}")


def check_text_fields(path, tree, names, faults):
    """What names a group or an attribute can be picked."""
    for parm in dialog.parms(tree):
        if parm.text("name") in names and not any(parm.all(key) for key in ("menutoggle", "menureplace")):
            faults.add(path, f"{parm.text('name')} has no menu to pick from")
