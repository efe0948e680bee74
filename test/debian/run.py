# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs an OpenMP program of Debian's plain and under `fletcher run` (level graph), and compares: exit status, output, the files
that it makes, the number of its threads, time and memory. `run.py FLETCHER NAME`; `run.py --list`. Ends with 77 where the
program is not installed. Times and memory are the least of some runs in turns, as what else the machine does only adds to them."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from programs import PROGRAMS

TURNS = 3
MORE_TIME = 0.3  # seconds of processors, for what begins and ends a process
MISSED_THREADS = 1  # as they are looked for now and then only
MORE_MEMORY = 16 << 10  # KiB
SKIPPED = 77


def environment(folder):
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    # Without FLETCHER_OPTIONS and the like. Threads that wait sleep: spinning would be all that is measured.
    return kept | {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "LC_ALL": "C", "TMPDIR": str(folder)}


def threads_of(process):
    """Of that one of the program and its children which has most, but for the checker's own. Others come and go at random."""
    most, todo = 0, [process]
    while todo:
        one, found = todo.pop(), 0
        try:
            for task in os.listdir(f"/proc/{one}/task"):
                found += pathlib.Path(f"/proc/{one}/task/{task}/comm").read_text(encoding="utf-8") != "fletcher\n"
                todo += map(int, pathlib.Path(f"/proc/{one}/task/{task}/children").read_text(encoding="utf-8").split())
        except OSError:
            continue  # it ends
        most = max(most, found)
    return most


def made(folder):
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in folder.rglob("*") if file.is_file() and file.name.startswith("out")}


def run(words, folder):
    for file in folder.glob("out*"):
        file.unlink()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(words, cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        threads, status, usage = 0, 0, None
        deadline = time.monotonic() + 300
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            threads = max(threads, threads_of(process.pid))
            if time.monotonic() > deadline:
                process.kill()
            time.sleep(0.004)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return {"status": process.returncode, "output": out.read(), "errors": err.read().decode(errors="replace"),
                "files": made(folder), "threads": threads, "time": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss}


def differences(plain, checked):
    for key in ("status", "output", "files", "errors"):
        values = [{str(one[key]) if key != "errors" else own_errors(one[key]) for one in runs} for runs in (plain, checked)]
        if len(values[0]) == 1 and values[0] != values[1]:  # else its own runs differ
            yield f"{key}: plain {values[0]}, checked {values[1]}"


REPORT = re.compile(r"^fletcher [0-9.]+: level graph.*?^fletcher: [0-9]+ errors?, [0-9]+ warnings?\n", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^fletcher: .*( it runs on .* instead|no parallel region was (seen|run) in .*)\n", re.MULTILINE)


def own_errors(text):
    """Without the report, and the lines that say on what the program runs."""
    return LINE.sub("", REPORT.sub("", text))


def findings(text):
    return set(re.findall(r"(?:error|warning): .* \[([a-z-]+)\]$", text, re.MULTILINE))


def main():
    if sys.argv[1:] == ["--list"]:
        print(*(program.name for program in PROGRAMS), sep="\n")
        return 0
    fletcher, name = sys.argv[1:]
    program = next(one for one in PROGRAMS if one.name == name)
    if not (os.path.exists(program.needs) if program.needs else shutil.which(program.command.split()[0])):
        print(f"{name}: not installed (apt-get install {program.package})")
        return SKIPPED
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        # By another process: what a program uses at most is not less than what its parent does as it starts it.
        subprocess.run([sys.executable, str(pathlib.Path(__file__).with_name("inputs.py")), path], check=True)
        shell = ["sh", "-c", program.command]
        ways = {"plain": shell, "checked": [fletcher, "run", "--exitcode", "0", "--", *shell]}
        runs = {way: [] for way in ways}
        for _ in range(TURNS):
            for way, words in ways.items():
                runs[way].append(run(words, folder))
    problems = list(differences(runs["plain"], runs["checked"]))
    told = set.union(*(findings(one["errors"]) for one in runs["checked"]))
    if not told <= program.findings:
        problems.append(f"findings: {told}; {runs['checked'][0]['errors']}")
    least = {way: {key: min(one[key] for one in all_of) for key in ("time", "memory")} for way, all_of in runs.items()}
    plain, checked = least["plain"], least["checked"]
    threads = [max(one["threads"] for one in all_of) for all_of in runs.values()]
    print(f"{name}: {plain['time']:.2f} s, {plain['memory'] / 1024:.0f} MB, {threads[0]} threads; "
          f"checked {checked['time']:.2f} s, {checked['memory'] / 1024:.0f} MB")
    if checked["time"] > program.most_time * plain["time"] + MORE_TIME:
        problems.append("time")
    if not told:  # else those of the processes that write the report count, too
        if abs(threads[0] - threads[1]) > MISSED_THREADS:
            problems.append(f"threads: plain {threads[0]}, checked {threads[1]}")
        if checked["memory"] > plain["memory"] + MORE_MEMORY:
            problems.append("memory")
    if any(one["status"] < 0 or one["status"] > 125 for one in runs["plain"]):
        problems.append(f"it fails without the check, too: {runs['plain'][0]['errors']}")
    print(*problems, sep="\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
