#!/usr/bin/env python3
"""A wedge as a Deadline job of the plugin CommandLine: frame N of the job is run N of the wedge."""
import pathlib
import shlex
import subprocess

import wedge_tasks


def job_info(options):
    frames = ",".join(str(task.number) for task in wedge_tasks.tasks(options))
    return {"Plugin": "CommandLine", "Name": wedge_tasks.job_name(options), "Frames": frames, "ChunkSize": "1",
            "ConcurrentTasks": "1", "OverrideJobFailureDetection": "True", "FailureDetectionTaskErrors": "3"}


def plugin_info(options):
    folder = str(pathlib.Path(options.wedge).resolve())
    words = ["wedge", folder, "--task", "<STARTFRAME>", "--threads", str(options.threads)]
    return {"Executable": options.dashpot, "Arguments": " ".join(w if w.startswith("<") else shlex.quote(w) for w in words)}


def text(values):
    return "".join(f"{key}={value}\n" for key, value in values.items())


def main():
    options = wedge_tasks.arguments(__doc__).parse_args()
    folder = pathlib.Path(options.wedge)
    if options.dry_run:
        print(text(job_info(options)) + "--\n" + text(plugin_info(options)), end="")
        return
    (folder / "deadline_job.info").write_text(text(job_info(options)))
    (folder / "deadline_plugin.info").write_text(text(plugin_info(options)))
    subprocess.run(["deadlinecommand", str(folder / "deadline_job.info"), str(folder / "deadline_plugin.info")], check=True)


if __name__ == "__main__":
    main()
