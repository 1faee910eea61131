"""dashpot wedge on this machine, and presets from the command line.

    python3 tests/farm/wedge_test.py build/release/bin/dashpot
"""
import contextlib
import fcntl
import json
import os
import pathlib
import signal
import subprocess
import time

import dashpot_runs
from dashpot_runs import ROOT, RunsTest


class Grid(RunsTest):
    def test_runs_every_combination_under_a_name_that_says_its_values(self):
        self.write_scene()
        result = self.run_dashpot("wedge", "scene.toml", "--vary", "body.jelly.dampingtime=0.01,0.1", "--vary",
                                  "simulation.gravity=[0,0,0],[0,-9.81,0]", "--threads", 2)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        states = self.states("out/scene_wedge")
        self.assertEqual(list(states), [f"jelly.dampingtime-{t}_gravity-_{g}_" for t in ("0.01", "0.1")
                                        for g in ("0_0_0", "0_-9.81_0")])
        self.assertEqual({s["state"] for s in states.values()}, {"done"})
        self.assertIn("4 done", result.stdout)
        self.assertEqual((self.folder / "out/scene_wedge/failed.txt").read_text(), "")

    def test_a_run_has_the_frames_of_dashpot_simulate(self):
        self.write_scene()
        self.run_dashpot("wedge", "scene.toml", "--vary", "body.jelly.dampingtime=0.01,0.1", "--threads", 1)
        self.run_dashpot("simulate", "scene.toml", "--set", "body.jelly.dampingtime=0.1", "--out", "one/a.$F4.bgeo.sc")
        self.assertEqual(self.frames("out/scene_wedge/jelly.dampingtime-0.1"), self.frames("one"))
        self.assertNotEqual(self.frames("out/scene_wedge/jelly.dampingtime-0.01"), self.frames("one"))

    def test_a_wider_grid_leaves_finished_runs_alone(self):
        self.write_scene()
        self.run_dashpot("wedge", "scene.toml", "--vary", "body.jelly.dampingtime=0.01")
        frame = self.folder / "out/scene_wedge/jelly.dampingtime-0.01/jelly.dampingtime-0.01.0004.bgeo.sc"
        before = frame.stat().st_mtime_ns
        result = self.run_dashpot("wedge", "scene.toml", "--vary", "body.jelly.dampingtime=0.01,0.1")
        self.assertIn("1 of 2 runs", result.stdout)
        self.assertEqual(frame.stat().st_mtime_ns, before)

    def test_an_edited_scene_runs_again(self):
        self.write_scene(frames=2)
        self.run_dashpot("wedge", "scene.toml", "--vary", "preset=jelly")
        self.write_scene(frames=3)
        result = self.run_dashpot("wedge", "scene.toml", "--vary", "preset=jelly")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(len(self.frames("out/scene_wedge/preset-jelly")), 3)

    def test_a_bad_value_is_refused_before_anything_runs(self):
        self.write_scene()
        for word in ("body.jelly.dampingtime=0.1,-1", "body.jello.dampingtime=0.1", "preset=jelly,geel",
                     "body.jelly.dampingtime", "body.jelly.dampingtime=0.1,,0.2", "body.jelly.dampingtime=0.1,0.1"):
            result = self.run_dashpot("wedge", "scene.toml", "--vary", word)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), word + result.stderr)
            self.assertFalse((self.folder / "out").exists(), word)


    def test_the_same_number_in_other_words_is_not_another_run(self):
        self.write_scene()
        for word in ("body.jelly.youngsmodulus=1e5,100000", "simulation.gravity=[0,0,0],[0.0, 0,-0]"):
            result = self.run_dashpot("wedge", "scene.toml", "--vary", word)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), word + result.stderr)
            self.assertIn("twice", result.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_an_absurd_grid_is_refused_at_once(self):
        self.write_scene()
        many = ",".join(map(str, range(1, 2000)))
        for words in (["body.jelly.youngsmodulus=" + many, "body.jelly.massdensity=" + many],
                      ["body.jelly.youngsmodulus=" + many + ",3000,4000"]):
            began = time.monotonic()
            result = self.run_dashpot("wedge", "scene.toml", "--plan-only", *(w for v in words for w in ("--vary", v)))
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr[:300])
            self.assertRegex(result.stderr, r"grid has (3996001|2001) runs, and at most 2000")
            self.assertLess(time.monotonic() - began, 10)
        self.assertFalse((self.folder / "out").exists())

    def test_what_is_not_there_is_named(self):
        self.write_scene()
        nothing = "there is no scene or folder of a wedge 'nope'"
        for words, part in ((["nope", "--status"], nothing), (["nope", "--vary", "preset=gel"], nothing),
                            (["scene.toml", "--status"], "out/scene_wedge"), (["scene.toml"], "say what to vary")):
            result = self.run_dashpot("wedge", *words)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr)
            self.assertIn(part, result.stderr)

    def test_a_scene_knows_its_wedge(self):
        self.write_scene(frames=2)
        self.run_dashpot("wedge", "scene.toml", "--vary", "preset=gel")
        result = self.run_dashpot("wedge", "scene.toml", "--status")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 done", result.stdout)


