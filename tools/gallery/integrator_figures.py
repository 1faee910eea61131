"""What integrators keep, and orders of convergence."""
import math

from .chart import Chart, side_by_side
from .page import save, table
from .program import distance, example


def norm(vector):
    return math.sqrt(sum(x * x for x in vector))


def fig6(program):
    """B Fig. 6: a free beam that spins and stretches"""
    energy = Chart("Energy", "s", "of that at the start", y_limits=(0, 1.1))
    spin = Chart("Angular momentum", "s", "of that at the start", y_limits=(0, 1.1))
    rows = []
    cases = (("TR-BDF2, 40 ms", "trbdf2", 1, "best of all"), ("BDF2, 20 ms", "bdf2", 2, "much better than backward Euler"),
             ("backward Euler, 20 ms", "backwardeuler", 2, "loses both rapidly"))
    for label, token, substeps, paper in cases:
        run = program.simulate(f"fig6/{token}", "spinning_beam",
                               [f"simulation.integrator={token}", f"simulation.substeps={substeps}"])
        e = run.series(lambda line: line["total"] / run.stats[0]["total"])
        m = run.series(lambda line: norm(line["angular_momentum"]) / norm(run.stats[0]["angular_momentum"]))
        energy.line(label, run.seconds, e)
        spin.line(label, run.seconds, m)
        rows.append([label, paper, f"{100 * e[-1]:.1f} %", f"{100 * m[-1]:.1f} %"])
    return "\n\n".join([
        "`examples/spinning_beam.toml`, at equal cost: TR-BDF2 solves twice per step, the others take two steps for one.",
        save("fig6.svg", "Energy and angular momentum", side_by_side(energy, spin)),
        table(["integrator", "paper", "energy after 2 s, here", "angular momentum, here"], rows)])


def fig7(program):
    """B Fig. 7: Rayleigh damping with and without the angular momentum correction"""
    chart = Chart("Angular momentum", "s", "of that at the start", y_limits=(0, 1.1), width=520)
    rows = []
    cases = (("corrected", ["simulation.conserveangular=1"], "only the integrator's own loss is left"),
             ("not corrected", ["simulation.conserveangular=0"], "quickly slowed down"),
             ("undamped", ["body.beam.dampingmodel=none"], "–"))
    for label, settings, paper in cases:
        run = program.simulate(f"fig7/{label.replace(' ', '')}", "damped_spinning_beam", settings)
        m = run.series(lambda line: norm(line["angular_momentum"]) / norm(run.stats[0]["angular_momentum"]))
        chart.line(label, run.seconds, m, dashed=label == "undamped")
        rows.append([label, paper, f"{100 * m[-1]:.1f} %"])
    return "\n\n".join(["`examples/damped_spinning_beam.toml`, `--set simulation.conserveangular=0`.",
                        save("fig7.svg", "Angular momentum", chart.svg()),
                        table(["rayleigh", "paper", "angular momentum after 5 s, here"], rows)])


def fig8(program):
    """B Fig. 8: order of convergence with damping"""
    counts = (2, 4, 8, 16, 32)
    fine = 256
    rayleigh = ["body.beam.dampingmodel=rayleigh", "body.beam.dampingtime=0.05", "simulation.conserveangular=0"]
    cases = (("strainrate", [], "second"), ("strainrate, secondorder = 0", ["simulation.secondorder=0"], "second"),
             ("rayleigh", rayleigh, "second"), ("rayleigh, secondorder = 0", rayleigh + ["simulation.secondorder=0"], "first"),
             ("rayleighlagged", [rayleigh[0] + "lagged"] + rayleigh[1:], "–"))
    charts = {"strainrate": Chart("Strain-rate damping", "steps per frame of 1/24 s", "error, m", log_x=True, log_y=True),
              "rayleigh": Chart("Rayleigh damping", "steps per frame of 1/24 s", "error, m", log_x=True, log_y=True)}
    rows, references = [], {}
    for place, (label, settings, paper) in enumerate(cases):
        run = lambda n: program.simulate(f"fig8/{place}_{n}", "damping_convergence",
                                         [*settings, f"simulation.substeps={n}"], form="geo").positions()
        model = label.split(",")[0].replace("lagged", "")
        if model not in references:
            references[model] = run(fine)
        errors = [distance(run(n), references[model]) for n in counts]
        charts[model].line(label, counts, errors, marks=True)
        rows.append([label, paper, " ".join(f"{e:.1e}" for e in errors), f"{math.log2(errors[-2] / errors[-1]):.2f}"])
    for chart in charts.values():
        start = chart.series[0]["points"][0][1]
        last = chart.series[-1]["points"][0][1]
        chart.line("slope 1", counts, [last * counts[0] / n for n in counts], "#999999", dashed=True)
        chart.line("slope 2", counts, [start * (counts[0] / n) ** 2 for n in counts], "#bbbbbb", dashed=True)
    return "\n\n".join([
        f"`examples/damping_convergence.toml`, {', '.join(map(str, counts))} steps per frame; the error is the distance of all points "
        f"at the end from a run with {fine} steps and the second-order rule. The paper's reference is the classical Runge–Kutta rule with 1 µs; "
        "against that rule the same orders are tested in `tests/validation/damping_order_test.cpp`.",
        save("fig8.svg", "Errors over steps", side_by_side(*charts.values())),
        table(["damping", "order, paper", "errors, m", "order, here"], rows)])


