#!/usr/bin/env hython
"""Rebuilds Dashpot's assets with Houdini's own API, for studios that want files that Houdini itself has written.

    hython tools/build_hdas.py OUT_FOLDER [build/release/bin/dashpot]

Dialogs, scripts and networks come from the same description as otls/ (tools/otls). Needs the plugin to be installed: the
soft body has the solver inside. Not run in Houdini yet.
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from otls import assets, declaration, expanded  # noqa: E402


def set_values(hou, child, node):
    """Plain values first, then the channels: of a ramp its number of keys and the keys that it has by default. Keys that it
    gets later are linked by what opmultiparm notes down, which is saved with the asset."""
    for name, values in node.parms.items():
        child.parm(name).set(values[0] == "on" if values[0] in ("on", "off") else values[0])
    for name, (expression, _) in node.channels.items():
        child.parm(name).setExpression(expression, hou.exprLanguage.Hscript)
    if node.instance_links:
        pairs = " ".join(f'"{inner}" "{outer}"' for inner, outer in node.instance_links)
        _, error = hou.hscript(f"opmultiparm {child.path()} {pairs}")
        if error:
            raise RuntimeError(f"{child.path()}: the ramp cannot be linked: {error.strip()}")


def build_network(hou, subnet, asset):
    for child in subnet.children():  # newer subnets come with an output node
        child.destroy()
    made = {}
    for node in asset.nodes:
        made[node.name] = subnet.createNode(node.kind, node.name)
    for node in asset.nodes:
        for number, source in enumerate(node.inputs):
            if isinstance(source, int):
                made[node.name].setInput(number, subnet.indirectInputs()[source])
            else:
                made[node.name].setInput(number, made[source])
        if node.output:
            made[node.name].setDisplayFlag(True)
            made[node.name].setRenderFlag(True)
    return made


def build(hou, asset, folder):
    geometry = hou.node("/obj").createNode("geo", "dashpot_build")
    try:
        subnet = geometry.createNode("subnet", asset.name)
        made = build_network(hou, subnet, asset)
        path = str(pathlib.Path(folder) / f"dashpot_{asset.name}.1.0.hda")
        instance = subnet.createDigitalAsset(name=asset.operator, hda_file_name=path, description=asset.label,
                                             min_num_inputs=asset.least_inputs, max_num_inputs=len(asset.inputs),
                                             ignore_external_references=True)
        definition = instance.type().definition()
        instance.allowEditingOfContents()
        templates = hou.ParmTemplateGroup()
        templates.setToDialogScript(expanded.dialog_text(asset))
        definition.setParmTemplateGroup(templates)
        for node in asset.nodes:  # references need the parameters to exist
            set_values(hou, instance.node(node.name), node)
        definition.updateFromNode(instance)
        sections = {"Help": expanded.help_text(asset), "Tools.shelf": expanded.tools_shelf(),
                    "MessageNodes": " ".join(asset.message_nodes)}
        if asset.module:
            sections.update({"PythonModule": asset.module, "presets.json": assets.presets_json(asset)})
        for name, text in sections.items():
            definition.addSection(name, text)
        if asset.module:
            definition.setExtraFileOption("PythonModule/IsPython", True)
        definition.setIcon(asset.icon)
        definition.save(path)
        return path, sorted(made)
    finally:
        geometry.destroy()


def main(arguments, hou):
    if not arguments:
        sys.exit(__doc__)
    folder = pathlib.Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    program = arguments[1] if len(arguments) > 1 else str(ROOT / "build/release/bin/dashpot")
    for asset in assets.assets(declaration.Declaration(program)):
        print(*build(hou, asset, folder))
    for path, data in expanded.preset_files(declaration.Declaration(program)).items():
        (folder / "presets" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "presets" / path).write_bytes(data)


if __name__ == "__main__":
    import hou as houdini
    main(sys.argv[1:], houdini)
