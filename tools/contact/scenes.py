"""Scene files from Python values."""


def write(value):
    """A value in TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(write, value)) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {write(each)}" for key, each in value.items()) + " }"
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def scene(frames, bodies, colliders=(), **simulation):
    """The text of a scene that ends with frame `frames`; bodies and colliders are tables of keys."""
    lines = ["[simulation]", f"frames = [1, {frames}]", *_keys(simulation)]
    for head, tables in (("[[body]]", bodies), ("[[collider]]", colliders)):
        for table in tables:
            lines += [head, *_keys(table)]
    return "\n".join(lines) + "\n"


def box(name, size, cells, at, **keys):
    return {"name": name, "geometry": {"type": "box", "size": size, "cells": cells}, "translate": at, **keys}


def ball(name, radius, cells, at, **keys):
    return {"name": name, "geometry": {"type": "sphere", "radius": radius, "cells": cells}, "translate": at, **keys}


def mesh(name, path, **keys):
    return {"name": name, "geometry": str(path), **keys}


def plane(point=(0, 0, 0), normal=(0, 1, 0), **keys):
    return {"plane": {"point": point, "normal": normal}, **keys}


def damped(youngs, seconds, **keys):
    """A material whose deformation dies down within about `seconds`."""
    return {"youngsmodulus": youngs, "dampingmodel": "stretchrate", "dampingstrength": youngs * seconds / 3, **keys}


def _keys(table):
    return [f"{key} = {write(value)}" for key, value in table.items()]
