"""What we could only assume of Houdini, asked: each question answers with what it saw, and breaks if it
could see nothing. None of the answers decides whether the plugin works."""

# Values of Dashpot's own curves through RAMP_KEYS at RAMP_AT, by the name of hou.rampBasis; a test of
# the solver holds them to what it computes.
RAMP_KEYS = ((0.0, 1.0), (0.25, 0.2), (0.75, 0.8), (1.0, 0.1))
RAMP_AT = (0.125, 0.375, 0.5, 0.875)
RAMP_VALUES = {
    "Constant": (1.000000, 0.200000, 0.200000, 0.800000),
    "Linear": (0.600000, 0.350000, 0.500000, 0.450000),
    "CatmullRom": (0.558333, 0.278125, 0.491667, 0.489583),
    "MonotoneCubic": (0.500000, 0.293750, 0.500000, 0.537500),
    "Bezier": (0.729193, 0.543278, 0.512500, 0.333160),
}


def simulated(node):
    """How many frames the node has simulated since the last edit, as its info says."""
    tree = node.infoTree().branches()["Dashpot"]
    for row in tree.rows():
        if row[0] == "Since the last edit":
            return int(row[1].split()[0])
    raise LookupError("the info tree has no line of that name: %s" % (tree.rows(),))


def animated_targets(verification):
    """A solver of its own whose second input moves, and the node that moves it."""
    solver = verification.solver
    parent = solver.parent()
    move = parent.createNode("attribwrangle", "dashpot_moving")
    move.setInput(0, solver.inputs()[0])
    move.parm("class").set(2)
    move.parm("snippet").set("@P.y += 0.01 * (@Frame - 1);")
    after = parent.createNode("null")
    after.setInput(0, move)
    node = parent.createNode(solver.type().name())
    node.setInput(0, solver.inputs()[0])
    node.setInput(1, after)
    return node, move, after


def cooks_while_playing(verification):
    node, move, after = animated_targets(verification)
    before = after.cookCount()
    for frame in range(1, 25):
        node.geometryAtFrame(frame)
    played = after.cookCount() - before
    for frame in (3, 20, 7, 24):
        node.geometryAtFrame(frame)
    scrubbed = after.cookCount() - before - played
    node.parm("outputstress").set(1)
    node.geometryAtFrame(24)
    toggled = after.cookCount() - before - played - scrubbed
    return ("input 2 cooked %d times in 24 frames played (assumed: 24), %d times in 4 scrubbed (0), %d times after an "
            "output was turned on (0); %d frames simulated (23)" % (played, scrubbed, toggled, simulated(node)))


def edit_seen_elsewhere(verification):
    node, move, _ = animated_targets(verification)
    before = tuple(node.geometryAtFrame(12).pointFloatAttribValues("P"))
    move.parm("snippet").set("@P.y += 0.02 * (@Frame - 1);")
    node.geometryAtFrame(5)  # the edit and the jump in one
    after = tuple(node.geometryAtFrame(12).pointFloatAttribValues("P"))
    move.parm("snippet").set("@P.y += ch('amount') * (@Frame - 1);")
    move.addSpareParmTuple(verification.hou.FloatParmTemplate("amount", "Amount", 1, (0.02,)))
    node.geometryAtFrame(6)
    count = simulated(node)
    move.parm("amount").set(0.01)
    again = tuple(node.geometryAtFrame(12).pointFloatAttribValues("P"))
    return "an edit two nodes up is seen: %s (assumed: True); a referenced parameter: %s (True); the same motion by " \
           "another snippet costs %d frames (11)" % (after != before, again == before, count)


def cache_is_cleared(verification):
    node, _, after = animated_targets(verification)
    node.geometryAtFrame(20)
    before = after.cookCount()
    _, error = verification.hou.hscript("sopcache -c")
    if error:
        raise RuntimeError("sopcache -c: " + error)
    for frame in (20, 4, 21):
        node.geometryAtFrame(frame)
    return "after sopcache -c: %d frames simulated in all (assumed: 20), input 2 cooked %d times (1)" % (
        simulated(node), after.cookCount() - before)


def unloaded_input(verification):
    node, _, after = animated_targets(verification)
    node.geometryAtFrame(5)
    after.setUnloadFlag(True)
    node.geometryAtFrame(9)
    return "with the unload flag on input 2: %d frames simulated (assumed: 8)" % simulated(node)


def ramp_outside(verification):
    hou = verification.hou
    parm = verification.solver.parm("dampingramp")
    before = parm.evalAsRamp()
    try:
        parm.set(hou.Ramp((hou.rampBasis.Linear,) * 3, (0.0, 0.7, 1.3), (1.0, 0.1, 1.0)))
        return "keys 0, 0.7, 1.3 became %s (assumed: 1.3 is clamped or refused)" % (parm.evalAsRamp().keys(),)
    finally:
        parm.set(before)


def ramp_default(verification):
    ramp = verification.solver.parm("dampingramp").evalAsRamp()
    return "keys %s, values %s, range %s (assumed: 0.2 0.5 0.8, 1 0.1 1, 0.5 1.5)" % (
        ramp.keys(), ramp.values(), verification.solver.parmTuple("dampingramprange").eval())


