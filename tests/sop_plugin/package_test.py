"""The Houdini package: its description, the build against a stand-in for $HFS, and tools/check_hdk.

    DASHPOT_BUILD_DSO=1 python3 tests/sop_plugin/package_test.py    also builds and installs (minutes)
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# What Houdini's own file gives to those who build plugins, as far as cmake/houdini.cmake uses it.
HOUDINI_CONFIG = """
set(Houdini_VERSION 20.5.550)
set(Houdini_VERSION_MAJOR 20)
set(Houdini_VERSION_MINOR 5)
add_library(Houdini INTERFACE)
target_include_directories(Houdini SYSTEM INTERFACE "%(standin)s")
target_compile_options(Houdini INTERFACE -D_GLIBCXX_USE_CXX11_ABI=%(abi)s)
target_compile_definitions(Houdini INTERFACE MAKING_DSO)
function(houdini_configure_target target)
  cmake_parse_arguments(own "" "INSTDIR" "" ${ARGN})
  set_target_properties(${target} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${own_INSTDIR})
endfunction()
%(libraries)s
"""


class FakeHoudini:
    """A folder that looks like $HFS to cmake; TBB and OpenVDB in it are those of the system."""

    def __init__(self, folder, abi=1, libraries="target"):
        self.hfs = pathlib.Path(folder) / "hfs20.5"
        (self.hfs / "toolkit/cmake").mkdir(parents=True)
        include = self.hfs / "toolkit/include"
        include.mkdir()
        for name in ("tbb", "oneapi", "openvdb", "Imath"):
            if pathlib.Path("/usr/include", name).exists():
                (include / name).symlink_to(pathlib.Path("/usr/include", name))
        text = ""
        if libraries == "target":
            text = ("add_library(HoudiniThirdParty INTERFACE)\n"
                    "target_link_libraries(HoudiniThirdParty INTERFACE tbb openvdb)\n")
        elif libraries == "dep":
            for name in ("tbb", "openvdb_sesi"):
                text += f"add_library(Houdini::Dep::{name} INTERFACE IMPORTED)\n"
        else:
            (self.hfs / "dsolib").mkdir()
            for name in ("tbb", "openvdb_sesi"):
                (self.hfs / f"dsolib/lib{name}.so").touch()
        (self.hfs / "toolkit/cmake/HoudiniConfig.cmake").write_text(HOUDINI_CONFIG % {
            "standin": ROOT / "tests/hdk_standin/include", "abi": abi, "libraries": text})


def configure(folder, hfs, *arguments):
    environment = {k: v for k, v in os.environ.items() if k != "HFS"}
    return subprocess.run(
        ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DDASHPOT_HOUDINI=ON",
         f"-DHFS={hfs}", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, env=environment)


class Build(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="dashpot_hfs_")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.build = os.path.join(self.folder, "build")

    def commands(self):
        with open(os.path.join(self.build, "compile_commands.json")) as file:
            return json.load(file)

    def test_everything_in_the_dso_has_houdinis_abi_and_headers(self):
        for abi in (0, 1):
            shutil.rmtree(self.folder)
            houdini = FakeHoudini(self.folder, abi)
            result = configure(self.build, houdini.hfs)
            self.assertEqual(result.returncode, 0, result.stdout)
            commands = self.commands()
            files = {pathlib.Path(c["file"]).relative_to(ROOT).parts[0] for c in commands}
            self.assertEqual(files, {"solver", "sop_plugin"})
            for command in commands:
                self.assertIn(f"-D_GLIBCXX_USE_CXX11_ABI={abi}", command["command"])
                self.assertIn(str(houdini.hfs / "toolkit/include"), command["command"])
                self.assertIn("-fPIC", command["command"])
            # The solver does not see what only plugins define.
            for command in commands:
                self.assertEqual("MAKING_DSO" in command["command"],
                                 "/sop_plugin/" in command["file"])

    def test_third_party_libraries_are_found_in_every_version(self):
        for libraries in ("dep", "files"):
            shutil.rmtree(self.folder)
            houdini = FakeHoudini(self.folder, libraries=libraries)
            result = configure(self.build, houdini.hfs)
            self.assertEqual(result.returncode, 0, libraries + result.stdout)

    def test_without_houdini_a_sentence_says_what_to_do(self):
        result = configure(self.build, "/nowhere")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("source houdini_setup", result.stdout)

    @unittest.skipUnless(os.environ.get("DASHPOT_BUILD_DSO"), "takes minutes")
    def test_the_dso_builds_and_installs_as_a_package(self):
        houdini = FakeHoudini(self.folder)
        prefix = os.path.join(self.folder, "prefix")
        result = configure(self.build, houdini.hfs, "-DDASHPOT_UNITY=ON",
                           f"-DCMAKE_INSTALL_PREFIX={prefix}")
        self.assertEqual(result.returncode, 0, result.stdout)
        subprocess.run(["cmake", "--build", self.build, "--target", "install"], check=True,
                       stdout=subprocess.DEVNULL)
        installed = {str(p.relative_to(prefix)) for p in pathlib.Path(prefix).glob("**/*")}
        for path in ("packages/dashpot.json", "dashpot/houdini20.5/dso/dashpot.so", "dashpot/otls",
                     "dashpot/presets", "dashpot/help/nodes/sop/dashpot--solver-1.0.txt",
                     "dashpot/help/nodes/dop/dashpot_solver.txt", "dashpot/verify_in_houdini.py",
                     "dashpot/verify_asset_questions.py", "dashpot/verify_questions.py", "dashpot/verify_report.py",
                     "dashpot/scripts/python/dashpot_pdg.py"):
            self.assertIn(path, installed)
        symbols = subprocess.run(
            ["nm", "-D", "--defined-only", prefix + "/dashpot/houdini20.5/dso/dashpot.so"],
            check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
        for name in ("newSopOperator", "initializeSIM"):
            self.assertIn(" T " + name + "\n", symbols)
        self.assertNotIn("METIS", symbols)
        self.load(prefix)

    def load(self, prefix):
        """In a process that has nothing of ours but the stand-in, which is not linked to the library."""
        host = os.path.join(self.folder, "host")
        standin = ROOT / "tests/hdk_standin"
        subprocess.run(
            ["g++", "-std=c++17", "-O1", f"-I{standin}", f"-I{standin}/include",
             *map(str, standin.glob("*.cpp")), str(standin / "loader/main.cpp"), "-rdynamic", "-ldl",
             "-lopenvdb", "-ltbb", "-o", host], check=True)
        result = subprocess.run([host, prefix + "/dashpot/houdini20.5/dso/dashpot.so"],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                universal_newlines=True)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("cooked 3 frames of dashpot::solver::1.0, 1 DOP", result.stdout)
        needed = subprocess.run(["ldd", prefix + "/dashpot/houdini20.5/dso/dashpot.so"], check=True,
                                stdout=subprocess.PIPE, universal_newlines=True).stdout
        self.assertIn(f"{prefix}/dashpot/houdini20.5/dso/../lib/libmetis", needed)


class Package(unittest.TestCase):
    def test_the_description_has_one_path_for_each_version(self):
        package = json.loads((ROOT / "sop_plugin/package/packages/dashpot.json").read_text())
        paths = next(entry["HOUDINI_PATH"] for entry in package["env"] if "HOUDINI_PATH" in entry)
        values = [value for path in paths for key, value in path.items() if key != "method"]
        self.assertEqual(values[0], "$DASHPOT")
        self.assertEqual(values[1:], ["$DASHPOT/houdini" + v for v in
                                      ("19.5", "20.0", "20.5", "21.0")])


    def test_it_is_on_for_the_versions_that_have_a_plugin_and_for_no_other(self):
        package = json.loads((ROOT / "sop_plugin/package/packages/dashpot.json").read_text())
        paths = next(entry["HOUDINI_PATH"] for entry in package["env"] if "HOUDINI_PATH" in entry)
        conditions = [key for path in paths[1:] for key in path if key != "method"]

        def holds(condition, version):
            # Houdini compares versions number by number.
            text = condition.replace("houdini_version", repr(tuple(version)))
            return eval(re.sub(r"'(\d+)\.(\d+)'", r"(\1, \2)", text))

        for version in ((19, 0), (19, 5, 800), (20, 0), (20, 5, 550), (21, 0, 440), (21, 5), (22, 0)):
            has_plugin = [holds(condition, version) for condition in conditions].count(True)
            self.assertEqual((holds(package["enable"], version), has_plugin),
                             ((19, 5) <= version < (21, 5), int((19, 5) <= version < (21, 5))), version)


class CheckHdk(unittest.TestCase):
    def check(self, edit):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for part in ("sop_plugin", "tests/hdk_standin", "solver/base"):
                shutil.copytree(ROOT / part, root / part)
            edit(root)
            result = subprocess.run([sys.executable, str(ROOT / "tools/check_hdk"), folder],
                                    stdout=subprocess.PIPE, universal_newlines=True)
            return result.returncode, result.stdout

    def append(self, name, text):
        def edit(root):
            with open(root / name, "a") as file:
                file.write(text)
        return edit

    def test_the_plugin_is_clean(self):
        self.assertEqual(self.check(lambda root: None), (0, ""))

    def test_an_unknown_class_or_call_is_refused(self):
        code, out = self.check(self.append("sop_plugin/guard.h", "GU_PrimPacked* packed;\n"))
        self.assertEqual(code, 1)
        self.assertIn("GU_PrimPacked is not in the table", out)
        code, out = self.check(self.append("sop_plugin/guard.h", "void f(A* a) { a->unpackAll(); }\n"))
        self.assertEqual(code, 1)
        self.assertIn("unpackAll is not in the table", out)

    def test_comments_and_texts_do_not_count(self):
        code, out = self.check(self.append("sop_plugin/guard.h", '// GU_PrimPacked "unpackAll"\n'))
        self.assertEqual(code, 0, out)

    def test_a_header_that_the_stand_in_does_not_have_is_refused(self):
        code, out = self.check(self.append("sop_plugin/guard.h", "#include <GU/GU_Prim.h>\n"))
        self.assertEqual(code, 1)
        self.assertIn("<GU/GU_Prim.h> is not in the stand-in", out)

    def test_houdini_headers_elsewhere_are_refused(self):
        code, out = self.check(self.append("solver/base/types.h", "#include <UT/UT_Vector3.h>\n"))
        self.assertEqual(code, 1)
        self.assertIn("solver/base/types.h: includes <UT/UT_Vector3.h>", out)

    def test_an_entry_of_the_table_that_is_not_used_is_refused(self):
        code, out = self.check(self.append(
            "tests/hdk_standin/README.md", "\n| `GU_Old` | GU/GU_Detail.h | x | hdr | high |\n"))
        self.assertEqual(code, 1)
        self.assertIn("GU_Old is not used", out)


if __name__ == "__main__":
    unittest.main()
