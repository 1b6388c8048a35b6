#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs ./bootstrap on a machine of stand-ins: a copy of its files, a root for apt's, and programs that only note what
they are asked. Needs no network and no root, and changes nothing of this machine."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "checks"))
import project  # noqa: E402
import recipe  # noqa: E402

BASH = shutil.which("bash")
MIRROR, KEY = "http://mirror.example/debian", "/usr/share/keyrings/debian-archive-keyring.gpg"
BOOKWORM = f"deb [arch=amd64 signed-by={KEY}] {MIRROR} bookworm main\n"

# They stand first in PATH. The file INSTALLED names the packages that are installed (or "everything"), FOUND what CMake
# finds, LOADER what the loader's cache holds; apt-get notes its calls in CALLS, and fails with BROKEN.
STAND_INS = {
    "dpkg-query": """
[ -e "$INSTALLED" ] || exit 1
for name; do :; done
while read -r installed; do
  case $installed in everything | "$name") printf installed ;; esac
done <"$INSTALLED"
""",
    "dpkg": "exit 0",  # every version is new enough
    "apt-get": """
echo "apt-get $*" >>"$CALLS"
case " $* " in
  *" -s "*) ;;
  *" update "*)
    mkdir -p "$MYLOS_APT_ROOT/var/lib/apt/lists"
    touch "$MYLOS_APT_ROOT/var/lib/apt/lists/mirror_experimental_Packages" ;;
  *" install "*)
    [ -z "${BROKEN:-}" ] || { echo "the mirror is away"; exit 100; }
    printf '%s\\n' "$@" >>"$INSTALLED" ;;
esac""",
    "cmake": """
for argument; do
  case $argument in
    -DMYLOS_PROBE_FOUND=*)
      mkdir -p "$(dirname "${argument#*=}")"
      printf '%s\\n' $FOUND >"${argument#*=}" ;;
  esac
done""",
    "g++": "exit 0",
    "ldconfig": "printf '\\t%s (libc6,x86-64) => /lib/it\\n' $LOADER",
    "nvcc": "exit 0",
    "pkg-config": "exit 1",
    "sudo": 'exec "$@"',
}


class Machine(unittest.TestCase):
    """A new one for each test: without apt's sources, so that bootstrap does not know it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.clone, self.apt = self.folder / "clone", self.folder / "root" / "etc" / "apt"
        self.installed, self.calls = self.folder / "installed", self.folder / "calls"
        shutil.copytree(ROOT / "tools" / "bootstrap", self.clone / "tools" / "bootstrap")
        shutil.copy2(ROOT / "bootstrap", self.clone)
        for name, text in STAND_INS.items():
            self.write(self.folder / "bin" / name, f"#!/bin/sh\n{text}\n").chmod(0o755)
        for name in ("sources.list.d", "preferences.d"):
            (self.apt / name).mkdir(parents=True)
        self.environment = {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
            "MYLOS_APT_ROOT": str(self.folder / "root"), "MYLOS_DEPS": str(self.folder / "deps"),
            "INSTALLED": str(self.installed), "CALLS": str(self.calls), "FOUND": "", "LOADER": "",
        }

    @staticmethod
    def write(path, text=""):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_command(self, *command, **variables):
        """(exit status, output)"""
        result = subprocess.run(command, cwd=self.clone, env={**self.environment, **variables}, text=True, timeout=100,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.returncode, result.stdout

    def expect(self, ended, status=0, says=()):
        """The output of what run_command ran: it holds every piece of `says`."""
        self.assertEqual(ended[0], status, ended[1])
        for piece in says:
            self.assertIn(piece, ended[1])
        return ended[1]

    def bootstrap(self, *arguments, status=0, says=(), **variables):
        return self.expect(self.run_command("./bootstrap", *arguments, **variables), status, says)

    def call(self, command, **variables):
        """A command of bash's, after all parts were sourced as bootstrap does it."""
        text = f"set -uo pipefail; ROOT=$PWD; for part; do source tools/bootstrap/$part.sh; done; {command}"
        return self.run_command(BASH, "-c", text, "bash", "common", "system", "packages", "prefixes", "build",
                                **variables)

    def tree(self):
        """{path: bytes} of all files but those in the clone's build folder."""
        return {path: path.read_bytes() for path in self.folder.rglob("*")
                if path.is_file() and path != self.calls and not path.is_relative_to(self.clone / "build")}

    def changes(self):
        """What apt-get was asked to change."""
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        return [call for call in calls if " -s " not in call]

    def parts(self, *needs):
        """The parts that are needed so."""
        rows = self.expect(self.call("COMMAND=main; system_parts")).splitlines()
        return [row.split()[0] for row in rows if row.split()[1] in needs]


