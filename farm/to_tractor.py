"""Tractor: a job in its own language, which tractor-spool takes. A task is a RemoteCmd."""
import re
import subprocess

PROGRESS = "alf"
SERVICE = "PixarRender"
# Killed inside a wedge's task, as for its memory: worth another blade. Tractor itself counts signals as negative, and
# takes them for somebody's wish; 75 says that there is nothing to do.
RETRIED = 137


def tcl(word):
    """One word of a Tcl list that stands inside braces."""
    if re.fullmatch(r"[\w./:=+,@-]+", word):
        return word
    if re.search(r"[{}\\]", word) or not word:
        return re.sub(r'([\s{}\[\]$"\\;])', r"\\\1", word) or "{}"
    return "{" + word + "}"


def launch_words(job, task):
    words = job.command(task.number)
    if job.environment:
        words = ["/usr/bin/env", *(f"{name}={value}" for name, value in job.environment.items()), *words]
    return " ".join(tcl(word.replace("%", "%%")) for word in words)  # %j and the like are Tractor's


def service(job):
    key = job.pool or SERVICE
    return f"{key} && @.mem >= {job.megabytes / 1024:g}" if job.megabytes else key


def message(job):
    options = {"title": job.name, "serialsubtasks": "0"}
    if job.priority:
        options["priority"] = job.priority
    if job.after:
        options["afterjids"] = " ".join(str(number) for number in job.ids_after())
    options.update(job.fields)
    lines = ["Job " + " ".join(f"-{key} {{{tcl_text(value)}}}" for key, value in options.items()) + " -subtasks {"]
    for task in job.tasks:
        lines.append(f"  Task {{{tcl_text(task.name)}}} -cmds {{\n    RemoteCmd {{{launch_words(job, task)}}} "
                     f"-service {{{service(job)}}} -atleast {job.cores} -atmost {job.cores} -retryrc {{{RETRIED}}}\n  }}")
    return "\n".join(lines + ["}"]) + "\n"


def tcl_text(text):
    """For people to read, between braces."""
    return re.sub(r"[{}\\]", "_", text)


def send(job, text):
    script = job.file("tractor.alf")
    with open(script, "w") as file:
        file.write(text)
    engine = [f"--engine={job.server}"] if job.server else []
    answer = subprocess.run(["tractor-spool", *engine, script], check=True, capture_output=True, text=True)
    identity = re.search(r"jid\D*(\d+)", answer.stdout + answer.stderr)
    return identity.group(1) if identity else (answer.stdout + answer.stderr).strip()
