# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Applies to each racy test program the edits that its findings have (`fletcher fix`), and says how many findings had
one, and which edits did not help: a program that does not build with one, that has another finding, or that ends
otherwise. Ends with 1 where an edit was taken back that had to help."""

import argparse
import collections
import concurrent.futures
import os
import re
import signal
import subprocess
import sys
import tempfile

import racy_programs

SUMMARY = re.compile(r"^fletcher: (\d+) findings?, (\d+) changes? kept, (\d+) findings? left$", re.MULTILINE)
# A run does not show all places of these, and an edit is for those that it shows.
PARTLY_SEEN = {"tasks/mergeable-racy.c"}
Outcome = collections.namedtuple("Outcome", "name found kept left refused text")


def arguments():
    parser = argparse.ArgumentParser(prog="edits", description="Applies the edits of racy programs' findings.")
    racy_programs.add_arguments(parser)
    parser.add_argument("--verbose", action="store_true", help="what was changed and what is left, for each program")
    return parser.parse_args()


def repair(chosen, program):
    name = program.name
    with tempfile.TemporaryDirectory(prefix="fletcher-edits.") as folder:
        program.copy_to(folder)
        fix = subprocess.Popen(["fletcher", "fix", "--force", "--build", program.build_command(), "--", "./app"], cwd=folder,
                               text=True, env=program.environment(chosen.build), stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output = fix.communicate(timeout=120)[0]
        except subprocess.TimeoutExpired:
            os.killpg(fix.pid, signal.SIGKILL)  # the program, too
            fix.communicate()
            return Outcome(name, 0, 0, 0, 0, "did not end")
    said = SUMMARY.search(output)
    if said is None:
        return Outcome(name, 0, 0, 0, 0, output)
    return Outcome(name, *map(int, said.groups()), output.count(": taken back: "), output)


def main():
    chosen = arguments()
    programs = racy_programs.chosen_programs(chosen)
    found = left = refused = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for one in pool.map(lambda program: repair(chosen, program), programs):
            found, left = found + one.found, left + one.left
            refused += 0 if one.name in PARTLY_SEEN else one.refused
            if chosen.verbose or one.refused:
                print(f"{one.name}: {one.found} found, {one.kept} kept, {one.left} left, {one.refused} taken back")
                print("".join("    " + line + "\n" for line in one.text.splitlines()), end="", flush=True)
    print(f"{found} findings, {left} left, {refused} edits taken back")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
