"""The assets in otls/ and presets/ are fresh and valid, and the validator finds what is wrong.

    python3 tests/otls/otls_test.py build/release/bin/dashpot
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import defects

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from otls import declaration, dialog, validation  # noqa: E402
from otls.real import facts  # noqa: E402
from otls.real.linking import values_of  # noqa: E402
from otls.real.rule import RULES  # noqa: E402
from otls.real.structure import children  # noqa: E402


class Otls(unittest.TestCase):
    dashpot = None

    @classmethod
    def setUpClass(cls):
        cls.declared = declaration.Declaration(cls.dashpot)
        cls.assets = {asset.operator: asset for asset in facts.sop_assets([ROOT / "otls"])}

    def test_are_what_the_declaration_says(self):
        result = subprocess.run([sys.executable, ROOT / "tools/make_otls", self.dashpot, "--check"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_are_valid(self):
        self.assertEqual(validation.faults(ROOT, self.declared), [])

    def test_every_seeded_defect_is_found(self):
        self.assertEqual(len({name for name, _, _ in defects.DEFECTS}), len(defects.DEFECTS))
        broken = set()
        with tempfile.TemporaryDirectory() as holder:
            for number, (name, seed, word) in enumerate(defects.DEFECTS):
                with self.subTest(name):
                    folder = pathlib.Path(holder) / str(number)
                    for part in ("otls", "presets"):
                        shutil.copytree(ROOT / part, folder / part)
                    seed(folder)
                    found = validation.faults(folder, self.declared)
                    self.assertTrue(any(word in fault for fault in found), f"not found; faults: {found}")
                    broken |= {rule for fault in found for rule in re.findall(r"\[(\w+)\]$", fault)}
        # A rule that nothing breaks says nothing.
        self.assertEqual(set(RULES) - broken, set())

    def test_sliders_that_matter_are_on_top(self):
        tree = dialog.parse((ROOT / defects.SCRIPT).read_text())
        self.assertEqual([values[0].text("name") for values in tree.all("parm")][:3], ["preset", "presetstate", "youngsmodulus"])

    def test_presets_touch_material_and_damping_only(self):
        touched = {token for p in self.declared.presets for token in [*p["values"], *p["ranges"], *p["ramps"]]}
        self.assertEqual(touched, set(self.declared.preset_tokens))
        for token in touched:
            self.assertTrue(token.startswith("damping") or token in ("material", "youngsmodulus", "poissonratio", "massdensity",
                                                                     "massdamping"), token)

    def test_snippets_arrive_line_by_line(self):
        """What a wrangle runs is what is in tools/otls/parts: a comment in its first line must end there."""
        skin = next(node for node in children(self.assets["dashpot::softbody::1.0"]) if node.name == "skin")
        text = values_of(skin)["snippet"][0][1:-1].replace('\\"', '"').replace("\\\\", "\\")
        self.assertEqual(text, (ROOT / "tools/otls/parts/skin.vfl").read_text())

    def test_no_mesh_has_anything_twice(self):
        """Every pick of first input and render mesh, followed through the network: each thing of an input arrives once."""
        nodes = {node.name: node for node in children(self.assets["dashpot::softbody::1.0"])}
        for body in (0, 1):
            for mesh in (0, 1, 2):
                with self.subTest(body=body, mesh=mesh):
                    arriving = arrivals("mesh", nodes, {"body": body, "with_surface": body, "mesh": mesh})
                    self.assertEqual(sorted(arriving), sorted(set(arriving)))
                    self.assertIn("tets", {kind for _, kind in arriving})
                    if mesh == 2:
                        self.assertIn(("(0)", "polygons"), arriving)


def arrivals(name, nodes, picked):
    """[(input of the asset or node that makes it, "tets" or "polygons")]. Every input has both, and Tet Embed makes tets."""
    if name not in nodes:
        return [(name, "tets"), (name, "polygons")]
    sources = [line.split("\t")[1].split()[0] for line in nodes[name].block("inputs")]
    kind = nodes[name].kind
    if kind == "tetembed":
        return [(name, "tets")]
    if kind == "switch":
        return arrivals(sources[picked[name]], nodes, picked)
    # Wrangles pass on their first input and only look at the others.
    found = [thing for source in sources[:None if kind == "merge" else 1] for thing in arrivals(source, nodes, picked)]
    return [thing for thing in found if thing[1] == "polygons"] if name == "polygons" else found


class Facts(unittest.TestCase):
    def test_every_rule_was_counted_as_it_stands(self):
        known = facts.load()
        self.assertEqual({name: rule.sentence for name, rule in RULES.items()},
                         {name: fact["rule"] for name, fact in known["rules"].items()})
        self.assertEqual(sum(source["sop_assets"] for source in known["sources"]), known["assets"])
        for name, fact in known["rules"].items():
            self.assertGreaterEqual(fact["kept"], 0.8 * fact["cases"], name)
            self.assertGreater(fact["cases"], 0, name)

    def test_the_page_says_what_was_counted(self):
        page, known = (ROOT / "docs/houdini_assets.md").read_text(), facts.load()
        rows = re.findall(r"^\| `(\w+)`.* \| (\d+) of (\d+) \| (\d+) \|$", page, re.M)
        self.assertGreater(len(rows), 5)
        for name, *numbers in rows:
            fact = known["rules"][name]
            self.assertEqual([int(number) for number in numbers], [fact["kept"], fact["cases"], fact["assets"]], name)
        self.assertIn(f"{len(RULES)} rules, counted over {known['assets']} public SOP assets", page)
        self.assertIn(f"{len(defects.DEFECTS)} seeded defects", page)
        for text in (page, (ROOT / "tools/otls/parts/help_end.txt").read_text()):
            self.assertIn(f"{known['assets']} public", text)


if __name__ == "__main__":
    Otls.dashpot = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
