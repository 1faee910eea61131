"""Ways to break the assets and presets, each with a word of the fault that must be reported."""
import re
import struct

BODY = "otls/dashpot_softbody.1.0.hda"
INNER = BODY + "/dashpot_8_8Sop_1softbody_8_81.0"
MIME = INNER + "/Contents.dir/Contents.mime"
SCRIPT = INNER + "/DialogScript"
COLLIDER = "otls/dashpot_collider.1.0.hda/dashpot_8_8Sop_1collider_8_81.0"
COLLIDER_MIME = COLLIDER + "/Contents.dir/Contents.mime"
DAMPING = "otls/dashpot_damping.1.0.hda/dashpot_8_8Sop_1damping_8_81.0"
DAMPING_MIME = DAMPING + "/Contents.dir/Contents.mime"
PRESETS = "presets/Sop/dashpot-%s-1.0.idx"


def change(path, edit):
    def seed(folder):
        text = (folder / path).read_text()
        changed = edit(text)
        assert changed != text, f"nothing in {path} was broken"
        (folder / path).write_text(changed)
    return seed


def replace(path, old, new):
    return change(path, lambda text: text.replace(old, new, 1))


def substitute(path, pattern, new, count=1):
    return change(path, lambda text: re.sub(pattern, new, text, count=count, flags=re.S | re.M))


def remove(path):
    return lambda folder: (folder / path).unlink()


def parts(text):
    return re.split(r"(?=--HOUDINIMIME)", text)


def swap_parts(first, second):
    """Two parts of a network, by name, each in the other's place."""
    def edit(text):
        found = parts(text)
        a, b = (next(i for i, part in enumerate(found) if f'filename="hdaroot/{name}"' in part) for name in (first, second))
        found[a], found[b] = found[b], found[a]
        return "".join(found)
    return change(MIME, edit)


def remove_part(name):
    return change(MIME, lambda text: "".join(part for part in parts(text) if f'filename="hdaroot/{name}"' not in part))


def rewrite_part(name, edit, path=MIME):
    return change(path, lambda text: "".join(edit(part) if f'filename="hdaroot/{name}"' in part else part for part in parts(text)))


def escaped_breaks(part):
    """Line breaks of the snippet as backslash and n, as they were written once."""
    return re.sub(r'(snippet\t[^"]*")(.*)("\t\))', lambda m: m[1] + m[2].replace("\n", "\\n") + m[3], part, flags=re.S)


def wrong_offset(folder):
    path = folder / (PRESETS % "damping")
    data = bytearray(path.read_bytes())
    length = struct.unpack(">I", data[16:20])[0]
    data[20 + length + 4:20 + length + 8] = struct.pack(">I", 10)
    path.write_bytes(bytes(data))


def replace_bytes(path, old, new):
    def seed(folder):
        data = (folder / path).read_bytes()
        assert old in data and len(old) == len(new)
        (folder / path).write_bytes(data.replace(old, new, 1))
    return seed


def shorten(path):
    return lambda folder: (folder / path).write_bytes((folder / path).read_bytes()[:-7])


def first_entry_without(kind, line):
    """The first preset of a file loses a line; offsets and lengths stay right."""
    def seed(folder):
        path = folder / (PRESETS % kind)
        data = path.read_bytes()
        at = data.index(line)
        end = data.index(b"\n", at) + 1
        entries, position = struct.unpack(">I", data[12:16])[0], 16
        table = bytearray(data)
        for number in range(entries):
            position += 4 + struct.unpack(">I", data[position:position + 4])[0]
            offset, size = struct.unpack(">II", data[position:position + 8])
            table[position:position + 8] = struct.pack(">II", offset - (end - at if number else 0), size - (0 if number else end - at))
            position += 12
        path.write_bytes(bytes(table[:at]) + data[end:])
    return seed


