"""The scene of docs/presets.md does what the names of the presets say: the measurable part of its pictures.

    python3 tests/otls/preset_scene_test.py build/release/bin/dashpot
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TWO_SECONDS = 48


class PresetScene(unittest.TestCase):
    dashpot = "build/release/bin/dashpot"

    def energies(self, preset):
        """Kinetic energy and all energy of each frame, as shares of the energy of the start."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([self.dashpot, "simulate", ROOT / "examples/presets.toml", "--preset", preset, "--frames",
                            f"1-{TWO_SECONDS + 1}", "--progress", "none", "--out", f"{folder}/f.$F4.bgeo"],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            lines = [json.loads(line) for line in (pathlib.Path(folder) / "stats.jsonl").read_text().splitlines()]
        start = lines[0]["total"]
        return [line["kinetic"] / start for line in lines], [line["total"] / start for line in lines]

    def test_undamped_keeps_nine_tenths_for_two_seconds(self):
        _, energy = self.energies("undamped")
        self.assertGreater(energy[TWO_SECONDS], 0.9)

    def test_clay_stops_deformed(self):
        kinetic, energy = self.energies("softclay")
        self.assertLess(max(kinetic[24:]), 1e-12)
        self.assertGreater(energy[TWO_SECONDS], 0.1)

    def test_springy_then_still_stops_at_rest(self):
        kinetic, energy = self.energies("springythenstill")
        self.assertGreater(max(kinetic[6:12]), 0.05)
        self.assertLess(max(energy[42:]), 1e-3)

    def test_foam_outlasts_gel_and_neither_swings(self):
        foam, gel = self.energies("memoryfoam"), self.energies("gel")
        self.assertGreater(foam[1][24], 10 * gel[1][24])
        for kinetic, energy in (foam, gel):
            self.assertLess(max(kinetic), 0.1)
            self.assertEqual(energy, sorted(energy, reverse=True))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PresetScene.dashpot = sys.argv.pop(1)
    unittest.main()
