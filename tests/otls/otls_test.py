"""The assets in otls/ and presets/ are fresh and valid, and the validator finds what is wrong.

    python3 tests/otls/otls_test.py build/release/bin/dashpot
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from otls import declaration, dialog, validation  # noqa: E402

BODY = "otls/dashpot_softbody.1.0.hda"
INNER = BODY + "/dashpot_8_8Sop_1softbody_8_81.0"
MIME = INNER + "/Contents.dir/Contents.mime"
COLLIDER = "otls/dashpot_collider.1.0.hda/dashpot_8_8Sop_1collider_8_81.0"
DAMPING = "otls/dashpot_damping.1.0.hda/dashpot_8_8Sop_1damping_8_81.0"


def replace(path, old, new):
    def seed(folder):
        text = (folder / path).read_text()
        assert old in text, f"{path} has no {old!r} to break"
        (folder / path).write_text(text.replace(old, new, 1))
    return seed


def remove(path):
    return lambda folder: (folder / path).unlink()


def swap_parts(folder):
    text = (folder / MIME).read_text()
    parts = re.split(r"(?=--HOUDINIMIME)", text)
    parts[2], parts[3] = parts[3], parts[2]
    (folder / MIME).write_text("".join(parts))


def remove_part(name):
    def seed(folder):
        parts = re.split(r"(?=--HOUDINIMIME)", (folder / MIME).read_text())
        kept = [part for part in parts if f'filename="{name}"' not in part]
        assert len(kept) == len(parts) - 1
        (folder / MIME).write_text("".join(kept))
    return seed


def replace_bytes(path, old, new):
    data = path.read_bytes()
    assert old in data and len(old) == len(new)
    path.write_bytes(data.replace(old, new, 1))


def shorten(path):
    return lambda folder: (folder / path).write_bytes((folder / path).read_bytes()[:-7])


def wrong_offset(folder):
    path = folder / "presets/Sop/dashpot-damping-1.0.idx"
    data = bytearray(path.read_bytes())
    length = struct.unpack(">I", data[16:20])[0]
    data[20 + length + 4:20 + length + 8] = struct.pack(">I", 10)
    path.write_bytes(bytes(data))


# What is broken, how, and a word of the fault that must be reported.
DEFECTS = [
    ("misspelt parameter", replace(INNER + "/DialogScript", '"youngsmodulus"', '"youngmodulus"'), "youngmodulus"),
    ("stale parameter", replace(DAMPING + "/DialogScript", 'name        "massdamping"', 'name        "airdamping"'), "airdamping"),
    ("stale default", replace(INNER + "/DialogScript", 'default     { "100000" }', 'default     { "200000" }'), "declared is"),
    ("stale menu", replace(INNER + "/DialogScript", '"stvk"', '"venant"'), "menu of material"),
    ("unknown type", replace(INNER + "/DialogScript", "type        float", "type        flout"), "unknown type flout"),
    ("brace not closed", replace(INNER + "/DialogScript", "menu {", "menu "), "DialogScript"),
    ("quote not closed", replace(INNER + "/DialogScript", 'label       "Preset"', 'label       "Preset'), "not closed"),
    ("rule of nothing", replace(INNER + "/DialogScript", "{ material == arap }", "{ matter == arap }"), "compares matter"),
    ("parameter twice", replace(INNER + "/DialogScript", 'name        "tetsize"', 'name        "preset"'), "twice"),
    ("callback of nothing", replace(INNER + "/PythonModule", "def reset(", "def restart("), "calls reset"),
    ("missing section file", remove(INNER + "/Tools.shelf"), "Tools.shelf is missing"),
    ("unlisted section", replace(INNER + "/Sections.list", "PythonModule\tPythonModule\n", ""), "PythonModule is not in"),
    ("wrong mangling", replace(BODY + "/Sections.list", "INDEX__SECTION\t", "INDEX_SECTION\t"), "INDEX__SECTION"),
    ("operator of another name", replace(BODY + "/INDEX__SECTION", "dashpot::softbody::1.0", "dashpot::softbdy::1.0"), "Operator"),
    ("fewer inputs than labels", replace(BODY + "/INDEX__SECTION", "1 to 4", "1 to 3"), "Inputs"),
    ("wire from nowhere", replace(MIME, '\tmesh ', '\tmush '), "mush"),
    ("wire to an input that is not there", replace(MIME, '\t(2) "" 1', '\t(7) "" 1'), "solver"),
    ("wrong connector", replace(MIME, "connectornextid 3\n", "connectornextid 9\n"), "connectornextid"),
    ("no display flag", replace(MIME, "display on render on highlight off unload off savedata off compress on colordefault on "
                                "exposed on\noutputsNamed3\n{\n2 ", "display off render off highlight off unload off savedata "
                                "off compress on colordefault on exposed on\noutputsNamed3\n{\n2 "), "display"),
    ("parts out of order", swap_parts, "order"),
    ("missing part", remove_part("hdaroot/solver.def"), "order"),
    ("reference to nothing", replace(MIME, 'ch(\\"../dampingtime\\")', 'ch(\\"../dampingtimes\\")'), "dampingtimes"),
    ("reference of a snippet to nothing", replace(DAMPING + "/Contents.dir/Contents.mime", "../dampingbulk", "../dampingbilk"),
     "dampingbilk"),
    ("solver parameter that is not linked", lambda folder: (folder / MIME).write_text(re.sub(
        r"\tchannel substeps \{.*?\n\t\}\n", "", (folder / MIME).read_text(), flags=re.S)), "substeps"),
    ("unknown node type", replace(MIME, "type = tetembed", "type = tetembad"), "tetembad"),
    ("parameter of another node", replace(COLLIDER + "/Contents.dir/Contents.mime", "attributevdbname1", "attributeGridName1"),
     "attributeGridName1"),
    ("message node of nothing", replace(INNER + "/MessageNodes", "solver", "slover"), "slover"),
    ("ramp link of nothing", replace(INNER + "/CreateScript", '"../dampingramp#pos"', '"../rampdamping#pos"'), "rampdamping"),
    ("preset of another table", replace(INNER + "/presets.json", '"youngsmodulus": 20000', '"youngsmodulus": 30000'), "presets.json"),
    ("preset file with another range", lambda folder: replace_bytes(
        folder / "presets/Sop/dashpot-solver-1.0.idx", b"(\t0.5\t1.5\t)", b"(\t0.5\t1.6\t)"), "dampingramprange"),
    ("preset file cut short", shorten("presets/Sop/dashpot-solver-1.0.idx"), "dashpot-solver"),
    ("preset file with a wrong table", wrong_offset, "dashpot-damping"),
]


class Otls(unittest.TestCase):
    dashpot = None

    @classmethod
    def setUpClass(cls):
        cls.declared = declaration.Declaration(cls.dashpot)

    def copy(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        folder = pathlib.Path(holder.name)
        for name in ("otls", "presets"):
            shutil.copytree(ROOT / name, folder / name)
        return folder

    def test_are_what_the_declaration_says(self):
        result = subprocess.run([sys.executable, ROOT / "tools/make_otls", self.dashpot, "--check"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_are_valid(self):
        self.assertEqual(validation.faults(ROOT, self.declared), [])

    def test_every_seeded_defect_is_found(self):
        self.assertGreaterEqual(len(DEFECTS), 20)
        for name, seed, word in DEFECTS:
            with self.subTest(name):
                folder = self.copy()
                seed(folder)
                found = validation.faults(folder, self.declared)
                self.assertTrue(any(word in fault for fault in found), f"not found; faults: {found}")

    def test_sliders_that_matter_are_on_top(self):
        tree = dialog.parse((ROOT / INNER / "DialogScript").read_text())
        self.assertEqual([values[0].text("name") for values in tree.all("parm")][:3], ["preset", "presetstate", "youngsmodulus"])

    def test_presets_touch_material_and_damping_only(self):
        touched = {token for p in self.declared.presets for token in [*p["values"], *p["ranges"], *p["ramps"]]}
        self.assertEqual(touched, set(self.declared.preset_tokens))
        for token in touched:
            self.assertTrue(token.startswith("damping") or token in ("material", "youngsmodulus", "poissonratio", "massdensity",
                                                                     "massdamping"), token)


if __name__ == "__main__":
    Otls.dashpot = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
