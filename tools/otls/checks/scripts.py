"""Python and hscript of an asset."""
import json
import re

from .. import dialog


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