CANTILEVER = """
[simulation]
frames = [1, 61]
fps = 20.0
integrator = "backwardeuler"
iterations = 200
[[body]]
name = "beam"
geometry = {{ type = "box", size = [1.0, 0.2, 0.1], cells = [{x}, {y}, {z}] }}
material = "corotated"
youngsmodulus = 3e7
poissonratio = 0
massdensity = 1000
massdamping = 220
pin = {{ box = [[-0.51, -1, -1], [-0.499, 1, 1]] }}
"""


def timoshenko(program):
    """Theory: a cantilever against Timoshenko's beam"""
    length, depth, width, youngs, load = 1, 0.2, 0.1, 3e7, 1000 * 9.81 * 0.2 * 0.1
    exact = load * length ** 4 / (8 * youngs * width * depth ** 3 / 12) + load * length ** 2 / (2 * 5 / 6 * youngs / 2 * depth * width)
    rows, errors = [], []
    for r in (1, 2, 4):
        scene = program.write_scene(f"timoshenko_{r}", CANTILEVER.format(x=10 * r, y=2 * r, z=r))
        run = program.simulate(f"timoshenko/{r}", scene, form="geo")
        first, last = run.positions(1), run.positions()
        tip = max(range(len(first)), key=lambda i: (round(first[i][0], 6), first[i][1], first[i][2]))
        sag = first[tip][1] - last[tip][1]
        errors.append(1 - sag / exact)
        factor = f"{errors[-2] / errors[-1]:.1f} times smaller" if len(errors) > 1 else ""
        rows.append([f"{10 * r} × {2 * r} × {r}", f"{1000 * exact:.3f} mm", f"{1000 * sag:.3f} mm", f"{100 * errors[-1]:.1f} %", factor])
    return "\n\n".join([
        "A bar of 1 × 0.2 × 0.1 m, 3e7 Pa, Poisson's ratio 0, sags under its own weight (bending and shear, shear factor 5/6). Linear tets are "
        "too stiff in bending; the error falls with the square of the cell size.",
        table(["cells", "theory", "sag of the tip, here", "error", ""], rows)])


def untwist(program):
    """O Fig. 10, left: convergence of one step of an untwisting box"""
    counts = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 80)
    chart = Chart("One step of 40 ms", "iterations", "error, of what the step moves", log_y=True, log_x=True, width=520)
    rows = []
    for label, material in (("corotated", "corotated"), ("neo-Hookean", "neohookean")):
        common = [f"body.box.material={material}", "simulation.integrator=backwardeuler", "simulation.tolerance=0",
                  "simulation.stagesolver=admm"]
        def run(n):
            return program.simulate(f"untwist/{material}_{n}", scene, common + [f"simulation.iterations={n}"], form="geo")
        text = example("untwist")
        text = text.replace("frames = [1, 49]", "frames = [1, 2]").replace("fps = 24.0", "fps = 25.0")
        scene = program.write_scene("untwist", text)
        exact = run(2000)
        moved = distance(exact.positions(1), exact.positions(2))
        errors = [distance(run(n).positions(2), exact.positions(2)) / moved for n in counts]
        chart.line(label, counts, errors, marks=True)
        first = next((n for n, e in zip(counts, errors) if e < 1e-3), None)
        rows.append([label, f"{errors[counts.index(10)]:.1e}", f"{errors[counts.index(20)]:.1e}", str(first or "–")])
    return "\n\n".join([
        "`examples/untwist.toml`, one step of backward Euler of 40 ms, as in the paper; the error is the distance from 2000 iterations, over the distance "
        "that the step moves the box. The paper shows ADMM and projective dynamics converging alike and takes 20 iterations for this scene. "
        "A step that ends with a mismatch above a tenth of its motion is taken again, from a more careful start and with as many iterations: here those up to 10.",
        save("untwist.svg", "Error over iterations", chart.svg()),
        table(["material", "error after 10, here", "after 20, here", "iterations to 1e-3, of those plotted"], rows)])


FIGURES = {"fig6": fig6, "fig7": fig7, "fig8": fig8, "timoshenko": timoshenko, "untwist": untwist}
