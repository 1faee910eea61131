"""Ratios of stiffness and mass, and what squeezes."""
from .ledger import energy_from_nowhere
from .runs import Case, said
from .scenes import ball, box, damped, plane, scene

FPS = 24


def ratios(_folder, thorough):
    """One block dropped onto another that lies on the floor."""
    soft, stiff = {"youngsmodulus": 1e5}, {"youngsmodulus": 1e8}
    light, heavy = {"massdensity": 100}, {"massdensity": 10000}
    pairs = {"soft on stiff": (soft, stiff), "stiff on soft": (stiff, soft),
             "light on heavy": ({"youngsmodulus": 1e6, **light}, {"youngsmodulus": 1e6, **heavy}),
             "heavy on light": ({"youngsmodulus": 1e6, **heavy}, {"youngsmodulus": 1e6, **light}),
             "stiff, heavy on soft, light": ({"youngsmodulus": 1e9, **heavy}, {"youngsmodulus": 1e6, **light}),
             "soft, light on stiff, heavy": ({"youngsmodulus": 1e6, **light}, {"youngsmodulus": 1e9, **heavy})}
    for name, (upper, lower) in pairs.items():
        for seconds in (0, 0.02) if thorough else (0,):
            for tilt in (0, 30) if thorough else (0,):
                bodies = []
                for which, keys, at, cells in (("upper", upper, [0.03, 0.53, 0.02], [3, 2, 3]), ("lower", lower, [0, 0.151, 0], [3, 3, 3])):
                    damping = damped(keys["youngsmodulus"], seconds) if seconds else {}
                    bodies.append(box(which, [0.3, 0.3, 0.3], cells, at, **damping, **{k: v for k, v in keys.items() if k not in damping}))
                bodies[0]["rotate"] = [0, 0, tilt]
                kind = ("" if not tilt else ", on an edge") + (", damped" if seconds else "")
                yield Case(f"ratio {name}{kind}", scene(2 * FPS, bodies, [plane()]), _converges)


def _converges(run):
    energy = energy_from_nowhere(run)
    residual = max(run.series(lambda line: line["primal_residual"]))
    return f"worst residual {residual:.0e}, {energy}{said(run)}", energy.holds and not said(run)


def squeezes(_folder, thorough):
    """Pressed and let go, by pins, colliders and bodies that are pinned."""
    for youngs in (1e4, 1e6, 1e8) if thorough else (1e5,):
        for part in (0.3, 0.5, 0.8) if thorough else (0.3, 0.6):
            material = damped(youngs, 0.02)
            yield Case(f"squeeze by planes {youngs:.0e} to {1 - part:.1f}", _by_planes(material, part), _recovers)
            yield Case(f"squeeze by bodies {youngs:.0e} to {1 - part:.1f}", _by_bodies(material, part), _recovers)
            yield Case(f"squeeze by pins {youngs:.0e} to {1 - part:.1f}", _by_pins(material, part), _recovers)


def _press(depth):
    """Down by depth and up again within a second."""
    return {"amplitude": [0, -depth, 0], "frequency": 0.5, "end": 1}


def _by_planes(material, part):
    top = plane([0, 0.402, 0], [0, -1, 0], motion=_press(0.4 * part))
    return scene(3 * FPS, [ball("b", 0.2, 6, [0, 0.2, 0], **material)], [plane(), top])


def _by_bodies(material, part):
    bodies = [box("table", [0.5, 0.1, 0.5], [3, 1, 3], [0, -0.052, 0], youngsmodulus=1e7, pin={"box": [[-1, -1, -1], [1, -0.1, 1]]}),
              box("press", [0.5, 0.1, 0.5], [4, 1, 3], [0, 0.454, 0], youngsmodulus=1e7,
                  pin={"box": [[-1, 0.503, -1], [1, 1, 1]], "motion": _press(0.4 * part)}),
              ball("b", 0.2, 6, [0, 0.2, 0], **material)]
    return scene(3 * FPS, bodies)


def _by_pins(material, part):
    """A bar that stands on the floor, its top pinned and pressed down, in a case that is not much wider."""
    bar = box("b", [0.2, 0.4, 0.2], [3, 6, 3], [0, 0.2, 0], pin={"box": [[-1, 0.399, -1], [1, 1, 1]], "motion": _press(0.4 * part)}, **material)
    walls = [plane([side * 0.13, 0, 0], [-side, 0, 0], friction=0.3) for side in (-1, 1)]
    return scene(3 * FPS, [bar], [plane(), *walls])


def _recovers(run):
    energy = energy_from_nowhere(run)
    last = run.stats[-1].get("bodies", {}).get("b", run.stats[-1])
    stretch = max(run.series(lambda line: line["max_stretch"]))
    least = min(run.series(lambda line: line["min_stretch"]))
    whole = 0.8 < last["min_stretch"] and last["max_stretch"] < 1.2
    text = (f"stretch {least:.2f} to {stretch:.2f}, at the end {last['min_stretch']:.2f} to {last['max_stretch']:.2f}, {energy}{said(run)}")
    return text, stretch < 3 and least > 0 and whole and energy.holds