class Scripts(Machine):
    def test_bash_can_read_them(self):
        texts = {path: project.text_of(ROOT, path) or "" for path in project.files(ROOT)}
        scripts = [path for path, text in texts.items() if path.suffix == ".sh" or re.match(r"#!.*\bbash\n", text)]
        self.assertIn(Path("bootstrap"), scripts)
        for script in scripts:
            self.assertEqual(self.run_command(BASH, "-n", str(ROOT / script)), (0, ""), script)

    def test_sourcing_runs_nothing(self):
        before = self.tree()
        self.assertEqual(self.call("true", PATH="/nowhere"), (0, ""))
        self.assertEqual(self.tree(), before)
        self.assertFalse((self.clone / "build").exists())


class Arguments(Machine):
    def test_help(self):
        self.bootstrap("--help", says=["usage: ./bootstrap", "--dry-run", "--long", "uninstall", "MYLOS_DEPS"])
        self.assertFalse((self.clone / "build").exists())

    def test_unknown(self):
        self.bootstrap("--fast", status=2, says=["unknown argument '--fast'", "./bootstrap --help"])
        self.assertFalse((self.clone / "build").exists())


class DryRun(Machine):
    def dry_run(self, *arguments, **options):
        before = self.tree()
        output = self.bootstrap(*arguments, "--dry-run", **options)
        self.assertEqual(self.tree(), before)
        self.assertEqual(self.changes(), [])
        return output

    def test_new_debian_12(self):
        self.write(self.apt / "sources.list", BOOKWORM)
        self.dry_run(says=[
            str(self.apt / "sources.list.d" / "mylos.sources"), str(self.apt / "preferences.d" / "mylos"),
            "take glibc", "bookworm: g++ make", "trixie: libc6", "experimental: libtrilinos-kokkos-dev",
            "Kokkos and Kokkos Kernels: would be done", "Matplotlib: would be done", "NVRTC",
            "Build 'default': would be done", "Plot: would be done"])

    def test_new_debian_13(self):
        self.write(self.apt / "sources.list", BOOKWORM.replace("bookworm", "trixie"))
        output = self.dry_run(says=["trixie: g++ make", "trixie: libc6", "experimental: libtrilinos-kokkos-dev"])
        self.assertNotIn("glibc", output)

    def test_what_is_there_is_not_installed(self):
        self.write(self.apt / "sources.list", BOOKWORM)
        self.write(self.installed, "everything\n")
        self.assertNotIn("mylos.sources", self.dry_run(says=["HDF5, Kokkos: already there"]))

    def test_what_cmake_finds_is_not_installed(self):
        self.write(self.apt / "sources.list", BOOKWORM)
        output = self.dry_run(says=["bookworm: libfmt-dev \n"], FOUND=" ".join(
            part for part in self.parts("required", "wanted") if part != "fmt"))
        self.assertNotIn("libtrilinos", output)

    def test_the_fuzzers_32_bit_library_is_of_the_same_release_as_libc(self):
        def fuzzer(release, libc, architecture="amd64"):
            return self.expect(self.call(
                f"COMMAND=test RELEASE={release}; dpkg() {{ echo {architecture}; }}; "
                f"at_least() {{ [ {libc} -ge ${{2#2.}} ]; }}; system_parts | grep ^fuzzer")).split()[3:]
        alone = ["clang-19", "libclang-rt-19-dev"]
        self.assertEqual(fuzzer("bookworm", 36), alone)
        self.assertEqual(fuzzer("bookworm", 41), [*alone, "libc6-i386/trixie"])
        self.assertEqual(fuzzer("bookworm", 41, "arm64"), alone)
        self.assertEqual(fuzzer("trixie", 41), alone)
        self.write(self.installed, "libc6-i386\n")
        self.expect(self.call("packages_installed libc6-i386/trixie"))

    def test_commands(self):
        self.write(self.apt / "sources.list", BOOKWORM)
        self.write(self.installed, "everything\n")
        self.dry_run("perf", says=["NVRTC:", "Build 'default'", "Benchmarks: would be done"])
        output = self.dry_run("test", says=["NVRTC 12", "PETSc", "'asan'", "'tsan'", "'default'", "Then ctest"])
        self.assertNotIn("openmp", output)
        self.dry_run("test", "--long", says=["with OpenMP", "'asan-kernel'", "'tsan-kernel'", "'openmp'", "'nvcc'"])
        self.dry_run("uninstall", says=["already there"])