# What a reading against public assets found in the first version of the assets.
AUDIT = [
    ("1: an unlocked wrangle without contents", rewrite_part("skin.init", lambda p: p.replace("matchesdef = 1", "matchesdef = 0")),
     "locked_assets"),
    ("1: an unlocked Tet Embed without contents", rewrite_part("embed.init", lambda p: p.replace("matchesdef = 1", "matchesdef = 0")),
     "locked_assets"),
    ("2: a linked ramp without its .multiparm part", remove_part("solver.multiparm"), "ramp_links"),
    ("2: a linked ramp with a key that is not linked",
     rewrite_part("solver.chn", lambda p: re.sub(r"    channel dampingramp2pos \{.*?\n    \}\n", "", p, flags=re.S)), "ramp_channels"),
    ("2: only the number of keys linked", change(MIME, lambda text: re.sub(
        r"    channel dampingramp\d\w+ \{.*?\n    \}\n|^dampingramp\d\w+\t.*?\n", "", text, flags=re.S | re.M)), "ramp_channels"),
    ("2: ramps linked when the node is made", replace(INNER + "/CreateScript", "opuserdata", "opmultiparm $arg1/solver\nopuserdata"),
     "create_script"),
    ("2: .multiparm behind .chn", swap_parts("solver.multiparm", "solver.chn"), "part_order"),
    ("3: line breaks as backslash and n", rewrite_part("skin.parm", escaped_breaks), "escapes"),
    ("4: the first input merged with itself", change(MIME, lambda text: text.replace(
        '0 \tembed 1 1 "input1"\n1 \tpolygons 1 1 "input2"', '0 \tbody 2 1 "input1"\n1 \t(0) "" 1 "input2"').replace(
        "0 \tembed 0 1\n1 \tpolygons 0 1", "0 \tbody 0 1\n1 \t(0) 0 1")), "merges (0) with itself"),
    ("6: friction of the whole detail", replace(COLLIDER_MIME, '"primitive"', '"detail"'), "attribute of primitives"),
    ("7: a gear preset that leaves the menu", first_entry_without("softbody", b"preset\t"), "preset is None"),
    ("7: a gear preset that leaves the look", first_entry_without("damping", b"presetstate\t"), "presetstate is None"),
    ("8: the reference rate closed to ramps over rate", replace(SCRIPT, "dampingexponent == 1 dampingrampmode != perrate",
                                                               "dampingexponent == 1"), "dampingreference is disabled"),
    ("9: a slider of a damping model below", substitute(SCRIPT, r'    parm \{\n        name        "dampingbulk".*?\n    \}\n', ""),
     "dampingbulk is not among the sliders on top"),
    ("9: a slider on top that is grey", replace(SCRIPT, 'hidewhen    "{ dampingmodel != stretchrate', 'disablewhen "{ dampingmodel != stretchrate'),
     "dampingstrength is on top and must be hidden"),
    ("10: a group without a menu", substitute(DAMPING + "/DialogScript", r"        menutoggle \{.*?\n        \}\n", ""), "group_menus"),
    ("10: a mask without a menu", substitute(DAMPING + "/DialogScript", r"        menureplace \{.*?\n        \}\n", ""),
     "maskattrib has no menu"),
    ("11: a line break behind MessageNodes", change(INNER + "/MessageNodes", lambda text: text + "\n"), "plain_lists"),
]

