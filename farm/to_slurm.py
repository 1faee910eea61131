"""Slurm: one batch script; a wedge is a job array, a shot a job of one task."""
import os
import shlex
import subprocess

PROGRESS = "alf"  # nobody reads it but people


def ranges(numbers):
    """1-3,7 of 1, 2, 3, 7."""
    parts = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def directive(key, value):
    """sbatch takes words of a line apart at spaces, and knows quotes and backslashes as a shell does."""
    if value == "":
        return f"#SBATCH --{key}"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'#SBATCH --{key}="{text}"'


def message(job):
    log = job.file("slurm_%A_%a.log" if job.is_array() else "slurm_%j.log")
    folder = job.folder.replace("%", "%%")
    options = {"job-name": job.name, "ntasks": 1, "cpus-per-task": job.cores,
               "output": os.path.join(folder, os.path.basename(log))}
    if job.is_array():
        options["array"] = ranges([task.number for task in job.tasks])
    if job.megabytes:
        options["mem"] = f"{job.megabytes}M"
    if job.pool:
        options["partition"] = job.pool
    if job.priority:
        options["priority"] = job.priority
    if job.after:
        options["dependency"] = "afterok:" + ":".join(str(number) for number in job.ids_after())
    options.update(job.fields)
    # Logs are appended to: a requeued task must not wipe out what the first attempt said.
    lines = ["#!/bin/bash", *(directive(key, value) for key, value in options.items()),
             "#SBATCH --requeue --open-mode=append",
             "# A task that is started again, by --requeue after a lost node or by hand, goes on from its checkpoint.",
             *(f"export {name}={shlex.quote(value)}" for name, value in job.environment.items()),
             "exec " + job.shell_command('"$SLURM_ARRAY_TASK_ID"')]
    return "\n".join(lines) + "\n"


def send(job, text):
    script = job.file("slurm.sh")
    with open(script, "w") as file:
        file.write(text)
    answer = subprocess.run(["sbatch", "--parsable", script], check=True, capture_output=True, text=True)
    return answer.stdout.strip().split(";")[0]