class UnknownSystem(Machine):
    SPACK = {"compiler": "cxx", "context": "boost", "gmock": "googletest", "gtest": "googletest",
             "json": "nlohmann-json"}  # where the name is another one
    BESIDE_SPACK = {"python"}  # of the system, as bootstrap says

    def test_what_is_missing_is_told(self):
        found = " ".join(part for part in self.parts("required") if part not in ("kokkos", "xxhash"))
        for command in ([], ["test"], ["perf"]):
            output = self.bootstrap(*command, status=3, FOUND=found, says=[
                "  xxhash kokkos \n", "Kokkos 4.5 to 5.2", "spack install --only dependencies mylos+hdf5+testing"])
            self.assertNotIn("fftw", output)
        self.assertEqual(self.changes(), [])

    def test_names_of_debians_packages_tell_nothing_elsewhere(self):
        self.write(self.apt / "sources.list", BOOKWORM.replace("bookworm", "another"))
        self.write(self.installed, "everything\n")
        self.bootstrap(status=3, says=["  compiler cmake ninja "])

    def test_what_is_only_wanted_is_left_out(self):
        found = " ".join(self.parts("required"))
        wanted = " ".join(self.parts("wanted"))
        output = self.bootstrap("--dry-run", FOUND=found, says=[
            f"left out: {wanted} \n", "HDF5, Kokkos: already there", "Build 'default': would be done"])
        self.assertNotIn("Debian", output)
        output = self.bootstrap("test", "--long", "--dry-run", FOUND=found, says=[
            f"left out: {wanted} petsc kokkos-openmp \n", "'asan-kernel'", "Then ctest"])
        self.assertNotIn("PETSc", output)
        self.assertNotIn("'openmp'", output)
        self.bootstrap("perf", "--dry-run", FOUND=f"{found} {wanted}", says=["Benchmarks: would be done"])

    def test_probe_looks_for_every_part(self):
        text = (ROOT / "tools" / "bootstrap" / "probe" / "CMakeLists.txt").read_text()
        looked_for = set(re.findall(r"\bprobe_(?:package|program|header)\((\w+)|APPEND found (\w+)", text))
        self.assertLessEqual(set(self.parts("required", "wanted")), {a or b for a, b in looked_for})

    def test_spack_provides_what_is_required(self):
        line = self.expect(self.call("needs_in_words"))
        spack = recipe.evaluated(ROOT / recipe.RECIPE, (ROOT / recipe.RECIPE).read_text())
        for name in re.search(r" mylos((?:\+\w+)+)\n", line)[1].strip("+").split("+"):
            self.assertIn(name, spack.variants)
            spack.variants[name] = True
        words = {("+" if value else "~") + name for name, value in spack.variants.items()}
        there = {recipe.SPEC.fullmatch(spec)["name"] for spec, when, kind in spack.dependencies
                 if kind != "test" and recipe.holds(when, words)}
        needed = {self.SPACK.get(part, part) for part in self.parts("required")} - self.BESIDE_SPACK
        self.assertLessEqual(needed, there)


