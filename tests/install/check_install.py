#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs Mylos, moves the prefix, and uses it as a stranger would: one case for each run.

usage: check_install.py CASE --build BUILD --work FOLDER [--kokkos FOLDER] [--cxx COMPILER] [--components a;b]
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
SKIPPED = 77
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def run(*command, environment=None, folder=None):
    """Runs a command; ends the case with its output when it fails. Returns the output."""
    result = attempt(*command, environment=environment, folder=folder)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed with {result.returncode}:\n{result.stdout}")
    return result.stdout


def attempt(*command, environment=None, folder=None):
    merged = {**os.environ, **(environment or {})}
    return subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=merged,
        cwd=folder,
        check=False,
    )


def require(condition, message):
    if not condition:
        sys.exit(message)


def configure_command(options, build, project, definitions):
    command = ["cmake", "-G", "Ninja", "-S", project, "-B", build, f"-DCMAKE_CXX_COMPILER={options.cxx}"]
    for name, value in definitions.items():
        command.append(f"-D{name}={value}")
    return command


def moved(options):
    return options.work / "moved"


def package_of(prefix):
    """Where the configuration file lies; found by name, as CMake does, since the library folder differs by system."""
    found = list(prefix.glob("lib*/**/MylosConfig.cmake"))
    require(len(found) == 1, f"expected one MylosConfig.cmake below {prefix}, found {found}")
    return found[0].parent


def build_consumer(options, name, project=HERE / "consumer", package=None, **definitions):
    """A project outside the tree finds Mylos at `package`, is built, and runs."""
    build = options.work / name
    shutil.rmtree(build, ignore_errors=True)
    settings = {
        "Mylos_DIR": package or package_of(moved(options)),
        "Kokkos_DIR": options.kokkos,
        "CMAKE_BUILD_TYPE": "Release",
        "CONSUMER_LANGUAGES": "CXX",
        "CONSUMER_FIND": "REQUIRED",
        **definitions,
    }
    run(*configure_command(options, build, project, settings))
    run("cmake", "--build", build, "--verbose")
    return run(build / "consumer")


@case
def install_and_move(options):
    first = options.work / "first"
    for folder in (first, moved(options)):
        shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "--install", options.build, "--prefix", first)
    first.rename(moved(options))
    for file in ("include/mylos/mylos.hpp", "include/mylos/base/version_numbers.hpp", "share/mylos/LLM_GUIDE.md"):
        require((moved(options) / file).exists(), f"{file} is not installed")


@case
def only_cxx(options):
    build_consumer(options, "only_cxx")


@case
def c_and_cxx(options):
    build_consumer(options, "c_and_cxx", CONSUMER_LANGUAGES="C;CXX")


@case
def consumer_with_standard_17(options):
    build = options.work / "standard_17"
    build_consumer(options, "standard_17", CMAKE_CXX_STANDARD="17", CMAKE_EXPORT_COMPILE_COMMANDS="ON")
    commands = (build / "compile_commands.json").read_text(encoding="utf-8")
    flags = re.findall(r"-std=\S+", commands)
    require(len(flags) == 1, f"expected one -std flag on the command line, found {flags}")


@case
def every_component(options):
    targets = ";".join(["Mylos::mylos"] + [f"Mylos::{name}" for name in options.components])
    find = ";".join(["REQUIRED", "COMPONENTS", *options.components])
    # A static HDF5 is searched for in the consumer, which needs the language C.
    build_consumer(
        options, "every_component", CONSUMER_LANGUAGES="C;CXX", CONSUMER_FIND=find, CONSUMER_TARGETS=targets
    )


