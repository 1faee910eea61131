"""Wedges of Dashpot in PDG: one work item for each run, cooked by whichever scheduler the network has.

In the callback onGenerate of a Python Processor TOP:

    import dashpot_pdg
    dashpot_pdg.add_runs(item_holder, upstream_items, "$HIP/jelly.toml", {"body.jelly.dampingtime": [0.01, 0.03, 0.1]})

Every item has the values of its run as attributes (jelly_dampingtime) and the run's name (run), runs `dashpot` without
Houdini and without a licence, and has its frames (file/geo), its statistics (file/text) and its report (file/html) as
outputs. Items that are cooked again go on from their checkpoint, or end at once if the run is done.
"""
import json
import os
import re
import shlex
import subprocess

FRAMES, STATISTICS, REPORT = "file/geo", "file/text", "file/html"


class WedgeError(Exception):
    """One sentence for the node: what is wrong, and what to do."""


def add_runs(item_holder, upstream_items, scene, vary=None, out=None, dashpot="dashpot", threads=4, arguments=()):
    """Adds the work items and returns them.

    scene      a scene file, or the folder of a wedge that was planned before
    vary       a key of the scene, `preset` or `preset.BODY` -> values; as --vary of dashpot wedge
    out        folder of the wedge, on a disk that all workers see; default: beside the scene, named after it
    dashpot    the program, here and on the workers
    arguments  more words for dashpot wedge, such as ["--frames", "1-48"]
    """
    if len(upstream_items) > 1:
        raise WedgeError("the node has several items above it, and would make the same runs for each; put a Wait for All "
                         "between.")
    folder = planned(expanded(scene), vary, out and expanded(out), dashpot, arguments)
    parent = {"parent": upstream_items[0]} if upstream_items else {}
    plan = read_plan(folder)
    items = []
    for index, run in enumerate(plan["runs"]):
        item = item_holder.addWorkItem(index=index, **parent)
        set_attributes(item, run)
        item.setCommand(command(dashpot, folder, index + 1, run, threads))
        add_outputs(item, os.path.join(folder, run["name"]), run["name"], frames_of(plan, run))
        items.append(item)
    return items


def expanded(path):
    try:
        import hou
    except ImportError:
        return os.path.abspath(os.path.expandvars(path))
    return os.path.abspath(hou.text.expandString(path))


def planned(scene, vary, out, dashpot, arguments):
    """The folder of the wedge, with wedge.json in it."""
    if os.path.isdir(scene):
        if vary:
            raise WedgeError(f"'{scene}' is a wedge already; give its scene to vary more.")
        return scene
    folder = out or os.path.splitext(scene)[0] + "_wedge"
    words = [dashpot, "wedge", scene, "--out", folder, "--plan-only", *arguments]
    for key, values in (vary or {}).items():
        words += ["--vary", f"{key}=" + ",".join(map(value_text, values))]
    try:
        result = subprocess.run(words, capture_output=True, text=True)
    except OSError as error:
        raise WedgeError(f"'{dashpot}' cannot be started ({error.strerror}); give its path as dashpot=...")
    if result.returncode not in (0, 3):  # 3: some runs failed at an earlier attempt
        raise WedgeError(result.stderr.strip())
    return folder


def value_text(value):
    return "[" + ",".join(map(value_text, value)) + "]" if isinstance(value, (list, tuple)) else str(value)


def read_plan(folder):
    path = os.path.join(folder, "wedge.json")
    try:
        with open(path) as file:
            plan = json.load(file)
        if plan["runs"] and plan["frames"]:
            return plan
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise WedgeError(f"'{path}' is no plan of this version of dashpot; make it with dashpot wedge … --plan-only.")


def varied(run):
    """Key and value of everything that the run varies."""
    for option, text in zip(run["arguments"][::2], run["arguments"][1::2]):
        key, equals, value = text.partition("=")
        if option == "--preset":
            key, value = ("preset." + key, value) if equals else ("preset", key)
        yield key, value


def attribute_name(key):
    """body.jelly.dampingtime -> jelly_dampingtime"""
    first, _, rest = key.partition(".")
    name = re.sub(r"\W", "_", key if first == "preset" or not rest else rest, flags=re.ASCII)
    return "_" + name if name[0].isdigit() else name


def set_attributes(item, run):
    item.setStringAttrib("run", run["name"])
    for key, text in varied(run):
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        numbers = value if isinstance(value, list) else [value]
        name = attribute_name(key)
        if all(type(number) in (int, float) for number in numbers):
            for index, number in enumerate(numbers):
                item.setFloatAttrib(name, float(number), index)
        else:
            item.setStringAttrib(name, text.strip('"'))


def command(dashpot, folder, number, run, threads):
    """The run and its report as one command, whether a scheduler gives it to a shell or takes it apart itself."""
    run_folder = os.path.join(folder, run["name"])
    steps = [[dashpot, "wedge", folder, "--task", str(number), "--threads", str(threads), "--progress", "alf"],
             [dashpot, "report", run_folder, "-o", os.path.join(run_folder, "report.html")]]
    return shlex.join(["/bin/sh", "-c", " && ".join(map(shlex.join, steps))])


def frames_of(plan, run):
    first_and_last = plan["frames"]
    for key, value in varied(run):
        if key == "simulation.frames":
            first_and_last = json.loads(value)
    words = plan["arguments"]
    if "--frames" in words:
        text = words[words.index("--frames") + 1]
        first_and_last = re.fullmatch(r"(-?\d+)-(-?\d+)", text).groups()
    first, last = map(int, first_and_last)
    return range(first, last + 1)


def add_outputs(item, folder, name, frames):
    outputs = [(f"{name}.{frame:04d}.bgeo.sc", FRAMES) for frame in frames]
    outputs += [("stats.jsonl", STATISTICS), ("report.html", REPORT)]
    add = getattr(item, "addExpectedOutputFile", None) or item.addExpectedResultData  # its older name
    for file, tag in outputs:
        add(os.path.join(folder, file), tag)
