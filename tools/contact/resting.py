"""What has to stay, and what has to slide: slopes, stacks, plates that lean on each other."""
import math
import pathlib

from . import meshes
from .runs import Case, said
from .scenes import box, damped, mesh, plane, scene

G, FPS = 9.81, 24


def slopes(_folder, thorough):
    """A block on a tilted plane, and on a slab with another mesh that lies on it."""
    for youngs in (1e5, 1e7, 1e9):
        for pair in (True, False):
            on = "slab" if pair else "plane"
            for dry in (False, True) if thorough else (True,):
                kind = "damped" if dry else "undamped"
                yield Case(f"slope holds {on} {youngs:.0e} {kind}", _slope(youngs, pair, math.atan(0.95 * 0.5), 0.5, 12, dry),
                           lambda run: _drift(run, "block", 2 * FPS, math.atan(0.95 * 0.5)))
            yield Case(f"slope slides {on} {youngs:.0e}", _slope(youngs, pair, math.radians(30), 0.4, 1, True),
                       lambda run: _acceleration(run, G * (math.sin(math.pi / 6) - 0.4 * math.cos(math.pi / 6))))


def _slope(youngs, pair, angle, friction, seconds, dry):
    down, up = (math.cos(angle), -math.sin(angle), 0), (math.sin(angle), math.cos(angle), 0)

    def place(along, height):
        return [along * d + height * u for d, u in zip(down, up)]

    material = damped(youngs, 0.1 * math.sqrt(1e5 / youngs)) if dry else {"youngsmodulus": youngs}
    tilt = {"rotate": [0, 0, -math.degrees(angle)], "friction": friction, **material}
    bodies = [box("block", [0.3, 0.3, 0.3], [3, 3, 2], place(-0.3, 0.2501 if pair else 0.1501), **tilt)]
    if pair:
        bodies.append(box("slab", [1.4, 0.1, 0.5], [7, 1, 3], place(0, 0.05), **tilt))
    return scene(seconds * FPS + 1, bodies, [plane(normal=up, friction=5 if pair else friction)])


def _relative(run, name, key, frame):
    """Of a body, less that of the slab if there is one."""
    bodies = run.stats[frame]["bodies"] if "bodies" in run.stats[frame] else {name: run.stats[frame]}
    other = bodies.get("slab", {}).get(key, [0, 0, 0])
    return [x - y for x, y in zip(bodies[name][key], other)]


def _drift(run, name, start, angle):
    places = [_relative(run, name, "center_of_mass", frame) for frame in range(len(run.stats))]
    along = [x * math.cos(angle) - y * math.sin(angle) for x, y, _ in places]
    drift = max(abs(x - along[start]) for x in along[start:])
    return f"drift {drift:.1e} m (in the first {start / FPS:.0f} s {abs(along[start] - along[0]):.1e})", drift < 1e-6


def _acceleration(run, theory):
    first, last = len(run.stats) // 3, len(run.stats) - 1
    speeds = []
    for frame in (first, last):
        bodies = run.stats[frame].get("bodies", {"block": run.stats[frame]})
        mass = 1000 * 0.3 ** 3
        speeds.append(math.hypot(*bodies["block"]["linear_momentum"][:2]) / mass)
    measured = (speeds[1] - speeds[0]) / (run.seconds[last] - run.seconds[first])
    return f"acceleration {measured / theory - 1:+.2%} off", abs(measured / theory - 1) < 0.01


def stacks(_folder, thorough):
    """Five boxes of two meshes, flush or a millimetre apart."""
    for youngs in (1e6, 1e8):
        for dry in (True, False):
            for gap in (0, 1e-3) if thorough else (0 if dry else 1e-3,):
                yield Case(f"stack {youngs:.0e} {'damped' if dry else 'undamped'} gap {gap}", _stack(youngs, dry, gap), _stands, frames=True)


def _stack(youngs, dry, gap):
    material = damped(youngs, 0.05 * math.sqrt(1e6 / youngs)) if dry else {"youngsmodulus": youngs}
    bodies = [box(f"b{n}", [0.3, 0.2, 0.3], _stack_cells(n), [0.02 * (n % 3), 0.1 + n * (0.2 + gap) + gap, 0], **material)
              for n in range(5)]
    return scene(10 * FPS + 1, bodies, [plane(friction=0.5)])


def _across_joints(points):
    """Of each joint of the stack, pairs of points that lie on each other: bodies swing as wholes, which is no slip."""
    pairs, first = [], [0]
    for n in range(5):
        x, y, z = _stack_cells(n)
        first.append(first[-1] + (x + 1) * (y + 1) * (z + 1))
    for joint in range(1, 5):
        below, above = ([i for i in range(first[n], first[n + 1]) if abs(points[i][1] - 0.2 * joint) < 0.02]
                        for n in (joint - 1, joint))
        pairs += [(i, min(above, key=lambda j: math.dist(points[i], points[j]))) for i in below]
    return pairs


