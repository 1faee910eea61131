"""The network inside one of our assets against what is known of the nodes in it, and against the declaration."""
import re

from ..real.structure import children
from ..real.linking import values_of
from ..real.values import channels

SOLVER = "dashpot::solver::1.0"
# Nodes of Houdini that our networks use, and those of their parameters that we set; names as in public assets, in a public
# dump of the parameters of 21 (unclepomedev/houdini_ramen) and in saved scenes.
KNOWN_NODES = {"tetembed": {"usebasesize", "basesize", "maxtetscale", "surftriscale"}, "switch": {"input"}, "merge": set(),
               "trail": {"result"}, "attribwrangle": {"class", "snippet"},
               "vdbfrompolygons": {"numattrib", "attribute1", "attributevdbname1", "vectype1", "fillinterior", "voxelsize",
                                   "exteriorbandvoxels", "interiorbandvoxels"}}
COUNTED_INPUTS = {"tetembed": 2, "attribwrangle": 4, "trail": 1, "vdbfrompolygons": 2, SOLVER: 3, "switch": 9999, "merge": 9999}
PASS_ON = ("switch", "merge")  # their output is their input, as it is
REFERENCE = re.compile(r'\bch[sif]?\(\\?"([^"\\]+)\\?"\)')


def sources(node):
    """Names of the nodes that it is connected to, and "(0)" for inputs of the asset, in order."""
    return [line.split("\t")[1].split()[0] for line in node.block("inputs") or [] if "\t" in line]


def check_network(path, asset, input_count, channel_set, declaration, faults):
    nodes = {node.name: node for node in children(asset)}
    for node in nodes.values():
        if node.kind not in COUNTED_INPUTS:
            faults.add(path, f"{node.name}: there is no node type {node.kind}")
        elif len(sources(node)) > COUNTED_INPUTS[node.kind]:
            faults.add(path, f"{node.name}: a {node.kind} has only {COUNTED_INPUTS[node.kind]} inputs")
        if node.kind == SOLVER and node.matchesdef != "0":
            faults.add(path, f"{node.name}: the solver is compiled, so matchesdef is 0")
        for source in sources(node):
            if source.startswith("(") and int(source.strip("()")) >= input_count:
                faults.add(path, f"{node.name}: input {source} of the asset does not exist")
        check_values(path, node, channel_set, declaration, faults)
    if asset.network.body("hdaroot.inp").split()[:1] != [str(input_count)]:
        faults.add(path, f"hdaroot.inp must list {input_count} inputs")
    check_all_used(path, nodes, faults)
    check_merges(path, nodes, faults)


def check_all_used(path, nodes, faults):
    reached, waiting = set(), [name for name, node in nodes.items() if node.flag("display") == "on"]
    while waiting:
        name = waiting.pop()
        if name not in reached and name in nodes:
            reached.add(name)
            waiting += sources(nodes[name])
    for name in nodes:
        if name not in reached:
            faults.add(path, f"{name}: leads nowhere")


def passed_on(name, nodes, seen=()):
    """Where everything that a node may give out comes from, through nodes that pass their inputs on as they are."""
    if name not in nodes or nodes[name].kind not in PASS_ON or name in seen:
        return {name}
    return {origin for source in sources(nodes[name]) for origin in passed_on(source, nodes, (*seen, name))}


def check_merges(path, nodes, faults):
    for name, node in nodes.items():
        if node.kind == "merge":
            origins = [passed_on(source, nodes) for source in sources(node)]
            twice = {origin for i, one in enumerate(origins) for other in origins[:i] for origin in one & other}
            for origin in sorted(twice):
                faults.add(path, f"{name}: merges {origin} with itself, so everything in it is there twice")
            for user in (other for other in nodes.values() if name in sources(other)):
                if "restP" not in "".join(values_of(user).get("snippet", [])):
                    faults.add(path, f"{user.name}: takes what {name} merged, where a rest shape that one side lacks is all zeros")


def node_parameters(kind, declaration):
    if kind != SOLVER:
        return KNOWN_NODES.get(kind, set())
    names = set()
    for token, value_type in declaration.types.items():
        names |= {token, *declaration.components(token)}
        if value_type == "ramp_flt":
            names |= {f"{token}{i}{part}" for i in range(1, len(declaration.ramps[token]) + 1) for part in ("pos", "value", "interp")}
    return names


def check_values(path, node, channel_set, declaration, faults):
    """Parameters that are set exist, and every channel reference resolves."""
    known = node_parameters(node.kind, declaration)
    driven = channels(node.text("chn"))
    for name in [*values_of(node), *driven]:
        if name not in known:
            faults.add(path, f"{node.name}: a {node.kind} has no parameter {name}")
    for reference in REFERENCE.findall(node.text("chn") + node.text("parm")):
        if not reference.startswith("../") or reference[3:] not in channel_set:
            faults.add(path, f"{node.name}: the reference {reference} finds no parameter of the asset")
    if node.kind == SOLVER:
        for token, value_type in declaration.types.items():
            for channel in declaration.components(token):
                if value_type != "button" and channel not in driven:
                    faults.add(path, f"{node.name}: {token} is not driven by the asset")


def check_collider(path, asset, tokens, faults):
    """Of a detail there is one, so merged colliders would share the coefficients of the first."""
    for node in children(asset):
        values = values_of(node)
        for token in tokens:
            if f"@{token} =" in "".join(values.get("snippet", [])) and values.get("class") != ['"primitive"']:
                faults.add(path, f"{node.name}: {token} must be an attribute of primitives, or merged colliders share one")
