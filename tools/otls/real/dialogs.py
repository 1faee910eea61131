"""Rules about dialog scripts."""
import re

from .. import dialog
from .rule import rule

WHEN = re.compile(r"\{([^{}]*)\}")
MENUS = ("menu", "menutoggle", "menureplace")
NUMBERS = ("float", "log", "integer", "toggle", "vector", "ramp_flt")
NUMBER = re.compile(r"[-+]?\d*\.?\d+\.?(e[-+]?\d+)?|on|off")
COMPARISONS = ("==", "!=", "<", ">", "<=", ">=", "=~", "!~")


def conditions(text):
    """[(left, right)] of a rule, or None if it cannot be read."""
    groups = [group.split() for group in WHEN.findall(text)]
    if not groups or WHEN.sub("", text).strip():
        return None
    if any(len(words) % 3 or any(word not in COMPARISONS for word in words[1::3]) for words in groups):
        return None
    return [(words[i], words[i + 2]) for words in groups for i in range(0, len(words), 3)]


def tags(parm):
    return dict(pair[:2] for pair in ((values[0].words() + ["", ""]) for values in parm.all("parmtag")))


def menus(parm):
    """Blocks of its menus; other dialogs also have menus by name alone."""
    return [values[0] for key in MENUS for values in parm.all(key) if isinstance(values[0], dialog.Block)]


def menu_items(parm):
    """Tokens of a menu that is written down, or None."""
    blocks = menus(parm)
    if not blocks or any(key == "[" for key, _, _ in blocks[0].entries):
        return None
    return [key for key, _, _ in blocks[0].entries]


@rule("a dialog script can be read and is of this operator")
def readable_dialog(asset, facts):
    tree = asset.dialog
    yield tree is not None and tree.text("name") == asset.operator and tree.text("script") is not None, "DialogScript"


@rule("a parm has name, label, type and default; keys that real dialogs have; a type that they have")
def known_keys(asset, facts):
    words = facts["dialog"]
    for parm in asset.parms():
        keys = {key for key, _, _ in parm.entries}
        plain = "baseparm" in keys or {"name", "label", "type"} <= keys
        yield (plain and all(words["keys"].get(key, 0) > 1 for key in keys)
               and (parm.text("type") is None or words["types"].get(parm.text("type"), 0) > 1)), parm.text("name")


@rule("keys of a parm are in one order: name, label, type, size, default, help, rules, menu, range, tags")
def key_order(asset, facts):
    for parm in asset.parms():
        places = [dialog.KEY_ORDER.index(key) for key, _, _ in parm.entries if key in dialog.KEY_ORDER]
        yield places == sorted(places), parm.text("name")


@rule("a parm has as many defaults as components, and one name")
def defaults(asset, facts):
    seen = set()
    for parm in asset.parms():
        name, blocks = parm.text("name"), parm.all("default")
        if "baseparm" not in {key for key, _, _ in parm.entries}:
            count = int(parm.text("size") or 1)
            entries = [entry for entry in blocks[0][0].entries] if len(blocks) == 1 and blocks[0] else []
            words = [word for key, values, _ in entries for word in [key, *values]]
            plain = "[" not in words
            yield name not in seen and len(blocks) == 1 and (not plain or len(words) == count), name
        seen.add(name)


@rule("a rule that disables or hides compares parameters of the dialog")
def rules_compare(asset, facts):
    names = {parm.text("name") for parm in asset.parms()}
    for parm in asset.parms():
        for key in ("disablewhen", "hidewhen"):
            for values in parm.all(key):
                compared = conditions(values[0])
                known = compared is not None and all(
                    left in names or re.sub(r"\d+$", "#", left) in names or "(" in left or left[:-1] in names for left, _ in compared)
                yield known, f"{parm.text('name')}: {key} {values[0]}"


