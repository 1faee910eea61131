#!/usr/bin/env python3
"""Submits the job that dashpot describes on standard input to a farm's manager, or prints what would be sent.

`dashpot simulate … --submit MANAGER` and `dashpot wedge … --submit MANAGER` start it. Each manager is a module beside
it with a PROGRESS that its logs are searched for, message(job), the text that would be sent, and send(job, message),
which returns the job's id.
"""
import importlib
import json
import subprocess
import sys

from farm_job import Job, Refused

MANAGERS = {"slurm": "to_slurm", "hqueue": "to_hqueue", "deadline": "to_deadline", "tractor": "to_tractor",
            "opencue": "to_opencue"}


def submit(description):
    manager = importlib.import_module(MANAGERS[description["manager"]])
    job = Job(description, manager.PROGRESS)
    message = manager.message(job)
    if description["dry_run"]:
        return message
    return f"job {manager.send(job, message)}: {len(job.tasks)} task{'s' * (len(job.tasks) > 1)}\n"


def main():
    try:
        sys.stdout.write(submit(json.load(sys.stdin)))
    except Refused as reason:
        sentence = str(reason)
    except subprocess.CalledProcessError as error:
        sentence = f"{error.cmd[0]} refused the job: {(error.stderr or error.stdout).strip()}"
    except FileNotFoundError as error:
        sentence = f"{error.filename} is not on this machine; submit where it is, or look with --dry-run."
    except ImportError as error:
        sentence = f"python3 has no module {error.name}; submit where it is, or look with --dry-run."
    except OSError as error:
        sentence = f"the job could not be sent: {error}."
    else:
        return 0
    print("dashpot:", " ".join(sentence.split()), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
