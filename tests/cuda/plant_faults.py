#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants faults in the CUDA engine, one at a time, and demands that its tests fail for each.

A copy of the sources is built in a scratch folder with the stand-in driver's tests; each fault is a small edit of one
file there. A fault whose text is not found any more, and one that no test notices, are failures of this script.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Fault:
    name: str
    file: str
    old: str
    new: str


FAULTS = [
    Fault("no context is pushed for a wait", "src/core/cuda_engine.cpp",
          "    const cuda::Current current(*context_);\n    driver_.wait(native(stream));",
          "    driver_.wait(native(stream));"),
    Fault("a pushed context is not popped", "src/cuda/context.cpp",
          "or_log(driver_, [&] { driver_.pop(); });", ""),
    Fault("parameters are a byte too long", "src/cuda/driver_calls.cpp",
          ": size_(parameters.size()),", ": size_(parameters.size() + 1),"),
    Fault("parameters are not aligned", "src/kernel/argument_plan.cpp",
          "  value_bytes_ = (value_bytes_ + step.alignment - 1) / step.alignment * step.alignment;\n", ""),
    Fault("memory is not freed", "src/core/cuda_engine.cpp",
          "    driver_.deallocate(pointer);\n", ""),
    Fault("memory is freed while work uses it", "src/core/cuda_engine.cpp",
          "    driver_.synchronize();  // kernels may be using it\n", ""),
    Fault("errors of calls on streams are not looked at", "src/cuda/driver_calls.cpp",
          "!= Result::success) fail(entry.name, result, &stream);",
          "!= Result::success) static_cast<void>(stream);"),
    Fault("errors of other calls are not looked at", "src/cuda/driver_calls.cpp",
          "!= Result::success) fail(entry.name, result, nullptr);\n}\n\ntemplate",
          "!= Result::success) return;\n}\n\ntemplate"),
    Fault("nobody waits for a pinned source", "src/cuda/context.cpp",
          " || driver_.pointer_info(source).has_value()", ""),
    Fault("nobody waits for a pageable source that is read in place", "src/cuda/context.cpp",
          "properties_.reads_pageable_memory || ", ""),
    Fault("memory behind one that cannot be freed is left", "src/core/cuda_engine.cpp",
          "cuda::or_log(driver_, [&] { driver_.deallocate(base); });", "driver_.deallocate(base);"),
    Fault("streams of our own are unknown", "src/core/cuda_engine.cpp",
          "  streams_[handle] = stream;\n", "  if (owner.expired()) streams_[handle] = stream;\n"),
    Fault("one byte is no row of bytes", "src/core/device_strided.cpp",
          "row.extent == 1 || ", ""),
    Fault("a wait waits for the default stream", "src/core/cuda_engine.cpp",
          "driver_.wait(native(stream));", "static_cast<void>(stream);\n    driver_.wait(default_stream_.native);"),
    Fault("copies go to the default stream", "src/core/cuda_engine.cpp",
          "cuda::Stream& on = native(stream);", "cuda::Stream& on = default_stream_.native;\n  static_cast<void>(stream);"),
    Fault("launches go to the default stream", "src/kernel/driver_program.cpp",
          "cuda_stream(stream), config_of(shape)", "cuda_stream(Device()), config_of(shape)"),
    Fault("variables are set on the default stream", "src/kernel/driver_program.cpp",
          "cuda_stream(stream), variable.data()", "cuda_stream(Device()), variable.data()"),
    Fault("sizes of variables are not compared", "src/kernel/variables.cpp",
          "bytes.size() != size", "bytes.empty()"),
    Fault("shared memory is not opted in", "src/cuda/loaded_kernel.cpp",
          "  allow_shared(context, config.shared_bytes);\n  context.driver().launch(", "  context.driver().launch("),
    Fault("shared memory is not opted in by graphs", "src/cuda/loaded_kernel.cpp",
          "  allow_shared(context, config.shared_bytes);\n  return context.driver().add_launch(",
          "  return context.driver().add_launch("),
    Fault("launches of a graph wait for nothing", "src/cuda/graph.cpp",
          "last = kernel->add_to(graph.get(), last,",
          "static_cast<void>(last);\n    last = kernel->add_to(graph.get(), nullptr,"),
    Fault("a graph is left when it is made", "src/cuda/graph.cpp",
          "or_log(driver, [&] { driver.destroy(graph); });", "static_cast<void>(graph);"),
    Fault("a graph is not ended", "src/cuda/graph.cpp",
          "      context->driver().destroy(handle_);\n", ""),
    Fault("a graph does not wait where its kernels are debugged", "src/kernel/cuda_graph.cpp",
          "  if (graph == nullptr || is_any_watched(launches)) {", "  if (graph == nullptr) {"),
    Fault("the primary context is not released", "src/cuda/context.cpp",
          "  or_log(driver_, [&] { driver_.release_context(device_); });\n", ""),
    Fault("modules are not unloaded", "src/cuda/loaded_kernel.cpp",
          "if (const auto context = context_.lock()) context->unload_module(handle_);", ""),
    Fault("streams of others are destroyed", "src/core/cuda_engine.cpp",
          "handle, std::weak_ptr<cuda::Context>());", "handle, context_);"),
    Fault("an error that stays is forgotten", "src/cuda/driver_calls.cpp",
          "    if (fault_.empty()) fault_ = message;\n", ""),
    Fault("a stride of the destination is the source's", "src/core/device_strided.cpp",
          "walk.to[axis] = from.destination_stride;", "walk.to[axis] = from.source_stride;"),
]


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


