"""A wedge of eight runs on a real Slurm: one worker is killed, the rest finish, the killed one resumes.

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
        result = self.run_dashpot("wedge", *words, "--submit", "slurm")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout.split()[1].rstrip(":")

    def kill_worker(self, folder):
        """SIGKILL to the whole task, as soon as its run has a checkpoint."""
        for _ in range(3000):
            if (folder / "checkpoint.bin").exists():
                process = json.loads((folder / "status.json").read_text())["process"]
                os.killpg(os.getpgid(process), signal.SIGKILL)
                return
            time.sleep(0.02)
        self.fail("the victim wrote no checkpoint within a minute")

    def test_a_wedge_survives_a_killed_worker(self):
        self.write_scene(frames=40, cells=3)
        values = ["0.002", "0.004", "0.008", "0.016", "0.03", "0.06", "0.12", "0.25"]
        job = self.submit("scene.toml", "--vary", "body.jelly.dampingtime=" + ",".join(values), "--out", "w",
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

        self.wait_for_end(self.submit("w", "--rerun-failed", "--threads-per-run", 1))
        self.assertIn(f"#SBATCH --array={VICTIM}\n", (self.folder / "w/slurm.sh").read_text())
        self.assertIn(f"{RUNS} done", self.run_dashpot("wedge", "w", "--status").stdout)
        status = self.states("w")[name]
        self.assertEqual((status["state"], status["attempts"]), ("done", 2))

        self.run_dashpot("simulate", "scene.toml", "--set", f"body.jelly.dampingtime={values[VICTIM - 1]}", "--out",
                         "one/a.$F4.bgeo.sc")
        self.assertEqual(len(self.frames("one")), 40)
        self.assertEqual(self.frames(victim), self.frames("one"))
        print(f"killed after {written} of 40 frames; ended bitwise equal")


if __name__ == "__main__":
    missing = mini_slurm.missing_programs()
    if missing:
        print("skipped: Slurm is not installed; missing:", ", ".join(missing))
        sys.exit(SKIPPED)
    dashpot_runs.main(__file__)
