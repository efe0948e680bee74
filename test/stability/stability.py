# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs racy programs again and again, with several numbers of threads, on one processor and on two, with random delays,
and lists those whose verdict, or whose set of places, is not the same in all runs: `tools/test --stable`. What is true of
a program does not matter here, only that each run says the same. Ends with 1 where a verdict differs, and with --places
also where only the places do."""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent.resolve()
PROGRAMS = HERE.parent / "programs"
DIAGNOSTIC = re.compile(r"^\S.*?:(\d+):(?:\d+:)? (error|warning): .* \[([a-z-]+)\]$")
NOTE = re.compile(r"^\S.*?:(\d+):(?:\d+:)? note: ")
DRIVERS = {".c": "fletcher-cc", ".cpp": "fletcher-c++", ".f90": "fletcher-fc"}
COMPILERS = {("fletcher-cc", "clang"): "FLETCHER_CC=clang-19", ("fletcher-cc", "gcc"): "FLETCHER_CC=gcc",
             ("fletcher-c++", "clang"): "FLETCHER_CXX=clang++-19", ("fletcher-c++", "gcc"): "FLETCHER_CXX=g++",
             ("fletcher-fc", "gcc"): "FLETCHER_FC=gfortran"}
Program = collections.namedtuple("Program", "name file flags environment threads")


def arguments():
    parser = argparse.ArgumentParser(prog="stability", description="Compares what runs of the same program report.")
    parser.add_argument("--build", default=str(HERE.parent.parent / "build" / "release"), help="Fletcher's build folder")
    parser.add_argument("--programs", default="", metavar="REGEX", help="only test programs in whose path this is found")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of these each N-th")
    parser.add_argument("--generated", type=int, default=0, metavar="N", help="also N random programs (test/compiled)")
    parser.add_argument("--seed", type=int, default=1000, help="of the first of them")
    parser.add_argument("--dataracebench", metavar="DIR", help="also the racy programs of DataRaceBench's folder of C programs")
    parser.add_argument("--runs", type=int, default=30, help="with each number of threads, half of them on each number of processors (default 30)")
    parser.add_argument("--threads", default="2,3,4,8", metavar="LIST", help="default 2,3,4,8")
    parser.add_argument("--compilers", default="clang", metavar="LIST", help="clang, gcc (default clang)")
    parser.add_argument("--opt", default="-O1", help="default -O1")
    parser.add_argument("--places", action="store_true", help="these have to be the same, too")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time (default 2)")
    parser.add_argument("--timeout", type=float, default=20, metavar="SECONDS", help="for each run (default 20)")
    chosen = parser.parse_args()
    chosen.build = str(pathlib.Path(chosen.build).resolve())
    chosen.threads = [int(number) for number in chosen.threads.split(",")]
    return chosen


def directive(text, name):
    found = re.search(rf"^\s*(?://|!)\s*{name}: *(.*)$", text, re.MULTILINE)
    return found.group(1).split() if found else []


def test_programs(chosen, compiler):
    """Of the racy programs that the compiler builds each `every`-th. One that is about a number of threads keeps it. Those
    that meet in one order by waiting for it (deadlock/luck.h) do not end where delays bring them into another."""
    result = []
    for file in sorted(PROGRAMS.rglob("*")):
        name = str(file.relative_to(PROGRAMS))
        if file.suffix not in DRIVERS or "runner" in name or not re.search(chosen.programs, name):
            continue
        text = file.read_text()
        compilers = directive(text, "compilers") or (["gcc"] if file.suffix == ".f90" else ["clang", "gcc"])
        if not re.search(r"\b(RACE|FINDING)\(", text) or compiler not in compilers or "luck.h" in text:
            continue
        if not all(os.path.exists(needed) for needed in directive(text, "needs")):
            continue
        own = [int(number) for number in directive(text, "threads")]
        threads = own if own and sum(number > 1 for number in own) < 2 else chosen.threads
        result.append(Program(name, file, directive(text, "flags"), directive(text, "environment"), threads))
    return result[::chosen.every]


def generated_programs(chosen, compiler, folder):
    """Each a file of its own. Their racy ones and their clean ones alike have to be judged the same in each run."""
    printer = pathlib.Path(chosen.build) / "tests" / "print_programs"
    environment = ["OMP_MAX_ACTIVE_LEVELS=3", "OMP_DYNAMIC=false"]
    result = []
    for seed in range(chosen.seed, chosen.seed + chosen.generated):
        file = folder / f"generated-{seed}.c"
        file.write_text(subprocess.run([printer, str(seed), compiler], check=True, capture_output=True, text=True).stdout)
        result.append(Program(file.name, file, ["-w"], environment, chosen.threads))
    return result


def dataracebench(chosen):
    folder = pathlib.Path(chosen.dataracebench)
    flags = ["-w", f"-I{folder}", f"-I{folder}/utilities", f"-I{folder}/polybench", "-DPOLYBENCH_NO_FLUSH_CACHE", "-DPOLYBENCH_TIME"]
    result = []
    for file in sorted(folder.glob("DRB*-yes.c*")):
        more = [str(folder / "utilities" / "polybench.c")] if "polybench.h" in file.read_text(errors="replace") else []
        result.append(Program(file.name, file, flags + more, [], chosen.threads))
    return result


def build(chosen, compiler, program, executable):
    """What went wrong; empty where nothing did."""
    driver = DRIVERS[program.file.suffix]
    command = ["env", COMPILERS[driver, compiler], str(pathlib.Path(chosen.build) / "bin" / driver), "-g", chosen.opt, "-fopenmp"]
    if program.file.suffix == ".f90":
        command += ["-J", str(executable.parent)]
    command += [*program.flags, str(program.file), "-o", str(executable), "-lm", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=executable.parent)
    return done.stderr if done.returncode != 0 else ""


def places(report):
    """The rule and the lines of each finding, and whether it is an error."""
    found = set()
    lines = report.splitlines()
    for number, line in enumerate(lines):
        if not (first := DIAGNOSTIC.match(line)):
            continue
        other = next((note.group(1) for text in lines[number + 1:number + 40] if (note := NOTE.match(text))), first.group(1))
        found.add((first.group(2), first.group(3), *sorted((int(first.group(1)), int(other)))))
    return frozenset(found)


def run(chosen, program, executable, threads, number):
    """What run `number` reports: half of them on one processor, two of three with delays."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive",
                       FLETCHER_OPTIONS=f"group=0 delay={number if number % 3 else 0}")
    environment.update(item.split("=", 1) for item in program.environment)
    processors = sorted(os.sched_getaffinity(0))[:1 + number % 2]
    try:
        done = subprocess.run(["taskset", "-c", ",".join(map(str, processors)), str(executable)], capture_output=True, text=True,
                              errors="replace", env=environment, cwd=executable.parent, timeout=chosen.timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return places(done.stderr)


def verdict(found):
    """The rules of errors: a warning may say that it is not sure."""
    return frozenset(rule for kind, rule, *_ in found if kind == "error")


def examine(chosen, compiler, program, folder):
    """Lines about the program, and whether its verdicts, or its places, differ."""
    executable = folder / re.sub(r"\W", "_", f"{compiler}_{program.name}") / "program"
    executable.parent.mkdir()
    wrong = build(chosen, compiler, program, executable)
    if wrong:
        return [f"{program.name} ({compiler}): not built: {wrong.strip().splitlines()[-1]}"], False, False
    outcomes, lines = [], []
    for threads, number in itertools.product(program.threads, range(chosen.runs)):
        found = run(chosen, program, executable, threads, number)
        if found is None:
            lines.append(f"{program.name} ({compiler}): run {number} with {threads} threads did not end in time; no further ones")
            break
        outcomes.append((threads, found))
    shutil.rmtree(executable.parent)
    verdicts = {verdict(found) for _, found in outcomes}
    every = frozenset().union(*(found for _, found in outcomes))
    partly = {one: [threads for threads, found in outcomes if one in found] for one in every}
    partly = {one: seen for one, seen in partly.items() if len(seen) < len(outcomes)}
    if len(verdicts) > 1 or partly:
        lines.append(f"{program.name} ({compiler}): {'verdicts differ' if len(verdicts) > 1 else 'places differ'}")
    for (kind, rule, first, second), seen in sorted(partly.items()):
        by_threads = ", ".join(f"{seen.count(threads)} with {threads}" for threads in program.threads)
        lines.append(f"    {kind} {rule} {first}-{second}: in {len(seen)} of {len(outcomes)} runs ({by_threads} threads)")
    return lines, len(verdicts) > 1, bool(partly)


def main():
    chosen = arguments()
    total = unstable = moving = 0
    with tempfile.TemporaryDirectory(prefix="fletcher-stability.") as name:
        folder = pathlib.Path(name)
        for compiler in chosen.compilers.split(","):
            programs = test_programs(chosen, compiler) + generated_programs(chosen, compiler, folder)
            if chosen.dataracebench:
                programs += dataracebench(chosen)
            with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
                for done in concurrent.futures.as_completed([pool.submit(examine, chosen, compiler, one, folder) for one in programs]):
                    lines, differs, moves = done.result()
                    total, unstable, moving = total + 1, unstable + differs, moving + (moves and not differs)
                    for line in lines:
                        print(line, flush=True)
    print(f"stability: {total} programs; of {unstable} the verdicts differ, of {moving} only the places")
    return 1 if unstable or not total or (chosen.places and moving) else 0


if __name__ == "__main__":
    sys.exit(main())
