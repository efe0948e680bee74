# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program with many races, rendered in all forms, and many documents with different ones of them, merged: how long
that takes and how much memory. Ends with 1 if it is more than the limits that it prints."""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

MEGABYTE = 1 << 20
FORMS = ["--text", "report.txt", "--sarif", "report.sarif", "--html", "report.html", "--quiet"]
FORMS_OF_SERVICES = ["--junit", "report.xml", "--gitlab", "report.json"]


def arguments():
    parser = argparse.ArgumentParser(prog="many_findings", description=__doc__)
    parser.add_argument("--build", required=True, help="Fletcher's build folder")
    parser.add_argument("--findings", type=int, default=10000, help="races of the program (default 10000)")
    parser.add_argument("--documents", type=int, default=10000, help="documents to merge (default 10000)")
    return parser.parse_args()


def source(findings):
    """Two threads write each of the variables."""
    lines = [f"static volatile int v{i};" for i in range(findings)]
    for first in range(0, findings, 100):
        lines.append(f"__attribute__((noinline)) static void f{first}(int me) {{")
        lines += [f"  v{i} = me;" for i in range(first, min(first + 100, findings))]
        lines.append("}")
    lines += ["int main(void) {", "#pragma omp parallel num_threads(2)", "  for (int me = 0; me < 2; me++) {"]
    lines += [f"    f{first}(me);" for first in range(0, findings, 100)]
    return "\n".join(lines + ["  }", "  return 0;", "}"]) + "\n"


def measured(command, folder):
    """The CPU time in seconds and the memory in megabytes of a command and its children."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{command[:2]} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def write_documents(document, number, folder):
    """Each of a megabyte, with other findings."""
    texts = [json.dumps(one, separators=(",", ":")) for one in document.pop("findings")]
    each = min(len(texts), MEGABYTE * len(texts) // sum(map(len, texts)))
    choice = random.Random(1)
    for i in range(number):
        document["run"]["process"] = i + 1
        head = json.dumps(document, separators=(",", ":"))
        (folder / f"{i}.json").write_text(head[:-1] + ',"findings":[' + ",".join(choice.sample(texts, each)) + "]}")


def main():
    chosen = arguments()
    build = pathlib.Path(chosen.build).resolve()
    fletcher = str(build / "bin" / "fletcher")
    failed = False

    def expect(what, seconds, megabytes, most_seconds, most_megabytes):
        nonlocal failed
        failed |= seconds > most_seconds or megabytes > most_megabytes
        print(f"{what}: {seconds:.1f} s of CPU time (at most {most_seconds:.0f}), "
              f"{megabytes:.0f} MB (at most {most_megabytes})", flush=True)

    with tempfile.TemporaryDirectory(prefix="fletcher-many.") as name:
        folder = pathlib.Path(name)
        (folder / "many.c").write_text(source(chosen.findings))
        subprocess.run([str(build / "bin" / "fletcher-cc"), "-g", "-O1", "-fopenmp", "many.c", "-o", "many"], cwd=folder, check=True)
        options = f"document=document max_findings={chosen.findings}"
        subprocess.run(["./many"], cwd=folder, env=dict(os.environ, FLETCHER_OPTIONS=options), stderr=subprocess.DEVNULL)
        document = json.loads((folder / "document").read_text())
        found = len(document["findings"])
        print(f"{found} findings")
        failed |= found < chosen.findings
        # Machines differ: three times what a usual one needs.
        expect("all forms", *measured([fletcher, "render", "document", *FORMS], folder), 9, 300)
        (folder / "documents").mkdir()
        write_documents(document, chosen.documents, folder / "documents")
        expect(f"merge of {chosen.documents} documents",
               *measured([fletcher, "merge", "documents", *FORMS, *FORMS_OF_SERVICES], folder), 9 + 0.12 * chosen.documents, 1024)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
