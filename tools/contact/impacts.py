"""What hits: spheres in space, and how high bodies rebound."""
import math
import random

from .crossings import crossings
from .ledger import energy_from_nowhere
from .meshes import surface
from .runs import Case, said
from .scenes import ball, box, plane, scene

G = 9.81


def spheres(_folder, thorough):
    """Two soft spheres off centre, without gravity."""
    for youngs in (1e5, 1e6, 1e8) if thorough else (1e6,):
        for offset in (0.1, 0.3) if thorough else (0.1,):
            for speed in (1, 10, 50):
                for substeps in (4, 1):
                    material = {"youngsmodulus": youngs, "friction": 0.3}
                    bodies = [ball("left", 0.3, 6, [-0.5, offset / 2, 0], velocity=[speed, 0, 0], **material),
                              ball("right", 0.3, 5, [0.5, -offset / 2, 0.02], velocity=[-speed, 0, 0], **material)]
                    frames = max(8, math.ceil(24 * 0.8 / speed) + 6)
                    yield Case(f"spheres {speed} m/s offset {offset} {youngs:.0e} substeps {substeps}",
                               scene(frames, bodies, gravity=[0, 0, 0], substeps=substeps),
                               lambda run, strict=substeps == 4: _collided(run, strict), frames=True)


def _collided(run, strict):
    scale = math.hypot(*run.stats[0]["bodies"]["left"]["linear_momentum"])
    momentum = max(math.dist(line["linear_momentum"], run.stats[0]["linear_momentum"]) for line in run.stats) / scale
    energy = max(line["total"] for line in run.stats) / run.stats[0]["total"]
    start = run.stats[0]["angular_momentum"]
    turning = max(math.dist(line["angular_momentum"], start) for line in run.stats) / math.hypot(*start)
    triangles = surface(run.tets())
    crossed = sum(bool(crossings(run.positions(line["frame"]), triangles)) for line in run.stats)
    first = next((n for n, line in enumerate(run.stats) if line["contact_pairs"] or line["dissipated"] > 0), None)
    touched = first is not None
    left, right = (run.stats[first or 0]["bodies"][name]["center_of_mass"] for name in ("left", "right"))
    # Off centre, they may have gone round each other, but then they are beside each other.
    passed = left[0] > right[0] and math.dist(left[1:], right[1:]) < 0.4
    holds = (momentum < 1e-10 and energy <= 1.005 and (turning < 0.01 or not strict) and not crossed and not passed and touched)
    left = run.stats[-1]["total"] / run.stats[0]["total"]
    return (f"momentum {momentum:.0e}, energy at most {energy:.2%}, at the end {left:.0%}, angular momentum {turning:.2%} off, "
            f"{crossed} frames cross{', passed' if passed else ''}{said(run)}", holds)


def bounces(_folder, thorough):
    """Balls and blocks dropped so that the hit comes in different moments of a frame."""
    phases = 20 if thorough else 5
    for shape in ("block", "ball"):
        for youngs in (1e8, 1e9, 1e10):
            for restitution in (0, 0.5, 1):
                for fps in (24, 48, 96) if thorough else (24, 96):
                    yield _bounce(shape, youngs, restitution, fps, phases)
    for youngs in (1e8, 1e10):
        for restitution in (0, 0.5, 1):
            yield Case(f"bounce pair {youngs:.0e} e {restitution}", _head_on(youngs, restitution),
                       lambda run, e=restitution: _separate(run, e))


def _bounce(shape, youngs, restitution, fps, phases):
    """All phases in one scene, too far apart to meet."""
    drops = [0.45 + math.sqrt(2 * G * 0.45) * n / phases / fps for n in range(phases)]
    material = {"youngsmodulus": youngs, "poissonratio": 0.3}
    bodies = []
    for n, height in enumerate(drops):
        at = [n * 0.6, height + 0.1, 0]
        bodies.append(box(f"b{n}", [0.2, 0.2, 0.2], [2, 2, 2], at, **material) if shape == "block"
                      else ball(f"b{n}", 0.1, 3, at, **material))
    frames = math.ceil(fps * (math.sqrt(2 * G * drops[-1]) / G + 0.12)) + 2
    text = scene(frames, bodies, [plane(restitution=restitution, friction=0.3)], fps=fps)
    return Case(f"bounce {shape} {youngs:.0e} e {restitution} {fps} fps", text,
                lambda run: _rebounds(run, restitution))


