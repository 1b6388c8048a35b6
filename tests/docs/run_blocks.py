#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles and runs every code block of a guide, so that no guide can show code that does not work.

A block whose first line is a comment with a path (`// kernels/push/push.cu`, `# CMakeLists.txt`) is a file; all files
of one guide make one project that finds Mylos as a user would, is built, and whose program `app` is run on the host and
on the emulated device; then its tests, if it has some.
Any other `cpp` block is a snippet: the body of a function, all of them built and run in one program, which includes the
block `// sample.hpp` of the guide. `sh`, `console`, `text`, `json` and `python` blocks are shown only; any other language is an error.
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
PATH_LINE = re.compile(r"(?://|#) ([\w./-]+\.(?:hpp|cpp|cu|txt))$")


class Guide:
    """The blocks of one Markdown file."""

    def __init__(self, path):
        self.files, self.snippets = {}, []
        language, lines, start = None, [], 0
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.startswith("```"):
                if language is not None:
                    lines.append(line)
            elif language is None:
                language, lines, start = line[3:].strip(), [], number
            else:
                self._add(path, language, lines, start)
                language = None
        if language is not None:
            sys.exit(f"{path}:{start}: the code block is not closed")

    def _add(self, path, language, lines, start):
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


def build_and_run(folder, files, mylos_dir):
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    commands = [
        ["cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DMylos_DIR={mylos_dir}", "-DCMAKE_BUILD_TYPE=Debug"],
        ["cmake", "--build", folder / "build"],
        ["cmake", "-E", "env", "MYLOS_BACKEND=host", folder / "build" / "app"],
        ["cmake", "-E", "env", "MYLOS_BACKEND=emulated", folder / "build" / "app"],
    ]
    if "enable_testing" in files["CMakeLists.txt"]:
        commands.append(["ctest", "--test-dir", folder / "build", "--no-tests=error", "--output-on-failure"])
    for command in commands:
        print("+", *command, flush=True)
        subprocess.run(command, check=True, cwd=folder)


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
            build_and_run(args.work / "project", guide.files, args.mylos_dir)
        if guide.snippets:
            source = snippet_source(args.guide, guide)
            files = {"CMakeLists.txt": SNIPPET_PROJECT, "snippets.cpp": source, SAMPLE: sample}
            build_and_run(args.work / "snippets", files, args.mylos_dir)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{args.guide}: {error}")
    print(f"{args.guide.name}: {len(guide.files)} files and {len(guide.snippets)} snippets compiled and run")


if __name__ == "__main__":
    main()
