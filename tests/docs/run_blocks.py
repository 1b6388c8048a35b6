#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles and runs every code block of a guide, so that no guide can show code that does not work.

A block whose first line is a comment with a path (`// kernels/push/push.cu`, `# CMakeLists.txt`) is a file; all files
of one guide make one project that finds Mylos as a user would, is built, and whose program `app` is run on the host and
on the emulated device; then its tests, if it has some. Directly behind an `sh` block that runs `build/app` stands a
`text` block: what the program prints on both.
Any other `cpp` block is a snippet: the body of a function, all of them built and run in one program, which includes the
block `// sample.hpp` of the guide. `sh`, `console`, `json`, `python` and further `text` blocks are shown only; any
other language is an error.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

COMPILED = {"cpp", "cuda", "cmake"}
SHOWN = {"sh", "console", "text", "json", "python", ""}
SAMPLE = "sample.hpp"
APP = "build/app"
PATH_LINE = re.compile(r"(?://|#) ([\w./-]+\.(?:hpp|cpp|cu|txt))$")


class Guide:
    """The blocks of one Markdown file."""

    def __init__(self, path):
        self.files, self.snippets = {}, []
        self.output = None  # of `app`, where the guide shows it
        self._shown_next = None  # the line of an `sh` block that runs `app`, until its output has come
        language, lines, start = None, [], 0
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.startswith("```"):
                if language is not None:
                    lines.append(line)
                elif line.strip():
                    self._require_output(path)
            elif language is None:
                language, lines, start = line[3:].strip(), [], number
            else:
                self._add(path, language, lines, start)
                language = None
        if language is not None:
            sys.exit(f"{path}:{start}: the code block is not closed")
        self._require_output(path)

    def _require_output(self, path):
        if self._shown_next is not None:
            sys.exit(f"{path}:{self._shown_next}: no text block behind it shows what {APP} prints")

    def _add(self, path, language, lines, start):
        if language == "text" and self._shown_next is not None:
            self.output, self._shown_next = "\n".join(lines) + "\n", None
        self._require_output(path)
        if language == "sh" and any(APP in line for line in lines):
            self._shown_next = start
        if language in SHOWN:
            return
        if language not in COMPILED:
            sys.exit(f"{path}:{start}: language '{language}': use one of {sorted(COMPILED | SHOWN)}")
        match = PATH_LINE.match(lines[0]) if lines else None
        if match:
            self.files[match[1]] = "\n".join(lines[1:]) + "\n"
        elif language == "cpp":
            self.snippets.append((start + 1, "\n".join(lines)))
        else:
            sys.exit(f"{path}:{start}: a {language} block needs its path in a comment on the first line")


def snippet_source(guide_path, guide):
    """One function per snippet; includes are lifted to the top."""
    includes, functions, calls = [], [], []
    for line, text in guide.snippets:
        body = []
        for row in text.splitlines():
            (includes if row.startswith("#include") else body).append(row)
        lifted = len(text.splitlines()) - len(body)
        functions.append(f'void snippet_{line}() {{\n#line {line + lifted} "{guide_path}"\n' + "\n".join(body) + "\n}\n")
        calls.append(f'  std::puts("snippet at line {line}");\n  snippet_{line}();\n')
    return (
        "#include <cstdio>\n" + "\n".join(dict.fromkeys(includes)) + f'\n#include "{SAMPLE}"\n'
        + "namespace {\n" + "".join(functions) + "}  // namespace\n"
        + "int main(int argc, char** argv) {\n  mylos::Session session(argc, argv);\n" + "".join(calls) + "}\n"
    )


SNIPPET_PROJECT = """cmake_minimum_required(VERSION 3.25)
project(snippets LANGUAGES CXX)
find_package(Mylos REQUIRED COMPONENTS testing)
add_executable(app snippets.cpp)
target_link_libraries(app PRIVATE Mylos::mylos Mylos::testing)
target_compile_options(app PRIVATE -Wno-unused-variable -Wno-unused-but-set-variable)
"""


def execute(*command, folder, **options):
    print("+", *command, flush=True)
    return subprocess.run(command, check=True, cwd=folder, **options)


def run_app(folder, backend, output):
    """Ends the script where the program prints anything else than `output`, if that is known."""
    command = ("cmake", "-E", "env", f"MYLOS_BACKEND={backend}", folder / APP)
    printed = execute(*command, folder=folder, stdout=subprocess.PIPE, text=True).stdout
    print(printed, end="", flush=True)
    if output is not None and printed != output:
        sys.exit(f"on backend {backend} the program prints\n{printed}and the guide shows\n{output}")


def build_and_run(folder, files, mylos_dir, output=None):
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    build = folder / "build"
    settings = (f"-DMylos_DIR={mylos_dir}", "-DCMAKE_BUILD_TYPE=Debug")
    execute("cmake", "-S", folder, "-B", build, "-G", "Ninja", *settings, folder=folder)
    execute("cmake", "--build", build, folder=folder)
    for backend in ("host", "emulated"):
        run_app(folder, backend, output)
    if "enable_testing" in files["CMakeLists.txt"]:
        execute("ctest", "--test-dir", build, "--no-tests=error", "--output-on-failure", folder=folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("guide", type=pathlib.Path)
    parser.add_argument("--mylos-dir", required=True, help="folder of MylosConfig.cmake")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="folder to build in; emptied first")
    args = parser.parse_args()

    guide = Guide(args.guide)
    if not guide.files and not guide.snippets:
        sys.exit(f"{args.guide}: no code block to compile: is this the right file?")
    try:
        sample = guide.files.pop(SAMPLE, "")
        if guide.files:
            build_and_run(args.work / "project", guide.files, args.mylos_dir, guide.output)
        if guide.snippets:
            source = snippet_source(args.guide, guide)
            files = {"CMakeLists.txt": SNIPPET_PROJECT, "snippets.cpp": source, SAMPLE: sample}
            build_and_run(args.work / "snippets", files, args.mylos_dir)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{args.guide}: {error}\n{error.stdout or ''}")
    print(f"{args.guide.name}: {len(guide.files)} files and {len(guide.snippets)} snippets compiled and run")


if __name__ == "__main__":
    main()
