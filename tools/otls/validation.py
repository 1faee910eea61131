"""What must hold for Houdini to load the assets, told from the files alone: nothing here knows how they were made."""
import json
import pathlib
import re
import struct

from . import dialog

ASSETS = ("softbody", "damping", "collider")
NEEDED_SECTIONS = ("DialogScript", "CreateScript", "TypePropertiesOptions", "InternalFileOptions", "ExtraFileOptions",
                   "Tools.shelf", "Help", "MessageNodes", "Contents.gz")
INDEX_KEYS = ["Operator", "Label", "Path", "Icon", "Table", "License", "Extra", "User", "Inputs", "Subnet", "Python",
              "Empty", "Modified"]
# Nodes of Houdini that our networks use, and those of their parameters that we set.
KNOWN_NODES = {"tetembed": {"voxelsize"}, "switch": {"input"}, "merge": set(), "trail": {"result"},
               "attribwrangle": {"class", "snippet"},
               "vdbfrompolygons": {"attrList", "attribute1", "attributeGridName1", "fillinterior", "voxelsize",
                                   "exteriorbandvoxels", "interiorbandvoxels"}}
COUNTED_INPUTS = {"tetembed": 1, "attribwrangle": 4, "trail": 1, "vdbfrompolygons": 2, "dashpot::solver::1.0": 3,
                  "switch": 9999, "merge": 9999}
REFERENCE = re.compile(r'\bch[sif]?\(\\?"([^"\\]+)\\?"\)')


class Faults(list):
    def add(self, where, what):
        self.append(f"{where}: {what}")


def mangled(section):
    return section.replace("_", "__").replace("/", "_1").replace(":", "_8")


def read_sections(path, faults):
    """Section name to file name."""
    if not path.is_file():
        faults.add(path, "is missing")
        return {}
    lines = path.read_text().splitlines()
    if not lines or lines[0] != '""':
        faults.add(path, 'must begin with a line ""')
    result = {}
    for line in lines[1:]:
        parts = line.split("\t")
        if len(parts) != 2:
            faults.add(path, f"'{line}' is not a file, a tab and a section")
        elif parts[1] in result:
            faults.add(path, f"lists {parts[1]} twice")
        else:
            if parts[0] != mangled(parts[1]):
                faults.add(path, f"section {parts[1]} must be in the file {mangled(parts[1])}, not {parts[0]}")
            result[parts[1]] = parts[0]
    return result


def check_files_listed(folder, sections, faults):
    for section, name in sections.items():
        path = folder / ("Contents.dir" if name == "Contents.gz" else name)
        if not path.exists():
            faults.add(folder, f"section {section} is listed, but {path.name} is missing")
    listed = {"Contents.dir" if name == "Contents.gz" else name for name in sections.values()} | {"Sections.list"}
    for path in folder.iterdir():
        if path.name not in listed:
            faults.add(folder, f"{path.name} is not in Sections.list")


def check_index(path, name, input_count, faults):
    if not path.is_file():
        return
    pairs = [line.split(":", 1) for line in path.read_text().splitlines() if line.strip()]
    keys = [pair[0] for pair in pairs]
    if keys != INDEX_KEYS:
        faults.add(path, f"its keys must be {', '.join(INDEX_KEYS)}, in this order")
        return
    values = {key: value.strip() for key, value in pairs}
    section = f"dashpot::Sop/{name}::1.0"
    for key, wanted in {"Operator": f"dashpot::{name}::1.0", "Path": f"oplib:/{section}?{section}", "Table": "Sop",
                        "Subnet": "true"}.items():
        if values[key] != wanted:
            faults.add(path, f"{key} is {values[key]} and must be {wanted}")
    match = re.fullmatch(r"(\d+) to (\d+)", values["Inputs"])
    if not match or int(match.group(2)) != input_count:
        faults.add(path, f"Inputs is {values['Inputs']}, but the dialog labels {input_count}")


# ---------------------------------------------------------------------------------------------------- dialogs

def channel_names(parm):
    name, kind = parm.text("name"), parm.text("type")
    return [name + axis for axis in "xyz"] if kind == "vector" else [name]