def refuse_component(options, package, component, *expected, **definitions):
    """Asked for, it fails with these words; asked for as optional, it does not."""
    for word, succeeds in (("COMPONENTS", False), ("OPTIONAL_COMPONENTS", True)):
        build = options.work / options.case  # cases run at the same time
        shutil.rmtree(build, ignore_errors=True)
        settings = {
            "Mylos_DIR": package,
            "Kokkos_DIR": options.kokkos,
            "CONSUMER_LANGUAGES": "CXX",
            "CONSUMER_FIND": f"REQUIRED;{word};{component}",
            **definitions,
        }
        result = attempt(*configure_command(options, build, HERE / "consumer", settings))
        require((result.returncode == 0) == succeeds, f"{word} {component}: configure ended with\n{result.stdout}")
        if not succeeds:
            text = " ".join(result.stdout.split())
            for words in expected:
                require(words in text, f"'{words}' is missing in\n{result.stdout}")


@case
def component_that_no_mylos_has(options):
    expected = ("component 'absent' is none of Mylos", f"[{' '.join(options.components)}]", "correct the name")
    refuse_component(options, package_of(moved(options)), "absent", *expected)


@case
def component_not_built(options):
    """As if this Mylos had been built without one of its components."""
    if not options.components:
        return
    *others, component = options.components
    prefix = options.work / "without_component"
    shutil.rmtree(prefix, ignore_errors=True)
    shutil.copytree(moved(options), prefix, symlinks=True)
    package = package_of(prefix)
    config = package / "MylosConfig.cmake"
    text = config.read_text(encoding="utf-8")
    built = f'set(_mylos_built "{";".join(options.components)}")'
    require(built in text, f"'{built}' is missing in {config}")
    config.write_text(text.replace(built, f'set(_mylos_built "{";".join(others)}")'), encoding="utf-8")
    expected = (f"component '{component}' is not in this Mylos", f"MYLOS_ENABLE_{component.upper()}=ON")
    refuse_component(options, package, component, *expected)


@case
def component_without_its_need(options):
    """Its part of the package is there, GoogleTest is not."""
    if "testing" not in options.components:
        print("the package was built without Mylos::testing")
        sys.exit(SKIPPED)
    expected = ("component 'testing' needs GTest", "CMake does not find it", "CMAKE_PREFIX_PATH")
    refuse_component(options, package_of(moved(options)), "testing", *expected, CMAKE_DISABLE_FIND_PACKAGE_GTest="ON")


@case
def version_of_another_series(options):
    for version, succeeds in (("0.1", True), ("0.2", False), ("1.0", False)):
        build = options.work / "version"
        shutil.rmtree(build, ignore_errors=True)
        settings = {
            "Mylos_DIR": package_of(moved(options)),
            "Kokkos_DIR": options.kokkos,
            "CONSUMER_LANGUAGES": "CXX",
            "CONSUMER_FIND": f"{version};REQUIRED",
        }
        result = attempt(*configure_command(options, build, HERE / "consumer", settings))
        require((result.returncode == 0) == succeeds, f"asking for {version}:\n{result.stdout}")


@case
def no_absolute_paths(options):
    forbidden = [str(options.build), str(SOURCE), str(options.work), str(options.kokkos)]
    files = [path for path in moved(options).rglob("*") if path.suffix in (".cmake", ".pc", ".hpp", ".in")]
    require(len(files) > 10, "hardly any installed text file was found")
    for path in files:
        text = path.read_text(encoding="utf-8")
        for folder in forbidden:
            require(folder not in text, f"{path} names {folder}")


@case
def staged_install(options):
    stage = options.work / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    run("cmake", "--install", options.build, "--prefix", "/opt/mylos", environment={"DESTDIR": str(stage)})
    build_consumer(options, "staged", package=package_of(stage / "opt/mylos"))


@case
def build_tree(options):
    build_consumer(options, "build_tree", package=options.build)


@case
def connector(options):
    """The library for Kokkos Tools, moved, in a program that knows nothing of Mylos."""
    libraries = list(moved(options).glob("lib*/**/libmylos_transfers.so"))
    require(len(libraries) == 1, f"expected one libmylos_transfers.so below {moved(options)}, found {libraries}")
    told = run(options.build / "tests/transfers/transfers_foreign",
               environment={"KOKKOS_TOOLS_LIBS": str(libraries[0])})
    require("density -> old density  step" in told, f"the connector told:\n{told}")