# What counting over public assets found besides.
COUNTED = [
    ("a driven value with a blank", rewrite_part("body.parm", lambda p: p.replace("[ input\t0", "[ input 0")), "driven_values"),
    ("channels indented by tabs", rewrite_part("body.chn", lambda p: p.replace("    channel", "\tchannel")), "channel_grammar"),
    ("a default of 0 written down", rewrite_part("body.chn", lambda p: p.replace("      flags", "      default = 0\n      flags")),
     "channel_grammar"),
    ("a segment without its value", rewrite_part("embed.chn", lambda p: p.replace("value = 0.1 0.1 ", "")), "segment_values"),
    ("connectors counted in the root", replace(MIME, "connectornextid 0\n", "connectornextid 4\n"), "next_connector"),
    ("a creation script with aliases", replace(INNER + "/CreateScript", "\\set noalias = 1\n", ""), "create_script"),
    ("keys of a dialog in another order", substitute(SCRIPT, r"( +default +\{ \"0\.1\" \}\n)( +help[^\n]*\n)", r"\2\1"), "key_order"),
    ("a rule with a word that the menu does not have", replace(SCRIPT, "{ preset == custom }", "{ preset == __nothing }"),
     "rules_know_menus"),
    ("ramp keys beyond 1", replace(SCRIPT, "3pos ( 0.8 )", "3pos ( 1.3 )"), "ramp_defaults"),
    ("ramp keys out of order", replace(SCRIPT, "1pos ( 0.2 )", "1pos ( 0.9 )"), "ramp_defaults"),
    ("help without its operator", substitute(INNER + "/Help", r"#internal:[^\n]*\n", ""), "inline_help"),
    ("a menu that asks a node that is not there", replace(DAMPING + "/DialogScript", "opmenu -l assign", "opmenu -l asign"),
     "menus_ask_nodes"),
    ("a menu of another language", replace(DAMPING + "/DialogScript", "language python", "language hscript"), "module_calls"),
    ("an arrow without an icon", substitute(DAMPING + "/DialogScript", r" +parmtag +\{ \"script_action_icon\"[^\n]*\n", ""), "action_icons"),
    ("a wrangle over what it cannot run over", rewrite_part("skin.parm", lambda p: p.replace('"primitive"', '"prims"')), "known_words"),
    ("a reference by an absolute path", rewrite_part("body.chn", lambda p: p.replace("../", "/obj/geo1/")), "relative_paths"),
    ("a number fetched as a text", rewrite_part("embed.chn", lambda p: p.replace("ch(", "chs(")), "text_references"),
    ("a default that the menu does not have", replace(SCRIPT, 'ordinal\n        default     { "0" }', 'ordinal\n        default     { "99" }'),
     "menu_defaults"),
    ("an asset that matches its own definition", replace(MIME, "softbody::1.0\nmatchesdef = 0", "softbody::1.0\nmatchesdef = 1"), "init_parts"),
    ("values of another version", rewrite_part("body.parm", lambda p: p.replace("version 0.8", "version 0.9")), "readable_values"),
    ("Python that is not marked", replace(INNER + "/ExtraFileOptions", '"type": "bool",\n        "value": true', '"type": "bool",\n        "value": false'),
     "python_sections"),
    ("a tool for another context", replace(INNER + "/Tools.shelf", ">SOP<", ">DOP<"), "shelf_tool"),
    ("contents that are not locked", replace(INNER + "/TypePropertiesOptions", "LockContents := 1", "LockContents := 0"), "type_options"),
    ("an icon by its file", replace(BODY + "/INDEX__SECTION", "SOP_tetembed", "C:/icons/body.svg"), "icons"),
    ("a compiled node that matches a definition", rewrite_part("body.init", lambda p: p.replace("matchesdef = 0", "matchesdef = 1")),
     "compiled_nodes"),
    ("the solver as an asset", rewrite_part("solver.init", lambda p: p.replace("matchesdef = 0", "matchesdef = 1")), "compiled"),
    ("a multiparm part that counts wrongly", rewrite_part("solver.multiparm", lambda p: p.replace("\n3\n", "\n4\n")), "multiparm_parts"),
    ("user data that is no JSON", rewrite_part("body.userdata", lambda p: p.replace("}", "", 1)), "user_data"),
    ("a type without a key", replace(SCRIPT, "        type        ordinal\n", ""), "known_keys"),
    ("two defaults of one number", replace(SCRIPT, 'default     { "0.1" }', 'default     { "0.1" "0.2" }'), "[defaults]"),
    ("times that are nowhere", rewrite_part("body.def", lambda p: re.sub(r"create \d+", "create -1", p)), "node_times"),
    ("a number that is none", replace(SCRIPT, 'default     { "0.1" }', 'default     { "small" }'), "number_defaults"),
    ("an item without a label", replace(SCRIPT, '"jelly" "Jelly"', '"jelly"'), "menu_pairs"),
    ("a network with another table", replace(MIME, "\n\nSop\n", "\n\nDop\n"), "framing"),
]

# What reading the network of Soft Body found besides.
READ = [
    ("merged rest shapes that are zeros", rewrite_part("with_input.parm", lambda p: p.replace("restP", "restQ")), "all zeros"),
    ("a merge that goes to the solver as it is", change(MIME, lambda t: t.replace('with_input 3 1 "input2"', 'input_behind 2 1 "input2"').replace(
        "1 \twith_input 0 1", "1 \tinput_behind 0 1")), "all zeros"),
]

