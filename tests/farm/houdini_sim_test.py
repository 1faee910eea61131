"""farm/houdini_sim.py against a stand-in of hou: order, progress, resumption, variables, exit codes."""
import contextlib
import importlib.util
import io
import os
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
spec = importlib.util.spec_from_file_location("houdini_sim", ROOT / "farm/houdini_sim.py")
houdini_sim = importlib.util.module_from_spec(spec)
spec.loader.exec_module(houdini_sim)


class FakeGeometry:
    def __init__(self, text):
        self.text = text

    def saveToFile(self, path):
        pathlib.Path(path).write_text(self.text)


class FakeText:
    """Variables as Houdini expands them: $F3 is three digits, one that nobody knows is empty."""

    def __init__(self, hou):
        self.hou = hou

    def expandStringAtFrame(self, text, frame):
        def value(match):
            name = match.group(1) or match.group(2)
            digits = re.fullmatch(r"F(\d*)", name)
            return f"{frame:0{digits.group(1) or 1}d}" if digits else self.hou.variables.get(name, "")
        return re.sub(r"\$(?:(\w+)|\{(\w+)\})", value, text)


class FakeHou:
    """Cooks a simulation whose frame is the sum of all frames before: wrong if one is left out."""

    class LoadWarning(Exception):
        pass

    def __init__(self, fails_at=None, dies_at=None, warns=()):
        self.hipFile, self.fails_at, self.dies_at, self.warns = self, fails_at, dies_at, warns
        self.text, self.variables = FakeText(self), {}
        self.sum, self.now, self.cooks = 0, None, 0

    def load(self, path, suppress_save_prompt):
        self.variables["HIP"] = os.path.dirname(path)
        self.variables["JOB"] = os.path.dirname(path) + "/job"
        raise self.LoadWarning("an asset is missing")

    def node(self, path):
        return self if path == "/obj/body" and self.variables else None

    def name(self):
        return "body"

    def setFrame(self, frame):
        self.now = frame

    def geometry(self):
        if self.now == self.dies_at:
            raise KeyboardInterrupt
        self.cooks += 1
        self.sum += self.now
        return FakeGeometry(str(self.sum))

    def errors(self):
        return ["the mesh is broken"] if self.now == self.fails_at else []

    def warnings(self):
        return self.warns


class HoudiniSim(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def run_script(self, hou, *words, node="/obj/body", out="$HIP/cache/a.$F4.bgeo.sc", frames="1-4"):
        stdout, stderr = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            code = houdini_sim.main([str(self.folder / "shot.hip"), node, out, "--frames", frames, *words], hou)
        return code, stdout.getvalue(), stderr.getvalue()

    def written(self):
        return [path.read_text() for path in sorted((self.folder / "cache").glob("a.*"))]

    def test_writes_all_frames_in_order_with_progress(self):
        code, out, _ = self.run_script(FakeHou())
        self.assertEqual((code, self.written()), (0, ["1", "3", "6", "10"]))
        self.assertEqual(out, "".join(f"ALF_PROGRESS {p}%\n" for p in (25, 50, 75, 100)))
        self.assertEqual(self.run_script(FakeHou(), "--progress", "deadline")[1], "Progress: 100%\n")

    def test_variables_are_those_of_the_loaded_scene(self):
        self.assertEqual(self.run_script(FakeHou(), out="$JOB/$OS/${OS}_x.$F3.geo", frames="1-2")[0], 0)
        self.assertEqual(sorted(path.name for path in (self.folder / "job/body").iterdir()),
                         ["body_x.001.geo", "body_x.002.geo"])

    def test_goes_on_after_a_kill_with_the_same_result(self):
        with self.assertRaises(KeyboardInterrupt):
            self.run_script(FakeHou(dies_at=3))
        self.assertEqual(self.written(), ["1", "3"])
        self.assertEqual(self.run_script(FakeHou())[0], 0)
        self.assertEqual(self.written(), ["1", "3", "6", "10"])

    def test_says_done_without_cooking_anything(self):
        self.run_script(FakeHou())
        hou = FakeHou()
        code, out, _ = self.run_script(hou)
        self.assertEqual((code, out, hou.cooks), (0, "ALF_PROGRESS 100%\n", 0))

    def test_warnings_are_printed_once(self):
        code, _, err = self.run_script(FakeHou(warns=("the iteration budget ended",)))
        self.assertEqual((code, err.count("the iteration budget ended")), (0, 1))
        self.assertIn("frame 1: the iteration budget ended", err)

    def test_errors_end_with_a_code(self):
        code, _, err = self.run_script(FakeHou(fails_at=2))
        self.assertEqual(code, 1)
        self.assertIn("frame 2: the mesh is broken", err)
        self.assertEqual(self.written(), ["1"])
        self.assertEqual(self.run_script(FakeHou(), node="/obj/nobody")[0], 1)

    def test_a_name_without_a_frame_number_and_a_bad_range_are_refused(self):
        code, _, err = self.run_script(FakeHou(), out="$HIP/cache/a..bgeo.sc")  # what a shell makes of a bare $F4
        self.assertEqual((code, "write $F4" in err), (1, True), err)
        for frames in ("4-1", "four", "3"):
            code, _, err = self.run_script(FakeHou(), frames=frames)
            self.assertEqual((code, "write it as 1-240" in err), (1, True), err)


class Hbatch(unittest.TestCase):
    def test_the_range_of_the_rop_is_off_before_it_renders(self):
        """`render -f` is trimmed to the ROP's own range, SideFX's page of the command says, unless that is off."""
        lines = [line for line in (ROOT / "farm/houdini_sim.cmd").read_text().splitlines() if not line.startswith("#")]
        renders = next(i for i, line in enumerate(lines) if line.startswith("render"))
        self.assertTrue(any(re.match(r"opparm \$OUT .*\btrange \( 0 \)", line) for line in lines[:renders]), lines)


if __name__ == "__main__":
    unittest.main()
