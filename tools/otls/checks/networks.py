"""The network inside an asset: parts and their order, wires, values, channel references."""
import re

# Nodes of Houdini that our networks use, and those of their parameters that we set; names as in a public dump of the
# parameters of 21 (unclepomedev/houdini_ramen) and in saved scenes.
KNOWN_NODES = {"tetembed": {"usebasesize", "basesize", "maxtetscale", "surftriscale"}, "switch": {"input"}, "merge": set(), "trail": {"result"},
               "attribwrangle": {"class", "snippet"},
               "vdbfrompolygons": {"numattrib", "attribute1", "attributevdbname1", "vectype1", "fillinterior", "voxelsize",
                                   "exteriorbandvoxels", "interiorbandvoxels"}}
COUNTED_INPUTS = {"tetembed": 1, "attribwrangle": 4, "trail": 1, "vdbfrompolygons": 2, "dashpot::solver::1.0": 3,
                  "switch": 9999, "merge": 9999}
REFERENCE = re.compile(r'\bch[sif]?\(\\?"([^"\\]+)\\?"\)')


def mime_parts(path, faults):
    """(name, body) in order."""
    text = path.read_text() if path.is_file() else ""
    match = re.match(r'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="([^"]+)"\n\n', text)
    if not match:
        faults.add(path, "has no MIME header")
        return []
    boundary = match.group(1)
    if not text.endswith(f"--{boundary}--\n"):
        faults.add(path, "does not end with the closing boundary")
    parts = []
    for piece in text[match.end():].split(f"--{boundary}")[1:]:
        if piece == "--\n":
            continue
        head = re.match(r'\nContent-Disposition: attachment; filename="([^"]+)"\nContent-Type: text/plain\n\n', piece)
        if not head:
            faults.add(path, "has a part without a file name")
            continue
        parts.append((head.group(1), piece[head.end():]))
    return parts


def expected_order(nodes, present, inputs):
    order = ["node_type", "hdaroot.init", "hdaroot.def", "hdaroot.userdata"] + (["hdaroot.inp"] if inputs else [])
    for node in nodes:
        order += [f"hdaroot/{node}.{part}" for part in ("init", "def", "chn", "parm", "userdata")
                  if part != "chn" or f"hdaroot/{node}.chn" in present]
    return order + ["hdaroot.order", "hdaroot.net"]


def block_of(text, key):
    match = re.search(rf"^{key}\n\{{\n(.*?)^\}}\n", text, re.M | re.S)
    return match.group(1).splitlines() if match else None


def check_wires(path, node, text, kinds, connectors, input_count, faults):
    """Names of the nodes that it is connected to."""
    named, plain = block_of(text, "inputsNamed3"), block_of(text, "inputs")
    if named is None or plain is None or len(named) != len(plain):
        faults.add(path, f"{node}: inputsNamed3 and inputs do not list the same wires")
        return []
    if len(named) > COUNTED_INPUTS.get(kinds[node], 0):
        faults.add(path, f"{node}: a {kinds[node]} has only {COUNTED_INPUTS.get(kinds[node], 0)} inputs")
    sources = []
    for number, (one, other) in enumerate(zip(named, plain)):
        a = re.fullmatch(r'(\d+) \t(\S+) (\S+) 1 "input(\d+)"', one)
        b = re.fullmatch(r"(\d+) \t(\S+) (\d+) 1", other)
        if not a or not b or a.group(2) != b.group(2) or int(a.group(1)) != number or int(a.group(4)) != number + 1:
            faults.add(path, f"{node}: the wire '{one.strip()}' cannot be read or is not '{other.strip()}'")
            continue
        source = a.group(2)
        indirect = re.fullmatch(r"\((\d+)\)", source)
        if indirect:
            if int(indirect.group(1)) >= input_count:
                faults.add(path, f"{node}: input {source} of the asset does not exist")
        elif source not in kinds:
            faults.add(path, f"{node}: is wired to {source}, which does not exist")
        else:
            sources.append(source)
            if a.group(3) != connectors.get(source):
                faults.add(path, f"{node}: the wire from {source} names connector {a.group(3)}, its output is {connectors.get(source)}")
    return sources


def flag(text, name):
    match = re.search(rf"^flags = .*\b{name} (on|off)\b", text, re.M)
    return match.group(1) if match else None


