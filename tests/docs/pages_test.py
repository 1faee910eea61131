"""What README.md and docs/ tell to type works: every command, and every piece of a scene file.

    python3 tests/docs/pages_test.py build/release/bin/dashpot

Commands run in a folder that has what the pages take for granted: their scenes, meshes and runs, small.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

SCENE = """
[simulation]
frames = [1, 3]
[[body]]
name = "jelly"
geometry = { type = "box", size = [0.4, 0.4, 0.4], cells = [1, 1, 1] }
dampingmodel = "rayleigh"
[[body]]
name = "tummy"
geometry = { type = "box", size = [0.4, 0.4, 0.4], cells = [1, 1, 1] }
"""
BODY = '[[body]]\ngeometry = "muscle.bgeo"\n'
RUNS = ["flagship", "soft", "stiff", "damped", "b"]  # as out/a
# Keys of a collider in lines that stand alone; all others are a body's.
COLLIDER_KEYS = {"shape", "motion", "vdb", "plane"}
# What pages leave open, and what takes too long or another machine.
SPELLED_OUT = {"--vary …": "--vary body.jelly.dampingtime=0.01,0.1,1", "RUN …": "out/a out/b", "RUN ": "out/a ", "/cache/": "cache/",
               "RUN_OR_WEDGE …": "out/a", "_wedge --frame 30": "_wedge --frame 3", "frame.bgeo.sc": "pig.bgeo.sc"}
ELSEWHERE = re.compile(r"dashpot bench|hython|hbatch|\[--|\[RUN_DIR|FILE|IN OUT|TYPE")
SMALL = {"render": " --width 64 --height 36 --samples 1", "--submit": " --dry-run"}


def blocks(page):
    """Code blocks, indented by four or fenced, without their indent."""
    text = page.read_text()
    for fenced in re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S):
        yield fenced
    for indented in re.findall(r"(?:^\n)((?:^ {4}.*\n|^\n(?= {4}))+)", text, re.M):
        yield re.sub(r"^ {4}", "", indented, flags=re.M)


def commands(page):
    for block in blocks(page):
        for line in block.splitlines():
            found = re.match(r"(?:\$ )?((?:build/release/bin/)?dashpot [a-z-]+ .*|python3 farm/.*)$", line)
            if found and not line.startswith("dashpot: "):
                yield found[1]


def is_toml(text):
    try:
        return bool(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return False


def scene_pieces(page):
    """Blocks that are TOML as a whole, else single lines that are."""
    for block in blocks(page):
        pieces = [block] if is_toml(block) else [line for line in block.splitlines() if is_toml(line)]
        yield from (piece for piece in pieces if re.match(r"[\[\w]", piece))


def completed(piece):
    """A scene around what a page shows."""
    known = tomllib.loads(piece)
    start = "" if "simulation" in known else "[simulation]\nframes = [1, 2]\n"
    if "body" in known:
        return start + (piece if "geometry" in known["body"][0] else piece.replace("[[body]]\n", BODY))
    if "collider" in known or "simulation" in known:
        return start + piece + BODY
    if set(known) & COLLIDER_KEYS:
        sphere = "" if "shape" in known else "shape = { type = 'sphere', radius = 0.1, voxelsize = 0.02 }\n"
        return start + BODY + "[[collider]]\n" + sphere + piece
    return start + (BODY if "geometry" not in known else "[[body]]\n") + piece


class Pages(unittest.TestCase):
    dashpot = None  # path of the program

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="dashpot_pages_")
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        for name in ("examples", "farm"):
            (cls.folder / name).symlink_to(ROOT / name)
        (cls.folder / "build/release").mkdir(parents=True)
        (cls.folder / "build/release/bin").symlink_to(cls.dashpot.parent)
        for name in ("scene.toml", "shot.toml"):
            (cls.folder / name).write_text(SCENE)
        muscle = (ROOT / "tests/geometry/samples/tets.geo").read_text()
        for own, shown in (("surface_points", "pins"), ("interior_points", "left"), ("inorder", "right")):
            muscle = muscle.replace(own, shown)
        (cls.folder / "muscle.geo").write_text(muscle)
        copies = ["muscle.bgeo", "muscle.bgeo.sc", "pig.bgeo.sc", "cube.msh", "beam.msh"]
        for copy in [*copies, *(f"{name}.000{i}.bgeo.sc" for name in ("walk", "anim") for i in (1, 2))]:
            cls.type(f"dashpot convert muscle.geo {copy}")
        for volume in ("ball.vdb", "terrain.vdb"):
            cls.type(f"dashpot make-collider sphere --radius 0.2 --voxelsize 0.05 -o {volume}")
        cls.type("dashpot simulate scene.toml --frames 1-30 --out 'out/a/a.$F4.bgeo.sc'")
        cls.type("dashpot wedge shot.toml --vary body.jelly.dampingtime=0.01,0.1")
        shutil.copytree(cls.folder / "out/shot_wedge", cls.folder / "out/jelly_wedge")
        for run in RUNS:
            shutil.copytree(cls.folder / "out/a", cls.folder / "out" / run)

    @classmethod
    def type(cls, line):
        """As typed into a shell. The files that simulate and wedge leave are there for the lines that follow."""
        path = f'PATH="{cls.dashpot.parent}:$PATH"; '
        result = subprocess.run(["bash", "-c", path + line], cwd=cls.folder, capture_output=True, text=True, timeout=300)
        if result.returncode != 0:
            raise AssertionError(f"{line}\nends with {result.returncode}: {result.stdout}{result.stderr}")
        return result

    def test_every_command_works(self):
        typed = 0
        for page in PAGES:
            for command in commands(page):
                if ELSEWHERE.search(command) or (".mp4" in command and not shutil.which("ffmpeg")):
                    continue
                line = re.sub(r"\s+#.*", "", command)
                for shown, meant in SPELLED_OUT.items():
                    line = line.replace(shown, meant)
                line += "".join(words for program, words in SMALL.items() if program in line)
                with self.subTest(page=page.name, command=command):
                    self.type(line)
                    typed += 1
        self.assertGreater(typed, 25)

    def test_every_piece_of_a_scene_file_is_taken(self):
        taken = 0
        for page in PAGES:
            for piece in scene_pieces(page):
                with self.subTest(page=page.name, piece=piece):
                    (self.folder / "piece.toml").write_text(completed(piece))
                    self.type("dashpot simulate piece.toml --frames 1-2 --out 'piece/p.$F4.bgeo.sc'")
                    taken += 1
        self.assertGreater(taken, 15)

    def test_the_first_scene_of_the_readme_is_the_example(self):
        shown = next(block for block in blocks(PAGES[0]) if "[[body]]" in block)
        self.assertEqual(tomllib.loads(shown), tomllib.loads((ROOT / "examples/cantilever.toml").read_text()))

    def test_every_option_of_the_readme_exists(self):
        synopsis = next(block for block in blocks(PAGES[0]) if "dashpot simulate scene.toml [" in block)
        options = 0
        for entry in re.split(r"^(?=dashpot )", synopsis, flags=re.M)[1:]:
            program, command, *_ = entry.split()
            known = self.type(f"{program} {command} --help").stdout
            for option in re.findall(r"--[a-z][a-z-]+", entry):
                self.assertRegex(known, rf"{option}\b", entry)
                options += 1
        self.assertGreater(options, 20)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(f"usage: {sys.argv[0]} path/to/dashpot")
    Pages.dashpot = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
