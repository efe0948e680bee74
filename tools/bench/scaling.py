# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Curves: what the check of a program costs that has ever more of one thing (growth.c), up to a million or to its natural limit."""

import dataclasses
import pathlib
import re

from programs import Program

MILLION = (1_000, 10_000, 100_000, 1_000_000)
KINDS = {
    "tasks-ended": MILLION,
    "tasks-waiting": MILLION,
    "dependences": MILLION,
    "regions": MILLION,
    "leagues": (1_000, 10_000, 100_000),
    "modules": (100, 1_000, 4_000),
    "threads": (1, 4, 16, 64),
    "locks": MILLION,
    "heap-blocks": MILLION,
    "mappings": (1_000, 10_000, 30_000, 60_000),  # Linux allows 65,530
    "kilobytes": MILLION,
}


def columns(run):
    return ("-", "-") if "cpu" not in run else (f"{run['cpu']:.2f}", f"{run['memory']:.0f}")


def measure(chosen, workplace, chosen_variants, progress):
    """Prints a row for each kind and number; of the runs, the one with the least CPU time. Returns what was wrong."""
    wrong = []
    program = Program("growth", (str(pathlib.Path(__file__).parent / "growth.c"),), flags=("-Wno-unused-result",))
    for build in dict.fromkeys(variant.build for variant in chosen_variants):
        workplace.build(build, program)
    print("| kind | how many |" + "".join(f" {variant.name}: CPU s | MB |" for variant in chosen_variants))
    print("|---" * (2 + 2 * len(chosen_variants)) + "|")
    for kind, numbers in KINDS.items():
        if not re.search(chosen.kernels, kind):
            continue
        for number in numbers:
            one = dataclasses.replace(program, arguments=(kind, str(number)))
            row, outputs = f"| {kind} | {number:,} |", set()
            for variant in chosen_variants:
                progress(f"{kind}, {number}, {variant.name}")
                runs = [workplace.run(variant, one) for _ in range(chosen.runs)]
                best = min(runs, key=lambda run: run.get("cpu", float("inf")))
                if "cpu" in best:  # in time, which the plain program is not always
                    outputs.add(best["output"])
                elif variant is chosen_variants[0]:
                    best["status"] = 0
                if best["status"] != 0 or len(outputs) > 1:
                    wrong.append(f"{kind} {number} {variant.name}: status {best['status']} {best['output']} {best['errors']}")
                row += "".join(f" {text} |" for text in columns(best))
            progress("")
            print(row, flush=True)
    return wrong
