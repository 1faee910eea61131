"""Rules about the parts of a network: which there are, in which order, flags, wires."""
import json
import re

from .rule import rule

CHILD_PARTS = re.compile(r"init def (multiparm )?(spareparmdef )?(chn )?parm (netbox )?userdata ((cop2|gdelta) )?"
                         r"(inp )?(order )?(net )?(editableinputdata )?")
ROOT_PARTS = re.compile(r"init def userdata (cop2 )?(inp )?(order )?net ")
DEF_KEYS = ["sopflags", "comment", "position", "connectornextid", "flags", "outputsNamed3", "inputsNamed3", "inputs", "stat",
            "color", "delscript", "exprlanguage", "end"]
FLAGS = ("lock model template footprint xray bypass display render highlight unload savedata compress colordefault "
         "exposed").split()


def children(asset):
    """The nodes right below the asset, without decoration."""
    return [node for node in asset.network.nodes.values() if node.path.count("/") == 1 and "def" in node.parts]


@rule("Contents.mime is framed by one boundary, begins with the table and ends with the order and .net of the root")
def framing(asset, facts):
    names = [name for name, _ in asset.network.parts if not name.startswith(".OP")]
    yield (asset.network.whole and names[:2] == ["node_type", "hdaroot.init"] and names[-1:] == ["hdaroot.net"]
           and asset.network.body("node_type").strip() == asset.table), "Contents.mime"


@rule("a node's parts are init, def, multiparm, spareparmdef, chn, parm, netbox, userdata, in this order")
def part_order(asset, facts):
    for node in asset.network.nodes.values():
        if {"init", "def", "parm"} & set(node.parts):
            wanted = ROOT_PARTS if node.is_root else CHILD_PARTS
            yield bool(wanted.fullmatch(" ".join(node.parts) + " ")), node.name


@rule("hdaroot.order counts and names the nodes of the network")
def node_order(asset, facts):
    root = asset.network.nodes.get("hdaroot")
    if root is not None and "order" in root.parts:
        count, *names = root.text("order").split()
        there = {node.name for node in children(asset)}
        yield count == str(len(names)) and all(name in there for name in names), "hdaroot.order"


@rule(".init has the type and matchesdef, which is 0 for the asset itself")
def init_parts(asset, facts):
    for node in asset.network.nodes.values():
        if "init" in node.parts:
            text = node.text("init")
            yield (bool(re.fullmatch(r"type = \S+\nmatchesdef = [01]\n\n?", text))
                   and (not node.is_root or text.startswith(f"type = {asset.operator}\nmatchesdef = 0\n"))), node.name


@rule("a node whose type is itself an asset is locked: matchesdef is 1 and nothing is inside")
def locked_assets(asset, facts):
    for node in children(asset):
        seen = facts["node_types"].get(node.kind)
        if seen and seen["locked"] > 9 * seen["unlocked"]:
            yield node.matchesdef == "1" and not asset.network.holds(node.path), f"{node.name} ({node.kind})"


@rule("a node whose type is compiled has matchesdef 0")
def compiled_nodes(asset, facts):
    for node in children(asset):
        seen = facts["node_types"].get(node.kind)
        if seen and seen["unlocked"] > 9 * seen["locked"]:
            yield node.matchesdef == "0", f"{node.name} ({node.kind})"


@rule(".def has its keys and flags in order")
def def_parts(asset, facts):
    for node in [asset.network.nodes.get("hdaroot"), *children(asset)]:
        text = node.text("def") if node else ""
        # Comments may run over lines.
        plain = re.sub(r'^comment ".*?"$', "comment", re.sub(r"^\{\n.*?^\}\n", "", text, flags=re.M | re.S), flags=re.M | re.S)
        keys = [line.split()[0] for line in plain.splitlines() if line.strip()]
        flags = re.findall(r"(\w+) (?:on|off)", next((line for line in text.splitlines() if line.startswith("flags =")), ""))
        yield keys == DEF_KEYS and flags[:len(FLAGS)] == FLAGS, node.name if node else "hdaroot"


@rule("connectornextid is one above the highest connector, and 0 without any")
def next_connector(asset, facts):
    for node in [asset.network.nodes.get("hdaroot"), *children(asset)]:
        match = re.search(r"^connectornextid (\d+)$", node.text("def"), re.M) if node else None
        used = [int(line.split()[0]) for key in ("inputsNamed3", "outputsNamed3") for line in (node.block(key) or [])] if node else []
        yield bool(match) and int(match.group(1)) == max(used, default=-1) + 1, node.name if node else "hdaroot"


@rule("inputsNamed3 and inputs list the same wires; each names the output connector that it comes from")
def wires(asset, facts):
    outputs = {node.name: {line.split()[0] for line in node.block("outputsNamed3") or []} for node in children(asset)}
    for node in children(asset):
        named, plain = node.block("inputsNamed3") or [], node.block("inputs") or []
        yield len(named) == len(plain), node.name
        for one, other in zip(named, plain):
            a = re.fullmatch(r'(\d+) \t(\S+) (\S+) 1 "(\w+)"', one)
            b = re.fullmatch(r"(\d+) \t(\S+) (\d+) 1", other)
            known = bool(a and b) and a.group(2) == b.group(2)
            if known and a.group(2)[0] not in "(\"":
                known = a.group(3) in outputs.get(a.group(2), ())
            elif known:
                known = a.group(3) == '""'
            yield known, f"{node.name}: {one.strip()}"


@rule("one node of the network has the display flag, and the same the render flag")
def shown_node(asset, facts):
    shown = [node.name for node in children(asset) if node.flag("display") == "on"]
    rendered = [node.name for node in children(asset) if node.flag("render") == "on"]
    yield len(shown) == 1 and shown == rendered, ", ".join(shown) or "none"


@rule("times of a node are in its .def, or all of them in Contents.createtimes and then -1 there")
def node_times(asset, facts):
    beside = (asset.folder / "Contents.dir/Contents.createtimes").is_file()
    for node in asset.network.nodes.values():
        if "def" in node.parts:
            times = re.findall(r"^  (?:create|modify) (-?\d+)$", node.text("def"), re.M)
            yield len(times) == 2 and all((time == "-1") == beside for time in times), node.name


@rule(".userdata is JSON with a text ___Version___")
def user_data(asset, facts):
    for node in asset.network.nodes.values():
        if "userdata" in node.parts:
            try:
                kept = json.loads(node.text("userdata"))["___Version___"]["type"] == "string"
            except (ValueError, KeyError, TypeError):
                kept = False
            yield kept, node.name
