"""The three assets: dialogs, networks, scripts. Parameters come from the declaration; only what a dialog or a
network adds to it is written down here."""
import json
import pathlib

from . import dialog
from .declaration import number_text, quoted

PARTS = pathlib.Path(__file__).resolve().parent / "parts"
TOP_SLIDERS = ["youngsmodulus", "massdensity", "dampingmodel", "dampingshear", "dampingbulk", "dampingtime", "dampingstrength",
               "dampingexponent"]
KEY_PARTS = ("pos", "value", "interp")
INTERPOLATIONS = ["constant", "linear", "catmull-rom", "monotonecubic", "bezier", "bspline", "hermite"]


class Node:
    """A node of an asset's network. inputs: names of nodes, numbers of the asset's own inputs, or None."""

    def __init__(self, name, kind, inputs=(), parms=None, links=None, output=False):
        self.name, self.kind, self.inputs, self.output = name, kind, list(inputs), output
        self.parms = parms or {}                            # name: list of values; str is quoted text
        self.links = links or []                            # what the asset's parameters drive
        self.channels = {channel: value for link in self.links for channel, value in link.channels.items()}
        self.instance_links = [pair for link in self.links for pair in link.instances]

    def driven(self):
        """Parameter to its channels: the components of a vector are one line."""
        return {name: names for link in self.links for name, names in link.lines.items()}


class Link:
    """A parameter of a node inside that channels drive."""

    def __init__(self, name, channels, lines=None, instances=()):
        self.channels = channels                            # name: (expression, default)
        self.lines = lines or {name: list(channels)}        # line of the .parm part: the channels on it
        self.instances = list(instances)                    # (key of the ramp inside, key of the asset's), # for its number


class Asset:
    def __init__(self, name, label, icon, inputs, least_inputs, dialog, nodes, message_nodes, help_text,
                 module="", presets=None):
        self.name, self.label, self.icon = name, label, icon
        self.inputs, self.least_inputs = inputs, least_inputs
        self.dialog, self.nodes, self.message_nodes = dialog, nodes, message_nodes
        self.help, self.module, self.presets = help_text, module, presets

    @property
    def operator(self):
        return f"dashpot::{self.name}::1.0"

    @property
    def section(self):
        return f"dashpot::Sop/{self.name}::1.0"


def parm(name, label, kind, default, help_text, menu=None, rule=None, tags=(), range_text=None, extra=()):
    lines = ["parm {", f"    name        {quoted(name)}", f"    label       {quoted(label)}", f"    type        {kind}",
             f"    default     {{ {quoted(default)} }}", f"    help        {quoted(help_text)}", *["    " + line for line in extra]]
    if rule:
        lines.append(f"    disablewhen {quoted(rule)}")
    if menu:
        lines += ["    menu {", *[f"        {quoted(t)} {quoted(l)}" for t, l in menu], "    }"]
    if range_text:
        lines.append(f"    range       {{ {range_text} }}")
    return in_order([*lines, *[f"    parmtag     {{ {quoted(k)} {quoted(v)} }}" for k, v in tags], "}"])


def in_order(block):
    """The lines of a parm with its keys in the order in which Houdini writes them."""
    entries = []
    for line in block[1:-1]:
        if line.startswith("    ") and line[4] not in " }":
            entries.append([line])
        else:
            entries[-1].append(line)
    entries.sort(key=lambda lines: dialog.KEY_ORDER.index(lines[0].split()[0]))
    return [block[0], *[line for lines in entries for line in lines], block[-1]]


def callback(function):
    return [("script_callback", f"hou.phm().{function}(kwargs)"), ("script_callback_language", "python")]


def with_callback(block, function):
    """A declared parm that also tells the asset's module when an artist moves it."""
    tags = [f"    parmtag     {{ {quoted(k)} {quoted(v)} }}" for k, v in callback(function)]
    return in_order([*block[:-1], *tags, block[-1]])


def group(name, label, blocks, kind="group"):
    inner = [f"    name        {quoted(name)}", f"    label       {quoted(label)}"]
    return [f"{kind} {{", *inner, *["    " + line for block in blocks for line in block], "}"]


def preset_parms(declaration):
    menu = [("custom", "Custom")] + [(p["token"], p["label"]) for p in declaration.presets]
    return [
        parm("preset", "Preset", "ordinal", "0", "Sets material and damping in one undoable step, and nothing else.",
             menu=menu, tags=callback("apply_preset")),
        parm("presetstate", "Look", "string", "Custom", "The preset that was applied last, and whether it was edited.",
             rule="{ preset == custom } { preset != custom }"),
    ]


