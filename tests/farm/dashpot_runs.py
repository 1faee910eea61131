"""Small scenes and what their runs leave behind, for the tests of wedges."""
import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

SCENE = """
[simulation]
frames = [1, %(frames)d]
[[body]]
name = "jelly"
geometry = { type = "box", size = [0.4, 0.4, 0.4], cells = [%(cells)d, %(cells)d, %(cells)d] }
pin = { box = [[-1, -0.21, -1], [1, -0.19, 1]] }
velocity = [1, 0, 0]
dampingmodel = "rayleigh"
"""


class RunsTest(unittest.TestCase):
    dashpot = None  # path of the program, set by main

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="dashpot_wedge_")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.environment = None

    def write_scene(self, frames=4, cells=2):
        (self.folder / "scene.toml").write_text(SCENE % {"frames": frames, "cells": cells})

    def run_dashpot(self, *words):
        return subprocess.run([self.dashpot, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              timeout=300, env=self.environment)

    def states(self, wedge):
        plan = json.loads((self.folder / wedge / "wedge.json").read_text())
        result = {}
        for run in plan["runs"]:
            path = self.folder / wedge / run["name"] / "status.json"
            result[run["name"]] = json.loads(path.read_text()) if path.exists() else {"state": "pending"}
        return result

    def frames(self, folder):
        """Bytes of the frame files, without the part of their names that says whose they are."""
        return {path.name.split(".")[-3]: path.read_bytes() for path in (self.folder / folder).glob("*.bgeo.sc")}


def main(program):
    import sys
    if len(sys.argv) < 2:
        sys.exit(f"usage: {program} path/to/dashpot")
    RunsTest.dashpot = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(argv=sys.argv)
