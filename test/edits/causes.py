# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what Fletcher reports of each racy test program with the program's own comments: how many findings have the
cause that the comment at the top states (by the words of the table below), and how many of the bugs that are marked at
lines have exactly one diagnostic. With --verbose, those that differ."""

import argparse
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile

import racy_programs

EXCLUSION = (r"atomic|\block|mutex|critical|exclu|protect|\b(share|one for all|all (in )?one\b)|same (variable|element|array|place|time)"
             r"|one (variable|place|buffer|object|plan|structure)|at (once|any time)|(all|each|every|both|several|two)\b.*\b(write|"
             r"add|increment|count|update|set|note|change|move|use|execute|put|call)s?\b|lose a count|counter|reduc|private|copy|static|"
             r"plain|needs the|crosses|cut in two|too\b|beside|of their creator|no clause|add\b.* up|overlap|neighbour|in common|flag|relaxed|release|acquire|flush|fence|nothing (orders|keeps)|join|order")
ORDER_OF_TASKS = (r"depend|sibling|nothing orders|no order|any order|names?\b|declares?\b|item|inoutset|section|orders?\b|at once|tasks|another|iterator")
CIRCLE = r"circle|opposite|wait|order|lock|takes|each|turn|barrier|event|fulfil|critical|sink|iteration|enter|itself"
# The words of a comment that state a cause.
STATED = {
    "missing-mutual-exclusion": EXCLUSION,
    "missing-private-or-reduction": EXCLUSION,
    "not-atomic": r"atomic|apart",
    "one-side-locked": r"\block|mutex|critical|protect|section|sum|alone",
    "different-locks": r"\block|mutex|critical|name|differ|item|exclu",
    "missing-dependence": ORDER_OF_TASKS,
    "wrong-dependence-type": r"\bin\b|inoutset|declares?|only read|weak|names?\b|writes",
    "non-sibling-dependence": r"sibling|parent|child|descendant|orders?\b",
    "missing-taskwait": r"wait|nogroup|taskgroup|at once|deferrable|before|again|goes on|nobody|creator|return|child|depend",
    "task-outlives-frame": r"wait|ends?\b|gone|return|outliv|local",
    "descendant-outlives-frame": r"wait|ends?\b|gone|return|outliv|local|child",
    "missing-barrier": r"barrier|nowait|wait|phase|still|no end|before|order|while|section",
    "simd-lanes": r"vector|lane|simd|earlier|before",
    "dependence-cycle": CIRCLE,
    "lock-order-cycle": CIRCLE,
    "lock-misuse": r"\block|unset|\bset\b|initialis|own|semaphore",
    "barrier-mismatch": r"barrier|all threads|construct|meet|met\b|call|order|come",
    "mapping-bug": r"map|device|section|update|host|target|free",
    "unmatched-dependence": r"names?\b|item|sections?|pointer|depend",
}
MARK = re.compile(r"\b(RACE|FINDING)\(([^)]*)\)")


def arguments():
    parser = argparse.ArgumentParser(prog="causes", description=__doc__)
    racy_programs.add_arguments(parser)
    parser.add_argument("--verbose", action="store_true", help="the findings and bugs that differ")
    return parser.parse_args()


def findings_of(chosen, program):
    """The results of the SARIF report; None where the program does not end."""
    environment = program.environment(chosen.build)
    with tempfile.TemporaryDirectory(prefix="fletcher-causes.") as folder:
        program.copy_to(folder)
        subprocess.run(program.build_command(), shell=True, cwd=folder, env=environment, check=True, capture_output=True)
        environment["FLETCHER_OPTIONS"] = "sarif=report.sarif console=0"
        run = subprocess.Popen(["./app"], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
        try:
            run.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        try:
            with open(os.path.join(folder, "report.sarif"), encoding="utf-8") as report:
                return json.load(report)["runs"][0].get("results", [])
        except OSError:
            return None


def line_of(location):
    return location.get("physicalLocation", {}).get("region", {}).get("startLine", 0)


def pairs_of(finding):
    """What a diagnostic tells: (rule, line, other line), of itself and of what has the same cause."""
    first = line_of(finding["locations"][0]) if finding.get("locations") else 0
    related = finding.get("relatedLocations", [])
    others = [line_of(one) for one in related] if finding["ruleId"] != "data-race" else [line_of(one) for one in related[:1]]
    out = [(finding["ruleId"], first, other) for other in others or [first]]
    for one in related:
        text = one.get("message", {}).get("text", "")
        if not text.startswith("The same cause: "):
            continue
        said = text.removeprefix("The same cause: ").replace("-", " ")
        rule = next((name for name in STATED if said.startswith(name.replace("-", " ") + ": ")), "data-race")
        other = re.search(r"at (?:line |\S+:)(\d+)\.?(?: \(seen.*)?$", text)
        out.append((rule, line_of(one), int(other.group(1)) if other else line_of(one)))
    return out


def marked_bugs(program):
    """The lines of each bug that the comments mark; the same place of two rules is one bug."""
    races, rules = {}, {}
    for number, line in enumerate(program.text.splitlines(), 1):
        for kind, what in MARK.findall(line):
            if kind == "RACE":
                for name in {re.sub(r"[ab*]+$", "", one.strip()) for one in what.split(",")}:
                    races.setdefault(name, set()).add(number)
            else:
                rule, _, group = what.partition(",")
                rules.setdefault((rule.strip(), group.strip() or str(number)), set()).add(number)
    return [("data-race", lines) for lines in races.values()] + [(rule, lines) for (rule, _), lines in rules.items()]


def covers(finding, rule, lines):
    return any(own == rule and (first in lines and other in lines if rule == "data-race" else first in lines or other in lines)
               for own, first, other in pairs_of(finding))


def main():
    chosen = arguments()
    programs = racy_programs.chosen_programs(chosen)
    stated = found = single = bugs = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for program, findings in zip(programs, pool.map(lambda one: findings_of(chosen, one), programs)):
            if findings is None:
                print(f"{program.name}: no report")
                continue
            comment = program.comment()
            for finding in findings:
                cause = finding.get("properties", {}).get("cause", "unknown")
                cause = finding["ruleId"] if cause == "unknown" else cause
                agrees = re.search(STATED.get(cause, "$."), comment, re.IGNORECASE) is not None
                found, stated = found + 1, stated + agrees
                if chosen.verbose and not agrees:
                    print(f"{program.name}: {cause}, but the comment says: {comment}")
            for rule, lines in marked_bugs(program):
                number = sum(covers(finding, rule, lines) for finding in findings)
                bugs, single = bugs + 1, single + (number == 1)
                if chosen.verbose and number != 1:
                    print(f"{program.name}: {number} diagnostics of the {rule} at lines {sorted(lines)}")
    print(f"{stated} of {found} findings have the cause that the comment states ({100 * stated / max(found, 1):.1f} %)")
    print(f"{single} of {bugs} marked bugs have one diagnostic ({100 * single / max(bugs, 1):.1f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
