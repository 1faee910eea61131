"""What we could only assume of Houdini when we wrote the assets by hand, asked: each question answers
with what it saw, and breaks if it could see nothing."""

SOFT_BODY = "dashpot::softbody::1.0"
DAMPING = "dashpot::damping::1.0"
COLLIDER = "dashpot::collider::1.0"
SLIDERS = ("dampingshear", "dampingbulk", "dampingtime", "dampingstrength", "dampingexponent")


def listed(words):
    return ", ".join(words) or "none"


def locked_inside(verification):
    """Wrangles and Tet Embed are assets themselves: they come locked, and filled by their definitions."""
    loose = ["%s/%s" % (name, child.name()) for name, node in sorted(verification.made.items()) for child in node.children()
             if child.type().definition() is not None and not child.matchesCurrentDefinition()]
    return "nodes inside that are not locked: %s (assumed: none)" % listed(loose)


def snippets(verification):
    skin = verification.made[SOFT_BODY].node("skin")
    lines = skin.parm("snippet").eval().splitlines()
    return "the skin's snippet has %d lines, its errors: %s (assumed: more than one line, none)" % (len(lines), listed(skin.errors()))


def parameters_arrive(verification):
    node = verification.made[SOFT_BODY]
    inside = node.node("solver")
    lost = [parm.name() for parm in inside.parms()
            if node.parm(parm.name()) is not None and parm.getReferencedParm() != node.parm(parm.name())]
    return "parameters of the solver inside that do not follow the asset's: %s (assumed: resimulate)" % listed(lost)


def ramp_arrives(verification):
    """With as many keys as by default, with more, and with fewer."""
    hou, node = verification.hou, verification.made[SOFT_BODY]
    outer, inner = node.parm("dampingramp"), node.node("solver").parm("dampingramp")
    before, answers = outer.evalAsRamp(), []
    try:
        for places in ((0.1, 0.4, 0.9), (0.0, 0.2, 0.5, 0.7, 1.0), (0.3, 0.6)):
            outer.set(hou.Ramp((hou.rampBasis.Linear,) * len(places), places, [1 - place for place in places]))
            one, other = outer.evalAsRamp(), inner.evalAsRamp()
            same = (one.keys(), one.values(), one.basis()) == (other.keys(), other.values(), other.basis())
            answers.append("%d keys: %s" % (len(places), same))
    finally:
        outer.set(before)
    return "the ramp inside is that of the asset with %s (assumed: True)" % ", ".join(answers)


def sliders_on_top(verification):
    node = verification.made[SOFT_BODY]
    answers = []
    try:
        for model in ("none", "strainrate", "rayleigh", "stretchrate"):
            node.parm("dampingmodel").set(model)
            answers.append("%s: %s" % (model, listed([name for name in SLIDERS if not node.parm(name).isHidden()])))
    finally:
        node.parm("dampingmodel").revertToDefaults()
    return "; ".join(answers) + " (assumed: none; shear, bulk, exponent; time, exponent; strength, exponent)"


def menus(verification):
    node = verification.made[DAMPING]
    return "groups: %s, masks: %s (assumed: those of the input)" % (
        listed(node.parm("group").menuItems()), listed(node.parm("maskattrib").menuItems()))


def tets_arrive_once(verification):
    """For every pick of the render mesh, with tets coming in."""
    node, answers = verification.made[SOFT_BODY], []
    try:
        for pick in ("skin", "input", "surface"):
            node.parm("rendermesh").set(pick)
            geometry = node.node("solver").inputs()[0].geometry()
            kinds = [str(prim.type()) for prim in geometry.prims()]
            tets = sum("Tet" in kind for kind in kinds)
            answers.append("%s: %d tets, %d others" % (pick, tets, len(kinds) - tets))
    finally:
        node.parm("rendermesh").revertToDefaults()
    return "; ".join(answers) + " (assumed: the same tets, others only for skin)"


def empty_render_mesh_warns(verification):
    node = verification.made[SOFT_BODY]
    try:
        node.parm("rendermesh").set("input")
        node.geometryAtFrame(1)
        return "warnings of an empty render mesh: %s (assumed: There are no polygons …)" % listed(node.warnings())
    finally:
        node.parm("rendermesh").revertToDefaults()


def merged_colliders(verification):
    first = verification.made[COLLIDER]
    merge = first.parent().createNode("merge")
    for number, friction in enumerate((0.1, 0.7)):
        node = first.parent().createNode(COLLIDER)
        node.setInput(0, first.inputs()[0])
        node.parm("friction").set(friction)
        merge.setInput(number, node)
    geometry = merge.geometry()
    values = [round(prim.attribValue("friction"), 3) for prim in geometry.prims()]
    return "friction of two merged colliders: %s (assumed: 0.1 twice, 0.7 twice)" % values


def asset_questions(verification):
    """Name and function of each."""
    for name, question in (
            ("assets inside of assets", locked_inside),
            ("line breaks of snippets", snippets),
            ("parameters reach the solver inside", parameters_arrive),
            ("the ramp reaches the solver inside", ramp_arrives),
            ("sliders on top", sliders_on_top),
            ("menus of groups and masks", menus),
            ("tets that arrive", tets_arrive_once),
            ("a render mesh that is empty", empty_render_mesh_warns),
            ("colliders that are merged", merged_colliders)):
        yield name, lambda question=question: question(verification)
