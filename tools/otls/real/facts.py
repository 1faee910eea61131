"""Counts over public assets: how often each rule is kept, and tables that some rules need."""
import collections
import json
import pathlib
import re

from . import dialogs, files, linking, structure  # noqa: F401 (they register their rules)
from .reading import assets_of, libraries
from .rule import RULES

MENU_SIZE = 12
PATH = pathlib.Path(__file__).resolve().parent / "facts.json"


def load():
    return json.loads(PATH.read_text())


def node_types(assets):
    """How often a node type is an asset that is locked."""
    types = {}
    for node in (node for asset in assets for node in asset.network.nodes.values() if node.kind and not node.is_root):
        seen = types.setdefault(node.kind, {"locked": 0, "unlocked": 0})
        seen["locked" if node.matchesdef == "1" else "unlocked"] += 1
    return types


def menu_words(assets):
    """Node type to parameter to the words that it is set to, where they are few enough to be those of a menu."""
    words = {}
    for node in (node for asset in assets for node in structure.children(asset)):
        for name, values in linking.values_of(node).items():
            if len(values) == 1 and values[0].startswith('"'):
                words.setdefault(node.kind, {}).setdefault(name, set()).add(values[0].strip('"'))
    return {kind: {name: sorted(seen) for name, seen in sorted(parms.items())
                   if len(seen) <= MENU_SIZE and all(re.fullmatch(r"[a-z][\w -]*", word) for word in seen)}
            for kind, parms in words.items()}


def dialog_words(assets):
    """Keys and types of parameters with the number of assets that have them."""
    keys, kinds = collections.Counter(), collections.Counter()
    for parms in (asset.parms() for asset in assets):
        keys.update({key for parm in parms for key, _, _ in parm.entries})
        kinds.update({parm.text("type") for parm in parms if parm.text("type")})
    return {"keys": dict(sorted(keys.items())), "types": dict(sorted(kinds.items()))}


def sop_assets(folders):
    return [asset for folder in folders for library in libraries(folder) for asset in assets_of(library) if asset.table == "Sop"]


def used_nodes(assets):
    used = {}
    for node in (node for asset in assets for node in structure.children(asset)):
        used.setdefault(node.kind, set()).update(name for name, words in linking.values_of(node).items() if words[0].startswith('"'))
    return {kind: used[kind] for kind in sorted(used)}


def survey(assets, used):
    """The facts, and for each rule the places that do not keep it. used: node types to the parameters of them that our assets
    set; the tables of node types are kept for these."""
    found = {"node_types": node_types(assets), "words": menu_words(assets), "dialog": dialog_words(assets)}
    rules, exceptions = {}, {}
    for name, rule in sorted(RULES.items()):
        cases = [(asset, kept, what) for asset in assets for kept, what in rule.cases(asset, found)]
        exceptions[name] = [f"{asset.section}: {what}" for asset, kept, what in cases if not kept]
        rules[name] = {"rule": rule.sentence, "cases": len(cases), "kept": len(cases) - len(exceptions[name]),
                       "assets": len({id(asset) for asset, _, _ in cases})}
    found["node_types"] = {kind: found["node_types"][kind] for kind in sorted(used) if kind in found["node_types"]}
    found["words"] = {kind: {name: found["words"].get(kind, {}).get(name, []) for name in sorted(parms)} for kind, parms in used.items()}
    return {"assets": len(assets), "rules": rules, **found}, exceptions
