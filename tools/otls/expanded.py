"""Writes assets as expanded directories, and presets as Houdini's .idx files: text and bytes by path."""
import json
import struct

from .assets import presets_json
from .declaration import number_text, quoted

BOUNDARY = "HOUDINIMIMEBOUNDARY0xD3ADD00D-0x3B9ACA07-0x00DA5909HOUDINIMIMEBOUNDARY"
TIME = 1700000000  # files are the same whenever they are made
MODIFIED = "Tue Nov 14 22:13:20 2023"
OPTIONS = {"CheckExternal": 1, "ContentsCompressionType": 1, "ForbidOutsideParms": 1, "GzipContents": 1, "LockContents": 1,
           "MakeDefault": 1, "ParmsFromVfl": 0, "PrefixDroppedParmLabel": 0, "PrefixDroppedParmName": 0,
           "SaveCachedCode": 0, "SaveIcon": 1, "SaveSpareParms": 0, "UnlockOnCreate": 0, "UseDSParms": 1}


def mangled(section):
    return section.replace("_", "__").replace("/", "_1").replace(":", "_8")


def sections_list(names):
    return '""\n' + "".join(f"{file}\t{section}\n" for file, section in names)


def index_section(asset):
    keys = [("Operator", asset.operator), ("Label", asset.label), ("Path", f"oplib:/{asset.section}?{asset.section}"),
            ("Icon", asset.icon), ("Table", "Sop"), ("License", ""), ("Extra", ""), ("User", ""),
            ("Inputs", f"{asset.least_inputs} to {len(asset.inputs)}"), ("Subnet", "true"), ("Python", "false"),
            ("Empty", "false"), ("Modified", MODIFIED)]
    return "".join(f"{key + ':':<14}{value}\n" for key, value in keys) + "\n"


def dialog_text(asset):
    lines = [f"# Dialog script for {asset.operator}; made by tools/make_otls", "{", f"    name        {asset.operator}",
             f"    script      {asset.operator}", f"    label       {quoted(asset.label)}", "", "    help {",
             '        ""', "    }", ""]
    lines += [f"    inputlabel  {i} {quoted(text)}" for i, text in enumerate(asset.inputs, 1)]
    for block in asset.dialog:
        lines += ["    " + line for line in block]
    return "\n".join(lines + ["}"]) + "\n"


def create_script(asset):
    return (f"# Automatically generated script\n# $arg1 - the path to the node\n\nif ( \"$arg1\" == \"\" ) then\n"
            f"    echo This script is intended as a creation script\n    exit\nendif\n\n# {asset.operator}\n"
            "opexprlanguage -s hscript $arg1\nopuserdata -n '___Version___' -v '' $arg1\n"
            + "".join(line + "\n" for line in asset.create))


def tools_shelf():
    return """<?xml version="1.0" encoding="UTF-8"?>
<shelfDocument>
  <tool name="$HDA_DEFAULT_TOOL" label="$HDA_LABEL" icon="$HDA_ICON">
    <toolMenuContext name="viewer">
      <contextNetType>SOP</contextNetType>
    </toolMenuContext>
    <toolMenuContext name="network">
      <contextOpType>$HDA_TABLE_AND_NAME</contextOpType>
    </toolMenuContext>
    <toolSubmenu>Dashpot</toolSubmenu>
    <script scriptType="python"><![CDATA[import soptoolutils

soptoolutils.genericTool(kwargs, '$HDA_NAME')]]></script>
  </tool>
</shelfDocument>
"""


def extra_options(scripts):
    entries = {}
    for name in scripts:
        entries[f"{name}/Cursor"] = {"type": "intarray", "value": [1, 1]}
        entries[f"{name}/IsExpr"] = {"type": "bool", "value": False}
        entries[f"{name}/IsPython"] = {"type": "bool", "value": True}
        entries[f"{name}/IsScript"] = {"type": "bool", "value": True}
        entries[f"{name}/Source"] = {"type": "string", "value": ""}
    return json.dumps(entries, indent=4) + "\n"


USERDATA = '{\n\t"___Version___":{\n\t\t"type":"string",\n\t\t"value":""\n\t}\n}\n'