def rule_names(rule):
    """Parameters that a disablewhen rule compares, or None if it cannot be read."""
    groups = re.findall(r"\{([^{}]*)\}", rule)
    if not groups or re.sub(r"\{[^{}]*\}", "", rule).strip():
        return None
    names = []
    for words in (group.split() for group in groups):
        if not words or len(words) % 3 or any(words[i] not in ("==", "!=", "<", ">", "<=", ">=") for i in range(1, len(words), 3)):
            return None
        names += words[0::3]
    return names


def check_parm(parm, where, faults):
    name, kind = parm.text("name"), parm.text("type")
    at = f"{where}:{parm.line}"
    if not name or not re.fullmatch(r"[A-Za-z_]\w*", name):
        faults.add(at, f"a parm has no proper name ({name})")
        return
    if kind not in dialog.VALUE_TYPES:
        faults.add(at, f"{name} has the unknown type {kind}")
    if parm.text("label") is None:
        faults.add(at, f"{name} has no label")
    defaults = parm.all("default")
    count = int(parm.text("size") or 1)
    if kind != "separator" and (len(defaults) != 1 or len(defaults[0][0].words()) != count):
        faults.add(at, f"{name} needs {count} default value(s)")
    elif kind == "ordinal":
        menu = parm.all("menu")
        items = [entry for entry in menu[0][0].entries] if menu else []
        if not items or any(len(values) != 1 for _, values, _ in items):
            faults.add(at, f"the menu of {name} must be pairs of token and label")
        elif not 0 <= int(defaults[0][0].words()[0]) < len(items):
            faults.add(at, f"the default of {name} is not in its menu")
    elif kind in ("float", "integer", "vector", "toggle", "ramp_flt"):
        for word in defaults[0][0].words():
            try:
                float(word)
            except ValueError:
                faults.add(at, f"the default {word} of {name} is not a number")


def check_dialog(path, name, faults):
    """The tree, or None if it cannot be read."""
    try:
        tree = dialog.parse(path.read_text())
    except (dialog.DialogError, OSError) as error:
        faults.add(path, str(error))
        return None
    if tree.text("name") != f"dashpot::{name}::1.0":
        faults.add(path, f"its name is {tree.text('name')} and must be dashpot::{name}::1.0")
    seen = {}
    for parm in dialog.parms(tree):
        check_parm(parm, path, faults)
        if parm.text("name") in seen:
            faults.add(path, f"{parm.text('name')} is there twice")
        seen[parm.text("name")] = parm
    for parm in seen.values():
        rule = parm.text("disablewhen")
        names = rule_names(rule) if rule is not None else []
        if names is None:
            faults.add(path, f"the rule '{rule}' of {parm.text('name')} cannot be read")
        for other in names or []:
            if other not in seen:
                faults.add(path, f"the rule of {parm.text('name')} compares {other}, which the dialog does not have")
    return tree


def check_declared(path, tree, own, declaration, needed, faults):
    """Names, defaults and menus are those of the declaration; nothing is missing."""
    there = {parm.text("name"): parm for parm in dialog.parms(tree)}
    for name, parm in there.items():
        declared = declaration.parameters.get(name)
        if declared is None:
            if name not in own:
                faults.add(path, f"{name} is not a parameter that the solver declares")
            continue
        words = parm.all("default")[0][0].words() if parm.all("default") else []
        if declared["type"] == "menu":
            items = [key for key, _, _ in parm.all("menu")[0][0].entries] if parm.all("menu") else []
            if items != [item["token"] for item in declared["menu"]]:
                faults.add(path, f"the menu of {name} is not the declared one")
            elif words and words[0].isdigit() and items[int(words[0]) % len(items)] != declared["default"]:
                faults.add(path, f"the default of {name} is {items[int(words[0]) % len(items)]}, declared is {declared['default']}")
        elif declared["type"] in ("float", "int"):
            if [float(w) for w in words if re.fullmatch(r"[-+.\deE]+", w)] != [float(declared["default"])]:
                faults.add(path, f"the default of {name} is {' '.join(words)}, declared is {declared['default']}")
    for name in needed:
        if name not in there:
            faults.add(path, f"{name} is declared, but the dialog does not have it")


# --------------------------------------------------------------------------------------------------- networks

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


