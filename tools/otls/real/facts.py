"""Counts over public assets: how often each rule is kept, and tables that some rules need."""
import collections
import json
import pathlib

from . import dialogs, files, linking, structure  # noqa: F401 (they register their rules)
from .reading import assets_of, libraries
from .rule import RULES

PATH = pathlib.Path(__file__).resolve().parent / "facts.json"


def load():
    return json.loads(PATH.read_text())


def tables(assets):
    """Which node types are assets, and the words of dialogs with the number of assets that have them."""
    types, keys, kinds = {}, collections.Counter(), collections.Counter()
    for asset in assets:
        for node in asset.network.nodes.values():
            if node.kind and not node.is_root:
                seen = types.setdefault(node.kind, {"locked": 0, "unlocked": 0})
                seen["locked" if node.matchesdef == "1" else "unlocked"] += 1
        parms = asset.parms()
        keys.update({key for parm in parms for key, _, _ in parm.entries})
        kinds.update({parm.text("type") for parm in parms if parm.text("type")})
    return {"node_types": types, "dialog": {"keys": dict(keys), "types": dict(kinds)}}


def sop_assets(folders):
    return [asset for folder in folders for library in libraries(folder) for asset in assets_of(library) if asset.table == "Sop"]


def survey(assets, used_types):
    """The facts, and for each rule the places that do not keep it. used_types: the table of types is kept for these."""
    found = tables(assets)
    rules, exceptions = {}, {}
    for name, rule in RULES.items():
        cases = [(asset, kept, what) for asset in assets for kept, what in rule.cases(asset, found)]
        exceptions[name] = [f"{asset.section}: {what}" for asset, kept, what in cases if not kept]
        rules[name] = {"rule": rule.sentence, "cases": len(cases), "kept": len(cases) - len(exceptions[name]),
                       "assets": len({id(asset) for asset, _, _ in cases})}
    found["node_types"] = {kind: found["node_types"][kind] for kind in sorted(used_types) if kind in found["node_types"]}
    return {"assets": len(assets), "rules": rules, **found}, exceptions