class Failures(RunsTest):
    def test_failed_runs_are_listed_and_rerun_alone(self):
        self.write_scene()
        blocked = self.folder / "out/scene_wedge/jelly.dampingtime-0.1"
        name = blocked.name
        (blocked / f"{name}.0003.bgeo.sc").mkdir(parents=True)  # a frame that cannot be written
        result = self.run_dashpot("wedge", "scene.toml", "--vary", "body.jelly.dampingtime=0.01,0.1", "--threads", 2)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertEqual((self.folder / "out/scene_wedge/failed.txt").read_text(), name + "\n")
        self.assertEqual(self.states("out/scene_wedge")["jelly.dampingtime-0.01"]["state"], "done")
        self.assertIn("0003", self.states("out/scene_wedge")[name]["message"])
        (blocked / f"{name}.0003.bgeo.sc").rmdir()
        result = self.run_dashpot("wedge", "out/scene_wedge", "--rerun-failed")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("1 of 2 runs", result.stdout)
        self.assertEqual(len(self.frames(blocked)), 4)

    def test_two_workers_never_write_the_same_run(self):
        self.write_scene(frames=2)
        self.run_dashpot("wedge", "scene.toml", "--vary", "preset=gel", "--out", "w", "--plan-only")
        folder = self.folder / "w/preset-gel"
        folder.mkdir()
        with open(folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            result = self.run_dashpot("wedge", "w", "--task", 1)
            self.assertEqual(result.returncode, 75, result.stderr)
            self.assertEqual(self.frames(folder), {})
        self.assertEqual(self.run_dashpot("wedge", "w", "--task", 1).returncode, 0)

    def start_and_wait_for_checkpoint(self):
        self.write_scene(frames=150, cells=4)
        process = subprocess.Popen([self.dashpot, "wedge", "scene.toml", "--vary", "body.jelly.dampingtime=0.02",
                                    "--checkpoint-every", "1"], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        folder = self.folder / "out/scene_wedge/jelly.dampingtime-0.02"
        for _ in range(6000):
            if (folder / "checkpoint.bin").exists():
                return process, folder
            time.sleep(0.01)
        self.fail("no checkpoint within a minute")

    def child_of(self, process):
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                if int(stat.read_text().rsplit(")", 1)[1].split()[1]) == process:
                    return int(stat.parent.name)
        return self.fail("the wedge has no child process")

    def test_a_killed_run_goes_on_at_once_and_ends_the_same(self):
        process, folder = self.start_and_wait_for_checkpoint()
        os.kill(self.child_of(process.pid), signal.SIGKILL)
        self.assertEqual(process.wait(timeout=300), 0, process.stdout.read())
        process.stdout.close()
        self.assertEqual(self.states("out/scene_wedge")[folder.name]["attempts"], 2)
        self.run_dashpot("simulate", "scene.toml", "--set", "body.jelly.dampingtime=0.02", "--out", "one/a.$F4.bgeo.sc")
        self.assertEqual(self.frames(folder), self.frames("one"))

    def test_an_interrupted_wedge_stops_at_a_checkpoint_and_goes_on(self):
        process, folder = self.start_and_wait_for_checkpoint()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=300), 130, process.stdout.read())
        process.stdout.close()
        self.assertEqual(self.states("out/scene_wedge")[folder.name]["state"], "stopped")
        written = len(self.frames(folder))
        self.assertLess(written, 150)
        result = self.run_dashpot("wedge", "out/scene_wedge", "--rerun-failed")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(len(self.frames(folder)), 150)


class Presets(RunsTest):
    def parameters(self, *words):
        result = self.run_dashpot("simulate", "scene.toml", "--frames", "1-1", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.folder / "out/scene/run.json").read_text())["bodies"][0]["parameters"]

    def test_replace_material_and_damping_and_lose_to_set(self):
        self.write_scene()
        table = {p["token"]: p["values"] for p in json.loads(self.run_dashpot("presets", "--json").stdout)}
        for token, values in table.items():
            parameters = self.parameters("--preset", token)
            self.assertEqual({k: parameters[k] for k in values}, values, token)
        parameters = self.parameters("--preset", "jelly=gel", "--set", "body.jelly.youngsmodulus=123")
        self.assertEqual((parameters["youngsmodulus"], parameters["dampingtime"]), (123, table["gel"]["dampingtime"]))

    def test_unknown_names_are_refused_with_the_nearest(self):
        self.write_scene()
        for words, part in ((["--preset", "jely"], "jelly"), (["--preset", "nobody=gel"], "nobody")):
            result = self.run_dashpot("simulate", "scene.toml", *words)
            self.assertEqual((result.returncode, result.stderr.count("\n")), (2, 1), result.stderr)
            self.assertIn(part, result.stderr)

    def test_the_page_is_fresh_and_has_its_pictures(self):
        page = (ROOT / "docs/presets.md").read_text()
        self.assertEqual(page, self.run_dashpot("presets", "--markdown").stdout,
                         "run: dashpot presets --markdown > docs/presets.md")
        for preset in json.loads(self.run_dashpot("presets", "--json").stdout):
            for kind in ("png", "svg"):
                path = ROOT / f"docs/images/presets/{preset['token']}.{kind}"
                self.assertLess(0, path.stat().st_size)
                self.assertLess(path.stat().st_size, 40000, path.name)


class Task(RunsTest):
    def test_a_task_prints_the_progress_that_farms_read(self):
        self.write_scene(frames=3)
        self.run_dashpot("wedge", "scene.toml", "--vary", "preset=gel", "--out", "w", "--plan-only")
        result = self.run_dashpot("wedge", "w", "--task", 1)
        self.assertIn("ALF_PROGRESS 100%", result.stdout)
        result = self.run_dashpot("wedge", "w", "--task", 1, "--fresh", "--progress", "deadline")
        self.assertIn("\nProgress: 100%\n", result.stdout)
        self.assertEqual(self.run_dashpot("wedge", "w", "--task", 2).returncode, 2)


if __name__ == "__main__":
    dashpot_runs.main(__file__)