@case
def readme(options):
    """The example of README.md."""
    script, guide = SOURCE / "tests/docs/run_blocks.py", SOURCE / "README.md"
    places = ("--mylos-dir", package_of(moved(options)), "--work", options.work / "readme")
    run(sys.executable, script, guide, *places, environment={"CXX": options.cxx, "Kokkos_DIR": str(options.kokkos)})


def edit(file, old, new):
    text = file.read_text(encoding="utf-8")
    require(old in text, f"'{old}' is missing in {file}")
    file.write_text(text.replace(old, new), encoding="utf-8")


def require_sums(output, **sums):
    """What the consumer prints for each kernel: a sum by its functor, and one by its port."""
    for kernel, (host, emulated) in sums.items():
        line = f"{kernel}: host {host:.1f}, emulated {emulated:.1f}"
        require(line in output, f"'{line}' is missing in\n{output}")


@case
def kernel_catalog(options):
    """Two catalogs, one of generated files: edited ports and headers are built in, and no file is needed to run."""
    project, build = options.work / "kernels", options.work / "kernel_catalog"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(HERE / "kernels", project)
    output = build_consumer(options, "kernel_catalog", project=project)
    require_sums(output, scale=(300, 300), early=(350, 350), late=(350, 350))

    edit(project / "catalog/scale/scale.cu", "factor);", "2.0 * factor);")
    run("cmake", "--build", build)
    require_sums(run(build / "consumer"), scale=(300, 600), early=(350, 350), late=(350, 350))

    edit(project / "units/factor.hpp", "unit = 1.0", "unit = 2.0")
    edit(project / "generated/step.hpp.in", "step = 1.0", "step = 2.0")
    edit(project / "generated/kernel.cu.in", "+= factor", "+= 2.0 * factor")
    run("cmake", "--build", build)
    shutil.rmtree(project)
    shutil.rmtree(build / "generated/kernels")
    (build / "generated/step.hpp").unlink()
    require_sums(run(build / "consumer"), scale=(600, 1200), early=(500, 800), late=(500, 800))


def build_with_images(options, name, package):
    """The catalog with several ARCHITECTURES, and its programs. Returns project and build folder."""
    compiler = options.build / "tools/kernel_compiler/mylos_kernel_compiler"
    probe = attempt(compiler, "scale", HERE / "kernels/catalog/scale/scale.cu", "sm_1", options.work / "none")
    if not options.driver or "needs NVRTC" in probe.stdout:
        print("no driver to test with" if not options.driver else probe.stdout)
        sys.exit(SKIPPED)
    project = options.work / f"{name}_project"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(HERE / "kernels", project)
    build_consumer(options, name, project=project, package=package, CATALOG_FURTHER="ARCHITECTURES;80-real;90;90a;90-virtual")
    return project, options.work / name


def run_on_card(options, build, capability):
    """What the port is there, where nothing can be compiled."""
    environment = {
        "MYLOS_CUDA_DRIVER": options.driver,
        "STAND_IN_CAPABILITY": capability,
        "MYLOS_NVRTC": "/nowhere/libnvrtc.so",
        "MYLOS_CACHE": "0",
        "MYLOS_LOG": "info",
    }
    return attempt(build / "device", environment=environment).stdout


def compile_in_other_processes(build, prefix):
    """Of a shared library, by the program that lies beside it."""
    output = run(build / "variants", environment={"MYLOS_CACHE": "0", "MYLOS_LOG": "debug"})
    require("4 variants" in output, output)
    program = next(prefix.rglob("mylos_kernel_compiler")).resolve()
    told = f"{program} compiles for this process" if any(prefix.glob("lib*/**/libmylos.so")) else "one at a time"
    require(told in output, f"'{told}' is missing in\n{output}")


def refuse_build(build, *expected, environment=None):
    result = attempt("cmake", "--build", build, environment=environment)
    require(result.returncode != 0, f"it was built:\n{result.stdout}")
    for words in expected:
        require(words in result.stdout, f"'{words}' is missing in\n{result.stdout}")


