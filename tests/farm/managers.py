"""Stand-ins of farm managers: they take a job as the real one would, and run its tasks.

What they know comes from public sources: sbatch's manual; SideFX's page on HQueue's jobs and clients that submit to it;
the job info files of Deadline's submitters and the source of its plugin CommandLine; Pixar's page on Tractor's job
scripts; OpenCue's specification cjsl-1.11.dtd, its JobSpec and its rqd. A key that none of them has is refused.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
import xml.etree.ElementTree as ElementTree
import xmlrpc.server


def run(words, environment, **options):
    return subprocess.run(words, env={**os.environ, **environment}, check=True, capture_output=True, text=True, **options)


def refuse_unknown(keys, known, what):
    unknown = set(keys) - known
    if unknown:
        raise AssertionError(f"{what} does not know {sorted(unknown)}")


class Slurm:
    OPTIONS = {"job-name", "array", "ntasks", "cpus-per-task", "mem", "partition", "priority", "dependency", "requeue",
               "open-mode", "output", "qos", "exclusive"}

    def __init__(self, script):
        self.script, self.options = script, {}
        for line in script.splitlines():
            if line.startswith("#SBATCH "):
                for word in shlex.split(line[len("#SBATCH "):]):
                    key, _, value = word[2:].partition("=")
                    self.options[key] = value
        refuse_unknown(self.options, self.OPTIONS, "sbatch")

    def numbers(self):
        result = []
        for part in self.options.get("array", "1").split(","):
            first, _, last = part.partition("-")
            result += range(int(first), int(last or first) + 1)
        return result

    def run_task(self, number):
        variables = {"SLURM_ARRAY_TASK_ID": str(number)} if "array" in self.options else {}
        return run(["bash", "-s"], variables, input=self.script)


class HQueue:
    KEYS = {"name", "description", "shell", "command", "cpus", "priority", "triesLeft", "environment", "conditions",
            "children", "childrenIds", "submittedBy", "tags"}

    def __init__(self, text):
        self.job = json.loads(text)
        self.tasks = self.job.get("children", [self.job])
        for job in [self.job, *self.tasks]:
            refuse_unknown(job, self.KEYS, "HQueue")
        if "children" in self.job and "command" in self.job:
            raise AssertionError("the parent would run a command of its own")

    def numbers(self):
        return range(1, len(self.tasks) + 1)

    def run_task(self, number):
        task = self.tasks[number - 1]
        return run([task["shell"], "-c", task["command"]], task.get("environment", {}))


class HQueueServer(threading.Thread):
    """Speaks XML-RPC, as HQueue's server does; newjob answers with a list of ids."""

    def __init__(self):
        super().__init__(daemon=True)
        self.server = xmlrpc.server.SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False)
        self.server.register_function(self.newjob)
        self.jobs = []
        self.url = "http://127.0.0.1:%d" % self.server.server_address[1]
        self.start()

    def newjob(self, job):
        self.jobs.append(job)
        return [41]

    def run(self):
        self.server.serve_forever(poll_interval=0.01)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Deadline:
    """deadlinecommand, and the plugin CommandLine on a worker."""
    JOB_KEYS = {"Plugin", "Name", "Frames", "ChunkSize", "ConcurrentTasks", "OverrideTaskFailureDetection",
                "FailureDetectionTaskErrors", "OutputDirectory0", "Pool", "Group", "Priority", "JobDependencies"}
    PLUGIN_KEYS = {"Executable", "Arguments", "ShellExecute", "Shell", "StartupDirectory", "SingleFramesOnly"}

    def __init__(self, text):
        _, job, plugin = re.split(r"^# deadline_(?:job|plugin)\.info\n", text, flags=re.M)
        self.job, self.plugin = self.read(job), self.read(plugin)
        self.environment = dict(value.split("=", 1) for key, value in self.job.items()
                                if re.fullmatch(r"EnvironmentKeyValue\d+", key))
        refuse_unknown((key for key in self.job if not key.startswith("EnvironmentKeyValue")), self.JOB_KEYS, "a job")
        refuse_unknown(self.plugin, self.PLUGIN_KEYS, "CommandLine")

    @staticmethod
    def read(text):
        return dict(line.split("=", 1) for line in text.splitlines())

    def errors_of_a_task(self):
        """After how many a task fails for good; 0 is what the farm has set for all jobs."""
        counts = self.job.get("OverrideTaskFailureDetection", "False") == "True"
        return int(self.job.get("FailureDetectionTaskErrors", 0)) if counts else 0

    def numbers(self):
        return [int(number) for number in self.job["Frames"].split(",")]

    def run_task(self, number):
        arguments = re.sub("<STARTFRAME>", str(number), self.plugin["Arguments"].strip(), flags=re.I)
        if self.plugin.get("ShellExecute", "False") != "True":
            raise AssertionError("the output of a program that no shell runs is not read")
        return run(["/bin/sh", "-c", arguments], self.environment)

    @staticmethod
    def progress(output):
        return [int(percent) for percent in re.findall(r"^.*Progress: (\d+)%.*$", output, flags=re.M)]


