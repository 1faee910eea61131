#!/usr/bin/env python3
"""A wedge as an HQueue job: one child per run. HQueue's server speaks XML-RPC; nothing of Houdini is needed."""
import json
import shlex
import xmlrpc.client

import wedge_tasks


def job(options):
    return {"name": wedge_tasks.job_name(options), "shell": "bash", "children": [
        {"name": task.name, "shell": "bash", "command": shlex.join(task.command), "cpus": options.threads, "maxAttempts": 3}
        for task in wedge_tasks.tasks(options)]}


def main():
    parser = wedge_tasks.arguments(__doc__)
    parser.add_argument("--server", default="http://localhost:5000")
    options = parser.parse_args()
    if options.dry_run:
        print(json.dumps(job(options), indent=1))
    else:
        print(xmlrpc.client.ServerProxy(options.server).newjob(job(options)))


if __name__ == "__main__":
    main()
