# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which a program is built and run: without a tool, with Archer, with Fletcher at several levels."""

import os
import pathlib
import resource
import shlex
import subprocess
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Build:
    """A way to compile and link: compilers and flags."""

    name: str
    c: str
    cxx: str
    flags: tuple = ()

    def command(self, program, to, opt):
        compiler = self.cxx if program.is_cxx else self.c
        return [compiler, *shlex.split(opt), "-g", "-fopenmp", *self.flags, *program.flags, *program.sources, "-o", str(to), "-lm"]


@dataclass(frozen=True)
class Variant:
    """A build and the environment in which it runs. The first one of a list is what others are compared with."""

    name: str
    build: Build
    environment: dict = field(default_factory=dict)


def library_of_clang(name):
    path = subprocess.run(["clang-19", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
    return path if os.path.isabs(path) and os.path.exists(path) else None


def variants(build_folder, levels, with_archer):
    """Plain first, then Archer, then Fletcher at each of the levels: native, stock (native, of the program that was built
    for Archer), graph, and disabled (calls that return at once)."""
    binaries = pathlib.Path(build_folder).resolve() / "bin"
    library = str(binaries.parent / "lib" / "libfletcher.so")
    plain = Build("plain", "clang-19", "clang++-19")
    sanitized = Build("sanitized", "clang-19", "clang++-19", ("-fsanitize=thread",))
    checked = Build("fletcher", str(binaries / "fletcher-cc"), str(binaries / "fletcher-c++"))
    result = [Variant("plain", plain, {"OMP_TOOL": "disabled"})]
    if with_archer:
        archer = library_of_clang("libarcher.so")
        if archer is None:
            raise SystemExit("bench: libarcher.so is missing (Debian: libomp-19-dev); --no-archer does without")
        result.append(Variant("archer", sanitized, {
            "OMP_TOOL_LIBRARIES": archer,
            "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
        }))
    kinds = {
        "native": Variant("native", checked),
        "stock": Variant("stock", sanitized, {"OMP_TOOL_LIBRARIES": library, "TSAN_OPTIONS": "atexit_sleep_ms=0"}),
        "graph": Variant("graph", plain, {"OMP_TOOL_LIBRARIES": library}),
        "disabled": Variant("disabled", checked, {"FLETCHER_OPTIONS": "enabled=0"}),
    }
    return result + [kinds[level] for level in levels]


class Workplace:
    """Builds programs, each once for every build, and runs them."""

    def __init__(self, folder, opt, threads, timeout):
        self.folder = pathlib.Path(folder).resolve()
        self.opt = opt
        self.timeout = timeout
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("FLETCHER_", "OMP_", "KMP_", "TSAN_"))}
        self.environment["OMP_NUM_THREADS"] = str(threads)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.measure = self.folder / "measure"
        source = pathlib.Path(__file__).parent / "measure.c"
        subprocess.run(["clang-19", "-O2", str(source), "-o", str(self.measure)], check=True)

    def suit_applications(self):
        """Large stacks, which some recursions need; and each thread on a processor, because some virtual machines run all of a
        program's threads on one for seconds on end."""
        most = resource.getrlimit(resource.RLIMIT_STACK)[1]
        resource.setrlimit(resource.RLIMIT_STACK, (2**30 if most == resource.RLIM_INFINITY else most, most))
        self.environment["OMP_STACKSIZE"] = "256M"
        if int(self.environment["OMP_NUM_THREADS"]) <= os.cpu_count():
            self.environment.update(OMP_PROC_BIND="close", OMP_PLACES="threads")

    def executable(self, build, program):
        return self.folder / build.name / program.name

    def build(self, build, program):
        to = self.executable(build, program)
        to.parent.mkdir(exist_ok=True)
        command = build.command(program, to, self.opt)
        try:
            subprocess.run(command, check=True)
        except (OSError, subprocess.CalledProcessError) as reason:
            raise SystemExit(f"bench: cannot build {program.name}: {shlex.join(command)}: {reason}") from None

    def run(self, variant, program):
        """What one run cost and printed, as a dictionary."""
        reader, writer = os.pipe()
        process = subprocess.Popen(
            [str(self.measure), str(writer), str(self.executable(variant.build, program)), *program.arguments],
            env={**self.environment, **variant.environment}, pass_fds=[writer], start_new_session=True, cwd=self.folder,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        os.close(writer)
        with open(reader, encoding="ascii") as numbers:
            try:
                output, errors = process.communicate(timeout=self.timeout)
            except BaseException as reason:
                os.killpg(process.pid, 9)
                process.communicate()
                if not isinstance(reason, subprocess.TimeoutExpired):
                    raise
                return {"status": f"a timeout of {self.timeout:g} s", "output": "", "errors": ""}
            status, wall, user, system, memory = numbers.read().split()
        return {"status": int(status), "wall": float(wall), "cpu": float(user) + float(system),
                "memory": int(memory) / 1024, "output": output, "errors": errors[:2000]}