def node_def(node, place, ids):
    """ids: connector of the output of every node; an input's connector is its number."""
    flags = {"lock": "off", "model": "off", "template": "off", "footprint": "off", "xray": "off", "bypass": "off",
             "display": "on" if node.output else "off", "render": "on" if node.output else "off", "highlight": "off",
             "unload": "off", "savedata": "off", "compress": "on", "colordefault": "on", "exposed": "on"}
    named, plain = "", ""
    for i, source in enumerate(node.inputs):
        if isinstance(source, int):
            named += f'{i} \t({source}) "" 1 "input{i + 1}"\n'
            plain += f"{i} \t({source}) 0 1\n"
        else:
            named += f'{i} \t{source} {ids[source]} 1 "input{i + 1}"\n'
            plain += f"{i} \t{source} 0 1\n"
    return ("sopflags sopflags = \ncomment \"\"\n" + f"position {place[0]} {place[1]}\n"
            f"connectornextid {ids[node.name] + 1}\nflags =  " + " ".join(f"{k} {v}" for k, v in flags.items()) + "\n"
            f'outputsNamed3\n{{\n{ids[node.name]} "output1"\n}}\ninputsNamed3\n{{\n{named}}}\ninputs\n{{\n{plain}}}\n'
            "stat\n{\n  create -1\n  modify -1\n  author dashpot@dashpot\n  access 0777\n}\n"
            "color UT_Color RGB 0.8 0.8 0.8 \ndelscript \"\"\nexprlanguage hscript\nend\n")


def root_def(asset):
    return ("sopflags sopflags = \ncomment \"\"\nposition 0 0\n" + f"connectornextid {len(asset.inputs)}\n"
            "flags =  lock off model off template off footprint off xray off bypass off display on render on highlight off "
            "unload off savedata off compress on colordefault on exposed on\noutputsNamed3\n{\n}\ninputsNamed3\n{\n}\n"
            "inputs\n{\n}\nstat\n{\n  create -1\n  modify -1\n  author dashpot@dashpot\n  access 0777\n}\n"
            "color UT_Color RGB 0.8 0.8 0.8 \ndelscript \"\"\nexprlanguage hscript\nend\n")


def value_text(value):
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return number_text(value)


def parm_line(name, values):
    return f"{name}\t[ 0\tlocks=0 ]\t(\t" + "".join(f"{v}\t" for v in values) + ")\n"


def node_parm(node):
    lines = [parm_line(name, [value_text(v) for v in values]) for name, values in node.parms.items()]
    done = set()
    for name, (_, default) in node.channels.items():
        # The components of a vector are one line.
        stem, axes = name[:-1], next((a for a in ("xyz", "12") if name[-1] in a), "")
        if axes and all(stem + a in node.channels for a in axes):
            if stem not in done:
                parts = [f"[ {stem}{a} {number_text(node.channels[stem + a][1])} ] " for a in axes]
                lines.append(parm_line(stem, parts))
            done.add(stem)
        else:
            lines.append(parm_line(name, [f"[ {name} {value_text(default)} ] "]))
    return "{\nversion 0.8\n" + "".join(lines) + "}\n"


def node_channels(node):
    text = ""
    for name, (expression, default) in node.channels.items():
        escaped = expression.replace('"', '\\"')
        start = 'defaultString = \\"\\"' if default == "" else f"default = {number_text(default)}"
        text += (f"\tchannel {name} {{\n\t  lefttype = extend\n\t  righttype = extend\n\t  {start}\n"
                 f"\t  flags = 0\n\t  segment {{ length = 0 expr = {escaped} }}\n\t}}\n")
    return "{\n" + text + "}\n"


