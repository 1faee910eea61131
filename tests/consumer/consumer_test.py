"""A program of somebody else builds against what cmake --install installed, runs, and gives the bits of bin/dashpot.

    python3 tests/consumer/consumer_test.py cmake build/release [sanitizers of that build]

The program is compiled without AVX and optimisation, the pieces of docs/embedding.md also with AddressSanitizer.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "tests/consumer"

# The scene of moving_pins() in snippets.cpp.
TURNING = """
[simulation]
frames = [1, 5]
[[body]]
name = "beam"
geometry = { type = "box", size = [1.0, 0.2, 0.2], cells = [10, 2, 2] }
pin = { box = [[-0.51, -1, -1], [-0.49, 1, 1]], motion = { pivot = [0, 0, 0], angularvelocity = [1.3, 0.2, 0.1], end = 2.0 } }
"""
# Headers that nobody who simulates has to have or to parse.
NOT_NEEDED = re.compile(r"/tbb/|/oneapi/|/openvdb/|metis\.h|/simd\.h|/parallel\.h|/solver/")


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if result.returncode:
        raise AssertionError(f"{words} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


def stripped(text):
    return [line.strip() for line in text.strip().splitlines()]


class Consumer(unittest.TestCase):
    cmake, build, sanitize = None, None, ""

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="dashpot_consumer_")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name).resolve()
        cls.prefix = cls.folder / "an installation"
        run(cls.cmake, "--install", cls.build, "--prefix", cls.prefix)
        # Neither the flags of this project nor those of whoever runs the test.
        environment = {key: value for key, value in os.environ.items() if key not in ("CXXFLAGS", "LDFLAGS")}
        run(cls.cmake, "-G", "Ninja", "-S", HERE, "-B", cls.folder / "build", f"-DCMAKE_PREFIX_PATH={cls.prefix}",
            f"-DEXAMPLES={cls.prefix}/share/dashpot/examples/cpp", f"-DSANITIZE={cls.sanitize or 'address'}",
            "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", env=environment)
        run(cls.cmake, "--build", cls.folder / "build", env=environment)

    def program(self, scene, frames):
        """The statistics of the last frame, as the installed program writes them."""
        run(self.prefix / "bin/dashpot", "simulate", scene, "--frames", frames, "--out", "run/x.$F4.bgeo.sc",
            cwd=self.folder)
        return json.loads((self.folder / "run/stats.jsonl").read_text().splitlines()[-1])

    def test_the_example_moves_as_in_the_scene_file(self):
        lines = run(self.folder / "build/beam/beam").splitlines()
        self.assertEqual(len(lines), 24)
        self.program(self.prefix / "share/dashpot/examples/cantilever.toml", "1-25")
        run(self.prefix / "bin/dashpot", "convert", "run/x.0025.bgeo.sc", "x.node", cwd=self.folder)
        points = [line.split() for line in (self.folder / "x.node").read_text().splitlines() if line[:1] != "#"]
        tip = [float(word) for word in points[-1][1:4]]
        printed = [float(word) for word in re.search(r"frame 25: tip at (.*) m", lines[-1])[1].split()]
        for there, here in zip(tip, printed):
            self.assertAlmostEqual(there, here, delta=1e-4)

    def test_the_pieces_of_the_page_run_and_give_the_same_bits(self):
        said = run(self.folder / "build/snippets")
        scene = self.folder / "turning.toml"
        scene.write_text(TURNING)
        self.assertEqual(re.search(r"^hash (\w+)$", said, re.M)[1], self.program(scene, "1-5")["hash"])

    def test_every_piece_of_the_page_is_compiled(self):
        compiled = ["\n".join(stripped(path.read_text())) for path in
                    (ROOT / "examples/cpp/beam.cpp", ROOT / "examples/cpp/CMakeLists.txt", HERE / "snippets.cpp")]
        pieces = re.findall(r"^```(?:cpp|cmake)\n(.*?)^```", (ROOT / "docs/embedding.md").read_text(), re.M | re.S)
        self.assertGreater(len(pieces), 10)
        for piece in pieces:
            self.assertTrue(any("\n".join(stripped(piece)) in source for source in compiled), piece)

    def test_users_get_none_of_our_flags_and_headers(self):
        commands = json.loads((self.folder / "build/compile_commands.json").read_text())
        for entry in commands:
            flags = [word for word in entry["command"].split() if re.match(r"-(m|f|O|W)", word)]
            self.assertEqual([flag for flag in flags if not flag.startswith("-fsanitize")],
                             ["-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        # Blocks of "object: ..." and a line per header.
        blocks = run("ninja", "-C", self.folder / "build", "-t", "deps").split("\n\n")
        headers = next(block for block in blocks if "beam.dir" in block.splitlines()[0])
        self.assertIn("include/dashpot/dashpot.h", headers)
        self.assertEqual([line for line in headers.splitlines() if NOT_NEEDED.search(line)], [])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(f"usage: {__file__} cmake build_folder [sanitizers]")
    Consumer.cmake, Consumer.build, Consumer.sanitize = sys.argv[1], sys.argv[2], "".join(sys.argv[3:4])
    unittest.main(argv=sys.argv[:1])