def _rebounds(run, restitution):
    shares = []
    for name in run.stats[0]["bodies"]:
        body = run.body(name)
        height = body[0]["bounds"][0][1]
        mass = abs(body[1]["linear_momentum"][1] / (G * run.seconds[1]))
        rest = body[0]["center_of_mass"][1] - height
        speed = body[-1]["linear_momentum"][1] / mass  # some fall again already
        shares.append((body[-1]["center_of_mass"][1] - rest + speed ** 2 / (2 * G)) / height)
    low, high = min(shares), max(shares)
    wanted, room = restitution ** 2, max(0.05 * restitution ** 2, 0.01)
    return f"share of the height {low:.3f} to {high:.3f}{said(run)}", wanted - room <= low and high <= wanted + room


def _head_on(youngs, restitution):
    material = {"youngsmodulus": youngs, "restitution": restitution}
    bodies = [ball("left", 0.1, 3, [-0.16, 0, 0], velocity=[3, 0, 0], **material),
              ball("right", 0.1, 4, [0.16, 0.001, 0], velocity=[-1, 0, 0], massdensity=2000, **material)]
    return scene(9, bodies, gravity=[0, 0, 0])


def _separate(run, restitution):
    left, right = (run.stats[-1]["bodies"][name]["linear_momentum"][0] / run.stats[0]["bodies"][name]["linear_momentum"][0]
                   for name in ("left", "right"))
    share = (-right - 3 * left) / 4
    scale = math.hypot(*run.stats[0]["bodies"]["left"]["linear_momentum"])
    momentum = max(math.dist(line["linear_momentum"], run.stats[0]["linear_momentum"]) for line in run.stats) / scale
    return (f"leave with {share:.3f} of their speed, momentum {momentum:.0e}{said(run)}",
            abs(share - restitution) <= max(0.025 * restitution, 0.01) and momentum < 1e-10)


# Presets that come to rest at once; the others spring back by themselves.
_DEAD = ("gel", "memoryfoam", "softclay", "shockabsorber")


def drops(_folder, thorough):
    """Every preset in random poses, from 0.1 to 5 m."""
    names = ("jelly rubber gel memoryfoam fleshjiggle softclay springythenstill shockabsorber stiffwhendeformed "
             "loosenearrest tightnearrest").split()
    for seed, preset in enumerate(names):
        rnd = random.Random(seed)
        bodies = [box(f"b{n}", [0.4, 0.4, 0.4], [3, 3, 3], [1.5 * n, 0.36 + 10 ** rnd.uniform(-1, 0.7), 0],
                      rotate=[rnd.uniform(0, 90) for _ in range(3)]) for n in range(50 if thorough else 3)]
        yield Case(f"drops {preset}", scene(2 * 24 + 6, bodies, [plane(friction=rnd.choice([0, 0.3, 1]))]),
                   lambda run, dead=preset in _DEAD: _comes_down(run, dead), words=("--preset", preset))


def _comes_down(run, dead):
    """How far centres rise above where they were at the first touch, and what no force explains."""
    rise, energy = 0.0, energy_from_nowhere(run)
    for name in run.stats[0]["bodies"]:
        body = run.body(name)
        fall = body[0]["bounds"][0][1]
        after = [line["center_of_mass"][1] for line, time in zip(body, run.seconds) if time > math.sqrt(2 * fall / G)]
        rise = max(rise, (max(after) - (body[0]["center_of_mass"][1] - fall)) / fall)
    return (f"rises by {rise:.3f} of the fall, {energy}{said(run)}", (not dead or rise < 0.02) and energy.holds)
