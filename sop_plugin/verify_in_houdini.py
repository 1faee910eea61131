"""Checks the Dashpot plugin in a real Houdini, once, by whoever has one:

    hython verify_in_houdini.py --dashpot /path/to/dashpot [--package /path/to/prefix/dashpot] [--report FILE]

Prints one line for each check while it runs, never stops at one that fails, and ends with a table to
send us and a verdict. Exit code 0: all is well. 1: something failed. 2: nothing failed, but not
everything could be checked. Compares with the program `dashpot` on the same data, which must give the
same bits. Lines that begin with `answer` are about what we could only assume of Houdini: none of them
is a failure. Nothing outside a temporary folder is written, except the report.
"""
import argparse
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from verify_asset_questions import asset_questions  # noqa: E402
from verify_questions import questions  # noqa: E402
from verify_report import Report, Skipped, require  # noqa: E402

SOP_TYPE = "dashpot::solver::1.0"
DOP_TYPE = "dashpot_solver"
FRAMES = 24

BOX = """[simulation]
frames = [1, 1]
[[body]]
name = "box"
geometry = { type = "box", size = [1, 0.3, 0.3], cells = [8, 2, 2] }
"""

BODY = """[simulation]
frames = [1, %d]
fps = %s
[[body]]
name = "body"
geometry = "body.bgeo.sc"
""" % (FRAMES, "%r")

COLLIDER = """[[collider]]
name = "ball"
vdb = "ball.vdb"
"""


