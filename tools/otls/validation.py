"""Everything that tools/otls/checks knows about an asset and the presets, in order."""
import pathlib

from . import dialog
from .checks.dialogs import channel_names, check_declared, check_dialog
from .checks.faults import Faults
from .checks.networks import check_network
from .checks.presets import check_preset_file, check_preset_section
from .checks.scripts import check_create_script, check_scripts
from .checks.sections import check_files_listed, check_index, mangled, read_sections

ASSETS = ("softbody", "damping", "collider")
NEEDED_SECTIONS = ("DialogScript", "CreateScript", "TypePropertiesOptions", "InternalFileOptions", "ExtraFileOptions",
                   "Tools.shelf", "Help", "MessageNodes", "Contents.gz")
OWN_PARMS = {"softbody": {"preset", "presetstate", "bodyinput", "tetsize", "rendermesh", "output"},
             "damping": {"preset", "presetstate", "group", "maskattrib"}, "collider": {"voxelsize", "band"}}


def needed_parms(name, declaration):
    if name == "softbody":
        return list(declaration.types)
    if name == "damping":
        return [t for t in declaration.preset_tokens if declaration.parameters.get(t, {}).get("scope") == "prim"]
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
    channel_set = {channel for parm in dialog.parms(tree) for channel in channel_names(parm)}
    nodes = check_network(folder / "Contents.dir/Contents.mime", name, channel_set, len(labels), declaration, faults)
    for node in (folder / "MessageNodes").read_text().split() if (folder / "MessageNodes").is_file() else []:
        if node not in nodes:
            faults.add(folder / "MessageNodes", f"names {node}, which does not exist")
    check_scripts(folder, sections, tree, faults)
    check_create_script(folder / "CreateScript", nodes, channel_set, faults)
    if name != "collider":
        check_preset_section(folder, tree, declaration, faults)


def faults(folder, declaration):
    found = Faults()
    folder = pathlib.Path(folder)
    for name in ASSETS:
        check_asset(folder / "otls", name, declaration, found)
    for kind in ("solver", "softbody", "damping"):
        check_preset_file(folder / f"presets/Sop/dashpot-{kind}-1.0.idx", declaration, found)
    return [fault.replace(str(folder) + "/", "") for fault in found]
