# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The racy test programs: how each is built and run, and what its comment says."""

import os
import pathlib
import re
import shutil

PROGRAMS = pathlib.Path(__file__).parent.parent.resolve() / "programs"
DRIVERS = {".c": "fletcher-cc", ".cpp": "fletcher-c++", ".f90": "fletcher-fc", ".f": "fletcher-fc"}


def add_arguments(parser):
    parser.add_argument("--build", default=str(PROGRAMS.parent.parent / "build" / "release"), help="Fletcher's build folder")
    parser.add_argument("--programs", default="", metavar="REGEX", help="only programs in whose path this is found")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of these each N-th")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time (default 2)")


def directive(text, name, default=""):
    found = re.search(rf"^\s*(?://|!) *{name}: *(.*)$", text, re.MULTILINE)
    return (found.group(1) if found else default).split()


class Program:
    def __init__(self, file):
        self.file = file
        self.name = str(file.relative_to(PROGRAMS))
        self.text = file.read_text(errors="replace")

    def is_for_this_machine(self):
        return all(os.path.exists(needed) for needed in directive(self.text, "needs"))

    def comment(self):
        """The sentences at the top, without directives."""
        lines = []
        for line in self.text.splitlines()[1:]:
            said = re.match(r"\s*(?://|!) ?(.*)$", line)
            if said is None:
                break
            if not re.match(r"[a-z]+: ", said.group(1)):
                lines.append(said.group(1))
        return " ".join(lines)

    def environment(self, build):
        threads = directive(self.text, "threads", "2")
        out = dict(os.environ, PATH=build + "/bin:" + os.environ["PATH"],
                   OMP_NUM_THREADS="2" if "2" in threads else threads[-1])
        if "luck.h" not in self.text:  # the runtime may not wake a sleeping thread for the task that a spinning one waits for
            out["OMP_WAIT_POLICY"] = "passive"
        if "clang" not in directive(self.text, "compilers", "clang"):
            out.update(FLETCHER_CC="gcc", FLETCHER_CXX="g++")
        out.update(item.split("=", 1) for item in directive(self.text, "environment"))
        return out

    def copy_to(self, folder):
        for other in self.file.parent.iterdir():
            if other == self.file or other.suffix in (".h", ".hpp", ".inc"):
                shutil.copy(other, folder)

    def build_command(self):
        return " ".join([DRIVERS[self.file.suffix], "-g -O1 -fopenmp", self.file.name, "-o app", f"-I{self.file.parent}",
                         *directive(self.text, "flags"), "-lm"])


def chosen_programs(chosen):
    chosen.build = str(pathlib.Path(chosen.build).resolve())
    files = [file for file in sorted(PROGRAMS.rglob("*-racy*"))
             if file.suffix in DRIVERS and re.search(chosen.programs, str(file.relative_to(PROGRAMS)))][::chosen.every]
    return [program for program in map(Program, files) if program.is_for_this_machine()]