@case
def kernels_compiled_at_build_time(options):
    """With ARCHITECTURES a program needs no NVRTC on such cards; its images follow the texts, and faults stop the build."""
    project, build = build_with_images(options, "compiled", package_of(moved(options)))
    for card, kind, image in (("86", "cubin", "sm_80"), ("90", "cubin", "sm_90a"), ("120", "PTX", "compute_90")):
        output = run_on_card(options, build, card)
        require(f"scale for {image}" in output and f"the {kind} for {image} that is part of" in output, output)
    output = run_on_card(options, build, "75")
    require("no code that is part of the program runs on compute capability 7.5" in output, output)
    compile_in_other_processes(build, moved(options))

    require("no work to do" in run("cmake", "--build", build), "an unchanged project is built again")
    with (project / "units/factor.hpp").open("a", encoding="utf-8") as header:
        header.write("// edited\n")
    output = run("cmake", "--build", build)
    require("Compiling kernel scale for sm_80" in output, f"an edited header changes nothing:\n{output}")

    no_nvrtc = {"MYLOS_NVRTC": "/nowhere/libnvrtc.so", "MYLOS_CACHE": "0"}
    with (project / "catalog/scale/scale.cu").open("a", encoding="utf-8") as port:
        port.write("// edited\n__device__ int wrong = undeclared;\n")
    refuse_build(build, "needs NVRTC", "/nowhere/libnvrtc.so", "leave ARCHITECTURES out", environment=no_nvrtc)
    refuse_build(build, "kernel 'scale' does not compile", "scale.cu", "__device__ int wrong = undeclared;", "undefined")
    for word in ("999", "80a"):
        run("cmake", f"-DCATALOG_FURTHER=ARCHITECTURES;{word}", build)
        refuse_build(build, f"'{word}' is none", "NVRTC", "80")


@case
def kernels_compiled_by_build_tree(options):
    _, build = build_with_images(options, "compiled_by_build_tree", options.build)
    output = run_on_card(options, build, "90")
    require("scale for sm_90" in output, output)


def command_and_folder(options, name):
    """The installed command, and an empty folder to run it in."""
    command = moved(options) / "bin/mylos"
    if "testing" not in options.components or not command.exists():
        print("the package was built without the command, or without Mylos::testing")
        sys.exit(SKIPPED)
    folder = options.work / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return command, folder


@case
def new_kernel(options):
    """What `mylos new kernel` writes is built, and functor and port agree."""
    command, project = command_and_folder(options, "new_kernel")
    run(command, "new", "kernel", "scale", folder=project)
    settings = {"Mylos_DIR": package_of(moved(options)), "Kokkos_DIR": options.kokkos, "CMAKE_BUILD_TYPE": "Release"}
    output = run(*configure_command(options, project / "build", project, settings))
    require("CXX extensions" not in output, f"Kokkos warns:\n{output}")
    run("cmake", "--build", project / "build")
    output = run("ctest", "--test-dir", project / "build", "--no-tests=error", "--output-on-failure")
    require("app.Parity.scale" in output and "100% tests passed" in output, output)
    run(command, "new", "kernel", "app", folder=project)  # as the namespace is called
    run("cmake", "--build", project / "build")
    output = run("ctest", "--test-dir", project / "build", "--no-tests=error", "--output-on-failure")
    require("app.Parity.app" in output and "100% tests passed" in output, output)


