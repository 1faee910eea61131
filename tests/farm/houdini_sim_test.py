"""farm/houdini_sim.py against a stand-in of hou: order, progress, resumption, exit codes."""
import contextlib
import importlib.util
import io
import os
import pathlib
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


class FakeHou:
    """Cooks a simulation whose frame is the sum of all frames before: wrong if one is left out."""

    class LoadWarning(Exception):
        pass

    def __init__(self, fails_at=None, dies_at=None):
        self.hipFile, self.fails_at, self.dies_at = self, fails_at, dies_at
        self.sum, self.now = 0, None

    def load(self, path, suppress_save_prompt):
        raise self.LoadWarning("an asset is missing")

    def node(self, path):
        return self if path == "/obj/body" else None

    def setFrame(self, frame):
        self.now = frame

    def geometry(self):
        if self.now == self.dies_at:
            raise KeyboardInterrupt
        self.sum += self.now
        return FakeGeometry(str(self.sum))

    def errors(self):
        return ["the mesh is broken"] if self.now == self.fails_at else []


class HoudiniSim(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.out = os.path.join(holder.name, "cache", "a.$F4.bgeo.sc")

    def run_script(self, hou, node="/obj/body"):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = houdini_sim.main(["shot.hip", node, self.out, "--frames", "1-4"], hou)
        return code, out.getvalue(), err.getvalue()

    def written(self):
        return [pathlib.Path(houdini_sim.frame_path(self.out, f)).read_text() for f in range(1, 5)
                if os.path.exists(houdini_sim.frame_path(self.out, f))]

    def test_writes_all_frames_in_order_with_progress(self):
        code, out, _ = self.run_script(FakeHou())
        self.assertEqual((code, self.written()), (0, ["1", "3", "6", "10"]))
        self.assertEqual(out, "".join(f"ALF_PROGRESS {p}%\n" for p in (25, 50, 75, 100)))

    def test_goes_on_after_a_kill_with_the_same_result(self):
        with self.assertRaises(KeyboardInterrupt):
            self.run_script(FakeHou(dies_at=3))
        self.assertEqual(self.written(), ["1", "3"])
        self.assertEqual(self.run_script(FakeHou())[0], 0)
        self.assertEqual(self.written(), ["1", "3", "6", "10"])

    def test_says_done_without_loading_anything(self):
        self.run_script(FakeHou())
        code, out, _ = self.run_script(None)
        self.assertEqual((code, out), (0, "ALF_PROGRESS 100%\n"))

    def test_errors_end_with_a_code(self):
        code, _, err = self.run_script(FakeHou(fails_at=2))
        self.assertEqual(code, 1)
        self.assertIn("frame 2: the mesh is broken", err)
        self.assertEqual(self.written(), ["1"])
        self.assertEqual(self.run_script(FakeHou(), node="/obj/nobody")[0], 1)


if __name__ == "__main__":
    unittest.main()
