"""A job of `dashpot simulate … --submit` or `dashpot wedge … --submit`, as the modules of all managers read it.

A job is one command for every task; the word {task} in it stands for the task's number. A task is a whole simulation,
since every frame needs the one before, and starting it again goes on from its checkpoint. It ends with 0 done, 2 bad
input, 3 failed, 75 under way elsewhere, 130 stopped by a signal, 128 + signal (wedges).
"""
import os
import re
import shlex

TASK = "{task}"


class Refused(Exception):
    """One sentence: what cannot be submitted, and what to do."""


class Task:
    def __init__(self, number, name):
        self.number, self.name = number, name


class Job:
    def __init__(self, description, progress):
        self.name, self.folder = description["name"], description["folder"]
        self.words = description["command"] + ["--progress", progress]
        self.tasks = [Task(task["number"], task["name"]) for task in description["tasks"]]
        self.cores, self.pool, self.server = description["cores"], description["pool"], description["server"]
        self.priority = checked(description["priority"], r"-?\d+", "--priority", "a whole number")
        self.megabytes = megabytes(description["memory"])
        self.after = description["after"]
        self.environment = dict(environment_pair(word) for word in description["environment"])
        self.fields = dict(pair(word, "--job") for word in description["fields"])
        for word in [*self.words, *self.environment.values(), *self.fields.values()]:
            if "\n" in word:
                raise Refused(f"{word!r} has a line break, which no manager takes; leave it out.")

    def is_array(self):
        return TASK in self.words

    def command(self, task):
        """The words of one task; `task` is a number, or what stands for one in the manager's language."""
        return [str(task) if word == TASK else word for word in self.words]

    def shell_command(self, placeholder=None):
        """One line for a shell. The manager replaces the placeholder, which therefore stays as it is."""
        return " ".join(placeholder if word == TASK else shlex.quote(word) for word in self.words)

    def numbers(self):
        return ",".join(str(task.number) for task in self.tasks)

    def ids_after(self):
        """Ids of jobs to wait for, where the manager counts its jobs."""
        return [int(checked(word, r"\d+", "--after", "the number of a job")) for word in self.after]

    def file(self, name):
        return os.path.join(self.folder, name)


def checked(text, pattern, option, wanted):
    if text and not re.fullmatch(pattern, text):
        raise Refused(f"{option} {text}: write {wanted}.")
    return text


def megabytes(text):
    """0 if nothing was asked for."""
    if not text:
        return 0
    checked(text, r"[1-9]\d*[MmGg]", "--memory", "it as in 16G or 800M")
    return int(text[:-1]) * (1024 if text[-1] in "Gg" else 1)


def pair(word, option):
    key, equals, value = word.partition("=")
    if not key or not equals:
        raise Refused(f"{option} {word}: write KEY=VALUE.")
    return key, value


def environment_pair(word):
    if "=" not in word:
        if word not in os.environ:
            raise Refused(f"--env {word}: there is no such variable here; write {word}=VALUE.")
        word += "=" + os.environ[word]
    name, value = pair(word, "--env")
    checked(name, r"[A-Za-z_]\w*", "--env", "a name of letters, digits and _")
    return name, value
