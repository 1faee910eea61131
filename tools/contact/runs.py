"""Runs of the dashpot program on scenes that are made here."""
import dataclasses
import json
import pathlib
import shutil
import subprocess
import typing

from gallery import program as gallery


class Failed(Exception):
    """The program ended with an error, or not in time."""


class Run(gallery.Run):
    def tets(self):
        geometry = gallery.pairs(json.loads(sorted(self.folder.glob("f.*.geo"))[0].read_text()))
        corners = gallery.pairs(gallery.pairs(geometry["topology"])["pointref"])["indices"]
        return list(zip(*[iter(corners)] * 4))



@dataclasses.dataclass
class Case:
    """One scene and what is asked of it: judge(run) gives the figure, as text, and whether it holds."""
    name: str
    scene: str
    judge: typing.Callable
    frames: bool = False  # positions are read back
    words: tuple = ()

    def measure(self, program):
        return self.judge(program.simulate(self.name, self.scene, self.frames, self.words))


@dataclasses.dataclass
class Comparison:
    """Several runs of one scene: judge(program, name, scene) makes them."""
    name: str
    scene: str
    judge: typing.Callable

    def measure(self, program):
        return self.judge(program, self.name, self.scene)


class Program:
    def __init__(self, path, folder, seconds):
        self.path, self.folder, self.seconds = str(pathlib.Path(path).resolve()), pathlib.Path(folder), seconds

    def command(self, name, text, words=(), frames=False, threads=1):
        """The words that simulate a scene, and the folder of its frames."""
        folder = self.folder / file_name(name)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "scene.toml").write_text(text)
        form = "geo" if frames else "bgeo.sc"
        return [self.path, "simulate", str(folder / "scene.toml"), "--out", str(folder / f"f.$F4.{form}"),
                "--progress", "none", "--threads", str(threads), *words], folder

    def simulate(self, name, text, frames=False, words=(), threads=1):
        command, folder = self.command(name, text, words, frames, threads)
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self.seconds)
        except subprocess.TimeoutExpired:
            frames_done = len(list(folder.glob("f.*")))
            raise Failed(f"only {frames_done} frames in {self.seconds:.0f} s") from None
        if done.returncode != 0:
            raise Failed(f"exit {done.returncode}: {done.stderr.strip()[-160:]}")
        return Run(folder)


    def keep(self, case, folder):
        """Copies a scene and its meshes into a folder."""
        meshes = self.folder / "meshes"
        if str(meshes) in case.scene:
            shutil.copytree(meshes, folder / "meshes", dirs_exist_ok=True)
        (folder / f"{file_name(case.name)}.toml").write_text(case.scene.replace(str(self.folder) + "/", ""))


def file_name(name):
    return "".join(c if c.isalnum() or c in ".-" else "_" for c in name)


def said(run):
    """What frames complained of, as text to add; empty if nothing."""
    counts = {}
    for line in run.stats:
        for each in line["status"]:
            counts[each] = counts.get(each, 0) + 1
    return f" ({', '.join(f'{count} frames {name}' for name, count in counts.items())})" if counts else ""
