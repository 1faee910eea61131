"""Writes assets as expanded directories, and presets as Houdini's .idx files: text and bytes by path."""
import json
import struct

from .assets import part_text, presets_json
from .contents import TIME, contents_mime, parm_line, value_text
from .declaration import number_text, quoted

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
    return (f"# Automatically generated script\n\\set noalias = 1\n#\n#  Creation script for {asset.operator} operator\n#\n\n"
            "if ( \"$arg1\" == \"\" ) then\n    echo This script is intended as a creation script\n    exit\nendif\n\n"
            f"# Node $arg1 ({asset.section})\nopexprlanguage -s hscript $arg1\nopuserdata -n '___Version___' -v '' $arg1\n")


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


def help_text(asset):
    title, rest = (asset.help + part_text("help_end.txt")).split("\n", 1)
    return f"{title}\n\n#type: node\n#context: sop\n#internal: {asset.operator}\n#icon: {asset.icon.replace('_', '/', 1)}\n{rest}"


def extra_options(scripts):
    entries = {}
    for name in scripts:
        entries[f"{name}/Cursor"] = {"type": "intarray", "value": [1, 1]}
        entries[f"{name}/IsExpr"] = {"type": "bool", "value": False}
        entries[f"{name}/IsPython"] = {"type": "bool", "value": True}
        entries[f"{name}/IsScript"] = {"type": "bool", "value": True}
        entries[f"{name}/Source"] = {"type": "string", "value": ""}
    return json.dumps(entries, indent=4) + "\n"


def asset_files(asset):
    """Path below otls/ to text."""
    root, inner = f"dashpot_{asset.name}.1.0.hda", mangled(asset.section)
    files = {"DialogScript": dialog_text(asset), "CreateScript": create_script(asset),
             "TypePropertiesOptions": "".join(f"{k} := {v};\n" for k, v in OPTIONS.items()),
             "InternalFileOptions": json.dumps({k: {"type": "bool", "value": False}
                                                for k in ("nodeconntype", "nodeparmtype")}, indent=4) + "\n",
             "ExtraFileOptions": extra_options(["PythonModule"] if asset.module else []), "Tools.shelf": tools_shelf(),
             "Help": help_text(asset), "MessageNodes": " ".join(asset.message_nodes)}
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


def preset_entry(preset, menu, ramps):
    """One entry of a preset file: every value that the preset decides about. menu: the node has a menu of presets too, which
    shows the one that was loaded."""
    shown = {"preset": preset["token"], "presetstate": preset["label"]} if menu else {}
    lines = [parm_line(token, [value_text(value)]) for token, value in {**shown, **preset["values"]}.items()]
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
    def entries(menu, ramps):
        return index_file([(p["label"], preset_entry(p, menu, ramps)) for p in declaration.presets])

    return {"Sop/dashpot-solver-1.0.idx": entries(False, True), "Sop/dashpot-softbody-1.0.idx": entries(True, True),
            "Sop/dashpot-damping-1.0.idx": entries(True, False)}
