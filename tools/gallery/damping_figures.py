"""What damping does to motion."""
import math

from .chart import Chart, side_by_side
from .page import picture, save, show, table
from .program import distance, example


def last_above(seconds, values, limit):
    """The last time at which a value is above the limit."""
    return max((t for t, v in zip(seconds, values) if v > limit), default=0.0)


def peak(seconds, values, begin, end):
    return max(v for t, v in zip(seconds, values) if begin <= t <= end)


def peaks_of(seconds, values):
    """The swings: (time, value) of the local maxima."""
    triples = zip(seconds[1:], values, values[1:], values[2:])
    return [(t, b) for t, a, b, c in triples if b >= a and b > c]


def fig3(program):
    """B Fig. 3: power-law damping of an elastic pendulum"""
    chart = Chart("Square root of kinetic energy", "s", "√J", width=640)
    rows = []
    papers = {"0": "rest in finite time", "0.5": "faster than exponentially", "1": "exponentially", "2": "slower than exponentially"}
    for exponent, paper in papers.items():
        run = program.simulate(f"fig3/{exponent}", "power_law_pendulum", [f"body.pendulum.dampingexponent={exponent}"])
        root = run.series(lambda line: math.sqrt(line["kinetic"]))
        chart.line(f"p = {exponent}", run.seconds, root)
        swings = [value for _, value in peaks_of(run.seconds, root)][:7]
        decay = [math.log(a / b) if b > 1e-6 * swings[0] else None for a, b in zip(swings, swings[1:])]
        rows.append([f"p = {exponent}", paper, " · ".join("rest" if d is None else f"{d:.2f}" for d in decay), f"{root[-1]:.1e}"])
    return "\n\n".join(["`examples/power_law_pendulum.toml`, `--set body.pendulum.dampingexponent=0` … `2`. As in the paper, the strength is such that all damp "
                        "the first swing about alike. The decay is ln of the ratio of one swing's peak to the next: it grows, stays, or falls.",
                        save("fig3.svg", "Square root of kinetic energy", chart.svg()),
                        table(["", "decays, paper", "decay from swing to swing, here", "√J after 5 s, here"], rows)])


def fig11(program):
    """B Fig. 11: clay, and a body that is shaken"""
    height = Chart("Clay: height of the centre of mass", "s", "m")
    rows, runs = [], []
    for label, settings, paper in (("no damping", ["body.clay.dampingmodel=none"], "shown beside the others"),
                                   ("p = 0", [], "gives way, then rests, deformed"),
                                   ("p = 1", ["body.clay.dampingexponent=1"], "settles gradually")):
        run = program.simulate(f"fig11/clay/{label}", "clay", settings)
        runs.append(run)
        height.line(label, run.seconds, run.series(lambda line: line["center_of_mass"][1]))
        still = last_above(run.seconds, run.series(lambda line: line["kinetic"]), 1e-6)
        end = run.stats[-1]["time"]
        rows.append([label, paper, f"{still:.2f} s" if still < end - 0.1 else "not within 4 s", f"{run.stats[-1]['kinetic']:.1e} J",
                     f"{run.stats[-1]['center_of_mass'][1]:.3f} m"])
    program.render(runs, picture("fig11_clay.png"), "--frame", 96, "--width", 300, "--height", 240, "--samples", 32, "--ground", "auto", "--view=-0.2,-0.15,-1")
    stretch = Chart("Shaken for one second: largest stretch", "s", "")
    shaken_rows = []
    text = example("shaken").replace("frequency = 3.0 }", "frequency = 3.0, end = 1.0 }")
    scene = program.write_scene("shaken", text)
    for label, settings, paper in (("no damping", ["body.bar.dampingmodel=none"], "what p = 2 prevents: excessive shear and stretch"),
                                   ("p = 2", [], "held back; small swings go on"),
                                   ("p = 1", ["body.bar.dampingexponent=1", "body.bar.dampingstrength=6000"], "held back as far; the rest is damped as well")):
        run = program.simulate(f"fig11/shaken/{label}", scene, settings)
        stretch.line(label, run.seconds, run.series(lambda line: line["max_stretch"]))
        largest = max(run.series(lambda line: line["max_stretch"]))
        after = [math.sqrt(peak(run.seconds, run.series(lambda line: line["kinetic"]), t, t + 0.5)) for t in (1.2, 2.4)]
        shaken_rows.append([label, paper, f"{largest:.2f}", f"{after[0]:.2f} → {after[1]:.2f} √J", f"{100 * after[1] / after[0]:.0f} %"])
    stretch.y_limits = (1, max(y for s in stretch.series for _, y in s["points"]) * 1.05)
    return "\n\n".join(["`examples/clay.toml` and `examples/shaken.toml` (shaken for one second here).",
                        save("fig11.svg", "Height of the clay, stretch of the shaken bar", side_by_side(height, stretch)),
                        show("fig11_clay.png", "No damping, p = 0, p = 1 after 4 s"),
                        table(["clay", "paper", "below 1e-6 J from, here", "kinetic after 4 s", "height after 4 s"], rows),
                        table(["shaken", "paper", "largest stretch, here", "largest √kinetic, 1.2 s and 2.4 s", "left of the swinging"], shaken_rows)])


