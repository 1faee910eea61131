"""OpenCue: a job specification in XML, one layer whose frames are the tasks. Sent by pycue."""
import getpass
import os
import re
from xml.etree import ElementTree

from farm_job import Refused

PROGRESS = "alf"  # OpenCue shows the last line of a frame's log
DOCUMENT_TYPE = ('<!DOCTYPE spec PUBLIC "SPI Cue  Specification Language" '
                 '"http://localhost:8080/spcue/dtd/cjsl-1.11.dtd">')
LAYER = "dashpot"


def cue_name(text):
    """Letters, digits, _ and ., three at least."""
    return re.sub(r"\W+", "_", text, flags=re.ASCII).lower().ljust(3, "_")


def child(parent, tag, text=None, **attributes):
    element = ElementTree.SubElement(parent, tag, attributes)
    element.text = None if text is None else str(text)
    return element


def show_and_shot(job):
    fields = dict(job.fields)
    values = [fields.pop(key, os.environ.get(key.upper())) for key in ("show", "shot")]
    if not all(values):
        raise Refused("OpenCue wants to know where a job belongs; give --job show=NAME --job shot=NAME, or set SHOW and "
                      "SHOT.")
    if fields:
        raise Refused(f"--job {next(iter(fields))}: of OpenCue's own only show and shot can be given.")
    return values


def add_layer(parent, job):
    layer = child(child(parent, "layers"), "layer", name=LAYER, type="Render")
    child(layer, "cmd", job.shell_command("#IFRAME#"))
    child(layer, "range", job.numbers())
    child(layer, "chunk", 1)
    child(layer, "cores", f"{job.cores:.1f}")  # without a point it would mean hundredths of a core
    child(layer, "threadable", "True")
    if job.megabytes:
        child(layer, "memory", f"{job.megabytes}m")
    if job.pool:
        child(layer, "tags", job.pool)
    environment = child(layer, "env")
    for name, value in job.environment.items():
        child(environment, "key", value, name=name)
    child(child(layer, "services"), "service", "shell")


def message(job):
    root = ElementTree.Element("spec")
    show, shot = show_and_shot(job)
    child(root, "show", show)
    child(root, "shot", shot)
    child(root, "user", getpass.getuser())
    child(root, "uid", os.getuid())
    name = cue_name(job.name)
    element = child(root, "job", name=name)
    child(element, "paused", "False")
    if job.priority:
        child(element, "priority", int(job.priority))
    child(element, "maxretries", 1)
    add_layer(element, job)
    depends = child(root, "depends")
    for other in job.after:
        depend = child(depends, "depend", type="JOB_ON_JOB", anyframe="False")
        child(depend, "depjob", name)
        child(depend, "onjob", other)
    ElementTree.indent(root)
    return f'<?xml version="1.0"?>\n{DOCUMENT_TYPE}\n{ElementTree.tostring(root, encoding="unicode")}\n'


def send(job, text):
    import opencue
    if job.server:
        opencue.Cuebot.setHosts([job.server])
    return " ".join(str(launched.name()) for launched in opencue.api.launchSpecAndWait(text))