def declared(declaration, token):
    block = in_order(declaration.blocks[token])
    return with_callback(block, "parameter_changed") if token in declaration.preset_tokens else block


def on_top(declaration, token):
    """Where only what matters is to be seen, what has no effect is hidden."""
    return [line.replace("    disablewhen ", "    hidewhen    ") for line in declared(declaration, token)]


def fetched(name, default=0):
    return f'{"chs" if isinstance(default, str) else "ch"}("../{name}")', default


def linked(name, outer, default=0):
    return Link(name, {name: fetched(outer, default)})


def ramp_link(token, keys):
    """The number of keys, the keys that are there by default, and those that come later."""
    channels = {token: fetched(token, len(keys))}
    for number, key in enumerate(keys, 1):
        values = (key["position"], key["value"], INTERPOLATIONS.index(key["interpolation"]))
        channels.update({f"{token}{number}{part}": fetched(f"{token}{number}{part}", value) for part, value in zip(KEY_PARTS, values)})
    return Link(token, channels, {channel: [channel] for channel in channels},
                [(f"{token}#{part}", f"../{token}#{part}") for part in KEY_PARTS])


def link(declaration, token):
    """Hands a parameter of the asset to the node inside that has the same."""
    kind, components = declaration.types[token], declaration.components(token)
    if kind == "ramp_flt":
        return ramp_link(token, declaration.ramps[token])
    if len(components) > 1:
        return Link(token, {name: fetched(name, value) for name, value in components.items()})
    default = declaration.parameters.get(token, {}).get("default", 0)
    if kind in ("string", "oppath"):
        return linked(token, token, "")
    return linked(token, token, default if isinstance(default, (int, float)) else 0)


def links(declaration):
    return [link(declaration, token) for token, kind in declaration.types.items() if kind not in ("button", "separator")]


def part_text(name):
    return (PARTS / name).read_text()


def wrangle(name, sources, over, snippet, output=False):
    return Node(name, "attribwrangle", sources, {"class": [over], "snippet": [snippet]}, output=output)


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
    top = [*preset_parms(declaration), *[on_top(declaration, t) for t in TOP_SLIDERS]]
    blocks = [*top, group("folder_geometry", "Geometry", own)]
    for name, label, tokens in declaration.folders:
        blocks.append(group(name, label, [with_callback(declaration.blocks[token], "reset") if token == "resimulate" else
                                          declared(declaration, token) for token in tokens if token not in TOP_SLIDERS]))
    nodes = [
        # Its sizes are shares of the base size.
        Node("embed", "tetembed", [0], {"usebasesize": ["on"], "maxtetscale": [1], "surftriscale": [1]},
             [linked("basesize", "tetsize", 0.1)]),
        Node("body", "switch", [0, "embed"], links=[linked("input", "bodyinput")]),
        wrangle("skin", ["body"], "primitive", part_text("skin.vfl")),
        Node("input_behind", "merge", ["body", 3]),
        wrangle("with_input", ["input_behind", "body", 3], "point", part_text("one_rest_shape.vfl")),
        # Tets that come in have their polygons with them; only those that were made here need the surface again.
        wrangle("polygons", [0], "primitive", part_text("surface.vfl")),
        Node("polygons_behind", "merge", ["embed", "polygons"]),
        wrangle("made_with_polygons", ["polygons_behind", "embed", "polygons"], "point", part_text("one_rest_shape.vfl")),
        Node("with_surface", "switch", [0, "made_with_polygons"], links=[linked("input", "bodyinput")]),
        Node("mesh", "switch", ["skin", "with_input", "with_surface"], links=[linked("input", "rendermesh")]),
        wrangle("something_to_show", ["mesh"], "detail", part_text("something_to_show.vfl")),
        Node("solver", "dashpot::solver::1.0", ["something_to_show", 1, 2], links=links(declaration)),
        wrangle("surface", ["solver"], "primitive", part_text("surface.vfl")),
        Node("output0", "switch", ["surface", "solver"], links=[linked("input", "output")], output=True),
    ]
    return Asset("softbody", "Dashpot Soft Body", "SOP_tetembed",
                 ["Tetrahedra or Closed Surface", "Animated Targets", "Colliders", "Render Mesh"], 1, blocks, nodes,
                 ["solver", "something_to_show"], part_text("softbody_help.txt"), part_text("preset_module.py") + part_text("softbody.py"),
                 declaration.presets)