def ramp_curves(verification):
    """How far Houdini's curves are from ours, at the most."""
    hou = verification.hou
    answers = []
    for name, expected in RAMP_VALUES.items():
        ramp = hou.Ramp((getattr(hou.rampBasis, name),) * len(RAMP_KEYS), *zip(*RAMP_KEYS))
        differences = [abs(ramp.lookup(at) - value) for at, value in zip(RAMP_AT, expected)]
        answers.append("%s %.2g" % (name, max(differences)))
    return "largest difference from ours: " + ", ".join(answers) + " (assumed: below 1e-5)"


def ramp_bases_cook(verification):
    hou, node = verification.hou, verification.solver
    before = node.parm("dampingramp").evalAsRamp()
    node.parm("dampingmodel").set("stretchrate")
    node.parm("dampingstrength").set(100)
    node.parm("dampingrampmode").set("max")
    red = []
    try:
        for name in ("Constant", "Linear", "CatmullRom", "MonotoneCubic", "Bezier", "BSpline", "Hermite"):
            basis = getattr(hou.rampBasis, name)
            node.parm("dampingramp").set(hou.Ramp((basis,) * 4, (0, 0.3, 0.6, 1), (1, 0.5, 0.5, 1)))
            try:
                node.geometryAtFrame(2)
            except hou.OperationFailed:
                pass
            if node.errors():
                red.append("%s (%s)" % (name, "; ".join(node.errors())))
    finally:
        node.parm("dampingramp").set(before)
        for token in ("dampingmodel", "dampingstrength", "dampingrampmode"):
            node.parm(token).revertToDefaults()
    return "bases that give an error: %s (assumed: none)" % (", ".join(red) or "none")


def hard_range(verification):
    parm = verification.solver.parm("substeps")
    parm.set(0)
    seen = parm.eval()
    parm.set(1)
    return "substeps set to 0 is %s (assumed: 1)" % seen


def slider_types(verification):
    template = verification.solver.parm("youngsmodulus").parmTemplate()
    return "the slider of youngsmodulus is %s (assumed: logarithmic)" % (
        template.isLogarithmic() if hasattr(template, "isLogarithmic") else template)


def info_tree(verification):
    rows = verification.solver.infoTree().branches()["Dashpot"].rows()
    return "; ".join("%s: %s" % (row[0], row[1]) for row in rows)


def dop(verification, before_solver=None, **values):
    """A new network after 6 frames: positions and errors. before_solver changes the object."""
    hou = verification.hou
    network = hou.node("/obj").createNode("dopnet")
    chain = network.createNode("emptyobject")
    for kind in ("sopgeo", before_solver):
        if kind:
            data = network.createNode(kind)
            data.setInput(0, chain)
            if kind == "sopgeo":
                data.parm("soppath").set(verification.solver.inputs()[0].path())
            else:
                data.parm("tx").set(1)
            chain = data
    solver = network.createNode("dashpot_solver")
    for token, value in values.items():
        tuple_of = solver.parmTuple(token)
        tuple_of.set(value if isinstance(value, tuple) else (value,))
    apply_data = network.createNode("applydata")
    apply_data.setInput(0, chain)
    apply_data.setInput(1, solver)
    gravity = network.createNode("gravity")
    gravity.setInput(0, apply_data)
    network.node("output").setInput(0, gravity)
    for frame in range(1, 7):
        hou.setFrame(frame)
        objects = network.simulation().objects()
    shown = tuple(objects[0].geometry().pointFloatAttribValues("P"))
    errors = "; ".join([*network.errors(), *solver.errors()])
    network.destroy()
    return shown, errors


def dop_parameters(verification):
    plain, _ = dop(verification)
    soft, _ = dop(verification, youngsmodulus=2e4)
    damped = dict(dampingmodel=5, dampingstrength=1000.0, dampingrampmode=1)
    one, _ = dop(verification, **damped)
    other, _ = dop(verification, dampingramprange=(0.9, 1.1), **damped)
    return "the DOP reads youngsmodulus: %s, damping: %s, dampingramprange: %s (assumed: True)" % (
        soft != plain, one != plain, other != one)


def dop_transform(verification):
    _, errors = dop(verification, before_solver="position")
    return "an object that its Position moves gives: %s (assumed: transform its points instead)" % (errors or "no error")


def questions(verification):
    """Name and function of each."""
    for name, question in (
            ("how often inputs are cooked", cooks_while_playing),
            ("edits of inputs are seen", edit_seen_elsewhere),
            ("what a cleared SOP cache costs", cache_is_cleared),
            ("what an unloaded input costs", unloaded_input),
            ("a ramp key outside of 0 to 1", ramp_outside),
            ("the default of the ramp", ramp_default),
            ("curves of ramps", ramp_curves),
            ("every basis of ramps cooks", ramp_bases_cook),
            ("a hard range", hard_range),
            ("a logarithmic slider", slider_types),
            ("the info window", info_tree),
            ("parameters of the DOP", dop_parameters),
            ("a DOP object that is moved", dop_transform)):
        yield name, lambda question=question: question(verification)
