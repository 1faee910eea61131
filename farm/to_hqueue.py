"""HQueue: one job, or one with a child for each run of a wedge, over XML-RPC. Nothing of Houdini is needed."""
import json
import os
import shlex
import xmlrpc.client

from farm_job import Refused

PROGRESS = "alf"
TRIES = 3


def task_job(job, task):
    result = {"name": task.name, "shell": "bash", "command": shlex.join(job.command(task.number)), "cpus": job.cores,
              "triesLeft": TRIES}
    if job.environment:
        result["environment"] = job.environment
    if job.pool:
        result["conditions"] = [{"type": "client", "name": "group", "op": "==", "value": job.pool}]
    if job.after:
        result["childrenIds"] = job.ids_after()  # a job starts when its children are done
    return result


def literal(text):
    """Numbers and lists of a --job field as such."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def message(job):
    if job.megabytes:
        raise Refused("HQueue's jobs have no --memory; choose a group of machines that have it with --pool.")
    jobs = [task_job(job, task) for task in job.tasks]
    whole = {"name": job.name, "children": jobs} if job.is_array() else jobs[0]
    if job.priority:
        whole["priority"] = int(job.priority)
    whole.update({key: literal(value) for key, value in job.fields.items()})
    return json.dumps(whole, indent=1) + "\n"


def send(job, text):
    server = job.server or os.environ.get("HQSERVER") or "http://localhost:5000"
    try:
        return " ".join(map(str, xmlrpc.client.ServerProxy(server).newjob(json.loads(text))))
    except xmlrpc.client.Error as error:
        raise Refused(f"the HQueue server {server} refused the job: {error}.")
    except OSError as error:
        raise Refused(f"the HQueue server {server} does not answer ({error}); give --server http://host:5000.")
