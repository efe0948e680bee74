# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Applies to each racy test program the edits that its findings have (`fletcher fix`), and says how many findings had
one, and which edits did not help: a program that does not build with one, that has another finding, or that ends
otherwise. Ends with 1 where an edit was taken back that had to help."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent.resolve()
PROGRAMS = HERE.parent / "programs"
DRIVERS = {".c": "fletcher-cc", ".cpp": "fletcher-c++", ".f90": "fletcher-fc", ".f": "fletcher-fc"}
SUMMARY = re.compile(r"^fletcher: (\d+) findings?, (\d+) changes? kept, (\d+) findings? left$", re.MULTILINE)
# A run does not show all places of these, and an edit is for those that it shows.
PARTLY_SEEN = {"tasks/mergeable-racy.c"}
Outcome = collections.namedtuple("Outcome", "name found kept left refused text")


def arguments():
    parser = argparse.ArgumentParser(prog="edits", description="Applies the edits of racy programs' findings.")
    parser.add_argument("--build", default=str(HERE.parent.parent / "build" / "release"), help="Fletcher's build folder")
    parser.add_argument("--programs", default="", metavar="REGEX", help="only programs in whose path this is found")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of these each N-th")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time (default 2)")
    parser.add_argument("--verbose", action="store_true", help="what was changed and what is left, for each program")
    chosen = parser.parse_args()
    chosen.build = str(pathlib.Path(chosen.build).resolve())
    return chosen


def directive(text, name, default=""):
    found = re.search(rf"^\s*(?://|!) *{name}: *(.*)$", text, re.MULTILINE)
    return (found.group(1) if found else default).split()


def repair(chosen, file):
    """None where the program is not for this machine."""
    text = file.read_text(errors="replace")
    if any(not os.path.exists(needed) for needed in directive(text, "needs")):
        return None
    threads = directive(text, "threads", "2")
    environment = dict(os.environ, PATH=chosen.build + "/bin:" + os.environ["PATH"],
                       OMP_NUM_THREADS="2" if "2" in threads else threads[-1])
    if "luck.h" not in text:  # the runtime may not wake a sleeping thread for the task that a spinning one waits for
        environment["OMP_WAIT_POLICY"] = "passive"
    if "clang" not in directive(text, "compilers", "clang"):
        environment.update(FLETCHER_CC="gcc", FLETCHER_CXX="g++")
    environment.update(item.split("=", 1) for item in directive(text, "environment"))
    name = str(file.relative_to(PROGRAMS))
    with tempfile.TemporaryDirectory(prefix="fletcher-edits.") as folder:
        for other in file.parent.iterdir():
            if other == file or other.suffix in (".h", ".hpp", ".inc"):
                shutil.copy(other, folder)
        build = " ".join([DRIVERS[file.suffix], "-g -O1 -fopenmp", file.name, "-o app", f"-I{file.parent}",
                          *directive(text, "flags"), "-lm"])
        fix = subprocess.Popen(["fletcher", "fix", "--force", "--build", build, "--", "./app"], cwd=folder, text=True,
                               env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
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
    files = [file for file in sorted(PROGRAMS.rglob("*-racy*"))
             if file.suffix in DRIVERS and re.search(chosen.programs, str(file.relative_to(PROGRAMS)))][::chosen.every]
    found = left = refused = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for one in filter(None, pool.map(lambda file: repair(chosen, file), files)):
            found, left = found + one.found, left + one.left
            refused += 0 if one.name in PARTLY_SEEN else one.refused
            if chosen.verbose or one.refused:
                print(f"{one.name}: {one.found} found, {one.kept} kept, {one.left} left, {one.refused} taken back")
                print("".join("    " + line + "\n" for line in one.text.splitlines()), end="", flush=True)
    print(f"{found} findings, {left} left, {refused} edits taken back")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
