"""On a real Slurm: of a wedge of eight runs one worker is killed, the rest finish, the killed one resumes; a shot is
requeued and another one waits for it.

    python3 tests/farm/slurm_test.py build/release/bin/dashpot

Ends with 77, "skipped", where Slurm is not installed or cannot start.
"""
import json
import os
import signal
import sys
import time

import dashpot_runs
import mini_slurm
from dashpot_runs import RunsTest

SKIPPED = 77
VICTIM = 3  # counted from 1
RUNS = 8


class Slurm(RunsTest):
    def setUp(self):
        super().setUp()
        self.slurm = mini_slurm.MiniSlurm(self.folder / "slurm", cpus=RUNS)
        self.addCleanup(self.slurm.stop)
        reason = self.slurm.start()
        if reason:
            print("skipped:", reason)
            self.slurm.stop()
            sys.stdout.flush()
            os._exit(SKIPPED)
        self.environment = self.slurm.environment

    def wait_for_end(self, job):
        for _ in range(1200):
            if not self.slurm.ask("squeue", "-h", "-j", job, "-t", "PD,R,CG,CF").stdout.strip():
                return
            time.sleep(0.2)
        self.fail("the job did not end: " + self.slurm.ask("squeue", "-r").stdout)

    def submit(self, *words):
        result = self.run_dashpot(*words, "--submit", "slurm")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout.split()[1].rstrip(":")

    def wait_for_file(self, path):
        for _ in range(3000):
            if path.exists():
                return
            time.sleep(0.02)
        self.fail(f"there was no {path.name} within a minute")

    def kill_worker(self, folder):
        """SIGKILL to the whole task, as soon as its run has a checkpoint."""
        self.wait_for_file(folder / "checkpoint.bin")
        process = json.loads((folder / "status.json").read_text())["process"]
        os.killpg(os.getpgid(process), signal.SIGKILL)

    def test_a_wedge_survives_a_killed_worker(self):
        self.write_scene(frames=40, cells=3)
        values = ["0.002", "0.004", "0.008", "0.016", "0.03", "0.06", "0.12", "0.25"]
        job = self.submit("wedge", "scene.toml", "--vary", "body.jelly.dampingtime=" + ",".join(values), "--out", "w",
                          "--checkpoint-every", 1, "--threads-per-run", 1)
        name = f"jelly.dampingtime-{values[VICTIM - 1]}"
        victim = self.folder / "w" / name
        self.kill_worker(victim)
        self.wait_for_end(job)

        listing = self.run_dashpot("wedge", "w", "--status").stdout
        self.assertIn(f"{RUNS - 1} done", listing)
        self.assertIn(f"stopped  {name}", listing)
        self.assertEqual((self.folder / "w/failed.txt").read_text(), name + "\n")
        written = len(self.frames(victim))
        self.assertLess(written, 40, "the run was over before it was killed: the test shows nothing")

        self.wait_for_end(self.submit("wedge", "w", "--rerun-failed", "--threads-per-run", 1))
        self.assertIn(f"#SBATCH --array=\"{VICTIM}\"\n", (self.folder / "w/slurm.sh").read_text())
        self.assertIn(f"{RUNS} done", self.run_dashpot("wedge", "w", "--status").stdout)
        status = self.states("w")[name]
        self.assertEqual((status["state"], status["attempts"]), ("done", 2))

        self.run_dashpot("simulate", "scene.toml", "--set", f"body.jelly.dampingtime={values[VICTIM - 1]}", "--out",
                         "one/a.$F4.bgeo.sc")
        self.assertEqual(len(self.frames("one")), 40)
        self.assertEqual(self.frames(victim), self.frames("one"))
        print(f"killed after {written} of 40 frames; ended bitwise equal")

    def test_a_requeued_shot_resumes_and_another_one_waits_for_it(self):
        name = "it's 50% \"of\" it"
        self.write_scene(frames=60, cells=4)
        (self.folder / name).mkdir()
        (self.folder / "scene.toml").rename(self.folder / name / "scene.toml")
        shot = ["simulate", f"{name}/scene.toml", "--out", f"{name}/first/a.$F4.bgeo.sc", "--checkpoint-every", 1,
                "--threads", 1]
        first = self.submit(*shot, "--pool", "main", "--priority", 60, "--memory", "200M", "--env", f"LD_BIND_NOW={name}")
        second = self.submit("simulate", f"{name}/scene.toml", "--out", f"{name}/second/a.$F4.bgeo.sc", "--frames", "1-2",
                             "--after", first)
        folder = self.folder / name / "first"
        self.wait_for_file(folder / "checkpoint.bin")
        self.slurm.ask("scontrol", "requeue", first)
        written = (folder / "a.0001.bgeo.sc").stat().st_mtime_ns
        self.assertFalse((folder / "a.0060.bgeo.sc").exists(), "the run was over: the test shows nothing")
        self.wait_for_end(second)
        self.assertIn("Restarts=1", self.slurm.ask("scontrol", "show", "job", first).stdout)
        self.assertEqual((folder / "a.0001.bgeo.sc").stat().st_mtime_ns, written, "it began anew")
        self.run_dashpot("simulate", f"{name}/scene.toml", "--out", "one/a.$F4.bgeo.sc")
        self.assertEqual(self.frames(folder), self.frames("one"))
        self.assertGreater((self.folder / name / "second/a.0001.bgeo.sc").stat().st_mtime_ns,
                           (folder / "a.0060.bgeo.sc").stat().st_mtime_ns)
        self.assertIn("ALF_PROGRESS 100%", (folder / f"slurm_{first}.log").read_text())


if __name__ == "__main__":
    missing = mini_slurm.missing_programs()
    if missing:
        print("skipped: Slurm is not installed; missing:", ", ".join(missing))
        sys.exit(SKIPPED)
    dashpot_runs.main(__file__)
