#!/usr/bin/env python3
"""A wedge as an OpenCue job: one layer whose frames are the runs. Needs pyoutline, unless --dry-run."""
import json
import pathlib

import wedge_tasks


def layer(options):
    folder = str(pathlib.Path(options.wedge).resolve())
    return {"name": "wedge", "range": ",".join(str(task.number) for task in wedge_tasks.tasks(options)), "chunk": 1,
            "threads": options.threads,
            "command": [options.dashpot, "wedge", folder, "--task", "#IFRAME#", "--threads", str(options.threads)]}


def main():
    options = wedge_tasks.arguments(__doc__).parse_args()
    description = layer(options)
    if options.dry_run:
        print(json.dumps(description, indent=1))
        return
    import outline
    import outline.cuerun
    import outline.modules.shell
    job = outline.Outline(wedge_tasks.job_name(options), current=True)
    job.add_layer(outline.modules.shell.Shell(description["name"], command=description["command"],
                                              range=description["range"], chunk=1, threads=options.threads))
    outline.cuerun.launch(job, use_pycuerun=False)


if __name__ == "__main__":
    main()
