"""Dialog scripts: their grammar, and their parameters against the declaration of the solver."""
import re

from .. import dialog


def channel_names(parm):
    name, kind = parm.text("name"), parm.text("type")
    if parm.text("size") == "2":
        return [name + "1", name + "2"]
    return [name + axis for axis in "xyz"] if kind == "vector" else [name]


def rule_names(rule):
    """Parameters that a disablewhen rule compares, or None if it cannot be read."""
    groups = re.findall(r"\{([^{}]*)\}", rule)
    if not groups or re.sub(r"\{[^{}]*\}", "", rule).strip():
        return None
    names = []
    for words in (group.split() for group in groups):
        if not words or len(words) % 3 or any(words[i] not in ("==", "!=", "<", ">", "<=", ">=") for i in range(1, len(words), 3)):
            return None
        names += words[0::3]
    return names


def check_parm(parm, where, faults):
    name, kind = parm.text("name"), parm.text("type")
    at = f"{where}:{parm.line}"
    if not name or not re.fullmatch(r"[A-Za-z_]\w*", name):
        faults.add(at, f"a parm has no proper name ({name})")
        return
    if kind not in dialog.VALUE_TYPES:
        faults.add(at, f"{name} has the unknown type {kind}")
    if parm.text("label") is None:
        faults.add(at, f"{name} has no label")
    defaults = parm.all("default")
    count = int(parm.text("size") or 1)
    if kind != "separator" and (len(defaults) != 1 or len(defaults[0][0].words()) != count):
        faults.add(at, f"{name} needs {count} default value(s)")
    elif kind == "ordinal":
        menu = parm.all("menu")
        items = [entry for entry in menu[0][0].entries] if menu else []
        if not items or any(len(values) != 1 for _, values, _ in items):
            faults.add(at, f"the menu of {name} must be pairs of token and label")
        elif not 0 <= int(defaults[0][0].words()[0]) < len(items):
            faults.add(at, f"the default of {name} is not in its menu")
    elif kind in ("float", "log", "integer", "vector", "toggle", "ramp_flt"):
        for word in defaults[0][0].words():
            try:
                float(word)
            except ValueError:
                faults.add(at, f"the default {word} of {name} is not a number")


def check_dialog(path, name, faults):
    """The tree, or None if it cannot be read."""
    try:
        tree = dialog.parse(path.read_text())
    except (dialog.DialogError, OSError) as error:
        faults.add(path, str(error))
        return None
    if tree.text("name") != f"dashpot::{name}::1.0":
        faults.add(path, f"its name is {tree.text('name')} and must be dashpot::{name}::1.0")
    seen = {}
    for parm in dialog.parms(tree):
        check_parm(parm, path, faults)
        if parm.text("name") in seen:
            faults.add(path, f"{parm.text('name')} is there twice")
        seen[parm.text("name")] = parm
    for parm in seen.values():
        rule = parm.text("disablewhen")
        names = rule_names(rule) if rule is not None else []
        if names is None:
            faults.add(path, f"the rule '{rule}' of {parm.text('name')} cannot be read")
        for other in names or []:
            if other not in seen:
                faults.add(path, f"the rule of {parm.text('name')} compares {other}, which the dialog does not have")
    return tree


def check_declared(path, tree, own, declaration, needed, faults):
    """Names, defaults and menus are those of the declaration; nothing is missing."""
    there = {parm.text("name"): parm for parm in dialog.parms(tree)}
    for name, parm in there.items():
        declared = declaration.parameters.get(name)
        if declared is None:
            if name not in own:
                faults.add(path, f"{name} is not a parameter that the solver declares")
            continue
        words = parm.all("default")[0][0].words() if parm.all("default") else []
        if declared["type"] == "menu":
            items = [key for key, _, _ in parm.all("menu")[0][0].entries] if parm.all("menu") else []
            if items != [item["token"] for item in declared["menu"]]:
                faults.add(path, f"the menu of {name} is not the declared one")
            elif words and words[0].isdigit() and items[int(words[0]) % len(items)] != declared["default"]:
                faults.add(path, f"the default of {name} is {items[int(words[0]) % len(items)]}, declared is {declared['default']}")
        elif declared["type"] in ("float", "int"):
            if [float(w) for w in words if re.fullmatch(r"[-+.\deE]+", w)] != [float(declared["default"])]:
                faults.add(path, f"the default of {name} is {' '.join(words)}, declared is {declared['default']}")
    for name in needed:
        if name not in there:
            faults.add(path, f"{name} is declared, but the dialog does not have it")
