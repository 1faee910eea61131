"""What cmake --install puts somewhere works there, and somewhere else after it was moved.

    python3 tests/farm/install_test.py cmake build/release
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


class Install(unittest.TestCase):
    cmake, build = None, None

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="dashpot_install_")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name).resolve()
        first = self.folder / "first place"
        subprocess.run([self.cmake, "--install", self.build, "--prefix", first], check=True, capture_output=True)
        self.prefix = self.folder / "moved"
        first.rename(self.prefix)

    def run_dashpot(self, *words):
        environment = {key: value for key, value in os.environ.items() if key != "DASHPOT_FARM"}
        return subprocess.run([self.prefix / "bin/dashpot", *words], cwd=self.folder, capture_output=True, text=True,
                              env=environment)

    def test_the_program_simulates_and_submits_from_where_it_is(self):
        scene = self.prefix / "share/dashpot/examples/cantilever.toml"
        result = self.run_dashpot("simulate", scene, "--frames", "1-2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.folder / "out/cantilever/cantilever.0002.bgeo.sc").is_file())
        for words in (["simulate", scene], ["wedge", scene, "--vary", "preset=gel,jelly"]):
            result = self.run_dashpot(*words, "--submit", "deadline", "--dry-run")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"Arguments={self.prefix}/bin/dashpot {words[0]} ", result.stdout)

    def test_licence_pages_and_scripts_are_there(self):
        for name in ("share/doc/dashpot/LICENSE", "share/doc/dashpot/farm.md", "share/doc/dashpot/td.md",
                     "share/dashpot/farm/houdini_sim.py", "share/dashpot/farm/houdini_sim.cmd"):
            self.assertTrue((self.prefix / name).is_file(), name)
        self.assertEqual([str(path) for path in self.prefix.rglob("__pycache__")], [])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(f"usage: {__file__} cmake build_folder")
    Install.cmake, Install.build = sys.argv[1], sys.argv[2]
    unittest.main(argv=sys.argv[:1])
