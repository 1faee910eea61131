"""Bodies that find their shape again."""
from .chart import Chart
from .page import picture, save, show, table


def recovery(program):
    """O Fig. 2: recovery from a point, and from noise"""
    chart = Chart("Elastic energy", "s", "of that at the start", log_y=True, width=520)
    rows, pictures = [], []
    for label, scene in (("all points in one", "recover_collapsed"), ("all points at random", "recover_randomized")):
        run = program.simulate(f"recovery/{scene}", scene)
        elastic = run.series(lambda line: line["elastic"] / run.stats[0]["elastic"])
        chart.line(label, run.seconds, elastic)
        end = run.stats[-1]
        rows.append([label, "recovers", f"{run.stats[0]['inverted']} → {end['inverted']}", f"{end['min_stretch']:.4f} … {end['max_stretch']:.4f}", f"{elastic[-1]:.1e}"])
        program.render([run], picture(f"{scene}.png"), "--sheet=6", "--width", 200, "--height", 200, "--samples", 16)
        pictures.append(show(f"{scene}.png", label))
    return "\n\n".join(["`examples/recover_collapsed.toml` and `recover_randomized.toml`, St. Venant–Kirchhoff as in the paper.", *pictures,
                        save("recovery.svg", "Elastic energy", chart.svg()),
                        table(["start", "paper", "tets inside out, here", "stretches after 2 s, here", "elastic energy left"], rows)])


FIGURES = {"recovery": recovery}