def must(command):
    done = run(command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def copy_sources(folder):
    listed = run(["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"])
    if listed.returncode != 0:
        print("skipped: the sources are no git working tree")
        sys.exit(77)
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


class Copy:
    """A copy of the sources, and its build of the engine's tests."""

    def __init__(self, folder, cmake_arguments):
        self.sources, self.build = folder / "sources", folder / "build"
        copy_sources(self.sources)
        # What a compiler cache knows does not depend on where the copy is.
        os.environ.update(CCACHE_BASEDIR=str(folder), CCACHE_NOHASHDIR="1")
        must(["cmake", "-S", self.sources, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
              "-DCMAKE_CXX_FLAGS=-O0", "-DMYLOS_BUILD_TESTS=ON", "-DMYLOS_TEST_MODULES=cuda",
              "-DMYLOS_BUILD_EXAMPLES=OFF", "-DMYLOS_BUILD_PERF=OFF", *cmake_arguments])

    def test(self):
        """None when all tests pass; else the first sign that one does not."""
        must(["cmake", "--build", self.build, "--target", "test_cuda_engine", "--", "-j2"])
        try:
            done = run([self.build / "tests/cuda/test_cuda_engine", "--gtest_brief=1", "--gtest_fail_fast"], timeout=900)
        except subprocess.TimeoutExpired:
            return "the tests hang"
        if done.returncode == 0:
            return None
        signs = [line for line in done.stdout.splitlines() if line.startswith(("[  FAILED  ]", "stand-in driver"))]
        return signs[0] if signs else f"the tests end with status {done.returncode}"

    def plant(self, fault):
        file = self.sources / fault.file
        text = file.read_text(encoding="utf-8")
        if text.count(fault.old) != 1:
            return f"its text is {text.count(fault.old)} times in {fault.file}: renew the fault"
        file.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
        try:
            found = self.test()
        finally:
            file.write_text(text, encoding="utf-8")
        print(f"{fault.name}: {found or 'NOT NOTICED'}", flush=True)
        return None if found else "no test fails"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, help="work there and keep it, instead of in a temporary folder")
    parser.add_argument("--only", default="", help="faults whose name contains this")
    parser.add_argument("--list", action="store_true", help="only say whether each fault can be planted")
    parser.add_argument("cmake", nargs="*", help="further arguments of CMake, after --")
    arguments = parser.parse_args()
    faults = [fault for fault in FAULTS if arguments.only in fault.name]
    if arguments.list:
        lost = [f.name for f in faults if (ROOT / f.file).read_text(encoding="utf-8").count(f.old) != 1]
        sys.exit(f"cannot be planted: {', '.join(lost)}" if lost else 0)
    with tempfile.TemporaryDirectory() as temporary:
        copy = Copy(arguments.folder or Path(temporary), arguments.cmake)
        sound = copy.test()
        if sound is not None:
            sys.exit(f"the tests fail without a fault: {sound}")
        failures = {fault.name: why for fault in faults if (why := copy.plant(fault)) is not None}
    for name, why in failures.items():
        print(f"{name}: {why}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