@case
def check_run(options):
    """`mylos check --run` builds what it is given, and tells functor and port that differ, and what all checks find."""
    command, project = command_and_folder(options, "check_run")
    for kernel in ("scale", "shift", "stretch", "race", "beyond"):
        run(command, "new", "kernel", kernel, "--namespace", "plasma::loops", folder=project)

    def change_port(kernel, statement):
        port = project / f"kernels/{kernel}/{kernel}.cu"
        port.write_text(
            port.read_text(encoding="utf-8").replace("y(i) = factor * x(i);", statement), encoding="utf-8"
        )

    change_port("shift", "y(i) = x(i) - factor;")
    # The results of these are right, and only the emulator's checks tell the faults.
    change_port("race", "y(i) = factor * x(i); y(0) = factor * x(0);")
    change_port("beyond", "const double* next = &x(i) + 1; y(i) = *next > 2 ? 0 : factor * x(i);")
    (project / "kernels/stretch/stretch_parity.hpp").unlink()
    settings = [f"--cmake=-DKokkos_DIR={options.kokkos}", f"--cmake=-DCMAKE_CXX_COMPILER={options.cxx}"]
    result = attempt(command, "check", "kernels", "--run", *settings, folder=project)
    require(result.returncode == 1, f"ended with {result.returncode}:\n{result.stdout}")
    for row in (
        r"kernel +emulator +parity",
        r"scale +ok +ok ",
        r"shift +ok +FAILED ",
        r"stretch +ok +no inputs ",
        r"race +ok +FAILED ",
        r"beyond +ok +FAILED ",
        r"kernel 'shift': functor and port disagree .*\n.*'y'",
        r"kernel 'race': race on View 'y' at element 0",
        r"kernel 'beyond', .*: a read of 8 bytes 0 bytes after the end of View 'x'",
    ):
        require(re.search(row, result.stdout), f"'{row}' is missing in\n{result.stdout}")


@case
def check_run_with_limits(options):
    """Whatever the generator; and not longer than is wanted."""
    command, project = command_and_folder(options, "check_run_with_limits")
    run(command, "new", "kernel", "scale", folder=project)
    settings = [f"--cmake=-DKokkos_DIR={options.kokkos}", f"--cmake=-DCMAKE_CXX_COMPILER={options.cxx}"]
    output = run(command, "check", "kernels", "--run", "--cmake=-GNinja Multi-Config", *settings, folder=project)
    require(re.search(r"scale +ok +ok ", output), output)
    endless, begun = project / "endless.cmake", project / "begun"
    endless.write_text(f"file(TOUCH {begun})\nexecute_process(COMMAND sleep 600)\n", encoding="utf-8")
    settings.append(f"--cmake=-DCMAKE_PROJECT_INCLUDE={endless}")
    result = attempt(command, "check", "kernels", "--run", "--time-limit", "1", *settings, folder=project)
    require(result.returncode == 1, f"ended with {result.returncode}:\n{result.stdout}")
    for words in ("took longer than 1 s", "--time-limit"):
        require(words in result.stdout, f"'{words}' is missing in\n{result.stdout}")
    begun.unlink(missing_ok=True)
    temporary = project / "temporary"
    temporary.mkdir()
    checking = subprocess.Popen(
        [command, "check", "kernels", "--run", *settings], cwd=project, env={**os.environ, "TMPDIR": str(temporary)}
    )
    while not begun.exists():
        require(checking.poll() is None, "it ended before anybody ended it")
        time.sleep(0.05)
    checking.send_signal(signal.SIGINT)
    require(checking.wait(60) == -signal.SIGINT, f"ended with {checking.returncode} at an interrupt")
    require(not list(temporary.iterdir()), f"{list(temporary.iterdir())} are left")


@case
def pkg_config(options):
    files = list(moved(options).glob("lib*/**/mylos.pc"))
    require(len(files) == 1, f"expected one mylos.pc, found {files}")
    environment = {"PKG_CONFIG_PATH": str(files[0].parent)}
    flags = run("pkg-config", "--cflags", "--libs", "mylos", environment=environment).split()
    include = next(flag[2:] for flag in flags if flag.startswith("-I"))
    library = next(flag[2:] for flag in flags if flag.startswith("-L"))
    require((Path(include) / "mylos/mylos.hpp").exists(), f"{include} holds no headers of Mylos")
    require(any(Path(library).glob("libmylos.*")), f"{library} holds no library of Mylos")
    require("-lmylos" in flags, f"no -lmylos in {flags}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", choices=sorted(CASES))
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--kokkos", type=Path, required=True)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--driver", default="", help="the stand-in for NVIDIA's driver")
    parser.add_argument("--components", type=lambda text: [name for name in text.split(";") if name], default=[])
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    CASES[options.case](options)


if __name__ == "__main__":
    main()
