"""What the energy ledger of a run says."""
import math


class Made:
    """Energy from nowhere in the worst frame of a run, in parts of the energy that moved."""
    LIMIT = 1e-3

    def __init__(self, fall, rise, frame):
        self.fall, self.rise, self.frame = fall, rise, frame

    @property
    def holds(self):
        return max(self.fall, self.rise) < self.LIMIT

    def __str__(self):
        return f"lost falls by {self.fall:.1e}, total rises by {self.rise:.1e} (frame {self.frame})"


def energy_from_nowhere(run):
    """The largest fall of `lost`, and the largest rise of total - work, from one frame to the next."""
    scale = energy_that_moved(run) or 1.0
    worst = Made(0.0, 0.0, 0)
    for before, now in zip(run.stats, run.stats[1:]):
        fall = (before["lost"] - now["lost"]) / scale
        rise = ((now["total"] - now["work"]) - (before["total"] - before["work"])) / scale
        if max(fall, rise) > max(worst.fall, worst.rise):
            worst.frame = now["frame"]
        worst.fall, worst.rise = max(worst.fall, fall), max(worst.rise, rise)
    return worst


def energy_that_moved(run):
    """The largest kinetic energy, and what elastic energy and height ranged over."""
    def span(key):
        values = run.series(lambda line: line[key])
        return max(values) - min(values)
    return max(run.series(lambda line: line["kinetic"])) + span("elastic") + span("gravitational")


def momentum_from_nowhere(run, gravity):
    """Of bodies without pins: what neither weight nor colliders explain, in parts of the largest momentum that there was."""
    height = sum(g * x for g, x in zip(gravity, run.stats[0]["center_of_mass"]))
    mass = -run.stats[0]["gravitational"] / height if height else 0.0
    scale = max(math.hypot(*body["linear_momentum"]) for line in run.stats for body in line.get("bodies", {"": line}).values())
    worst = 0.0
    for before, now in zip(run.stats, run.stats[1:]):
        step = now["time"] - before["time"]
        rest = [q - p - mass * g * step - i for p, q, g, i in
                zip(before["linear_momentum"], now["linear_momentum"], gravity, now["contact_impulse"])]
        worst = max(worst, math.hypot(*rest) / (scale or 1.0))
    return worst
