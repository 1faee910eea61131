"""Tet meshes that the built-in shapes do not offer, as TetGen files: P then has 64 bits in frames, too."""
import math
import pathlib

# Six tets that share the diagonal from corner 0 to corner 7; corner x + 2 y + 4 z.
_TETS = ((0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7))


class Mesh:
    def __init__(self, points, tets):
        self.points, self.tets = points, tets

    def write(self, folder, name):
        """Writes NAME.node and NAME.ele; the path of the first."""
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        node = [f"{len(self.points)} 3 0 0"] + [f"{i} {x:.17g} {y:.17g} {z:.17g}" for i, (x, y, z) in enumerate(self.points)]
        ele = [f"{len(self.tets)} 4 0"] + [f"{i} {a} {b} {c} {d}" for i, (a, b, c, d) in enumerate(self.tets)]
        (folder / f"{name}.node").write_text("\n".join(node) + "\n")
        (folder / f"{name}.ele").write_text("\n".join(ele) + "\n")
        return folder / f"{name}.node"


def cells(keep, counts, place):
    """The cells (i, j, k) of a grid that keep() wants, with corners at place(i, j, k); corners of one key are one."""
    numbers, points, tets = {}, [], []

    def corner(i, j, k):
        point = place(i, j, k)
        key = tuple(round(x, 9) for x in point)
        if key not in numbers:
            numbers[key] = len(points)
            points.append(point)
        return numbers[key]

    for i in range(counts[0]):
        for j in range(counts[1]):
            for k in range(counts[2]):
                if keep(i, j, k):
                    at = [corner(i + n % 2, j + n // 2 % 2, k + n // 4) for n in range(8)]
                    tets += [tuple(at[n] for n in tet) for tet in _TETS]
    return Mesh(points, tets)


def box(size, counts):
    return cells(lambda i, j, k: True, counts,
                 lambda *at: tuple(s * (n / c - 0.5) for s, n, c in zip(size, at, counts)))


def horseshoe(cell, counts, arm, floor, narrow):
    """A U that opens along y: arms `arm` cells wide along x, the right one `narrow` cells narrower on both sides of z."""
    def keep(i, j, k):
        if j < floor:
            return True
        if i >= counts[0] - arm:
            return narrow <= k < counts[2] - narrow
        return i < arm
    return cells(keep, counts, lambda i, j, k: ((i - counts[0] / 2) * cell, j * cell, (k - counts[2] / 2) * cell))


def torus(radius, thickness, around, across):
    """Axis z."""
    def place(i, j, k):
        u, v = 2 * j / across - 1, 2 * k / across - 1
        largest = max(abs(u), abs(v))
        scale = thickness * (largest / math.hypot(u, v) if largest else 0)
        angle = 2 * math.pi * (i % around) / around
        out = radius + scale * u
        return (out * math.cos(angle), out * math.sin(angle), scale * v)
    # cells() closes the ring, as corners at one place are one.
    mesh = cells(lambda i, j, k: True, (around, across, across), place)
    return Mesh(mesh.points, [_upright(mesh.points, tet) for tet in mesh.tets])


def _upright(points, tet):
    a, b, c, d = (points[n] for n in tet)
    u, v, w = ([p[n] - a[n] for n in range(3)] for p in (b, c, d))
    volume = sum(u[n] * (v[n - 2] * w[n - 1] - v[n - 1] * w[n - 2]) for n in range(3))
    return tet if volume > 0 else (tet[0], tet[1], tet[3], tet[2])


def surface(tets):
    """Triangles of one tet only."""
    faces = {}
    for a, b, c, d in tets:
        for face in ((a, c, b), (a, b, d), (b, c, d), (a, d, c)):
            key = tuple(sorted(face))
            faces[key] = None if key in faces else face
    return [face for face in faces.values() if face]
