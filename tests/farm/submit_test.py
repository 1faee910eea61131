"""dashpot simulate --submit and dashpot wedge --submit: what every manager is told, and what its workers run then.

    python3 tests/farm/submit_test.py build/release/bin/dashpot
"""
import fcntl
import json
import os
import pathlib
import re
import shlex
import sys

import dashpot_runs
import managers
from dashpot_runs import ROOT, RunsTest

RECORDER = """#!%s
import json, os, sys
print(json.dumps({"words": sys.argv[1:], "A": os.environ.get("A"), "B": os.environ.get("B")}))
""" % sys.executable

# Whatever a shell, Tcl, XML or a manager might take for something else.
NASTY = """it's 50% "of" {a} \\ $HOME; <b> & #é"""

FAKE_OPENCUE = """
import pathlib, sys
class Cuebot:
    @staticmethod
    def setHosts(hosts): pathlib.Path("hosts").write_text(hosts[0])
class Launched:
    def name(self): return "show1-sh010-me_scene"
class api:
    @staticmethod
    def launchSpecAndWait(text):
        pathlib.Path("sent").write_text(text)
        return [Launched()]
"""


class SubmitTest(RunsTest):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        self.recorder = self.program("my dashpot", RECORDER)
        path = [str(self.folder / "bin"), os.path.dirname(sys.executable), os.environ["PATH"]]
        self.environment = dict(os.environ, SHOW="show1", SHOT="sh010", PATH=os.pathsep.join(path),
                                PYTHONPATH=str(self.folder / "bin"), B="from here")

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(text)
        path.chmod(0o755)
        return str(path)

    def names(self):
        for name in managers.MANAGERS:
            if name == "tractor" and not managers.Tractor.available():
                print("without tclsh nothing is said about Tractor", file=sys.stderr)
                continue
            yield name

    def message(self, name, *words):
        result = self.run_dashpot(*words, "--submit", name, "--dashpot", self.recorder, "--dry-run")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def job(self, name, *words):
        return managers.MANAGERS[name](self.message(name, *words))

    def refusal(self, *words):
        result = self.run_dashpot(*words)
        self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stdout + result.stderr)
        return result.stderr


