#!/usr/bin/env python3
"""A wedge as a Tractor job: one task per run. Needs Tractor's Python, unless --dry-run."""
import shlex

import wedge_tasks


def job_text(options):
    """The job in Tractor's own language, which tractor-spool takes as it is."""
    lines = [f"Job -title {{{wedge_tasks.job_name(options)}}} -serialsubtasks 0 -subtasks {{"]
    for task in wedge_tasks.tasks(options):
        words = " ".join("{" + word + "}" for word in task.command)
        lines.append(f"  Task {{{task.name}}} -cmds {{\n    RemoteCmd {{{words}}} -service {{PixarRender}} "
                     f"-atleast {options.threads} -atmost {options.threads} -retryrc {{75 130 137}} -resumewhile {{}}\n  }}")
    return "\n".join(lines + ["}"]) + "\n"


def main():
    options = wedge_tasks.arguments(__doc__).parse_args()
    if options.dry_run:
        print(job_text(options), end="")
        return
    import tractor.api.author as author
    job = author.Job(title=wedge_tasks.job_name(options))
    for task in wedge_tasks.tasks(options):
        child = author.Task(title=task.name)
        child.addCommand(author.Command(argv=task.command, service="PixarRender", atleast=options.threads,
                                        atmost=options.threads, retryrc=[75, 130, 137]))
        job.addChild(child)
    print(job.spool(), "tasks", shlex.join(task.name for task in wedge_tasks.tasks(options)))


if __name__ == "__main__":
    main()