def _stack_cells(n):
    return [2, 2, 2] if n % 2 else [3, 2, 3]


def _stands(run):
    start = 2 * FPS
    beside = _across_joints(run.positions(1))

    def slides(frame):
        points = run.positions(run.stats[frame]["frame"])
        return [(points[i][0] - points[j][0], points[i][2] - points[j][2]) for i, j in beside]
    before = slides(start)
    slip = max(math.dist(now, then) for frame in range(start, len(run.stats))
               for now, then in zip(slides(frame), before))
    weight = 1000 * 5 * 0.3 * 0.3 * 0.2 * G
    force = [line["contact_impulse"][1] * FPS / weight - 1 for line in run.stats[-2 * FPS:]]
    worst = max(map(abs, force))
    return (f"slip {slip:.1e} m, base bears {worst:.1e} off its weight{said(run)}", slip < 1e-6 and worst < 1e-4)


def leaning(folder, thorough):
    """Two plates against each other about the critical friction, and one against a wall."""
    for youngs in (1e8, 1e9) if thorough else (1e8,):
        for degrees in (60, 50) if thorough else (60,):
            for house in (_edge_house, _mitred_house):
                for part in (1.05, 0.95):
                    kind = house.__name__.strip("_").replace("_", " ")
                    yield Case(f"{kind} {degrees} {youngs:.0e} mu {part} critical", house(folder, youngs, math.radians(degrees), part),
                               lambda run, stands=part > 1: _stays(run, stands))
    yield Case("leaning 30 mu 0.6", _wall(0.6), lambda run: _stays(run, True))
    yield Case("leaning 30 mu 0.4", _wall(0.4), lambda run: _stays(run, False))


_THIN, _APART = 0.05, 1e-4  # m; half the distance at the top


def _edge_house(_folder, youngs, angle, part):
    """Boxes that touch the floor and each other with the two edges of their lower faces, which are 1 m long. The one edge comes to
    lie on the other's lower face, however little lower it is: there friction has to hold a force that is 90 degrees - angle off."""
    c, s = math.cos(angle), math.sin(angle)
    bodies = [box(name, [1, _THIN, 0.2], cells, [-side * (c / 2 + _THIN / 2 * s + _APART), s / 2 + _THIN / 2 * c, 0],
                  rotate=[0, 0, side * math.degrees(angle)], friction=1.5 * c / s, **damped(youngs, 0.01))
              for name, side, cells in (("left", 1, [16, 1, 4]), ("right", -1, [14, 1, 3]))]
    return scene(3 * FPS + 1, bodies, [plane(friction=part * (c / s - _THIN) / 2)])


def _mitred_house(folder, youngs, angle, part):
    """Plates cut flat where they stand and where they meet. They push least where the forces go through the top of the one
    cut and the inner end of the other."""
    c, s = math.cos(angle), math.sin(angle)
    foot, top = _THIN / (2 * s), _THIN / (2 * c)
    corners = [(-foot, 0), (foot, 0), (c, s - top), (c, s + top)]
    area = moment = 0
    for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1]):
        area, moment = area + (x * v - u * y) / 2, moment + (x + u) * (x * v - u * y) / 6
    bodies = []
    for name, side, counts in (("left", 1, (16, 2, 4)), ("right", -1, (14, 1, 3))):
        def place(i, j, k, side=side, counts=counts):
            along, across = i / counts[0], 2 * j / counts[1] - 1
            x = along * c - (1 - along) * foot * across
            return (side * (x - c - _APART), along * (s + top * across), side * 0.2 * (k / counts[2] - 0.5))
        path = meshes.cells(lambda i, j, k: True, counts, place).write(pathlib.Path(folder) / "meshes", f"{name}{side * angle:.2f}")
        bodies.append(mesh(name, path, **damped(youngs, 0.01)))
    return scene(3 * FPS + 1, bodies, [plane(friction=part * (moment / area - foot) / (s + top))])


def _wall(friction):
    low = box("low", [1.0, 0.05, 0.2], [20, 1, 4], [0.4455, 0.2717, -0.5], rotate=[0, 0, -30], youngsmodulus=1e8, poissonratio=0.3)
    return scene(3 * FPS + 1, [low], [plane(friction=friction), plane(normal=(1, 0, 0), friction=friction)], iterations=150)


def _stays(run, stands):
    heights = run.series(lambda line: line["center_of_mass"][1])
    fall = heights[0] - heights[-1]
    last = heights[-FPS] - heights[-1]
    holds = (abs(last) < 1e-6 and fall < 0.02) if stands else fall > 0.1
    return f"falls {fall:.1e} m, {last:.1e} in the last second, is to {'stand' if stands else 'fall'}{said(run)}", holds