def check_network(path, name, channel_set, parm_names, input_count, declaration, faults):
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
        check_values(path, node, kinds[node], bodies, channel_set, parm_names, declaration, faults)
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
        names |= {token} | ({token + axis for axis in "xyz"} if value_type == "vector" else set())
    return names


def check_values(path, node, kind, bodies, channel_set, parm_names, declaration, faults):
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
            linked = token + "x" if value_type == "vector" else token
            if value_type != "button" and linked not in channels:
                faults.add(path, f"{node}: {token} is not driven by the asset")


# ---------------------------------------------------------------------------------------------------- presets

def read_index(data):
    """[(name, text)] of an .idx file; throws ValueError."""
    if data[:4] != b"INDX" or len(data) < 16:
        raise ValueError("is not an INDX file")
    zero, other, count = struct.unpack(">III", data[4:16])
    if zero or other:
        raise ValueError("has an unknown version")
    position, entries = 16, []
    for _ in range(count):
        if position + 4 > len(data):
            raise ValueError("ends within its table")
        length = struct.unpack(">I", data[position:position + 4])[0]
        name = data[position + 4:position + 4 + length]
        position += 4 + length
        if position + 12 > len(data):
            raise ValueError("ends within its table")
        offset, size, _ = struct.unpack(">III", data[position:position + 12])
        entries.append((name.decode(), offset, size))
        position += 12
    body = data[position:]
    if sum(size for _, _, size in entries) != len(body) or any(o + s > len(body) for _, o, s in entries):
        raise ValueError("names more or less data than it holds")
    return [(name, body[offset:offset + size].decode()) for name, offset, size in entries]


def check_preset_file(path, declaration, faults):
    try:
        entries = read_index(path.read_bytes())
    except (OSError, ValueError, UnicodeDecodeError) as error:
        faults.add(path, str(error))
        return
    labels = {p["label"]: p for p in declaration.presets}
    if [name for name, _ in entries] != list(labels):
        faults.add(path, "does not hold the presets of the table, in order")
    for name, text in entries:
        if not re.fullmatch(r"#PSI_PRESET\nversion 2.0a\nopvalues\n\{\nversion 0.8\n(.*\n)*\}\n", text):
            faults.add(path, f"{name}: cannot be read")
            continue
        preset = labels.get(name, {"values": {}})
        there = dict(re.findall(r"^(\w+)\t\[ 0\tlocks=0 \]\t\(\t(.*)\t\)$", text, re.M))
        for token, value in preset["values"].items():
            got = there.get(token)
            same = got == f'"{value}"' if isinstance(value, str) else got is not None and float(got) == value
            if not same:
                faults.add(path, f"{name}: {token} is {got}, the table says {value}")
        for token in there:
            stem = re.sub(r"\d+(pos|value|interp)$", "", token)
            if stem not in declaration.preset_tokens:
                faults.add(path, f"{name}: sets {token}, which is not of material or damping")


def check_preset_section(folder, tree, declaration, faults):
    menu = next((p for p in dialog.parms(tree) if p.text("name") == "preset"), None)
    if menu is None or not menu.all("menu"):
        faults.add(folder, "the dialog has no preset menu")
        return
    items = [key for key, _, _ in menu.all("menu")[0][0].entries]
    if items != ["custom"] + [p["token"] for p in declaration.presets]:
        faults.add(folder, "the preset menu is not the table of presets")
    path = folder / "presets.json"
    try:
        table = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        faults.add(path, f"cannot be read: {error}")
        return
    if [(p.get("token"), p.get("values")) for p in table] != [(p["token"], p["values"]) for p in declaration.presets]:
        faults.add(path, "is not the table of presets")


def check_scripts(folder, sections, tree, faults):
    """Python that compiles, and callbacks that name a function of it."""
    module = ""
    if "PythonModule" in sections and (folder / "PythonModule").is_file():
        module = (folder / "PythonModule").read_text()
        try:
            compile(module, "PythonModule", "exec")
        except SyntaxError as error:
            faults.add(folder / "PythonModule", f"is not Python: {error}")
        options = (folder / "ExtraFileOptions").read_text() if (folder / "ExtraFileOptions").is_file() else "{}"
        if not json.loads(options).get("PythonModule/IsPython", {}).get("value"):
            faults.add(folder / "ExtraFileOptions", "does not say that PythonModule is Python")
    for parm in dialog.parms(tree):
        for tag in parm.all("parmtag"):
            words = tag[0].words()
            call = re.fullmatch(r"hou\.phm\(\)\.(\w+)\(kwargs\)", words[1]) if words[0] == "script_callback" else None
            if call and f"def {call.group(1)}(" not in module:
                faults.add(folder, f"{parm.text('name')} calls {call.group(1)}, which PythonModule does not have")


