"""Random pairs, piles and drops of bodies, with the keys that the law of energy has to hold for."""
import math

from .scenes import plane, scene

MODELS = ("stretchrate", "strainrate", "rayleigh", "rayleighlagged", "principalstrain")


def _material(rnd, low=4, high=9):
    youngs = 10 ** rnd.uniform(low, high)
    keys = {"youngsmodulus": youngs, "poissonratio": rnd.choice([0.1, 0.3, 0.4, 0.45]),
            "massdensity": 10 ** rnd.uniform(1.7, 3.7), "material": rnd.choice(["corotated", "neohookean", "stvk", "arap"])}
    if rnd.random() < 0.6:
        model = rnd.choice(MODELS)
        # Damping that stops the body's own vibration within a tenth of a period to ten of them.
        time = 10 ** rnd.uniform(-2.5, 0)
        strength = youngs * time / 3
        keys |= {"dampingmodel": model, "dampingexponent": rnd.choice([1, 1, 1, 0.5, 2])}
        if model == "stretchrate":
            keys["dampingstrength"] = strength
        elif model == "strainrate":
            keys |= {"dampingshear": strength, "dampingbulk": strength}
        else:
            keys["dampingtime"] = time
    return keys


def _shape(rnd, size):
    """A geometry, and the radius of the ball that holds it."""
    kind = rnd.choice(["box", "box", "sphere", "cylinder", "torus"])
    cells = rnd.choice([2, 3, 4])
    if kind == "box":
        sides = [round(size * rnd.uniform(0.4, 1), 4) for _ in range(3)]
        return {"type": "box", "size": sides, "cells": [max(1, round(cells * s / size)) for s in sides]}, math.hypot(*sides) / 2
    if kind == "sphere":
        return {"type": "sphere", "radius": size / 2, "cells": cells}, size / 2
    if kind == "cylinder":
        height = round(size * rnd.uniform(0.5, 1), 4)
        return {"type": "cylinder", "radius": size / 3, "height": height, "cells": cells}, math.hypot(size / 3, height / 2)
    return {"type": "torus", "radius": size * 0.33, "thickness": size * 0.15, "cells": 8}, size / 2


def _body(rnd, name, size, at, velocity, material):
    geometry, radius = _shape(rnd, size)
    place = at(radius)
    return {"name": name, "geometry": geometry, "translate": place, "rotate": [round(rnd.uniform(0, 360), 2) for _ in range(3)],
            "velocity": velocity, "friction": rnd.choice([0, 0.3, 0.5, 1]), "restitution": rnd.choice([0, 0, 0, 0.5, 1]),
            **material}


def _simulation(rnd):
    keys = {"substeps": rnd.choice([1, 1, 1, 2, 4])}
    if rnd.random() < 0.2:
        keys["fps"] = rnd.choice([48, 96])
    return keys


def pair(rnd):
    """Two bodies that meet in space."""
    speed, offset = 10 ** rnd.uniform(-0.5, 1.3), rnd.uniform(0, 0.25)
    bodies = [_body(rnd, name, rnd.uniform(0.3, 0.6),
                    lambda radius, side=side: [side * (radius + 0.01), side * offset / 2, 0], [-side * speed / 2, 0, 0], _material(rnd))
              for name, side in (("left", -1), ("right", 1))]
    return scene(16, bodies, gravity=[0, 0, 0], **_simulation(rnd))


def pile(rnd):
    """Several bodies fall onto each other and onto a plane, or into a bowl that may turn."""
    height, bodies = 0.05, []
    for n in range(rnd.choice([2, 3, 4])):
        def at(radius):
            nonlocal height
            height += 2 * radius + 0.02
            return [round(rnd.uniform(-0.1, 0.1), 4), height - radius, round(rnd.uniform(-0.1, 0.1), 4)]
        bodies.append(_body(rnd, f"b{n}", rnd.uniform(0.2, 0.5), at, [0, round(rnd.uniform(-2, 0), 3), 0], _material(rnd)))
    return scene(30, bodies, _obstacles(rnd, 0.0), **_simulation(rnd))


def drop(rnd):
    """One body on a plane, with obstacles that may move."""
    body = _body(rnd, "b", 0.5, lambda radius: [0, radius + rnd.uniform(0.01, 1.5), 0],
                 [round(rnd.uniform(-2, 2), 3), round(rnd.uniform(-8, 0), 3), 0], _material(rnd))
    return scene(30, [body], _obstacles(rnd, 0.0), **_simulation(rnd))


def press(rnd):
    """Bodies between the floor and a plane that comes down and goes up again, or that are held and pulled."""
    body = _body(rnd, "b", 0.4, lambda radius: [0, radius + 0.01, 0], [0, 0, 0], _material(rnd, 4, 7))
    other = _body(rnd, "c", 0.3, lambda radius: [0.02, 0.6 + radius, 0], [0, 0, 0], _material(rnd, 4, 7))
    down = {"amplitude": [rnd.choice([0, 0.1]), -rnd.uniform(0.3, 0.7), 0], "frequency": 0.5, "end": 1}
    if rnd.random() < 0.5:
        top = other["translate"][1]
        other["pin"] = {"box": [[-1, top + 0.05, -1], [1, 3, 1]], "motion": down}
        return scene(36, [body, other], [plane(friction=0.5)], **_simulation(rnd))
    colliders = [plane(friction=0.5), plane([0, 1.1, 0], [0, -1, 0], friction=rnd.choice([0, 0.5]), motion=down)]
    return scene(36, [body, other], colliders, **_simulation(rnd))


KINDS = {"pair": pair, "pile": pile, "drop": drop, "press": press}


def _obstacles(rnd, height):
    keys = {"friction": rnd.choice([0, 0.3, 1]), "restitution": rnd.choice([0, 0, 0, 0.5])}
    kind = rnd.choice(["plane", "plane", "slope", "belt", "lift", "bowl"])
    floor = plane([0, height, 0], [0.3 if kind == "slope" else 0, 1, 0], **keys)
    if kind == "belt":
        floor["velocity"] = [1, 0, 0]
    if kind == "lift":
        floor["motion"] = {"amplitude": [0, 0.1, 0], "frequency": 1}
    if kind == "bowl":
        return [plane([0, height, 0], [x, 1, z], **keys) for x, z in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return [floor]