class Tractor:
    """The job script as a Tcl interpreter reads it; the words of a command go to exec as they are."""
    JOB_OPTIONS = {"title", "priority", "afterjids", "serialsubtasks", "subtasks", "tier", "projects"}
    COMMAND_OPTIONS = {"service", "atleast", "atmost", "retryrc", "envkey", "tags"}
    READER = r"""
proc Job {args} { foreach {key value} $args { if {$key ne "-subtasks"} { puts [list job $key $value] } }
                  foreach {key value} $args { if {$key eq "-subtasks"} { puts [list job $key {}]; eval $value } } }
proc Task {title args} { puts [list task $title]; foreach {key value} $args { if {$key eq "-cmds"} { eval $value } } }
proc RemoteCmd {words args} { foreach {key value} $args { puts [list option $key $value] }
                              foreach word $words { puts [list word [binary encode hex [encoding convertto utf-8 $word]]] } }
"""

    def __init__(self, text):
        self.job, self.tasks = {}, []
        for line in self.parse(text).splitlines():
            self.take(*shlex.split(line.replace("{", "'").replace("}", "'")))
        refuse_unknown(self.job, self.JOB_OPTIONS, "Job")
        for task in self.tasks:
            refuse_unknown(task["options"], self.COMMAND_OPTIONS, "RemoteCmd")

    @staticmethod
    def available():
        return shutil.which("tclsh") is not None

    def parse(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".tcl", encoding="utf-8") as script:
            script.write("fconfigure stdout -encoding utf-8\n" + self.READER + text)
            script.flush()
            return run(["tclsh", "-encoding", "utf-8", script.name], {}).stdout

    def take(self, kind, key, value=""):
        if kind == "job":
            self.job[key[1:]] = value
        elif kind == "task":
            self.tasks.append({"title": key, "options": {}, "words": []})
        elif kind == "option":
            self.tasks[-1]["options"][key[1:]] = value
        else:
            self.tasks[-1]["words"].append(bytes.fromhex(key).decode())

    def is_retried(self, code):
        return str(code) in self.tasks[0]["options"].get("retryrc", "").split()

    def numbers(self):
        return range(1, len(self.tasks) + 1)

    @staticmethod
    def substituted(word):
        def value(match):
            if match.group(1) != "%":
                raise AssertionError(f"Tractor would put something of its own for {match.group(0)} in {word}")
            return "%"
        return re.sub("%(.?)", value, word)

    def run_task(self, number):
        return run([self.substituted(word) for word in self.tasks[number - 1]["words"]], {})


class OpenCue:
    """Cuebot, which checks the document against its type, and rqd, which gives the command to a shell."""
    MODELS = {"spec": "facility?,dept?,show,shot,user,email?,uid?,job*,depends*",
              "job": "paused?,priority?,maxretries?,autoeat?,localbook?,os?,env*,layers?", "layers": "layer+",
              "layer": "cmd,range,chunk,cores?,threadable?,memory?,gpu?,timeout?,timeout_llu?,tags?,limits?,env*,services?",
              "env": "key*", "services": "service+", "depends": "depend*",
              "depend": "depjob,deplayer?,depframe?,onjob,onlayer?,onframe?"}

    def __init__(self, text):
        self.root = ElementTree.fromstring(text)
        self.check(self.root)
        self.layer = self.root.find("job/layers/layer")
        for name in (self.root.find("job").get("name"), self.layer.get("name"), self.root.findtext("shot")):
            if not re.fullmatch(r"[\w.-]{3,}", name):
                raise AssertionError(f"{name} is no name for OpenCue")

    def check(self, element):
        model = self.MODELS.get(element.tag, "")
        pattern = "".join(re.sub(r"(\w+)", r"(?:\1 )", part) for part in model.split(","))
        if not re.fullmatch(pattern, "".join(child.tag + " " for child in element)):
            raise AssertionError(f"{element.tag} holds {[child.tag for child in element]}; its type is ({model})")
        for child in element:
            self.check(child)

    def hundredths_of_cores(self):
        text = self.layer.findtext("cores")
        return round(100 * float(text)) if "." in text else int(text)

    def numbers(self):
        return [int(number) for number in self.layer.findtext("range").split(",")]

    def run_task(self, number):
        environment = {key.get("name"): key.text for key in self.layer.iterfind("env/key")}
        return run(["/bin/sh", "-c", self.layer.findtext("cmd").strip().replace("#IFRAME#", str(number))], environment)


MANAGERS = {"slurm": Slurm, "hqueue": HQueue, "deadline": Deadline, "tractor": Tractor, "opencue": OpenCue}
