"""Contact and friction."""
import math

from .chart import Chart
from .page import picture, save, show, table

GRAVITY = 9.81


def fig1(program):
    """B Fig. 1: a soft body falls down a terrain"""
    runs, rows = [], []
    for mu, paper in ((0, "shown at left"), (0.15, "in the middle"), (0.45, "at right")):
        run = program.simulate(f"fig1/friction {mu}", "terrain", [f"collider.hills.friction={mu}"])
        runs.append(run)
        first, last = run.stats[0]["center_of_mass"], run.stats[-1]["center_of_mass"]
        deepest = max(run.series(lambda line: line["penetration"]))
        rows.append([f"μ = {mu}", paper, f"{last[0] - first[0]:.2f} m", f"{first[1] - last[1]:.2f} m", f"{1000 * deepest:.2f} mm"])
    program.render(runs, picture("fig1.png"), "--sheet=4", "--width", 260, "--height", 200, "--samples", 16)
    return "\n\n".join(["`examples/terrain.toml`, `--set collider.hills.friction=0` … `0.45`. The paper has one picture for each of these frictions and gives no numbers; "
                        "the more friction, the less way, is what can be compared.", show("fig1.png", "Three frictions"),
                        table(["", "paper", "way to the side in 3 s, here", "fall, here", "deepest penetration"], rows)])


def slope(xs, ys):
    """Of the straight line through the points, by least squares."""
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def speeds(run, start):
    """Mean speed along x, from the momentum."""
    mass = run.stats[0]["linear_momentum"][0] / start
    return run.series(lambda line: line["linear_momentum"][0] / mass)


def fig4(program):
    """B Fig. 4: a sliding block"""
    chart = Chart("Speed of the block, μ = 0.2", "s", "m/s", width=520)
    rows = []
    start = 2.0
    for iterations in (5, 10, 40):
        run = program.simulate(f"fig4/iterations{iterations}", "sliding_block", [f"simulation.iterations={iterations}", "simulation.tolerance=0"])
        chart.line(f"{iterations} iterations", run.seconds, speeds(run, start))
    chart.line("theory", [0, start / (0.2 * GRAVITY), 1.25], [start, 0, 0], "#111111", dashed=True)
    for mu in (0.1, 0.2, 0.4, 0.6):
        run = program.simulate(f"fig4/mu{mu}", "sliding_block", [f"collider.floor.friction={mu}"])
        v, stop = speeds(run, start), start / (mu * GRAVITY)
        sliding = [(t, s) for t, s in zip(run.seconds, v) if 0.04 < t < stop - 0.05]
        measured = -slope(*zip(*sliding))
        way = run.stats[-1]["center_of_mass"][0] - run.stats[0]["center_of_mass"][0]
        expected = start * start / (2 * mu * GRAVITY)
        stopped = run.stats[-1]["time"] > stop + 0.05
        rows.append([f"μ = {mu}", f"{mu * GRAVITY:.3f}", f"{measured:.3f}", f"{100 * (measured / (mu * GRAVITY) - 1):+.2f} %",
                     f"{expected:.4f} m" if stopped else "–", f"{way:.4f} m" if stopped else "still slides"])
    return "\n\n".join(["`examples/sliding_block.toml`: an undamped elastic block starts with 2 m/s. In the paper, too, it slows down by μ g at any number of iterations.",
                        save("fig4.svg", "Speed of a sliding block", chart.svg()),
                        table(["", "μ g, m/s²", "deceleration, here", "", "way to rest, theory", "here"], rows)])


BALL = """
[simulation]
frames = [1, 200]
fps = 480.0
[[body]]
name = "ball"
geometry = {{ type = "sphere", radius = 0.2, cells = 8 }}
rotate = [0, 0, {turn}]       # so that a point of the polyhedron is lowest when it hits
translate = [0, 0.7, 0]
angularvelocity = [0, 0, -20]
youngsmodulus = 5e10
poissonratio = 0.3
[[collider]]
name = "floor"
plane = {{ point = [0, 0, 0], normal = [0, 1, 0] }}
friction = {mu}
restitution = 0.5
"""


def sideways(run, begin, end):
    """Mean speed to the side between two times."""
    places = [(line["time"], line["center_of_mass"][0]) for line in run.stats if begin < line["time"] < end]
    return slope(*zip(*places))