def damping_snippet(declaration, tokens):
    """VEX: blends every value between what is there, or the default, and the asset's sliders."""
    lines = [part_text("damping_head.vfl").rstrip()]
    for token in tokens:
        p = declaration.parameters[token]
        if p["type"] in ("menu", "bool"):
            at = [m["token"] for m in p["menu"]].index(p["default"]) if "menu" in p else int(p["default"])
            lines.append(f'i@{token} = mask >= 0.5 ? chi("../{token}") : int(before(@primnum, "{token}", {at}));')
        else:
            lines.append(f'f@{token} = lerp(before(@primnum, "{token}", {number_text(p["default"])}), ch("../{token}"), mask);')
    return "\n".join(lines) + "\n"


GROUP_MENU = ["menutoggle {", '    [ "opmenu -l assign group" ]', "}"]
MASK_MENU = ["menureplace {", '    [ "hou.phm().mask_menu(kwargs)" ]', "    language python", "}"]
PICK_TETS = [("script_action", "import soputils\nkwargs['geometrytype'] = hou.geometryType.Primitives\n"
              "kwargs['inputindex'] = 0\nsoputils.selectGroupParm(kwargs)"), ("script_action_icon", "BUTTONS_reselect")]


def damping(declaration):
    tokens = [t for t in declaration.preset_tokens if declaration.parameters.get(t, {}).get("scope") == "prim"]
    blocks = [
        parm("group", "Group", "string", "", "Tets that get the style; empty for all. Others keep what they have, or get the "
             "defaults.", tags=PICK_TETS, extra=GROUP_MENU),
        parm("maskattrib", "Mask Attribute", "string", "", "A painted attribute of points or primitives, 0 to 1, that blends "
             "from what was there to this style. Menus switch at 0.5.", extra=MASK_MENU),
        *preset_parms(declaration), *[declared(declaration, t) for t in tokens]]
    nodes = [wrangle("assign", [0], "primitive", damping_snippet(declaration, tokens), output=True)]
    presets = [dict(p, ranges={}, ramps={}) for p in declaration.presets]
    return Asset("damping", "Dashpot Damping", "SOP_attribpaint", ["Tetrahedra"], 1, blocks, nodes, ["assign"],
                 part_text("damping_help.txt"), part_text("preset_module.py") + part_text("damping.py"), presets)


def collider(declaration):
    def of_collider(token):
        p = declaration.parameters[token]
        return parm(token, p["label"], "float", number_text(p["default"]), p["help"],
                    range_text="0! 1!" if p["max"] == 1 else "0! 1")

    tokens = [t for t, p in declaration.parameters.items() if p["scope"] == "collider" and p["type"] == "float"]
    blocks = [parm("voxelsize", "Voxel Size", "float", "0.05", "Size of the voxels, and of the smallest feature that "
                   "collides.", range_text="0.005 0.5"),
              parm("band", "Band (voxels)", "integer", "4", "How far from the surface distances are known, on both sides. "
                   "Fast bodies that sink in deeper than this are lost.", range_text="2! 20"),
              *[of_collider(t) for t in tokens]]
    nodes = [
        Node("velocity", "trail", [0], {"result": ["velocity"]}),
        Node("level_set", "vdbfrompolygons", ["velocity"],
             {"numattrib": [1], "attribute1": ["point.v"], "attributevdbname1": ["v"], "vectype1": ["contravariant relative"],
              "fillinterior": ["on"]},
             [linked("voxelsize", "voxelsize", 0.05), linked("exteriorbandvoxels", "band", 4),
              linked("interiorbandvoxels", "band", 4)]),
        # Of primitives: colliders that are merged keep theirs.
        wrangle("contact", ["level_set"], "primitive", "".join(f'f@{t} = ch("../{t}");\n' for t in tokens), output=True),
    ]
    return Asset("collider", "Dashpot Collider", "SOP_vdbfrompolygons", ["Polygons"], 1, blocks, nodes, ["level_set"],
                 part_text("collider_help.txt"))


def assets(declaration):
    return [softbody(declaration), damping(declaration), collider(declaration)]


def presets_json(asset):
    return json.dumps(asset.presets, indent=1) + "\n"