class Shot(SubmitTest):
    def test_is_one_task_that_resumes_and_gets_every_word_as_it_was_written(self):
        (self.folder / NASTY).mkdir()
        folder = self.folder.resolve() / NASTY
        for name in self.names():
            with self.subTest(name):
                job = self.job(name, "simulate", f"{NASTY}/scene.toml", "--out", f"{NASTY}/a.$F4.bgeo.sc", "--set",
                               f"body.x.name={NASTY}", "--threads", 8, "--after", 12, "--env", f"A={NASTY}", "--env", "B")
                self.assertEqual(list(job.numbers()), [1])
                task = json.loads(job.run_task(1).stdout)
                self.assertEqual(task["words"], [
                    "simulate", f"{folder}/scene.toml", "--out", f"{folder}/a.$F4.bgeo.sc", "--set", f"body.x.name={NASTY}",
                    "--checkpoint-every", "10", "--threads", "8", "--resume", "--progress",
                    "deadline" if name == "deadline" else "alf"])
                self.assertEqual((task["A"], task["B"]), (NASTY, "from here"))

    def test_a_dry_run_changes_nothing(self):
        self.write_scene()
        before = sorted(self.folder.rglob("*"))
        for name in self.names():
            self.job(name, "simulate", "scene.toml")
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def test_the_scene_is_checked_unless_another_job_makes_it(self):
        self.write_scene()
        self.assertIn("none.toml", self.refusal("simulate", "none.toml", "--submit", "slurm", "--dry-run"))
        self.assertIn("dampingtim", self.refusal("simulate", "scene.toml", "--set", "body.jelly.dampingtim=1", "--submit",
                                                 "slurm", "--dry-run"))
        self.job("slurm", "simulate", "none.toml", "--after", 3)

    def test_only_a_resumed_shot_keeps_the_checkpoint_of_an_earlier_run(self):
        self.write_scene(frames=3)
        self.program("sbatch", "#!/bin/sh\necho 7\n")
        checkpoint = self.folder / "out/scene/checkpoint.bin"
        self.run_dashpot("simulate", "scene.toml")
        for words, kept in ((["--dry-run"], True), (["--resume"], True), ([], False)):
            self.assertEqual(self.run_dashpot("simulate", "scene.toml", "--submit", "slurm", *words).returncode, 0)
            self.assertEqual(checkpoint.exists(), kept, words)

    def test_a_second_worker_of_the_same_shot_ends_with_75(self):
        self.write_scene(frames=2)
        (self.folder / "out").mkdir()
        words = ["simulate", "scene.toml", "--out", "out/a.$F.geo", "--resume"]
        with open(self.folder / "out/run.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            result = self.run_dashpot(*words)
            self.assertEqual((result.returncode, (self.folder / "out/a.1.geo").exists()), (75, False), result.stderr)
        self.assertEqual(self.run_dashpot(*words).returncode, 0)

    def test_a_folder_that_a_run_writes_into_is_not_submitted_to(self):
        self.write_scene(frames=2)
        self.program("sbatch", "#!/bin/sh\necho 7\n")
        words = ["simulate", "scene.toml", "--out", "out/a.$F.geo"]
        self.assertEqual(self.run_dashpot(*words).returncode, 0)
        with open(self.folder / "out/run.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertEqual(self.run_dashpot(*words, "--submit", "slurm").returncode, 75)
            self.assertTrue((self.folder / "out/checkpoint.bin").exists())
        self.assertEqual(self.run_dashpot(*words, "--submit", "slurm").returncode, 0)
        self.assertFalse((self.folder / "out/run.lock").exists(), "the task would find its folder taken")


class Wedge(SubmitTest):
    def plan(self):
        self.write_scene(frames=2)
        self.run_dashpot("wedge", "scene.toml", "--vary", "body.jelly.dampingtime=0.1,0.2,0.3", "--out", "my wedge",
                         "--plan-only")
        return str(self.folder.resolve() / "my wedge")

    def test_has_a_task_for_every_run_that_is_not_done(self):
        folder = self.plan()
        self.assertEqual(self.run_dashpot("wedge", "my wedge", "--task", 2).returncode, 0)
        for name in self.names():
            with self.subTest(name):
                job = self.job(name, "wedge", "my wedge", "--threads-per-run", 8)
                numbers = list(job.numbers())
                self.assertEqual(numbers, [1, 2] if name in ("hqueue", "tractor") else [1, 3])
                for number, task in zip(numbers, (1, 3)):
                    self.assertEqual(json.loads(job.run_task(number).stdout)["words"], [
                        "wedge", folder, "--task", str(task), "--threads", "8", "--retries", "2", "--progress",
                        "deadline" if name == "deadline" else "alf"])
        self.assertEqual(managers.Slurm(self.message("slurm", "wedge", "my wedge", "--fresh")).numbers(), [1, 2, 3])

    def test_fresh_runs_do_not_count_as_done_for_the_worker(self):
        self.plan()
        self.run_dashpot("wedge", "my wedge", "--task", 2)
        self.program("sbatch", "#!/bin/sh\necho 7\n")
        self.assertEqual(self.run_dashpot("wedge", "my wedge", "--fresh", "--submit", "slurm").returncode, 0)
        self.assertEqual({status["state"] for status in self.states("my wedge").values()}, {"pending"})

    def test_deadline_reads_the_progress_of_a_task(self):
        self.plan()
        job = managers.Deadline(self.run_dashpot("wedge", "my wedge", "--submit", "deadline", "--dry-run").stdout)
        self.assertEqual(managers.Deadline.progress(job.run_task(1).stdout), [0, 100])


class Requests(SubmitTest):
    """Pool, priority, dependency, memory and cores, in each manager's words."""

    def setUp(self):
        super().setUp()
        self.write_scene()
        self.words = ["simulate", "scene.toml", "--threads", 8, "--pool", "fxpool", "--priority", 60]

    def test_slurm(self):
        job = self.job("slurm", *self.words, "--after", 12, "--after", 13, "--memory", "16G", "--job", "qos=fast lane",
                       "--job", "exclusive=")
        wanted = {"exclusive": "", "partition": "fxpool", "priority": "60", "dependency": "afterok:12:13", "mem": "16384M",
                  "cpus-per-task": "8", "qos": "fast lane"}
        self.assertEqual({key: job.options[key] for key in wanted}, wanted)
        self.assertIn("requeue", job.options)

    def test_hqueue(self):
        job = self.job("hqueue", *self.words, "--after", 12, "--job", 'tags=["single"]', "--job", "description=a shot").job
        self.assertEqual((job["tags"], job["description"]), (["single"], "a shot"))
        self.assertEqual((job["cpus"], job["priority"], job["childrenIds"], job["triesLeft"]), (8, 60, [12], 3))
        self.assertEqual(job["conditions"], [{"type": "client", "name": "group", "op": "==", "value": "fxpool"}])
        self.assertIn("HQueue", self.refusal(*self.words, "--submit", "hqueue", "--memory", "16G", "--dry-run"))

    def test_deadline(self):
        job = self.job("deadline", *self.words, "--after", "5f3a", "--after", "5f3b", "--job", "Group=linux")
        wanted = {"Pool": "fxpool", "Priority": "60", "JobDependencies": "5f3a,5f3b", "Group": "linux"}
        self.assertEqual({key: job.job[key] for key in wanted}, wanted)
        self.assertEqual(job.errors_of_a_task(), 3)
        self.assertIn("Deadline", self.refusal(*self.words, "--submit", "deadline", "--memory", "16G", "--dry-run"))

    def test_tractor(self):
        if not managers.Tractor.available():
            self.skipTest("there is no tclsh")
        job = self.job("tractor", *self.words, "--after", 12, "--after", 13, "--memory", "1536M", "--job", "tier=fast")
        self.assertEqual([job.job[key] for key in ("priority", "afterjids", "tier")], ["60", "12 13", "fast"])
        options = job.tasks[0]["options"]
        self.assertEqual((options["service"], options["atleast"], options["atmost"]), ("fxpool && @.mem >= 1.5", "8", "8"))
        for code, retried in ((75, False), (2, False), (3, False), (-9, False), (-15, False), (137, True)):
            self.assertEqual(job.is_retried(code), retried, code)

    def test_opencue(self):
        job = self.job("opencue", *self.words, "--after", "show1-sh010-me_mesh", "--memory", "16G")
        self.assertEqual([job.layer.findtext(key) for key in ("tags", "memory")], ["fxpool", "16384m"])
        self.assertEqual((job.root.findtext("job/priority"), job.hundredths_of_cores()), ("60", 800))
        depend = job.root.find("depends/depend")
        self.assertEqual((depend.get("type"), depend.findtext("onjob")), ("JOB_ON_JOB", "show1-sh010-me_mesh"))
        self.environment.pop("SHOW")
        self.assertIn("show=NAME", self.refusal(*self.words, "--submit", "opencue", "--dry-run"))
        self.assertEqual(self.job("opencue", *self.words, "--job", "show=other").root.findtext("show"), "other")

    def test_what_cannot_be_understood_is_refused(self):
        for words, part in ((["--memory", "16"], "16G"), (["--priority", "high"], "--priority high"),
                            (["--after", "the mesh"], "--after the mesh"), (["--env", "NOBODY_SET_THIS"], "NOBODY_SET_THIS"),
                            (["--env", "1A=2"], "1A"), (["--job", "fast"], "KEY=VALUE"),
                            (["--env", "A=two\nlines"], "line break")):
            self.assertIn(part, self.refusal("simulate", "scene.toml", "--submit", "slurm", "--dry-run", *words))
        self.assertIn("--submit", self.refusal("simulate", "scene.toml", "--pool", "fx"))
        self.environment["DASHPOT_FARM"] = str(self.folder)
        self.assertIn("submit.py", self.refusal("simulate", "scene.toml", "--submit", "slurm"))


class Sent(SubmitTest):
    """What is sent is what a dry run prints; the job's id comes back."""

    def setUp(self):
        super().setUp()
        self.write_scene()

    def submit(self, name, *words):
        result = self.run_dashpot("simulate", "scene.toml", "--submit", name, *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.splitlines()[0], self.run_dashpot("simulate", "scene.toml", "--submit", name, "--dry-run").stdout

    def read(self, *names):
        return "".join((self.folder / name).read_text() for name in names)

    def test_to_slurm(self):
        self.program("sbatch", '#!/bin/sh\ncat "$2" > sent\necho "23;cluster"\n')
        line, text = self.submit("slurm")
        self.assertEqual((line, self.read("sent")), ("job 23: 1 task", text))

    def test_to_hqueue(self):
        server = managers.HQueueServer()
        self.addCleanup(server.stop)
        line, text = self.submit("hqueue", "--server", server.url)
        self.assertEqual((line, server.jobs), ("job 41: 1 task", [json.loads(text)]))

    def test_to_deadline(self):
        self.program("deadlinecommand", '#!/bin/sh\n{ echo "# deadline_job.info"; cat "$1"; echo "# deadline_plugin.info";'
                     ' cat "$2"; } > sent\necho "Result=Success"; echo "JobID=5f3a99"\n')
        line, text = self.submit("deadline")
        self.assertEqual((line, self.read("sent")), ("job 5f3a99: 1 task", text))
        (self.folder / "bin/deadlinecommand").rename(self.folder / "deadlinecommand")
        self.environment["DEADLINE_PATH"] = str(self.folder)
        self.assertEqual(self.submit("deadline")[0], line)

    def test_to_tractor(self):
        self.program("tractor-spool", '#!/bin/sh\necho "$1" > engine; cat "$2" > sent\necho "OK jid: 2310"\n')
        line, text = self.submit("tractor", "--server", "tractor-engine:80")
        self.assertEqual((line, self.read("sent"), self.read("engine")), ("job 2310: 1 task", text,
                                                                          "--engine=tractor-engine:80\n"))

    def test_to_opencue(self):
        (self.folder / "bin/opencue.py").write_text(FAKE_OPENCUE)
        line, text = self.submit("opencue", "--server", "cuebot:8443")
        self.assertEqual((line, self.read("sent"), self.read("hosts")),
                         ("job show1-sh010-me_scene: 1 task", text, "cuebot:8443"))

    def test_a_manager_that_is_not_here_or_refuses_is_named(self):
        self.environment["PATH"] = f"{self.folder / 'bin'}:{pathlib.Path(sys.executable).parent}"
        for name, part in (("deadline", "deadlinecommand"), ("tractor", "tractor-spool"), ("opencue", "opencue"),
                           ("hqueue", "http://127.0.0.1:1")):
            words = ["--server", "http://127.0.0.1:1"] if name == "hqueue" else []
            self.assertIn(part, self.refusal("simulate", "scene.toml", "--submit", name, *words))
        self.program("tractor-spool", "#!/bin/sh\necho the engine sleeps >&2\nexit 1\n")
        self.assertRegex(self.refusal("simulate", "scene.toml", "--submit", "tractor"), re.compile("engine sleeps"))


class Pages(SubmitTest):
    def test_every_line_on_the_pages_can_be_typed(self):
        self.write_scene()
        (self.folder / "scene.toml").rename(self.folder / "shot.toml")
        self.run_dashpot("wedge", "shot.toml", "--vary", "preset=gel", "--plan-only")
        (self.folder / "out/shot_wedge/preset-gel").mkdir()
        (self.folder / "out/shot_wedge/preset-gel/status.json").write_text('{"state": "failed"}')
        lines = [line for page in ("farm", "td") for line in (ROOT / f"docs/{page}.md").read_text().splitlines()
                 if re.match("    dashpot .*--submit ", line)]
        managers_shown = set()
        for line in lines:
            words = shlex.split(line.replace("--vary …", "--vary preset=gel,jelly"), comments=True)[1:]
            result = self.run_dashpot(*words, "--dry-run")
            self.assertEqual(result.returncode, 0, line + result.stderr)
            managers_shown.add(words[words.index("--submit") + 1])
        self.assertEqual(managers_shown, set(managers.MANAGERS))


if __name__ == "__main__":
    dashpot_runs.main(__file__)
