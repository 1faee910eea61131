"""Rules about the folders, lists and small files of an asset."""
import json
import re
import xml.etree.ElementTree

from .reading import section_lines, text_of
from .rule import rule

INDEX_KEYS = ["Operator", "Label", "Path", "Icon", "Table", "License", "Extra", "User", "Inputs", "Outputs", "Subnet",
              "Python", "Empty", "Modified"]
OPTIONS = {"CheckExternal", "ContentsCompressionType", "ForbidOutsideParms", "GzipContents", "LockContents", "MakeDefault",
           "ParmsFromVfl", "PrefixDroppedParmLabel", "PrefixDroppedParmName", "SaveCachedCode", "SaveIcon", "SaveSpareParms",
           "UnlockOnCreate", "UseDSParms"}
NEEDED = ["DialogScript", "CreateScript", "TypePropertiesOptions", "Help", "Tools.shelf", "InternalFileOptions", "Contents.gz",
          "ExtraFileOptions"]
PLAIN_LISTS = ["MessageNodes", "EditableNodes", "DiveTarget", "DefaultState", "DescriptiveParmName", "HelpUrl"]
CREATE_COMMANDS = {"\\set", "if", "echo", "exit", "endif", "opexprlanguage", "opuserdata"}
SCRIPTS = ["PythonModule", "OnCreated", "OnLoaded", "OnDeleted", "OnNameChanged"]


def mangled(section):
    return section.replace("_", "__").replace("/", "_1").replace(":", "_8")


def lists(asset):
    return [asset.library / "Sections.list", asset.folder / "Sections.list", asset.folder / "Contents.dir/Sections.list"]


@rule('a Sections.list begins with a line of two quotes and has one tab in every other')
def section_lists(asset, facts):
    for path in lists(asset):
        yield text_of(path).startswith('""\n') and all(len(line) == 2 for line in section_lines(path)), path.parent.name


@rule("a section is in the file of its name, where _ / : are written __ _1 _8")
def section_names(asset, facts):
    for path in lists(asset):
        for line in section_lines(path):
            yield len(line) == 2 and line[0] == mangled(line[1]), f"{path.parent.name}: {line[-1]}"


@rule("what Sections.list names is there, the network in Contents.dir, and nothing else")
def section_files(asset, facts):
    listed = {"Contents.dir" if line[0] == "Contents.gz" else line[0] for line in section_lines(asset.folder / "Sections.list")}
    there = {path.name for path in asset.folder.iterdir()} - {"Sections.list"}
    for name in sorted(listed | there):
        yield name in listed and name in there, name


@rule("an asset has the eight sections that Houdini always writes")
def needed_sections(asset, facts):
    names = {line[-1] for line in section_lines(asset.folder / "Sections.list")}
    for name in NEEDED:
        yield name in names, name


@rule("MessageNodes and its like end without a line break")
def plain_lists(asset, facts):
    for name in PLAIN_LISTS:
        if asset.has(name):
            yield not asset.text(name).endswith(("\n", "\r")), name


@rule("MessageNodes and EditableNodes name nodes of the network, with spaces between them")
def listed_nodes(asset, facts):
    for name in ("MessageNodes", "EditableNodes"):
        for node in asset.text(name).split(" ") if asset.has(name) else []:
            yield node == "" or f"hdaroot/{node}" in asset.network.nodes, f"{name}: {node}"


@rule("INDEX__SECTION has its keys in order and names operator, path and table")
def index_block(asset, facts):
    pairs = asset.index()
    keys, values = [key for key, _ in pairs], dict(pairs)
    yield (keys == [key for key in INDEX_KEYS if key in keys] and set(INDEX_KEYS) - set(keys) <= {"Outputs"}
           and values.get("Operator") == asset.operator and values.get("Table") == asset.table
           and values.get("Path") == f"oplib:/{asset.section}?{asset.section}"), "INDEX__SECTION"


@rule("an icon is one of Houdini's, by context and name, or a section of the asset")
def icons(asset, facts):
    icon = dict(asset.index()).get("Icon", "")
    own = re.fullmatch(r"opdef:/(.*)\?(\w+)", icon)
    yield bool(re.fullmatch(r"[A-Z0-9]+_[\w-]+", icon)) or bool(own and (own.group(1) != asset.section or asset.has(own.group(2)))), icon


@rule("inputs are counted as 'least to most', and each has a label in the dialog")
def index_inputs(asset, facts):
    match = re.fullmatch(r"(\d+) to (\d+)", dict(asset.index()).get("Inputs", ""))
    labels = [values[0] for values in asset.dialog.all("inputlabel")] if asset.dialog else []
    yield bool(match) and labels == [str(i + 1) for i in range(len(labels))] and len(labels) >= int(match.group(2)), "Inputs"


@rule("TypePropertiesOptions has fourteen switches and locks the contents")
def type_options(asset, facts):
    lines = asset.text("TypePropertiesOptions").splitlines()
    pairs = dict(re.findall(r"^(\w+) := ([01]);$", "\n".join(lines), re.M))
    yield set(pairs) == OPTIONS and len(lines) == len(OPTIONS) and pairs.get("LockContents") == "1", "TypePropertiesOptions"


@rule("CreateScript switches aliases off, asks for its argument, and then only sets language and user data")
def create_script(asset, facts):
    text = asset.text("CreateScript")
    words = {line.split()[0] for line in text.splitlines() if line.strip() and not line.startswith("#")}
    yield ("\\set noalias = 1\n" in text and 'if ( "$arg1" == "" ) then\n' in text
           and "opexprlanguage -s hscript $arg1\n" in text), "CreateScript"
    for word in sorted(words):
        yield word in CREATE_COMMANDS, f"CreateScript: {word}"


@rule("ExtraFileOptions says of every Python section that it is Python")
def python_sections(asset, facts):
    try:
        options = json.loads(asset.text("ExtraFileOptions") or "{}")
    except ValueError:
        options = {}
    for name in SCRIPTS:
        if asset.has(name):
            kinds = {key.split("/")[1]: value["type"] for key, value in options.items() if key.startswith(name + "/")}
            yield (options.get(f"{name}/IsPython", {}).get("value") is True and kinds.get("IsScript") == "bool"
                   and kinds.get("Source") == "string" and kinds.get("Cursor") == "intarray"), name


@rule("Tools.shelf has the asset's own tool, for the viewer and for the network editor")
def shelf_tool(asset, facts):
    try:
        tools = xml.etree.ElementTree.fromstring(asset.text("Tools.shelf").strip().encode()).findall("tool")
    except xml.etree.ElementTree.ParseError:
        tools = []
    named = [tool for tool in tools if (tool.get("name"), tool.get("label"), tool.get("icon")) ==
             ("$HDA_DEFAULT_TOOL", "$HDA_LABEL", "$HDA_ICON")]
    for tool in named[:1]:
        contexts = {context.get("name"): context for context in tool.findall("toolMenuContext")}
        script = tool.find("script")
        yield (len(named) == 1 and [element.text for element in contexts.get("viewer", [])] == [asset.table.upper()]
               and "$HDA_TABLE_AND_NAME" in [element.text for element in contexts.get("network", [])]
               and script is not None and script.get("scriptType") == "python" and "genericTool" in script.text), "Tools.shelf"
    if not named:
        yield False, "Tools.shelf"


@rule("help that is in the asset names its type, context and operator")
def inline_help(asset, facts):
    text = asset.text("Help")
    if text.strip():
        yield ("#type: node\n" in text and f"#context: {asset.table.lower()}\n" in text
               and f"#internal: {asset.operator}\n" in text), "Help"
