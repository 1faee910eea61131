"""Everything that is known about an asset and the presets, in order: what public assets keep, then what ours need."""
import pathlib

from . import dialog
from .checks.dialogs import channel_names, check_declared, check_text_fields, check_top_sliders
from .checks.faults import Faults
from .checks.networks import check_collider, check_network
from .checks.presets import check_preset_file, check_preset_section
from .checks.realness import check_real
from .checks.scripts import check_python
from .real import facts
from .real.reading import assets_of

ASSETS = ("softbody", "damping", "collider")
OWN_PARMS = {"softbody": {"preset", "presetstate", "bodyinput", "tetsize", "rendermesh", "output"},
             "damping": {"preset", "presetstate", "group", "maskattrib"}, "collider": {"voxelsize", "band"}}


def collider_tokens(declaration):
    return [t for t, p in declaration.parameters.items() if p["scope"] == "collider" and p["type"] == "float"]


def needed_parms(name, declaration):
    if name == "softbody":
        return list(declaration.types)
    if name == "damping":
        return [t for t in declaration.preset_tokens if declaration.parameters.get(t, {}).get("scope") == "prim"]
    return collider_tokens(declaration)


def read_asset(library, name, faults):
    if not library.is_dir():
        faults.add(library, "is missing")
        return None
    section = f"dashpot::Sop/{name}::1.0"
    asset = next((asset for asset in assets_of(library) if asset.section == section), None)
    if asset is None:
        faults.add(library, f"Sections.list does not have {section}")
    elif asset.dialog is None:
        faults.add(asset.folder / "DialogScript", str(dialog.why_unreadable(asset.text("DialogScript"))))
    return asset


def check_asset(otls, name, declaration, known, faults):
    asset = read_asset(otls / f"dashpot_{name}.1.0.hda", name, faults)
    if asset is None:
        return
    check_real(asset, known, faults)
    check_python(asset, faults)
    tree, script = asset.dialog, asset.folder / "DialogScript"
    if tree is None:
        return
    own = OWN_PARMS[name] | {t for t in declaration.types if t not in declaration.parameters}
    check_declared(script, tree, own, declaration, needed_parms(name, declaration), faults)
    channel_set = {channel for parm in dialog.parms(tree) for channel in channel_names(parm)}
    network = asset.folder / "Contents.dir/Contents.mime"
    check_network(network, asset, len(tree.all("inputlabel")), channel_set, declaration, faults)
    if name == "softbody":
        check_top_sliders(script, tree, declaration, faults)
    if name == "damping":
        check_text_fields(script, tree, ("group", "maskattrib"), faults)
    if name == "collider":
        check_collider(network, asset, collider_tokens(declaration), faults)
    else:
        check_preset_section(asset.folder, tree, declaration, faults)


def faults(folder, declaration):
    found, known = Faults(), facts.load()
    folder = pathlib.Path(folder)
    for name in ASSETS:
        check_asset(folder / "otls", name, declaration, known, found)
    for kind in ("solver", "softbody", "damping"):
        check_preset_file(folder / f"presets/Sop/dashpot-{kind}-1.0.idx", kind != "solver", declaration, found)
    return [fault.replace(str(folder) + "/", "") for fault in found]