def contents_mime(asset):
    # Inputs have the first connectors of a node, the output the next one.
    ids = {node.name: len(node.inputs) for node in asset.nodes}
    parts = [("node_type", "Sop\n"), ("hdaroot.init", f"type = {asset.operator}\nmatchesdef = 0\n"),
             ("hdaroot.def", root_def(asset)), ("hdaroot.userdata", USERDATA),
             ("hdaroot.inp", f"{len(asset.inputs)}\n" + "".join(
                 f'{k} {3 * k} 3 2 0 __NO_OWNER_NETWORK_BOX__ "FROMOUTPUT"\n' for k in range(len(asset.inputs))))]
    for row, node in enumerate(asset.nodes):
        parts += [(f"hdaroot/{node.name}.init", f"type = {node.kind}\nmatchesdef = 0\n"),
                  (f"hdaroot/{node.name}.def", node_def(node, (0, -2 * row), ids))]
        if node.channels:
            parts.append((f"hdaroot/{node.name}.chn", node_channels(node)))
        parts += [(f"hdaroot/{node.name}.parm", node_parm(node)), (f"hdaroot/{node.name}.userdata", USERDATA)]
    parts += [("hdaroot.order", f"{len(asset.nodes)}\n" + "".join(f"{n.name}\n" for n in asset.nodes)), ("hdaroot.net", "1\n")]
    text = f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{BOUNDARY}"\n\n'
    for name, body in parts:
        text += (f'--{BOUNDARY}\nContent-Disposition: attachment; filename="{name}"\nContent-Type: text/plain\n\n{body}\n')
    return text + f"--{BOUNDARY}--\n"


def asset_files(asset):
    """Path below otls/ to text."""
    root, inner = f"dashpot_{asset.name}.1.0.hda", mangled(asset.section)
    files = {"DialogScript": dialog_text(asset), "CreateScript": create_script(asset),
             "TypePropertiesOptions": "".join(f"{k} := {v};\n" for k, v in OPTIONS.items()),
             "InternalFileOptions": json.dumps({k: {"type": "bool", "value": False}
                                                for k in ("nodeconntype", "nodeparmtype")}, indent=4) + "\n",
             "ExtraFileOptions": extra_options(["PythonModule"] if asset.module else []), "Tools.shelf": tools_shelf(),
             "Help": asset.help, "MessageNodes": asset.message_node + "\n"}
    if asset.module:
        files["PythonModule"] = asset.module
        files["presets.json"] = presets_json(asset)
    listed = [(mangled(name), name) for name in files] + [("Contents.gz", "Contents.gz")]
    result = {f"{root}/INDEX__SECTION": index_section(asset), f"{root}/houdini.hdalibrary": "",
              f"{root}/Sections.list": sections_list([("INDEX__SECTION", "INDEX_SECTION"),
                                                      ("houdini.hdalibrary", "houdini.hdalibrary"), (inner, asset.section)]),
              f"{root}/{inner}/Sections.list": sections_list(listed),
              f"{root}/{inner}/Contents.dir/Sections.list": sections_list([("Contents.mime", "Contents.mime")]),
              f"{root}/{inner}/Contents.dir/Contents.mime": contents_mime(asset)}
    result.update({f"{root}/{inner}/{mangled(name)}": text for name, text in files.items()})
    return result


def preset_entry(preset, ramps):
    """One entry of a preset file: every value that the preset decides about."""
    lines = [parm_line(token, [value_text(value)]) for token, value in preset["values"].items()]
    for token, ends in (preset["ranges"] if ramps else {}).items():
        lines.append(parm_line(token, [number_text(end) for end in ends]))
    for token, keys in (preset["ramps"] if ramps else {}).items():
        lines.append(parm_line(token, [str(len(keys))]))
        for i, key in enumerate(keys, 1):
            lines += [parm_line(f"{token}{i}pos", [number_text(key["position"])]),
                      parm_line(f"{token}{i}value", [number_text(key["value"])]),
                      parm_line(f"{token}{i}interp", [value_text(key["interpolation"])])]
    return "#PSI_PRESET\nversion 2.0a\nopvalues\n{\nversion 0.8\n" + "".join(lines) + "}\n"


def index_file(entries):
    """Houdini's INDX container of named texts, big endian."""
    head, data = b"INDX" + struct.pack(">III", 0, 0, len(entries)), b""
    for name, text in entries:
        word, body = name.encode(), text.encode()
        head += struct.pack(">I", len(word)) + word + struct.pack(">III", len(data), len(body), TIME)
        data += body
    return head + data


def preset_files(declaration):
    """Path below presets/ to bytes."""
    def entries(ramps):
        return index_file([(p["label"], preset_entry(p, ramps)) for p in declaration.presets])

    return {"Sop/dashpot-solver-1.0.idx": entries(True), "Sop/dashpot-softbody-1.0.idx": entries(True),
            "Sop/dashpot-damping-1.0.idx": entries(False)}