def check_network(path, name, channel_set, input_count, declaration, faults):
    parts = mime_parts(path, faults)
    bodies = dict(parts)
    order_lines = bodies.get("hdaroot.order", "").split()
    nodes = order_lines[1:]
    if not order_lines or order_lines[0] != str(len(nodes)):
        faults.add(path, "hdaroot.order does not count its nodes")
    if [part for part, _ in parts] != expected_order(nodes, set(bodies), input_count):
        faults.add(path, "parts are missing, too many or not in Houdini's order")
    if bodies.get("node_type", "").strip() != "Sop":
        faults.add(path, "node_type must be Sop")
    if f"type = dashpot::{name}::1.0\n" not in bodies.get("hdaroot.init", ""):
        faults.add(path, "hdaroot.init names another type")
    if bodies.get("hdaroot.inp", "0").split()[0] != str(input_count):
        faults.add(path, f"hdaroot.inp must list {input_count} inputs")
    kinds, connectors = {}, {}
    for node in nodes:
        match = re.match(r"type = (\S+)\nmatchesdef = [01]\n", bodies.get(f"hdaroot/{node}.init", ""))
        kinds[node] = match.group(1) if match else "?"
        outputs = block_of(bodies.get(f"hdaroot/{node}.def", ""), "outputsNamed3") or []
        connectors[node] = outputs[0].split()[0] if outputs else None
        if kinds[node] not in COUNTED_INPUTS:
            faults.add(path, f"{node}: there is no node type {kinds[node]}")
    wires, shown = {}, []
    for node in nodes:
        text = bodies.get(f"hdaroot/{node}.def", "")
        wires[node] = check_wires(path, node, text, kinds, connectors, input_count, faults)
        used = [int(line.split()[0]) for key in ("inputsNamed3", "outputsNamed3") for line in block_of(text, key) or []]
        match = re.search(r"^connectornextid (\d+)$", text, re.M)
        if not match or int(match.group(1)) != max(used, default=-1) + 1:
            faults.add(path, f"{node}: connectornextid is not one above the highest connector")
        if flag(text, "display") == "on" and flag(text, "render") == "on":
            shown.append(node)
        check_values(path, node, kinds[node], bodies, channel_set, declaration, faults)
    if len(shown) != 1:
        faults.add(path, f"one node must have the display and render flags, not {len(shown)}")
    else:
        check_all_used(path, nodes, wires, shown[0], faults)
    return nodes


def check_all_used(path, nodes, wires, output, faults):
    reached, waiting = set(), [output]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting += [source for source in wires.get(node, [])]
    for node in nodes:
        if node not in reached:
            faults.add(path, f"{node}: leads nowhere")


def node_parameters(kind, declaration):
    if kind != "dashpot::solver::1.0":
        return KNOWN_NODES.get(kind, set())
    names = set()
    for token, value_type in declaration.types.items():
        axes = "xyz" if value_type == "vector" else "12" if token in declaration.pairs else ""
        names |= {token} | {token + axis for axis in axes}
    return names


def check_values(path, node, kind, bodies, channel_set, declaration, faults):
    """Parameters that are set exist, and every channel reference resolves."""
    known = node_parameters(kind, declaration)
    values = bodies.get(f"hdaroot/{node}.parm", "")
    if not values.startswith("{\nversion 0.8\n") or not values.rstrip().endswith("}"):
        faults.add(path, f"{node}: its .parm part cannot be read")
    lines = re.findall(r"^(\w+)\t\[ 0\tlocks=0 \]\t\(\t(.*)\t\)$", values, re.M)
    if len(lines) != len(values.strip().splitlines()) - 3:
        faults.add(path, f"{node}: a line of its .parm part cannot be read")
    channels = re.findall(r"^\tchannel (\w+) \{", bodies.get(f"hdaroot/{node}.chn", ""), re.M)
    driven = re.findall(r'\[ (\w+) (?:[-+.\deE]+|"") \] ', "\t".join(value for _, value in lines))
    for name in [line[0] for line in lines] + channels:
        if name not in known:
            faults.add(path, f"{node}: a {kind} has no parameter {name}")
    if sorted(channels) != sorted(driven):
        faults.add(path, f"{node}: channels and driven values differ: {sorted(set(channels) ^ set(driven))}")
    for reference in REFERENCE.findall(bodies.get(f"hdaroot/{node}.chn", "") + values):
        if not reference.startswith("../") or reference[3:] not in channel_set:
            faults.add(path, f"{node}: the reference {reference} finds no parameter of the asset")
    if kind == "dashpot::solver::1.0":
        for token, value_type in declaration.types.items():
            linked = token + ("x" if value_type == "vector" else "1" if token in declaration.pairs else "")
            if value_type != "button" and linked not in channels:
                faults.add(path, f"{node}: {token} is not driven by the asset")