def fig12(program):
    """B Fig. 12, X Fig. 2: damping drawn over stretch"""
    run = program.simulate("fig12", "ramp_damping")
    charts, rows = [], []
    for name, paper in (("even", "–"), ("tightwhendeformed", "strong when deformed, hardly any near rest (B 12)"),
                        ("loosewhendeformed", "the other way round (X 2)")):
        roots = [math.sqrt(line["kinetic"]) for line in run.body(name)]
        chart = Chart(name, "s", "√kinetic, √J", width=310, y_limits=(0, 20))
        chart.line("", run.seconds, roots)
        charts.append(chart)
        peaks = [peak(run.seconds, roots, t, t + 0.5) for t in (0, 0.5, 1.5, 3.4)]
        rows.append([name, paper, f"{peaks[0]:.1f}", *(f"{100 * p / peaks[0]:.1f} %" for p in peaks[1:])])
    return "\n\n".join(["`examples/ramp_damping.toml`: three pillars of jelly, stretched by 40 % and let go. The numbers are the largest √kinetic within half a second, and what is left of the first.",
                        save("fig12.svg", "Kinetic energy of the three pillars", side_by_side(*charts)),
                        table(["body", "damping", "first swing, √J, here", "left from 0.5 s", "from 1.5 s", "from 3.4 s"], rows)])


def laplacian(program):
    """L Fig. 1: Laplacian damping steadies the midpoint rule and lets bodies fly"""
    energy = Chart("Elastic energy", "s", "J, cut off at 10⁶", log_y=True, width=520)
    rows = []
    for label, settings, paper in (("Laplacian damping", [], "keeps on bouncing"),
                                   ("ether drag", ["simulation.laplaciandamping=0", "body.bar.massdamping=2", "simulation.integrator=trbdf2", "simulation.substeps=4"],
                                    "stops earlier: all motion is braked"),
                                   ("no damping", ["simulation.laplaciandamping=0"], "–")):
        run = program.simulate(f"laplacian/{label.replace(' ', '')}", "laplacian_midpoint", settings)
        elastic = run.series(lambda line: max(line["elastic"], 1e-6))
        energy.line(label, run.seconds, [min(e, 1e6) for e in elastic])
        t = run.stats[-1]["time"]
        fallen = run.stats[0]["center_of_mass"][1] - run.stats[-1]["center_of_mass"][1]
        spin = run.stats[-1]["angular_momentum"][2] / run.stats[0]["angular_momentum"][2]
        spin = f"{100 * spin:.1f} %" if elastic[-1] < 1e6 else "–"
        rows.append([label, paper, f"{100 * fallen / (9.81 * t * t / 2):.2f} %", spin, f"{elastic[-1]:.2g} J of {elastic[0]:.0f} J" if elastic[-1] < 1e6 else f"blew up: {elastic[-1]:.0e} J"])
    return "\n\n".join(["`examples/laplacian_midpoint.toml`: a stiff bar, twisted, spinning and falling freely, by the midpoint rule at 1/24 s, which alone blows up; with "
                        "ether drag (`massdamping`, 2/s) it does so too, so that this run is by TR-BDF2 with four substeps.",
                        save("laplacian.svg", "Elastic energy", energy.svg()),
                        table(["", "paper", "fall in 3 s, of g t²/2, here", "spin about z left, here", "elastic energy left, here"], rows)])


def refinement(program):
    """L Fig. 8: Laplacian damping under refinement of the step"""
    counts, fine = (1, 2, 4, 8, 16), 64
    chart = Chart("Height of the centre of mass", "s", "m", width=520)
    reference = program.simulate("refinement/fine", "laplacian_refinement", [f"simulation.substeps={fine}"], form="geo")
    rows, errors = [], []
    for n in counts:
        run = program.simulate(f"refinement/{n}", "laplacian_refinement", [f"simulation.substeps={n}"], form="geo")
        chart.line(f"1/{24 * n} s", run.seconds, run.series(lambda line: line["center_of_mass"][1]))
        points = run.positions()
        errors.append(distance(points, reference.positions()) / math.sqrt(len(points)))
        rows.append([f"1/{24 * n} s", f"{1000 * errors[-1]:.4f} mm", f"{math.log2(errors[-2] / errors[-1]):.2f}" if len(errors) > 1 else ""])
    return "\n\n".join([f"`examples/laplacian_refinement.toml`: a sheet of 1 m swings for a second. Distance of its points from a run with 1/{24 * fine} s, root mean "
                        "square. The paper shows that small steps lead to similar results.",
                        save("refinement.svg", "Height of the sheet", chart.svg()), table(["step", "distance after 1 s, here", "order"], rows)])


FIGURES = {"fig3": fig3, "fig11": fig11, "fig12": fig12, "laplacian": laplacian, "refinement": refinement}