class AptSources(Machine):
    def sources(self, name, text):
        self.write(self.apt / name, text)
        return self.expect(self.call("apt_sources; true")).splitlines()

    def test_one_line(self):
        for text, *expected in (
            (BOOKWORM, f"{MIRROR} bookworm {KEY}"),
            (f"deb {MIRROR} trixie main contrib", f"{MIRROR} trixie -"),
            (f"deb [ signed-by={KEY} ] {MIRROR} sid main\ndeb [trusted=yes] {MIRROR} b/ x",
             f"{MIRROR} sid {KEY}", f"{MIRROR} b/ -"),
            (f"# deb {MIRROR} bookworm main\ndeb-src {MIRROR} bookworm main\n\n",),
            (f"deb\ndeb {MIRROR}\ndeb [signed-by={KEY} {MIRROR} bookworm main\ndeb [arch=amd64]\n",),  # malformed
        ):
            self.assertEqual(self.sources("sources.list", text), expected)
            self.assertEqual(self.sources("sources.list.d/more.list", text), expected * 2)
            (self.apt / "sources.list.d" / "more.list").unlink()

    def test_deb822(self):
        good = f"Types: deb deb-src\nURIs: {MIRROR}/\nSuites: trixie trixie-updates\nSigned-By: {KEY}\n"
        for text, *expected in (
            (good, f"{MIRROR}/ trixie,trixie-updates {KEY}"),
            (f"# of the installer\n{good}\n \n{good.replace('Signed-By', '#')}",
             f"{MIRROR}/ trixie,trixie-updates {KEY}", f"{MIRROR}/ trixie,trixie-updates -"),
            (f"types: deb\nuris:\t{MIRROR}\nsuites: sid  \nSigned-By:\n -----BEGIN PGP", f"{MIRROR} sid -"),
            (good.replace("deb deb-src", "deb-src"),),
            (f"Enabled: no\n{good}",),
            (good.replace("URIs", "URI"),),  # malformed
            (good.replace("Suites:", "Suites"),),
            (good.replace("\nSuites", "\n\nSuites"),),
        ):
            self.assertEqual(self.sources("sources.list.d/debian.sources", text), expected)

    def test_release(self):
        for suites, release in (("bookworm", "bookworm"), ("trixie trixie-updates", "trixie"),
                                ("bookworm-security", ""), ("jammy", ""), ("sid", "")):
            self.write(self.apt / "sources.list.d" / "a.sources", f"Types: deb\nURIs: {MIRROR}\nSuites: {suites}\n")
            self.assertEqual(self.call("debian_release"), (0, release), suites)

    def test_the_file_of_bootstrap_is_not_the_machines(self):
        self.write(self.apt / "sources.list", BOOKWORM)
        self.expect(self.call("RELEASE=bookworm; write_apt_files"))
        self.assertEqual(self.call("apt_sources; true"), (0, f"{MIRROR} bookworm {KEY}\n"))