# ------------------------------------------------------------------------------------------------------- all

OWN_PARMS = {"softbody": {"preset", "presetstate", "bodyinput", "tetsize", "rendermesh", "output"},
             "damping": {"preset", "presetstate", "group", "maskattrib"}, "collider": {"voxelsize", "band"}}


def needed_parms(name, declaration):
    if name == "softbody":
        return list(declaration.types)
    if name == "damping":
        return [t for t in declaration.preset_tokens if declaration.parameters[t]["scope"] == "prim"]
    return [t for t, p in declaration.parameters.items() if p["scope"] == "collider" and p["type"] == "float"]


def check_asset(otls, name, declaration, faults):
    library = otls / f"dashpot_{name}.1.0.hda"
    if not library.is_dir():
        faults.add(library, "is missing")
        return
    section = f"dashpot::Sop/{name}::1.0"
    root = read_sections(library / "Sections.list", faults)
    for needed in ("INDEX_SECTION", "houdini.hdalibrary", section):
        if needed not in root:
            faults.add(library, f"Sections.list does not have {needed}")
    check_files_listed(library, root, faults)
    folder = library / mangled(section)
    if not folder.is_dir():
        return
    sections = read_sections(folder / "Sections.list", faults)
    for needed in NEEDED_SECTIONS:
        if needed not in sections:
            faults.add(folder, f"Sections.list does not have {needed}")
    check_files_listed(folder, sections, faults)
    read_sections(folder / "Contents.dir/Sections.list", faults)
    tree = check_dialog(folder / "DialogScript", name, faults)
    if tree is None:
        return
    own = OWN_PARMS[name] | {t for t in declaration.types if t not in declaration.parameters}
    check_declared(folder / "DialogScript", tree, own, declaration, needed_parms(name, declaration), faults)
    labels = [values[0] for values in tree.all("inputlabel")]
    if labels != [str(i + 1) for i in range(len(labels))]:
        faults.add(folder / "DialogScript", "input labels are not numbered from 1")
    check_index(library / "INDEX__SECTION", name, len(labels), faults)
    parms = list(dialog.parms(tree))
    channel_set = {channel for parm in parms for channel in channel_names(parm)}
    nodes = check_network(folder / "Contents.dir/Contents.mime", name, channel_set, {p.text("name") for p in parms},
                          len(labels), declaration, faults)
    for node in (folder / "MessageNodes").read_text().split() if (folder / "MessageNodes").is_file() else []:
        if node not in nodes:
            faults.add(folder / "MessageNodes", f"names {node}, which does not exist")
    check_scripts(folder, sections, tree, faults)
    check_create_script(folder / "CreateScript", nodes, channel_set, faults)
    if name != "collider":
        check_preset_section(folder, tree, declaration, faults)


def check_create_script(path, nodes, channel_set, faults):
    text = path.read_text() if path.is_file() else ""
    if 'if ( "$arg1" == "" ) then' not in text or "endif" not in text:
        faults.add(path, "does not check its argument")
    for node, rest in re.findall(r"^opmultiparm \$arg1/(\w+) (.*)$", text, re.M):
        if node not in nodes:
            faults.add(path, f"links ramps of {node}, which does not exist")
        for reference in re.findall(r'"\.\./(\w+)#\w+"', rest):
            if reference not in channel_set:
                faults.add(path, f"links the ramp {reference}, which the asset does not have")


def faults(folder, declaration):
    found = Faults()
    folder = pathlib.Path(folder)
    for name in ASSETS:
        check_asset(folder / "otls", name, declaration, found)
    for kind in ("solver", "softbody", "damping"):
        check_preset_file(folder / f"presets/Sop/dashpot-{kind}-1.0.idx", declaration, found)
    return [fault.replace(str(folder) + "/", "") for fault in found]
