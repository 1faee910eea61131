"""Bodies that touch themselves: no edge of the surface crosses a triangle in any frame."""
import math
import pathlib

from . import meshes
from .crossings import crossings
from .runs import Case, said
from .scenes import mesh, plane, scene

FPS = 24


def bars(folder, thorough):
    folder = pathlib.Path(folder) / "meshes"
    for narrow in (0, 1):
        shape = meshes.horseshoe(0.1, (6, 6, 4), 2, 2, narrow)
        path = shape.write(folder, f"horseshoe{narrow}")
        for youngs in (1e5, 1e7) if thorough else (1e5,):
            yield Case(f"U {'narrower arm' if narrow else 'flush rims'} {youngs:.0e}", _shut(path, youngs), _clean(shape), frames=True)
    ring = meshes.torus(0.5, 0.1, 28, 3)
    path = ring.write(folder, "ring")
    for youngs in (1e4, 1e5) if thorough else (1e4,):
        yield Case(f"torus falls flat {youngs:.0e}", _falls(path, youngs), _clean(ring), frames=True)
        yield Case(f"torus flattened {youngs:.0e}", _flattened(path, youngs), _clean(ring), frames=True)
    bar = meshes.box((1.5, 0.14, 0.14), (32, 3, 3))
    path = bar.write(folder, "bar")
    for youngs in (1e5, 1e7) if thorough else (1e5,):
        for nearer in (0.6, 1.0):
            yield Case(f"bar twisted twice ends {nearer} m nearer {youngs:.0e}", _twisted(path, youngs, nearer), _clean(bar), frames=True)


def _shut(path, youngs):
    """Held at the outer sides of the arms, pressed together until each arm is a fifth thinner, and opened again."""
    def arm(side):
        low, high = sorted((side * 0.2999, side * 0.4))
        swing = {"amplitude": [-side * 0.14, 0, 0], "frequency": 0.25, "end": 2}
        return {"box": [[low, 0.25, -1], [high, 1, 1]], "motion": swing}
    body = mesh("u", path, youngsmodulus=youngs, pin=[arm(-1), arm(1)])
    return scene(2 * FPS + 7, [body])


def _falls(path, youngs):
    body = mesh("ring", path, youngsmodulus=youngs, massdensity=1000, translate=[0, 0.62, 0], rotate=[0, 0, 5])
    return scene(2 * FPS, [body], [plane(friction=0.5)])


def _flattened(path, youngs):
    top = plane([0, 1.22, 0], [0, -1, 0], friction=0.5, motion={"velocity": [0, -0.5, 0], "end": 1.6})
    body = mesh("ring", path, youngsmodulus=youngs, massdensity=100, translate=[0, 0.61, 0])
    return scene(2 * FPS, [body], [plane(friction=0.5), top])


def _twisted(path, youngs, nearer):
    """Two turns in two seconds."""
    end = {"angularvelocity": [2 * math.pi, 0, 0], "velocity": [-nearer / 2, 0, 0], "end": 2}
    body = mesh("bar", path, youngsmodulus=youngs,
                pin=[{"box": [[-1, -1, -1], [-0.749, 1, 1]]}, {"box": [[0.749, -1, -1], [1, 1, 1]], "motion": end}])
    return scene(2 * FPS + 7, [body], gravity=[0, 0, 0])


def _clean(shape):
    triangles = meshes.surface(shape.tets)

    def judge(run):
        counts = [len(crossings(run.positions(line["frame"]), triangles)) for line in run.stats]
        bad = sum(count > 0 for count in counts)
        touching = sum(line["contact_pairs"] > 0 for line in run.stats)
        ignored = max(run.series(lambda line: line["ignored_pairs"]))
        text = f"{bad} of {len(counts)} frames cross, at most {max(counts)} pairs; {touching} frames touch, {ignored} ignored"
        return text + said(run), bad == 0 and touching > 0 and ignored == 0
    return judge
