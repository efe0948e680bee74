# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures which way branches mostly go in what checked programs call, by the kernels of tools/bench, and writes
fletcher.proftext beside this file, which the build uses (profile.cmake): `python3 tools/profile/train.py`. To be run
after larger changes of checker/ or lib/. Relies on tools/bench, CMake, clang-19 and llvm-profdata-19."""

import dataclasses
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent.resolve()
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tools" / "bench"))

from programs import kernels  # noqa: E402
from variants import Workplace, variants  # noqa: E402

BUILD = ROOT / "build" / "profile"
PERCENT = 3.0  # of the work that a kernel does in a measurement
SHARE = 10**9  # what each kernel's counts are scaled to: none has a greater say than the others
WITH_FINDINGS = 66  # the exit status, as some kernels have races
LEAST = SHARE // 10**4  # functions whose counts are less are left to the compiler


def run(*command):
    process = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if process.returncode != 0:
        raise SystemExit(f"train: {command[0]} failed:\n{process.stdout[-2000:]}{process.stderr}")
    return process.stdout


def build():
    run("cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DFLETCHER_PROFILE=record", "-DFLETCHER_TESTS=OFF")
    run("cmake", "--build", BUILD)


def count(profile):
    """The sum of all of its counts."""
    return int(re.search(r"^Total count: (\d+)$", run("llvm-profdata-19", "show", "-detailed-summary", profile), re.MULTILINE).group(1))


def train(workplace, variant, kernel):
    """The profile of one kernel, and the factor by which its counts are to be multiplied."""
    workplace.build(variant.build, kernel)
    profile = workplace.folder / f"{kernel.name}.profdata"
    # A file for each process: that of a report is another one.
    raw = {"LLVM_PROFILE_FILE": str(workplace.folder / f"{kernel.name}.%p.profraw")}
    result = workplace.run(dataclasses.replace(variant, environment=raw), kernel)
    if result["status"] not in (0, WITH_FINDINGS):
        raise SystemExit(f"train: {kernel.name} failed with {result['status']}: {result['errors']}")
    run("llvm-profdata-19", "merge", "-o", profile, *workplace.folder.glob(f"{kernel.name}.*.profraw"))
    return profile, max(1, round(SHARE / count(profile)))


def is_hot(function):
    """A function's entry in a profile: its name, hash and counters, a line each."""
    lines = function.splitlines()
    number = int(lines[lines.index("# Num Counters:") + 1])
    first = lines.index("# Counter Values:") + 1
    return max(map(int, lines[first:first + number])) >= LEAST


def main():
    build()
    workplace = Workplace(BUILD / "training", "-O2", 2, 600)
    (native,) = (variant for variant in variants(BUILD, ["native"], False) if variant.name == "native")
    inputs = [f"--weighted-input={factor},{profile}" for profile, factor in (train(workplace, native, kernel) for kernel in kernels(PERCENT))]
    text = run("llvm-profdata-19", "merge", "-text", "-sparse", *inputs)
    lines = text.splitlines()
    flags = [line for line in lines if line.startswith(":")]  # before the first function
    functions = "\n".join(lines[lines.index(flags[-1]) + 1:]).strip("\n").split("\n\n")
    head = "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n# Written by train.py.\n" + "\n".join(flags)
    (HERE / "fletcher.proftext").write_text(head + "\n" + "\n\n".join(filter(is_hot, functions)) + "\n", encoding="utf-8")


main()