def fig5(program):
    """B Fig. 5: a spinning ball runs to the side"""
    radius, spin, restitution, drop = 0.2, 20, 0.5, 0.5
    fall = math.sqrt(2 * drop / GRAVITY)
    run = program.simulate("fig5/soft", "spinning_ball")
    place = Chart("Centre of the ball", "s", "m", width=520)
    place.line("height", run.seconds, run.series(lambda line: line["center_of_mass"][1]))
    place.line("to the side", run.seconds, run.series(lambda line: line["center_of_mass"][0]))
    rows = [["soft ball, μ = 0.3", "picks up speed to the side", "–", f"{sideways(run, fall + 0.06, fall + 0.2):.2f} m/s"]]
    for mu in (0.05, 0.3, 0.6):
        scene = program.write_scene(f"fig5_{mu}", BALL.format(turn=math.degrees(spin * fall), mu=mu))
        stiff = program.simulate(f"fig5/stiff_{mu}", scene)
        sliding, rolling = mu * (1 + restitution) * GRAVITY * fall, spin * radius / (1 + 5 / 2)
        how = "slides through the hit" if sliding < rolling else "leaves rolling"
        rows.append([f"stiff ball, μ = {mu}", "–", f"{min(sliding, rolling):.2f} m/s ({how})", f"{sideways(stiff, fall + 0.01, fall + 0.09):.2f} m/s"])
    program.render([run], picture("fig5.png"), "--sheet=4", "--width", 260, "--height", 220, "--samples", 16, "--view=-0.1,-0.2,-1")
    return "\n\n".join(["`examples/spinning_ball.toml`: 20 rad/s, falls 0.5 m onto a floor with restitution 0.5. Beside it the same ball of 5e10 Pa with steps of 1/480 s, "
                        "for the theory of rigid balls; it is a polyhedron, so some percent off. The soft one deforms and may run faster.",
                        show("fig5.png", "The ball"), save("fig5.svg", "Centre of the ball", place.svg()),
                        table(["speed to the side after the first hit", "paper", "theory of a rigid ball", "here"], rows)])


def fig9(program):
    """B Fig. 9: blocks lean against a wall"""
    runs, cells = [], {}
    angles = {"steep": 70, "middle": 50, "low": 30}
    for mu in (0.2, 0.4, 0.6):
        run = program.simulate(f"fig9/friction {mu}", "leaning_blocks", [f"collider.floor.friction={mu}", f"collider.wall.friction={mu}"])
        runs.append(run)
        for name, degrees in angles.items():
            body = run.body(name)
            drop = body[0]["center_of_mass"][1] - body[-1]["center_of_mass"][1]
            stays = math.tan(math.radians(degrees)) > (1 - mu * mu) / (2 * mu)
            verdict = "stays" if drop < 0.01 else "slides"
            agrees = "" if (verdict == "stays") == stays else ", **not as theory says**"
            cells[degrees, mu] = f"{verdict}: sank {1000 * drop:.1f} mm{agrees}"
    program.render(runs, picture("fig9.png"), "--frame", 36, "--width", 300, "--height", 260, "--samples", 32)
    rows = [[f"{d}°", *(cells[d, mu] for mu in (0.2, 0.4, 0.6))] for d in angles.values()]
    return "\n\n".join(["`examples/leaning_blocks.toml`, `--set collider.floor.friction=0.2 --set collider.wall.friction=0.2` … `0.6`, after 1.5 s. In the "
                        "paper, as in theory (tan θ > (1 − μ²)/2μ), the diagonal and what is above it stays.",
                        show("fig9.png", "Friction 0.2, 0.4, 0.6"), table(["angle to the floor", "μ = 0.2, here", "μ = 0.4, here", "μ = 0.6, here"], rows)])


