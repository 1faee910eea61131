"""Runs of the dashpot program, read back."""
import json
import math
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Run:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.stats = [json.loads(line) for line in (self.folder / "stats.jsonl").read_text().splitlines()]

    def series(self, pick):
        """pick(line of the statistics) of every frame."""
        return [pick(line) for line in self.stats]

    @property
    def seconds(self):
        return self.series(lambda line: line["time"])

    def body(self, name):
        """Statistics of one of several bodies, frame by frame."""
        return [line["bodies"][name] for line in self.stats]

    def positions(self, frame=None):
        """Of a run that was written as .geo: points of a frame, default the last one."""
        files = sorted(self.folder.glob("f.*.geo"))
        path = files[-1] if frame is None else self.folder / f"f.{frame:04d}.geo"
        geometry = pairs(json.loads(path.read_text()))
        for head, body in pairs(geometry["attributes"])["pointattributes"]:
            if pairs(head)["name"] == "P":
                return pairs(pairs(body)["values"])["tuples"]
        raise ValueError(f"{path} has no P")


def pairs(flat):
    """Houdini writes objects as lists of keys and values."""
    return dict(zip(flat[::2], flat[1::2]))


def distance(a, b):
    """Root of the summed squares of all differences."""
    return math.sqrt(sum((x - y) ** 2 for p, q in zip(a, b) for x, y in zip(p, q)))


def example(name):
    """The text of a scene in examples/."""
    return (ROOT / f"examples/{name}.toml").read_text()


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = str(pathlib.Path(path).resolve()), pathlib.Path(folder)

    def call(self, *words):
        result = subprocess.run([self.path, *map(str, words)], cwd=ROOT, capture_output=True, text=True)
        if result.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, words))}\n{result.stderr}")
        return result.stdout

    def simulate(self, name, scene, settings=(), extra=(), form="bgeo.sc"):
        """A run of an example, or of a scene file, with --set for each of `settings`; a failed run ends the script."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        path = scene if str(scene).endswith(".toml") else f"examples/{scene}.toml"
        sets = [word for each in settings for word in ("--set", each)]
        self.call("simulate", path, "--out", folder / f"f.$F4.{form}", "--progress", "none", *sets, *extra)
        return Run(folder)

    def write_scene(self, name, text):
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.toml"
        path.write_text(text)
        return path

    def render(self, runs, output, *options):
        self.call("render", *[run.folder for run in runs], "-o", output, *options)
