# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what Fletcher and Archer cost: `python3 tools/bench`. Builds the kernels without a tool, for Archer and for
Fletcher, runs them in turns, and shows medians and geometric means as a table and as JSON. docs/performance.md says how to
read it. Relies on Python 3.9, clang-19 and a build of Fletcher."""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import platform
import re
import sys

import programs
import scaling
from comparison import median_of, summarise, table, table_of_tasks
from variants import Workplace, variants

HERE = pathlib.Path(__file__).parent


def arguments():
    parser = argparse.ArgumentParser(prog="bench", description="Measures what Fletcher and Archer cost.")
    parser.add_argument("--build", default=str(HERE.parent.parent / "build" / "release"), help="Fletcher's build folder")
    parser.add_argument("--kernels", default="", metavar="REGEX", help="only kernels, or applications, in whose name this is found")
    parser.add_argument("--apps", metavar="DIR", help="measures the applications that are checked out there, in place of the kernels")
    parser.add_argument("--scaling", action="store_true", help="curves of ever more tasks, regions, locks and so on, in place of the kernels")
    parser.add_argument("--runs", type=int, default=5, help="runs of each program (default 5)")
    parser.add_argument("--threads", type=int, default=2, help="OpenMP threads (default 2)")
    parser.add_argument("--opt", default="-O2", metavar="FLAGS", help="optimisation flags (default -O2)")
    parser.add_argument("--levels", default="native", metavar="LIST",
                        help="what of Fletcher to measure: native, stock, graph, disabled (default native)")
    parser.add_argument("--no-archer", action="store_true", help="leave Archer out")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    parser.add_argument("--percent", type=float, help="this part of the work")
    parser.add_argument("--timeout", type=float, default=600, metavar="SECONDS", help="for each run (default 600)")
    parser.add_argument("--json", metavar="FILE", help="writes every run, the medians and the ratios to this file")
    parser.add_argument("--list", action="store_true", help="lists the kernels")
    chosen = parser.parse_args()
    chosen.levels = [level for level in chosen.levels.split(",") if level]
    unknown = set(chosen.levels) - {"native", "stock", "graph", "disabled"}
    if unknown:
        parser.error(f"unknown level '{unknown.pop()}'")
    if chosen.runs < 1 or chosen.threads < 1:
        parser.error("--runs and --threads take positive numbers")
    if chosen.percent is None:
        chosen.percent = 10.0 if chosen.quick else 100.0
    return chosen


def has_races(kernel):
    """The kernels named so have; each of them has a twin that is repaired. All others are free of races."""
    return kernel.startswith("racing-") and not kernel.endswith("-repaired")


def complaints(program, run, reference):
    """What is wrong with a run, so that its numbers mean little. Applications print their times, and may have races."""
    found = run["status"] == 66
    if found and program.is_ours and not has_races(program.name):
        yield "has findings"
    elif run["status"] != 0 and not found:
        yield f"failed with {run['status']}"
    elif program.is_ours and not same_checksum(run["output"], reference):
        yield f"has another result: {run['output'].strip()!r}"


def progress(text):
    """One line that is written over; only where somebody looks."""
    if sys.stderr.isatty():
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)


def same_checksum(one, other):
    """Equal, but for what the order of a sum changes."""
    try:
        one, other = (float(text.split()[-1]) for text in (one, other))
    except (IndexError, ValueError):
        return False
    return abs(one - other) <= 1e-6 * abs(other)


def measure(measured, chosen_variants, workplace, chosen, results):
    """Runs everything in turns, so that what else the machine does meets all alike. Fills `results`."""
    for turn in range(chosen.runs):
        for program, result in zip(measured, results):
            for variant in chosen_variants:
                progress(f"run {turn + 1} of {chosen.runs}: {program.name}, {variant.name}")
                run = workplace.run(variant, program)
                result["checksum"] = result["checksum"] or run["output"]
                result["complaints"].update((variant.name, complaint) for complaint in complaints(program, run, result["checksum"]))
                result["runs"][variant.name].append(run)
    progress("")


def main():
    chosen = arguments()
    load = os.getloadavg()[0]
    if chosen.scaling:
        chosen_variants = variants(chosen.build, chosen.levels, not chosen.no_archer)
        workplace = Workplace(pathlib.Path(chosen.build) / "bench", chosen.opt, chosen.threads, chosen.timeout)
        workplace.environment["OMP_WAIT_POLICY"] = "passive"  # else who waits is most of what is measured
        if wrong := scaling.measure(chosen, workplace, chosen_variants, progress):
            raise SystemExit("bench: " + "\nbench: ".join(wrong))
        return
    measured, missing = programs.applications(chosen.apps) if chosen.apps else (programs.kernels(chosen.percent), [])
    measured = [program for program in measured if re.search(chosen.kernels, program.name)]
    if missing:
        print(f"note: not in {chosen.apps}: {', '.join(missing)}", file=sys.stderr)
    if not measured:
        raise SystemExit(f"bench: nothing to measure is named like '{chosen.kernels}'")
    if chosen.list:
        print(*(program.name for program in measured), sep="\n")
        return
    chosen_variants = variants(chosen.build, chosen.levels, not chosen.no_archer)
    names = [variant.name for variant in chosen_variants]
    workplace = Workplace(pathlib.Path(chosen.build) / "bench", chosen.opt, chosen.threads, chosen.timeout)
    if chosen.apps:
        workplace.suit_applications()
    builds = list(dict.fromkeys(variant.build for variant in chosen_variants))
    progress(f"building {len(measured)} programs")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda pair: workplace.build(*pair), itertools.product(builds, measured)))

    results = [{"name": program.name, "checksum": "", "complaints": set(), "runs": {name: [] for name in names}} for program in measured]
    try:
        measure(measured, chosen_variants, workplace, chosen, results)
    except KeyboardInterrupt:
        print("\nbench: interrupted; this is what there is", file=sys.stderr)
    for result in results:
        done = {name: [run for run in runs if "wall" in run] for name, runs in result["runs"].items()}
        result["medians"] = {name: median_of(runs) for name, runs in done.items() if runs}
    means = summarise(results, names)
    print(table(results, names, means, "memory_ratio" if chosen.apps else "memory"))
    if of_tasks := table_of_tasks(results, names, chosen.percent):
        print(f"\n{of_tasks}")
    for result in results:
        result["complaints"] = sorted(result["complaints"])
        for name, complaint in result["complaints"]:
            print(f"note: {result['name']}: {name} {complaint}")
    if load > 1:
        print(f"note: the machine was not idle: load {load:.1f} at the begin")
    if chosen.json:
        document = {"machine": {"name": platform.machine(), "kernel": platform.release(), "processors": os.cpu_count(), "load": load},
                    "threads": chosen.threads, "opt": chosen.opt, "percent": chosen.percent, "geometric_means": means, "kernels": results}
        pathlib.Path(chosen.json).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if any(name != "archer" for result in results for name, _ in result["complaints"]):
        sys.exit(1)


main()