# Slips of any kind, and what the declaration knows.
SLIPS = [
    ("misspelt parameter", replace(SCRIPT, '"youngsmodulus"', '"youngmodulus"'), "youngmodulus"),
    ("stale parameter", replace(DAMPING + "/DialogScript", 'name        "massdamping"', 'name        "airdamping"'), "airdamping"),
    ("stale default", replace(SCRIPT, 'default     { "100000" }', 'default     { "200000" }'), "declared is"),
    ("stale menu", replace(SCRIPT, '"stvk"', '"venant"'), "menu of material"),
    ("unknown type", replace(SCRIPT, "type        float", "type        flout"), "known_keys"),
    ("brace not closed", replace(SCRIPT, "menu {", "menu "), "DialogScript"),
    ("quote not closed", replace(SCRIPT, 'label       "Preset"', 'label       "Preset'), "not closed"),
    ("rule of nothing", replace(SCRIPT, "{ material == arap }", "{ matter == arap }"), "rules_compare"),
    ("parameter twice", replace(SCRIPT, 'name        "tetsize"', 'name        "preset"'), "[defaults]"),
    ("callback of nothing", replace(INNER + "/PythonModule", "def reset(", "def restart("), "module_calls"),
    ("broken Python", replace(INNER + "/PythonModule", "def reset(", "def reset("[:-1]), "is not Python"),
    ("missing section file", remove(INNER + "/Tools.shelf"), "section_files"),
    ("unlisted section", replace(INNER + "/Sections.list", "PythonModule\tPythonModule\n", ""), "section_files"),
    ("wrong mangling", replace(BODY + "/Sections.list", "INDEX__SECTION\t", "INDEX_SECTION\t"), "section_names"),
    ("list without its first line", replace(INNER + "/Sections.list", '""\n', ""), "section_lists"),
    ("operator of another name", replace(BODY + "/INDEX__SECTION", "dashpot::softbody::1.0", "dashpot::softbdy::1.0"), "index_block"),
    ("more inputs than labels", replace(BODY + "/INDEX__SECTION", "1 to 4", "1 to 5"), "index_inputs"),
    ("wire from nowhere", replace(MIME, '\tmesh ', '\tmush '), "mush"),
    ("wire to an input that is not there", change(MIME, lambda t: t.replace('\t(2) "" 1', '\t(7) "" 1').replace("\t(2) 0 1", "\t(7) 0 1")),
     "input (7) of the asset"),
    ("wire to another connector", replace(MIME, '0 \tmesh 3 1 "input1"', '0 \tmesh 1 1 "input1"'), "[wires]"),
    ("wrong connector", replace(MIME, "connectornextid 3\n", "connectornextid 9\n"), "next_connector"),
    ("no display flag", rewrite_part("output0.def", lambda p: p.replace("display on", "display off")), "shown_node"),
    ("flags in another order", replace(MIME, "lock off model off", "model off lock off"), "def_parts"),
    ("parts out of order", swap_parts("body.def", "body.chn"), "part_order"),
    ("missing part", remove_part("solver.def"), "part_order"),
    ("node that is not counted", replace(MIME, "\n\n14\nembed\n", "\n\n11\nembed\n"), "node_order"),
    ("a node that leads nowhere", change(MIME, lambda t: t.replace('0 \tmesh 3 1 "input1"', '0 \tskin 1 1 "input1"').replace(
        "0 \tmesh 0 1", "0 \tskin 0 1")), "leads nowhere"),
    ("reference to nothing", replace(MIME, 'ch(\\"../dampingtime\\")', 'ch(\\"../dampingtimes\\")'), "dampingtimes"),
    ("reference of a snippet to nothing", replace(DAMPING_MIME, "../dampingbulk", "../dampingbilk"), "dampingbilk"),
    ("solver parameter that is not linked", rewrite_part("solver.chn", lambda p: re.sub(
        r"    channel substeps \{.*?\n    \}\n", "", p, flags=re.S)), "substeps is not driven"),
    ("half of the ramp range linked", change(MIME, lambda text: re.sub(
        r"    channel dampingramprange2 \{.*?\n    \}\n", "", text, flags=re.S)), "dampingramprange is not driven"),
    ("unknown node type", replace(MIME, "type = tetembed", "type = tetembad"), "tetembad"),
    ("parameter of another node", replace(COLLIDER_MIME, "attributevdbname1", "attributeGridName1"), "attributeGridName1"),
    ("message node of nothing", replace(INNER + "/MessageNodes", "solver", "slover"), "listed_nodes"),
    ("ramp link of nothing", replace(MIME, "../dampingramp#pos", "../rampdamping#pos"), "ramp_links"),
    ("preset of another table", replace(INNER + "/presets.json", '"youngsmodulus": 20000', '"youngsmodulus": 30000'), "presets.json"),
    ("preset file with another range", replace_bytes(PRESETS % "solver", b"(\t0.5\t1.5\t)", b"(\t0.5\t1.6\t)"), "dampingramprange"),
    ("preset file cut short", shorten(PRESETS % "solver"), "dashpot-solver"),
    ("preset file with a wrong table", wrong_offset, "dashpot-damping"),
]

DEFECTS = [*AUDIT, *COUNTED, *READ, *SLIPS]
