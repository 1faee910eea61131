"""Edges of a surface that cross its triangles, exactly: floats with an error bound, and rationals where it does not decide."""
from fractions import Fraction

_BOUND = 1e-15  # Shewchuk's bound of orient3d is 7.8e-16 of the permanent


def crossings(points, triangles):
    """Pairs of an edge and a triangle that have a place, but no vertex, in common."""
    edges = {tuple(sorted(e)) for a, b, c in triangles for e in ((a, b), (b, c), (c, a))}
    boxes = [_box(points, t) for t in triangles]
    cell = max(1e-12, 2 * sum(high[n] - low[n] for low, high in boxes for n in range(3)) / (3 * len(boxes)))
    grid = {}
    for number, bounds in enumerate(boxes):
        for key in _keys(bounds, cell):
            grid.setdefault(key, []).append(number)
    found = []
    for edge in edges:
        low, high = bounds = _box(points, edge)
        near = {number for key in _keys(bounds, cell) for number in grid.get(key, ())}
        for number in near:
            triangle, (least, most) = triangles[number], boxes[number]
            if (all(low[n] <= most[n] and least[n] <= high[n] for n in range(3))
                    and edge[0] not in triangle and edge[1] not in triangle
                    and crosses([points[v] for v in edge], [points[v] for v in triangle])):
                found.append((edge, triangle))
    return found


def crosses(edge, triangle):
    """Whether a closed segment and a closed triangle meet."""
    (p, q), (a, b, c) = edge, triangle
    above, below = _side(a, b, c, p), _side(a, b, c, q)
    if above * below > 0:
        return False
    if above == 0 and below == 0:
        return _meet_in_plane(edge, triangle)
    turns = [_side(p, q, a, b), _side(p, q, b, c), _side(p, q, c, a)]
    return not (min(turns) < 0 < max(turns))


def _side(a, b, c, d):
    """Sign of the volume of a, b, c, d, exact."""
    u, v, w = ([x - y for x, y in zip(each, d)] for each in (a, b, c))
    terms = [u[0] * v[1] * w[2], -u[0] * v[2] * w[1], u[1] * v[2] * w[0],
             -u[1] * v[0] * w[2], u[2] * v[0] * w[1], -u[2] * v[1] * w[0]]
    volume, size = sum(terms), sum(map(abs, terms))
    if abs(volume) > _BOUND * 8 * size:
        return 1 if volume > 0 else -1
    u, v, w = ([Fraction(x) - Fraction(y) for x, y in zip(each, d)] for each in (a, b, c))
    volume = (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2])
              + u[2] * (v[0] * w[1] - v[1] * w[0]))
    return (volume > 0) - (volume < 0)


def _meet_in_plane(edge, triangle):
    """Of a segment in the plane of the triangle: along the axis in which the triangle is seen largest."""
    exact = [[Fraction(x) for x in point] for point in (*edge, *triangle)]
    u, v = ([y - x for x, y in zip(exact[2], exact[n])] for n in (3, 4))
    normal = [u[n - 2] * v[n - 1] - u[n - 1] * v[n - 2] for n in range(3)]
    drop = max(range(3), key=lambda n: abs(normal[n]))
    p, q, *corners = [[x for n, x in enumerate(point) if n != drop] for point in exact]

    def turn(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    sides = list(zip(corners, corners[1:] + corners[:1]))
    inside = [turn(a, b, p) for a, b in sides]
    if min(inside) >= 0 or max(inside) <= 0:
        return True
    return any(turn(p, q, a) * turn(p, q, b) <= 0 and turn(a, b, p) * turn(a, b, q) <= 0 for a, b in sides)


def _box(points, simplex):
    places = [points[n] for n in simplex]
    return [min(p[n] for p in places) for n in range(3)], [max(p[n] for p in places) for n in range(3)]


def _keys(bounds, cell):
    low, high = ([int(x // cell) for x in corner] for corner in bounds)
    return [(i, j, k) for i in range(low[0], high[0] + 1) for j in range(low[1], high[1] + 1)
            for k in range(low[2], high[2] + 1)]