class Installation(Machine):
    INSTALL = "parse_arguments --yes; install_system_packages"

    def setUp(self):
        super().setUp()
        self.write(self.apt / "sources.list", BOOKWORM)
        self.own = {self.apt / "sources.list.d" / "mylos.sources", self.apt / "preferences.d" / "mylos"}

    def test_touches_apt_by_files_of_its_own(self):
        before = self.tree()
        output = self.expect(self.call(self.INSTALL))
        self.assertLess(output.index("This will write two files"), output.index("[ 1]"))
        after = self.tree()
        self.assertEqual({path: after.get(path) for path in before}, before)
        inside = {path for path in after.keys() - before.keys() if path.is_relative_to(self.apt)}
        self.assertEqual(inside, self.own)
        for piece in (f"URIs: {MIRROR}\n", "Suites: trixie sid experimental\n", f"Signed-By: {KEY}\n"):
            self.assertIn(piece, (self.apt / "sources.list.d" / "mylos.sources").read_text())
        self.assertTrue((self.clone / "build" / "bootstrap.log").is_file())

        suites = [re.search(r"(?:-t (\w+) )?install (\S+)", call) for call in self.changes() if " update" not in call]
        self.assertEqual([match.groups() for match in suites], [
            (None, "g++"), ("trixie", "libc6"), ("experimental", "libtrilinos-kokkos-dev")])
        calls = self.changes()
        self.assertIn("already there", self.expect(self.call(self.INSTALL)))
        self.assertEqual(self.changes(), calls)

    def test_goes_on_where_it_was_interrupted(self):
        self.expect(self.call(self.INSTALL, BROKEN="1"), status=1, says=[
            "Compiler, CMake and libraries: FAILED", "the mirror is away", "repeat the command"])
        self.expect(self.call(self.INSTALL), says=["mylos: already there", "Kokkos and Kokkos Kernels: "])

    def test_uninstall_removes_only_files_of_its_own(self):
        self.write(self.apt / "sources.list.d" / "other.sources", "Types: deb\n")
        self.write(self.apt / "preferences.d" / "mylos-other", "Package: *\n")
        before = self.tree()
        self.expect(self.call("RELEASE=bookworm; write_apt_files"))
        self.assertLessEqual(self.own, self.tree().keys())
        self.bootstrap("uninstall", says=["Remove the apt files of bootstrap: "])
        lists = self.folder / "root" / "var"
        self.assertEqual({path: text for path, text in self.tree().items() if not path.is_relative_to(lists)}, before)
        self.bootstrap("uninstall", says=["already there"])

    def test_uninstall_leaves_a_file_that_somebody_else_wrote(self):
        theirs = self.write(self.apt / "sources.list.d" / "mylos.sources", "Types: deb\n")
        self.bootstrap("uninstall", status=1, says=["was not written by bootstrap and stays"])
        self.assertEqual(theirs.read_text(), "Types: deb\n")


class Nvrtc(Machine):
    """What src/cuda/nvrtc.cpp would load, and no more. `nvcc` is in PATH in all cases."""

    def setUp(self):
        super().setUp()
        self.toolkit = self.folder / "cuda"
        self.lib = self.toolkit / "lib64"
        # Not the toolkit of this machine.
        script = self.clone / "tools" / "bootstrap" / "prefixes.sh"
        script.write_text(script.read_text().replace("/usr/local/cuda", str(self.folder / "usual")))
        for name in ("libnvrtc.so", "libnvrtc.so.11.2", "libnvrtc.so.11.8.89", "libnvrtc-builtins.so.11.8"):
            self.write(self.lib / name)

    def is_there(self, **variables):
        return self.call("toolkit_nvrtc", **variables) == (0, "")

    def test_an_old_toolkit_does_not_count(self):
        self.assertFalse(self.is_there())
        for variable in ("CUDA_HOME", "CUDA_PATH"):
            self.assertFalse(self.is_there(**{variable: str(self.toolkit)}))
        self.assertFalse(self.is_there(LD_LIBRARY_PATH=str(self.lib)))
        for name in ("libnvrtc.so", "libnvrtc.so.11.2", "libnvrtc.so.120", "libnvrtc-builtins.so.12"):
            self.assertFalse(self.is_there(LOADER=name), name)

    def test_where_the_library_looks(self):
        for name in ("libnvrtc.so.12", "libnvrtc.so.13"):
            self.assertTrue(self.is_there(LOADER=f"libnvrtc.so {name}"))
            library = self.write(self.lib / name)
            self.assertFalse(self.is_there(CUDA_HOME=str(self.folder)))
            self.assertTrue(self.is_there(CUDA_HOME=str(self.toolkit)))
            self.assertTrue(self.is_there(CUDA_HOME=str(self.folder), CUDA_PATH=str(self.toolkit)))
            self.assertTrue(self.is_there(LD_LIBRARY_PATH=f"{self.folder}:{self.lib}"))
            library.unlink()
            usual = self.write(self.folder / "usual" / "lib64" / name)
            self.assertTrue(self.is_there())
            usual.unlink()

    def test_other_folders_of_a_toolkit_do_not_count(self):
        self.write(self.toolkit / "lib" / "libnvrtc.so.12")
        self.assertFalse(self.is_there(CUDA_HOME=str(self.toolkit)))


if __name__ == "__main__":
    unittest.main()
