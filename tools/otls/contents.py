"""The network of an asset as Houdini writes it: Contents.mime, and the languages of values and channels."""
from .declaration import number_text

BOUNDARY = "HOUDINIMIMEBOUNDARY0xD3ADD00D-0x3B9ACA07-0x00DA5909HOUDINIMIMEBOUNDARY"
USERDATA = '{\n\t"___Version___":{\n\t\t"type":"string",\n\t\t"value":""\n\t}\n}\n'
TIME = 1700000000  # files are the same whenever they are made
LOCKED_TYPES = {"attribwrangle", "tetembed"}  # assets themselves: Houdini fills them from their definitions


def flags_text(shown):
    on = "on" if shown else "off"
    flags = {"lock": "off", "model": "off", "template": "off", "footprint": "off", "xray": "off", "bypass": "off", "display": on,
             "render": on, "highlight": "off", "unload": "off", "savedata": "off", "compress": "on", "colordefault": "on",
             "exposed": "on"}
    return "flags =  " + " ".join(f"{key} {value}" for key, value in flags.items()) + "\n"


def def_text(place, next_connector, shown, outputs="", named="", plain=""):
    return (f'sopflags sopflags = \ncomment ""\nposition {place[0]} {place[1]}\nconnectornextid {next_connector}\n'
            + flags_text(shown) + f"outputsNamed3\n{{\n{outputs}}}\ninputsNamed3\n{{\n{named}}}\ninputs\n{{\n{plain}}}\n"
            f"stat\n{{\n  create {TIME}\n  modify {TIME}\n  author dashpot@dashpot\n  access 0777\n}}\n"
            "color UT_Color RGB 0.8 0.8 0.8 \ndelscript \"\"\nexprlanguage hscript\nend\n")


def node_def(node, place, ids):
    """ids: connector of the output of every node; an input's connector is its number."""
    named, plain = "", ""
    for i, source in enumerate(node.inputs):
        if isinstance(source, int):
            named += f'{i} \t({source}) "" 1 "input{i + 1}"\n'
            plain += f"{i} \t({source}) 0 1\n"
        else:
            named += f'{i} \t{source} {ids[source]} 1 "input{i + 1}"\n'
            plain += f"{i} \t{source} 0 1\n"
    return def_text(place, ids[node.name] + 1, node.output, f'{ids[node.name]} "output1"\n', named, plain)


def value_text(value):
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return number_text(value)


def parm_line(name, values):
    return f"{name}\t[ 0\tlocks=0 ]\t(\t" + "".join(f"{v}\t" for v in values) + ")\n"


def node_parm(node):
    lines = [parm_line(name, [value_text(v) for v in values]) for name, values in node.parms.items()]
    for name, components in node.driven().items():
        lines.append(parm_line(name, [f"[ {c}\t{value_text(node.channels[c][1])} ] " for c in components]))
    return "{\nversion 0.8\n" + "".join(lines) + "}\n"


def node_channels(node):
    text = ""
    for name, (expression, default) in node.channels.items():
        escaped = expression.replace('"', '\\"')
        number = "" if isinstance(default, str) or default == 0 else number_text(default)
        start = f"      default = {number}\n" if number else '      defaultString = \\"\\"\n' if isinstance(default, str) else ""
        again = f"value = {number} {number} " if number else ""
        text += (f"    channel {name} {{\n      lefttype = extend\n      righttype = extend\n{start}"
                 f"      flags = 0\n      segment {{ length = 0 {again}expr = {escaped} }}\n    }}\n")
    return "{\n" + text + "  }\n"


def node_multiparm(node):
    """What links the keys that a ramp gets later; those that are there have channels."""
    return f"{len(node.instance_links)}\n" + "".join(f"{inner} {outer}\n" for inner, outer in node.instance_links)


def node_parts(node, place, ids):
    stem = f"hdaroot/{node.name}"
    parts = [(f"{stem}.init", f"type = {node.kind}\nmatchesdef = {int(node.kind in LOCKED_TYPES)}\n"),
             (f"{stem}.def", node_def(node, place, ids))]
    if node.instance_links:
        parts.append((f"{stem}.multiparm", node_multiparm(node)))
    if node.channels:
        parts.append((f"{stem}.chn", node_channels(node)))
    return parts + [(f"{stem}.parm", node_parm(node)), (f"{stem}.userdata", USERDATA)]


def contents_mime(asset):
    # Inputs have the first connectors of a node, the output the next one.
    ids = {node.name: len(node.inputs) for node in asset.nodes}
    parts = [("node_type", "Sop\n"), ("hdaroot.init", f"type = {asset.operator}\nmatchesdef = 0\n"),
             ("hdaroot.def", def_text((0, 0), 0, True)), ("hdaroot.userdata", USERDATA),
             ("hdaroot.inp", f"{len(asset.inputs)}\n" + "".join(
                 f'{k} {3 * k} 3 2 0 __NO_OWNER_NETWORK_BOX__ "FROMOUTPUT"\n' for k in range(len(asset.inputs))))]
    for row, node in enumerate(asset.nodes):
        parts += node_parts(node, (0, -2 * row), ids)
    parts += [("hdaroot.order", f"{len(asset.nodes)}\n" + "".join(f"{n.name}\n" for n in asset.nodes)), ("hdaroot.net", "1\n")]
    text = f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{BOUNDARY}"\n\n'
    for name, body in parts:
        text += (f'--{BOUNDARY}\nContent-Disposition: attachment; filename="{name}"\nContent-Type: text/plain\n\n{body}\n')
    return text + f"--{BOUNDARY}--\n"