class Verification:
    def __init__(self, hou, dashpot, package, folder, run=subprocess.run):
        self.hou = hou
        self.dashpot = dashpot
        self.package = package
        self.folder = folder
        self.run = run
        self.solver = None
        self.made = {}  # one node of each of our types

    def program(self, *arguments):
        result = self.run([self.dashpot, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
        require(result.returncode == 0, "dashpot %s: %s" % (arguments[0], result.stderr.strip()))
        return result.stdout

    def path(self, name):
        return os.path.join(self.folder, name)

    def node(self):
        if self.solver is None:
            raise Skipped("there is no network with the SOP")
        return self.solver

    def system(self):
        return "Houdini %s, Python %s, %s" % (self.hou.applicationVersionString(), platform.python_version(),
                                             platform.platform())

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    # The checks, in order.

    def version(self):
        return "Houdini " + self.hou.applicationVersionString()

    def sop_is_loaded(self):
        kind = self.hou.nodeType(self.hou.sopNodeTypeCategory(), SOP_TYPE)
        require(kind is not None, "there is no SOP %s; start with HOUDINI_DSO_ERROR=1" % SOP_TYPE)

    def dop_is_loaded(self):
        kind = self.hou.nodeType(self.hou.dopNodeTypeCategory(), DOP_TYPE)
        require(kind is not None, "there is no DOP %s" % DOP_TYPE)

    def build_network(self):
        """Tets in Houdini, pinned at one end, and the same geometry in a file for dashpot."""
        self.write("box.toml", BOX)
        self.program("simulate", "box.toml", "--out", "box.$F4.bgeo.sc", "--progress", "none")
        parent = self.hou.node("/obj").createNode("geo", "dashpot_verify")
        source = parent.createNode("file")
        source.parm("file").set(self.path("box.0001.bgeo.sc"))
        pins = parent.createNode("attribwrangle")
        pins.setInput(0, source)
        pins.parm("class").set(2)
        pins.parm("snippet").set("i@pintoanimation = @P.x < -0.49;")
        self.solver = self.made[SOP_TYPE] = parent.createNode(SOP_TYPE)
        self.solver.setInput(0, pins)
        pins.geometry().saveToFile(self.path("body.bgeo.sc"))
        require(len(pins.geometry().prims()) > 0, "the network has no tets")
        return "%d tets" % len(pins.geometry().prims())

    def parameters(self):
        declared = json.loads(self.program("params", "--json"))
        for parameter in declared:
            if parameter["scope"] not in ("solver", "prim", "point"):
                continue
            token = parameter["token"]
            parms = self.solver.parmTuple(token)
            require(parms is not None, "the node has no parameter " + token)
            if parameter["type"] in ("float", "int"):
                require(abs(parms.eval()[0] - parameter["default"]) < 1e-9 * max(
                    1, abs(parameter["default"])), "%s has another default" % token)
        return "%d declared" % len(declared)

    def simulate_outside(self, more=""):
        self.write("body.toml", BODY % self.hou.fps() + more)
        self.program("simulate", "body.toml", "--out", "frame.$F4.bgeo.sc", "--progress", "none")

    def compare(self, frame):
        expected = self.hou.Geometry()
        expected.loadFromFile(self.path("frame.%04d.bgeo.sc" % frame))
        shown = self.solver.geometryAtFrame(frame)
        require(shown is not None, "frame %d did not cook: %s" % (
            frame, "; ".join(self.solver.errors())))
        for name in ("P", "v"):
            require(tuple(shown.pointFloatAttribValues(name)) ==
                    tuple(expected.pointFloatAttribValues(name)),
                    "frame %d: %s is not that of dashpot" % (frame, name))

    def frames_in_order(self):
        for frame in range(1, FRAMES + 1):
            self.compare(frame)
        return "%d frames, bit for bit" % FRAMES

    def frames_out_of_order(self):
        order = list(range(1, FRAMES + 1))
        random.Random(1).shuffle(order)
        for frame in order:
            self.compare(frame)
        return "%d frames, bit for bit" % FRAMES

    def reset_and_jump(self):
        self.solver.parm("resimulate").pressButton()
        self.compare(FRAMES)

    def before_the_start(self):
        self.solver.parm("startframe").set(10)
        shown = self.solver.geometryAtFrame(5)
        source = self.solver.inputs()[0].geometryAtFrame(5)
        require(tuple(shown.pointFloatAttribValues("P")) ==
                tuple(source.pointFloatAttribValues("P")), "the input does not pass through")
        self.solver.parm("startframe").set(1)
        self.compare(3)

    def error_is_shown(self):
        """By an attribute: Houdini itself keeps parameters in their range."""
        pins = self.solver.inputs()[0]
        wrong = self.solver.parent().createNode("attribwrangle")
        wrong.setInput(0, pins)
        wrong.parm("class").set(1)
        wrong.parm("snippet").set("f@youngsmodulus = -1;")
        self.solver.setInput(0, wrong)
        try:
            try:
                self.solver.geometryAtFrame(2)
            except self.hou.OperationFailed:
                pass
            require("youngsmodulus = -1" in " ".join(self.solver.errors()),
                    "a bad attribute gave: " + "; ".join(self.solver.errors()))
        finally:
            self.solver.setInput(0, pins)
        self.compare(2)

    def new_node(self):
        """As it comes from the tab menu."""
        node = self.solver.parent().createNode(SOP_TYPE)
        node.setInput(0, self.solver.inputs()[0])
        shown = node.geometryAtFrame(2)
        require(shown is not None and not node.errors(), "it is red: " + "; ".join(node.errors()))
        node.destroy()

    def collider(self):
        """The bar swings onto a ball, which dashpot has as the file that Houdini made of it."""
        parent = self.solver.parent()
        ball = parent.createNode("sphere")
        ball.parm("type").set("poly")
        for axis in "xyz":
            ball.parm("rad" + axis).set(0.3)
        ball.parm("ty").set(-0.6)
        level_set = parent.createNode("vdbfrompolygons")
        level_set.setInput(0, ball)
        level_set.parm("voxelsize").set(0.04)
        level_set.geometry().saveToFile(self.path("ball.vdb"))
        self.solver.setInput(2, level_set)
        try:
            self.simulate_outside(COLLIDER)
            for frame in (FRAMES, 7, 15):
                self.compare(frame)
        finally:
            self.solver.setInput(2, None)
        return "3 frames, bit for bit"

    def dop_network(self):
        network = self.hou.node("/obj").createNode("dopnet", "dashpot_verify_dop")
        body = network.createNode("emptyobject")
        geometry = network.createNode("sopgeo")
        geometry.setInput(0, body)
        geometry.parm("soppath").set(self.solver.inputs()[0].path())
        solver = network.createNode(DOP_TYPE)
        geometry_solver = network.createNode("applydata")
        geometry_solver.setInput(0, geometry)
        geometry_solver.setInput(1, solver)
        gravity = network.createNode("gravity")
        gravity.setInput(0, geometry_solver)
        network.node("output").setInput(0, gravity)
        frames = {}
        for frame in list(range(1, 13)) + [6, 12]:
            self.hou.setFrame(frame)
            data = network.simulation().objects()[0].geometry()
            positions = tuple(data.pointFloatAttribValues("P"))
            require(frames.setdefault(frame, positions) == positions,
                    "frame %d differs after rewinding" % frame)
        require(frames[12] != frames[1], "nothing moves")
        return "12 frames, rewound"

    def package_files(self, folder, ending):
        if not self.package:
            raise Skipped("no --package")
        path = os.path.join(self.package, folder)
        found = []
        for base, folders, files in os.walk(path):
            found += [os.path.join(base, name) for name in files + folders if name.endswith(ending)]
        if not found:
            raise Skipped("the package has none")
        return sorted(found)

    def assets(self):
        """Each is made, fed and cooked."""
        files = self.package_files("otls", ".hda")
        parent = self.solver.parent()
        surface = parent.createNode("sphere")
        surface.parm("type").set("poly")
        for path in files:
            self.hou.hda.installFile(path)
            for definition in self.hou.hda.definitionsInFile(path):
                name = definition.nodeTypeName()
                node = self.made[name] = parent.createNode(name)
                node.setInput(0, surface if "collider" in name else self.solver.inputs()[0])
                shown = node.geometryAtFrame(3)
                require(not node.errors(), "%s: %s" % (name, "; ".join(node.errors())))
                require(shown is not None and len(shown.prims()) > 0, "%s gives nothing" % name)
        return "%d files" % len(files)

    def preset_table(self):
        return json.loads(self.program("presets", "--json"))

    def require_values(self, node, preset):
        for token, value in preset["values"].items():
            parm = node.parm(token)
            if parm is None:
                continue
            there = parm.evalAsString() if isinstance(value, str) else parm.eval()
            same = there == value if isinstance(value, str) else abs(there - value) <= 1e-6 * abs(value)
            require(same, "%s: %s is %s and not %s" % (preset["label"], token, there, value))

    def preset_menus(self):
        """As if the artist had picked each from the menu of the assets."""
        nodes = [node for node in self.made.values() if node.parm("presetstate") is not None]
        if not nodes:
            raise Skipped("no asset with a menu was made")
        for node in nodes:
            for preset in self.preset_table():
                node.parm("preset").set(preset["token"])
                node.hdaModule().apply_preset({"node": node})
                self.require_values(node, preset)
                require(node.parm("presetstate").eval() == preset["label"],
                        "%s: the look is not remembered" % preset["label"])
        return "%d nodes" % len(nodes)

    def presets(self):
        """Those of the gear menu, on a node of their type."""
        files = self.package_files("presets", ".idx")
        table = {preset["label"]: preset for preset in self.preset_table()}
        count = 0
        for path in files:
            kind = os.path.basename(path)[:-len(".idx")].replace("-", "::")
            require(kind in self.made, "there is no node %s to try its presets on" % kind)
            node = self.made[kind]
            for name in self.hou.loadIndexDataFromFile(path):
                count += 1
                out, error = self.hou.hscript("oppresetload %s '%s'" % (node.path(), name))
                require(not error, "%s: %s" % (name, error.strip()))
                self.require_values(node, table[name])
        return "%d presets" % count

    def on_network(self, check):
        self.node()
        return check()

    def all(self, report):
        report.check("Houdini answers", self.version)
        report.check("the SOP is registered", self.sop_is_loaded)
        report.check("the DOP is registered", self.dop_is_loaded)
        report.check("a network is built", self.build_network)
        for name, check in (
                ("a new node cooks without an error", self.new_node),
                ("parameters are those of the scene file", self.parameters),
                ("dashpot simulates the same data", self.simulate_outside),
                ("frames in order", self.frames_in_order),
                ("frames out of order", self.frames_out_of_order),
                ("reset, then a jump", self.reset_and_jump),
                ("before the start frame", self.before_the_start),
                ("errors are shown", self.error_is_shown),
                ("a collider", self.collider),
                ("the DOP steps and rewinds", self.dop_network),
                ("every asset", self.assets),
                ("every preset of the menus", self.preset_menus),
                ("every preset of the gear menu", self.presets)):
            report.check(name, lambda: self.on_network(check))
        for name, question in [*questions(self), *asset_questions(self)]:
            report.ask(name, lambda: self.on_network(question))
        return report


def main(hou, arguments, out=sys.stdout, run=subprocess.run, own_folder=HERE):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dashpot", default=shutil.which("dashpot") or "dashpot")
    parser.add_argument("--package", default=own_folder if os.path.isdir(os.path.join(own_folder, "otls")) else "",
                        help="the folder with otls/ and presets/; that of this script if it has them")
    parser.add_argument("--report", help="a file for the table")
    options = parser.parse_args(arguments)
    folder = tempfile.mkdtemp(prefix="dashpot_verify_")
    try:
        verification = Verification(hou, options.dashpot, options.package, folder, run)
        report = verification.all(Report(out))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    words, code = report.verdict()
    table = report.table(verification.system() + "\n" + words)
    out.write("\n" + table + "\n" + words + "\n")
    if options.report:
        with open(options.report, "w") as file:
            file.write(table)
    return code


if __name__ == "__main__":
    import hou  # only hython has it

    sys.exit(main(hou, sys.argv[1:]))
