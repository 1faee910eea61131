"""Deadline: a job of the plugin CommandLine whose frame N is task N."""
import os
import re
import shutil
import subprocess

from farm_job import Refused

PROGRESS = "deadline"  # CommandLine looks for "Progress: N%"


def info(values):
    return "".join(f"{key}={value}\n" for key, value in values.items())


def job_info(job):
    # The number of errors only counts with the override of the same kind, that of tasks.
    values = {"Plugin": "CommandLine", "Name": job.name, "Frames": job.numbers(), "ChunkSize": 1, "ConcurrentTasks": 1,
              "OverrideTaskFailureDetection": "True", "FailureDetectionTaskErrors": 3, "OutputDirectory0": job.folder}
    if job.pool:
        values["Pool"] = job.pool
    if job.priority:
        values["Priority"] = job.priority
    if job.after:
        values["JobDependencies"] = ",".join(job.after)
    for number, (name, value) in enumerate(job.environment.items()):
        values[f"EnvironmentKeyValue{number}"] = f"{name}={value}"
    values.update(job.fields)
    return info(values)


def plugin_info(job):
    # Only what a shell runs has its output read, and with it the progress; the program is part of the line then.
    return info({"ShellExecute": "True", "Arguments": job.shell_command("<STARTFRAME>")})


def message(job):
    if job.megabytes:
        raise Refused("Deadline's jobs have no --memory; choose machines that have it with --pool, or a limit with "
                      "--job LimitGroups=NAME.")
    return f"# deadline_job.info\n{job_info(job)}# deadline_plugin.info\n{plugin_info(job)}"


def client():
    """Where Deadline's installer put it, which is seldom in PATH."""
    beside = os.path.join(os.environ.get("DEADLINE_PATH", ""), "deadlinecommand")
    return "deadlinecommand" if shutil.which("deadlinecommand") or not os.path.exists(beside) else beside


def send(job, _):
    paths = []
    for name, text in (("deadline_job.info", job_info(job)), ("deadline_plugin.info", plugin_info(job))):
        paths.append(job.file(name))
        with open(paths[-1], "w") as file:
            file.write(text)
    answer = subprocess.run([client(), *paths], check=True, capture_output=True, text=True)
    identity = re.search(r"JobID=(\w+)", answer.stdout)
    if not identity:
        raise Refused(f"deadlinecommand named no job: {answer.stdout}")
    return identity.group(1)