@rule("a rule compares a menu with one of its tokens, or with the number of an item")
def rules_know_menus(asset, facts):
    items = {parm.text("name"): menu_items(parm) for parm in asset.parms() if parm.text("type") == "ordinal"}
    for parm in asset.parms():
        for key in ("disablewhen", "hidewhen"):
            for left, right in [pair for values in parm.all(key) for pair in conditions(values[0]) or []]:
                if items.get(left):
                    numbers = {str(i) for i in range(len(items[left]))}
                    yield right.strip("\"'") in {*items[left], *numbers}, f"{parm.text('name')}: {left} against {right}"


@rule("a default of a number is one, unless it is an expression")
def number_defaults(asset, facts):
    for parm in asset.parms():
        for values in parm.all("default"):
            words = values[0].words() if parm.text("type") in NUMBERS and isinstance(values[0], dialog.Block) else []
            if words and "[" not in words:
                yield all(NUMBER.fullmatch(word) for word in words), f"{parm.text('name')}: {' '.join(words)}"


@rule("a menu that is written down has a token and a label for each item")
def menu_pairs(asset, facts):
    for parm in asset.parms():
        for block in menus(parm):
            if menu_items(parm):
                yield all(len(values) == 1 for _, values, _ in block.entries), parm.text("name")


@rule("the default of a menu is an item of it")
def menu_defaults(asset, facts):
    for parm in asset.parms():
        items, values = menu_items(parm), parm.all("default")
        if parm.text("type") == "ordinal" and items and values and isinstance(values[0][0], dialog.Block):
            word = (values[0][0].words() or ["?"])[0]
            yield word in items or (word.isdigit() and int(word) < len(items)), parm.text("name")


@rule("keys of a default ramp lie between 0 and 1 in order, as many as its default counts")
def ramp_defaults(asset, facts):
    for parm in asset.parms():
        if parm.text("type") == "ramp_flt" and "rampfloatdefault" in tags(parm):
            found = re.findall(r"(\d+)pos \( *(\S+) *\)", tags(parm)["rampfloatdefault"])
            places = [float(place) for _, place in sorted(found, key=lambda key: int(key[0]))]
            yield (all(0 <= place <= 1 for place in places) and places == sorted(places)
                   and parm.all("default")[0][0].words() == [str(len(places))]), parm.text("name")


@rule("a field whose arrow picks a group offers the groups in a menu")
def group_menus(asset, facts):
    for parm in asset.parms():
        if "selectGroupParm" in tags(parm).get("script_action", ""):
            yield any(parm.all(key) for key in MENUS), parm.text("name")


@rule("an arrow beside a field has an icon")
def action_icons(asset, facts):
    for parm in asset.parms():
        if tags(parm).get("script_action"):
            yield bool(tags(parm).get("script_action_icon")), parm.text("name")


@rule("a menu that asks a node inside names one that is there")
def menus_ask_nodes(asset, facts):
    for parm in asset.parms():
        for block in menus(parm):
            for node in re.findall(r"opmenu(?: -\w)* (\S+) \S+", " ".join(map(str, block.words()))):
                outer = asset.network.nodes.get(f"hdaroot/{node.split('/')[0]}")
                # What is inside a locked asset is written down elsewhere.
                if "$" not in node and not (outer and "/" in node and outer.matchesdef == "1"):
                    yield node == "." or f"hdaroot/{node}" in asset.network.nodes, f"{parm.text('name')}: {node}"


@rule("callbacks and menus that call hou.phm() find the function in PythonModule and are marked as Python")
def module_calls(asset, facts):
    module = asset.text("PythonModule")
    for parm in asset.parms():
        marked = tags(parm)
        calls = [(call, marked.get("script_callback_language")) for call in
                 re.findall(r"(?:hou\.phm\(\)|hdaModule\(\))\.(\w+)\(", marked.get("script_callback", ""))]
        for block in menus(parm):
            words = [word for word in block.words() if isinstance(word, str)]
            calls += [(call, words[-1]) for call in re.findall(r"hou\.phm\(\)\.(\w+)\(", " ".join(words))]
        for call, language in calls:
            yield language == "python" and bool(re.search(rf"^(def {call}\b|{call} =|from .* import .*)", module, re.M)), \
                f"{parm.text('name')}: {call}"
