"""The three assets: dialogs, networks, scripts. Parameters come from the declaration; only what a dialog or a
network adds to it is written down here."""
import json
import pathlib

from .declaration import number_text, quoted

PARTS = pathlib.Path(__file__).resolve().parent / "parts"
TOP_SLIDERS = ["youngsmodulus", "massdensity", "dampingmodel", "dampingtime", "dampingstrength", "dampingexponent"]


class Node:
    """A node of an asset's network. inputs: names of nodes, numbers of the asset's own inputs, or None."""

    def __init__(self, name, kind, inputs=(), parms=None, channels=None, output=False):
        self.name, self.kind, self.inputs, self.output = name, kind, list(inputs), output
        self.parms = parms or {}        # name: list of values; str is quoted text
        self.channels = channels or {}  # name: (expression, default)


class Asset:
    def __init__(self, name, label, icon, inputs, least_inputs, dialog, nodes, message_node, help_text,
                 module="", presets=None, create=()):
        self.name, self.label, self.icon = name, label, icon
        self.inputs, self.least_inputs = inputs, least_inputs
        self.dialog, self.nodes, self.message_node = dialog, nodes, message_node
        self.help, self.module, self.presets, self.create = help_text, module, presets, list(create)

    @property
    def operator(self):
        return f"dashpot::{self.name}::1.0"

    @property
    def section(self):
        return f"dashpot::Sop/{self.name}::1.0"


def parm(name, label, kind, default, help_text, menu=None, rule=None, tags=(), range_text=None, extra=()):
    lines = ["parm {", f"    name        {quoted(name)}", f"    label       {quoted(label)}", f"    type        {kind}",
             *[f"    {word}" for word in extra], f"    default     {{ {quoted(default)} }}"]
    if menu:
        lines += ["    menu {", *[f"        {quoted(t)} {quoted(l)}" for t, l in menu], "    }"]
    if range_text:
        lines.append(f"    range       {{ {range_text} }}")
    lines += [f"    parmtag     {{ {quoted(k)} {quoted(v)} }}" for k, v in tags]
    if rule:
        lines.append(f"    disablewhen {quoted(rule)}")
    return [*lines, f"    help        {quoted(help_text)}", "}"]


def callback(function):
    return [("script_callback", f"hou.phm().{function}(kwargs)"), ("script_callback_language", "python")]


def with_callback(block, function):
    """A declared parm that also tells the asset's module when an artist moves it."""
    tags = [f"    parmtag     {{ {quoted(k)} {quoted(v)} }}" for k, v in callback(function)]
    return [*block[:-1], *tags, block[-1]]


def group(name, label, blocks, kind="group"):
    inner = [f"    name        {quoted(name)}", f"    label       {quoted(label)}"]
    return [f"{kind} {{", *inner, *["    " + line for block in blocks for line in block], "}"]


def preset_parms(declaration):
    menu = [("custom", "Custom")] + [(p["token"], p["label"]) for p in declaration.presets]
    return [
        parm("preset", "Preset", "ordinal", "0", "Sets material and damping in one undoable step, and nothing else.",
             menu=menu, tags=callback("apply_preset")),
        parm("presetstate", "Look", "string", "Custom", "The preset that was applied last, and whether it was edited.",
             rule="{ preset != __nothing }"),
    ]


def declared(declaration, token):
    block = declaration.blocks[token]
    return with_callback(block, "parameter_changed") if token in declaration.preset_tokens else block


def links(declaration, tokens):
    """Channels that hand an asset's parameters to the node inside that has the same."""
    channels = {}
    for token in tokens:
        kind = declaration.types[token]
        if kind in ("button", "separator"):
            continue
        if kind == "vector":
            for axis, value in zip("xyz", declaration.parameters[token]["default"]):
                channels[token + axis] = (f'ch("../{token}{axis}")', value)
            continue
        if token in declaration.pairs:
            for number, value in enumerate(declaration.pairs[token], 1):
                channels[f"{token}{number}"] = (f'ch("../{token}{number}")', value)
            continue
        if kind in ("string", "oppath"):
            channels[token] = (f'chs("../{token}")', "")
            continue
        default = declaration.parameters.get(token, {}).get("default", 0)
        channels[token] = (f'ch("../{token}")', default if isinstance(default, (int, float)) else 0)
    return channels


def ramp_links(declaration, child):
    return [f'opmultiparm $arg1/{child} ' + " ".join(f'"{t}#{part}" "../{t}#{part}"' for part in ("pos", "value", "interp"))
            for t, kind in declaration.types.items() if kind == "ramp_flt"]