def cylinders(program):
    """O Fig. 4: a fall onto cylinders and an inclined plane"""
    run = program.simulate("cylinders", "cylinders")
    program.render([run], picture("cylinders.png"), "--sheet=8", "--width", 260, "--height", 220, "--samples", 16)
    deepest = max(run.series(lambda line: line["penetration"]))
    most = max(run.series(lambda line: line["contacts"]))
    use = max(run.series(lambda line: line["friction_use"]))
    down = run.stats[0]["center_of_mass"][1] - run.stats[-1]["center_of_mass"][1]
    return "\n\n".join(["`examples/cylinders.toml`.", show("cylinders.png", "A bar falls on cylinders"),
                        table(["", "paper", "here"], [["what happens", "falls onto cylinders; on the inclined plane friction makes it roll", f"falls by {down:.2f} m"],
                                                      ["contacts at once", "–", most], ["deepest penetration", "–", f"{1000 * deepest:.3f} mm"],
                                                      ["friction, of μ f_n at most", "1", f"{use:.6f}"]])])


def touching(run):
    """What happens in a run with contact between bodies, as cells of a table."""
    last = run.stats[-1]
    unsolved = sum(bool({"budgetexhausted", "takenagain", "invertedelements"} & set(line["status"])) for line in run.stats)
    return [max(run.series(lambda line: line["contact_pairs"])), max(run.series(lambda line: line["contacts"])),
            f"{unsolved} of {len(run.stats)}", f"{last['kinetic']:.1e} J"]


TOUCHING = ["contacts between bodies at once", "with colliders", "frames with a warning", "kinetic energy at the end"]


def torus(program):
    """O Fig. 6: a torus falls onto itself"""
    run = program.simulate("torus_fall", "torus_fall", extra=["--attribs", "contacts"])
    program.render([run], picture("torus.png"), "--sheet=8", "--frames", "1-40", "--width", 240, "--height", 180, "--samples", 16)
    thin = min(line["bounds"][1][1] for line in run.stats)
    return "\n\n".join(["`examples/torus_fall.toml`: very soft, dropped upright. Its upper half comes to lie on the lower one.",
                        show("torus.png", "A torus falls onto itself"),
                        table(["", *TOUCHING, "height, least"], [["here", *touching(run), f"{thin:.3f} m; the tube is 0.2 m thick at rest"]])])


def cards(program):
    """Two cards at the edge of friction"""
    length, thickness, angle = 0.5, 0.025, math.radians(60)
    critical = (1 / math.tan(angle) - thickness / length) / 2
    runs, rows = [], []
    for share in (1.05, 0.95):
        run = program.simulate(f"cards/friction {share * critical:.4f}", "card_house", [f"collider.floor.friction={share * critical:.6f}"],
                               ["--attribs", "contacts"])
        runs.append(run)
        drop = run.stats[0]["center_of_mass"][1] - run.stats[-1]["center_of_mass"][1]
        rows.append([f"{share:.2f} of the critical friction", "stand" if share > 1 else "fall", f"sank {1000 * drop:.3f} mm", *touching(run)])
    program.render(runs, picture("cards.png"), "--contacts", "--sheet=4", "--width", 260, "--height", 180, "--samples", 16)
    return "\n\n".join([f"`examples/card_house.toml`: critical is μ = (cot α − t/L)/2 = {critical:.4f}. After {runs[0].seconds[-1]:.2f} s:",
                        show("cards.png", "Two cards, 5 % above and 5 % below the critical friction"),
                        table(["floor", "theory", "here", *TOUCHING], rows)])


def bodies(program):
    """Bodies on bodies: a pile, a stack, a sponge"""
    parts, rows = [], []
    for name, text, frames in (("pile", "A dozen different bodies fall into a bowl", "1-48"), ("stack", "Five boxes on each other", "1-48"),
                               ("sponge", "A sponge is squeezed and let go", "1-72")):
        run = program.simulate(name, name, extra=["--attribs", "contacts"])
        program.render([run], picture(f"{name}.png"), "--sheet=4", "--frames", frames, "--width", 260, "--height", 220, "--samples", 16)
        program.render([run], picture(f"{name}_contacts.png"), "--contacts", "--frame", {"sponge": 30}.get(name, run.stats[-1]["frame"]),
                       "--width", 480, "--height", 320, "--samples", 24)
        parts += [f"{text}, `examples/{name}.toml`:", show(f"{name}.png", text)]
        rows.append([f"`{name}.toml`", *touching(run)])
    return "\n\n".join([*parts, table(["", *TOUCHING], rows)])


FIGURES = {"fig1": fig1, "fig4": fig4, "fig5": fig5, "fig9": fig9, "cylinders": cylinders, "torus": torus, "cards": cards,
           "bodies": bodies}
