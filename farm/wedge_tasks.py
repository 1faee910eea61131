"""The tasks of a wedge that `dashpot wedge scene.toml --vary … --out DIR` planned, for any scheduler.

Every task is one command, `dashpot wedge DIR --task N`: it goes on from the run's checkpoint if there is one, does
nothing if the run is done, prints ALF_PROGRESS, and ends with 0 done, 2 bad input, 3 failed, 75 under way elsewhere,
130 interrupted, 128 + signal.
"""
import argparse
import json
import pathlib
import shutil


class Task:
    def __init__(self, number, name, command):
        self.number, self.name, self.command = number, name, command


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("wedge", help="folder with wedge.json, on a disk that all workers see")
    parser.add_argument("--dashpot", default=shutil.which("dashpot") or "dashpot", help="the program on the workers")
    parser.add_argument("--threads", type=int, default=4, help="cores of each task")
    parser.add_argument("--all", action="store_true", help="also runs that are done")
    parser.add_argument("--dry-run", action="store_true", help="print the job instead of submitting it")
    return parser


def job_name(options):
    return pathlib.Path(json.loads((pathlib.Path(options.wedge) / "wedge.json").read_text())["scene"]).stem


def tasks(options):
    """Those that are not done, in the order of the plan."""
    folder = pathlib.Path(options.wedge).resolve()
    plan = json.loads((folder / "wedge.json").read_text())
    result = []
    for number, run in enumerate(plan["runs"], 1):
        status = folder / run["name"] / "status.json"
        if not options.all and status.exists() and json.loads(status.read_text())["state"] == "done":
            continue
        result.append(Task(number, run["name"], [options.dashpot, "wedge", str(folder), "--task", str(number),
                                                 "--threads", str(options.threads)]))
    return result