def softbody(declaration):
    own = [
        parm("bodyinput", "First Input", "ordinal", "0", "What comes in: tets, or a closed surface that tets are made for.",
             menu=[("tets", "Tetrahedra"), ("surface", "Closed Surface")]),
        parm("tetsize", "Tet Size", "float", "0.1", "Size of the tets that are made for a closed surface. Half the size is "
             "eight times the tets.", rule="{ bodyinput != surface }", range_text="0.01 1"),
        parm("rendermesh", "Render Mesh", "ordinal", "0", "What moves with the tets: their own skin, the fourth input, or the "
             "surface of the first.", menu=[("skin", "Skin of the Tets"), ("input", "Fourth Input"),
                                            ("surface", "Surface of the First Input")]),
        parm("output", "Output", "ordinal", "0", "The simulated surface, or everything with the tets and their attributes.",
             menu=[("surface", "Surface"), ("all", "Surface and Tets")]),
    ]
    top = [*preset_parms(declaration), *[declared(declaration, t) for t in TOP_SLIDERS]]
    dialog = [*top, group("folder_geometry", "Geometry", own)]
    for name, label, tokens in declaration.folders:
        blocks = []
        for token in tokens:
            if token == "resimulate":
                blocks.append(with_callback(declaration.blocks[token], "reset"))
            elif token not in TOP_SLIDERS:
                blocks.append(declared(declaration, token))
        dialog.append(group(name, label, blocks))
    nodes = [
        # Its sizes are shares of the base size.
        Node("embed", "tetembed", [0], {"usebasesize": ["on"], "maxtetscale": [1], "surftriscale": [1]},
             {"basesize": ('ch("../tetsize")', 0.1)}),
        Node("body", "switch", [0, "embed"], channels={"input": ('ch("../bodyinput")', 0)}),
        Node("skin", "attribwrangle", ["body"], {"class": ["primitive"], "snippet": [(PARTS / "skin.vfl").read_text()]}),
        Node("with_input", "merge", ["body", 3]),
        Node("with_surface", "merge", ["body", 0]),
        Node("mesh", "switch", ["skin", "with_input", "with_surface"], channels={"input": ('ch("../rendermesh")', 0)}),
        Node("solver", "dashpot::solver::1.0", ["mesh", 1, 2], channels=links(declaration, declaration.types)),
        Node("surface", "attribwrangle", ["solver"],
             {"class": ["primitive"], "snippet": [(PARTS / "surface.vfl").read_text()]}),
        Node("output0", "switch", ["surface", "solver"], channels={"input": ('ch("../output")', 0)}, output=True),
    ]
    return Asset("softbody", "Dashpot Soft Body", "SOP_tetembed",
                 ["Tetrahedra or Closed Surface", "Animated Targets", "Colliders", "Render Mesh"], 1, dialog, nodes,
                 "solver", (PARTS / "softbody_help.txt").read_text(), (PARTS / "preset_module.py").read_text() + (PARTS / "softbody.py").read_text(),
                 declaration.presets, ramp_links(declaration, "solver"))


def damping_snippet(declaration, tokens):
    """VEX: blends every value between what is there, or the default, and the asset's sliders."""
    lines = [(PARTS / "damping_head.vfl").read_text().rstrip()]
    for token in tokens:
        p = declaration.parameters[token]
        if p["type"] == "menu":
            at = [m["token"] for m in p["menu"]].index(p["default"])
            lines.append(f'i@{token} = mask >= 0.5 ? chi("../{token}") : int(before(@primnum, "{token}", {at}));')
        else:
            lines.append(f'f@{token} = lerp(before(@primnum, "{token}", {number_text(p["default"])}), ch("../{token}"), mask);')
    return "\n".join(lines) + "\n"


def damping(declaration):
    tokens = [t for t in declaration.preset_tokens if declaration.parameters.get(t, {}).get("scope") == "prim"]
    dialog = [
        parm("group", "Group", "string", "", "Tets that get the style; empty for all. Others keep what they have, or get the "
             "defaults.", tags=[("script_action", "import soputils\nkwargs['geometrytype'] = "
                                 "(hou.geometryType.Primitives,)\nkwargs['inputindex'] = 0\n"
                                 "soputils.selectGroupParm(kwargs)".replace("\n", "; ")),
                                ("script_action_icon", "BUTTONS_reselect")]),
        parm("maskattrib", "Mask Attribute", "string", "", "A painted attribute of points or primitives, 0 to 1, that blends "
             "from what was there to this style. Menus switch at 0.5."),
        *preset_parms(declaration), *[declared(declaration, t) for t in tokens]]
    nodes = [Node("assign", "attribwrangle", [0],
                  {"class": ["primitive"], "snippet": [damping_snippet(declaration, tokens)]}, output=True)]
    presets = [dict(p, ranges={}, ramps={}) for p in declaration.presets]
    return Asset("damping", "Dashpot Damping", "SOP_attribpaint", ["Tetrahedra"], 1, dialog, nodes, "assign",
                 (PARTS / "damping_help.txt").read_text(), (PARTS / "preset_module.py").read_text(), presets)


def collider(declaration):
    def of_collider(token):
        p = declaration.parameters[token]
        return parm(token, p["label"], "float", number_text(p["default"]), p["help"],
                    range_text="0! 1!" if p["max"] == 1 else "0! 1")

    tokens = [t for t, p in declaration.parameters.items() if p["scope"] == "collider" and p["type"] == "float"]
    dialog = [parm("voxelsize", "Voxel Size", "float", "0.05", "Size of the voxels, and of the smallest feature that "
                   "collides.", range_text="0.005 0.5"),
              parm("band", "Band (voxels)", "integer", "4", "How far from the surface distances are known, on both sides. "
                   "Fast bodies that sink in deeper than this are lost.", range_text="2! 20"),
              *[of_collider(t) for t in tokens]]
    nodes = [
        Node("velocity", "trail", [0], {"result": ["velocity"]}),
        Node("level_set", "vdbfrompolygons", ["velocity"],
             {"numattrib": [1], "attribute1": ["point.v"], "attributevdbname1": ["v"], "vectype1": ["contravariant relative"],
              "fillinterior": ["on"]},
             {"voxelsize": ('ch("../voxelsize")', 0.05), "exteriorbandvoxels": ('ch("../band")', 4),
              "interiorbandvoxels": ('ch("../band")', 4)}),
        Node("contact", "attribwrangle", ["level_set"],
             {"class": ["detail"], "snippet": ["".join(f'f@{t} = ch("../{t}");\n' for t in tokens)]}, output=True),
    ]
    return Asset("collider", "Dashpot Collider", "SOP_vdbfrompolygons", ["Polygons"], 1, dialog, nodes, "level_set",
                 (PARTS / "collider_help.txt").read_text())


def assets(declaration):
    return [softbody(declaration), damping(declaration), collider(declaration)]


def presets_json(asset):
    return json.dumps(asset.presets, indent=1) + "\n"
