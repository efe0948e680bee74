# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Medians, ratios and geometric means of what runs cost, and their table."""

import math
import statistics

KINDS = ("wall", "cpu", "memory", "memory_ratio")

# Less extra memory than this, in MiB, is taken for this: a geometric mean knows no zero.
LEAST_MEMORY = 0.1


def median_of(runs):
    return {kind: statistics.median(run[kind] for run in runs) for kind in ("wall", "cpu", "memory")}


def compare(plain, other):
    """Slowdowns by wall time and by CPU time, the memory above the plain program's in MiB, and the memory as a ratio."""
    return {"wall": other["wall"] / plain["wall"], "cpu": other["cpu"] / max(plain["cpu"], 1e-6),
            "memory": max(other["memory"] - plain["memory"], LEAST_MEMORY), "memory_ratio": other["memory"] / plain["memory"]}


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def summarise(kernels, names):
    """Adds ratios to each kernel; returns the geometric means over the kernels that ran in every variant."""
    for kernel in kernels:
        if names[0] in kernel["medians"]:
            plain = kernel["medians"][names[0]]
            kernel["ratios"] = {name: compare(plain, kernel["medians"][name]) for name in names[1:] if name in kernel["medians"]}
    complete = [kernel["ratios"] for kernel in kernels if len(kernel.get("ratios", {})) == len(names) - 1]
    if not complete:
        return {}
    return {name: {kind: geometric_mean(ratios[name][kind] for ratios in complete) for kind in KINDS}
            for name in names[1:]}


# Tasks of the kernels that do little else, by their standard work.
TASKS = {"independent-tasks": 1_000_000, "task-chain": 1_000_000, "task-waves": 1_000_000, "fib-all-tasks": 2_692_536}


def tasks_of(name, percent):
    """How many tasks the kernel creates; 0 where that is not known."""
    if name == "fib-all-tasks" and percent != 100:
        return 0  # its work comes in steps
    return int(TASKS.get(name, 0) * percent / 100)


def table_of_tasks(kernels, names, percent):
    """What a task costs above the plain program: CPU time in microseconds, and bytes at the peak. Empty where no kernel tells."""
    rows = []
    for kernel in kernels:
        tasks, medians = tasks_of(kernel["name"], percent), kernel["medians"]
        if tasks == 0 or names[0] not in medians:
            continue
        plain = medians[names[0]]
        kernel["tasks"] = {name: {"microseconds": (medians[name]["cpu"] - plain["cpu"]) * 1e6 / tasks,
                                  "bytes": (medians[name]["memory"] - plain["memory"]) * 2**20 / tasks}
                           for name in names[1:] if name in medians}
        cells = (kernel["tasks"].get(name) for name in names[1:])
        rows.append(f"{kernel['name']:17}" + "".join(
            f"  {'-':>10} {'-':>10}" if cell is None else f"  {cell['microseconds']:>10.2f} {cell['bytes']:>10.0f}" for cell in cells))
    if not rows:
        return ""
    first = f"{'above plain':17}" + "".join(f"  {name:>21}" for name in names[1:])
    second = f"{'for each task':17}" + f"  {'us':>10} {'bytes':>10}" * (len(names) - 1)
    return "\n".join([first, second, *rows])


def table(kernels, names, means, memory="memory"):
    """A row for each kernel: seconds and MiB of the plain program; wall and CPU slowdown and MiB above it, or with
    "memory_ratio" the ratio of memory, for the others."""
    width = max([len("geometric mean")] + [len(kernel["name"]) for kernel in kernels])
    above = "MiB x" if memory == "memory_ratio" else "+MiB"
    first = f"{'':{width}}  {names[0]:>21}" + "".join(f"  {name:>21}" for name in names[1:])
    second = f"{'kernel':{width}}  {'wall s':>6} {'cpu s':>6} {'MiB':>7}" + f"  {'wall x':>6} {'cpu x':>6} {above:>7}" * (len(names) - 1)

    def cells(value, kind=memory):
        if value is None:
            return f"  {'-':>6} {'-':>6} {'-':>7}"
        return f"  {value['wall']:>6.2f} {value['cpu']:>6.2f} {value[kind]:>7.1f}"

    rows = [f"{kernel['name']:{width}}" + cells(kernel["medians"].get(names[0]), "memory")
            + "".join(cells(kernel.get("ratios", {}).get(name)) for name in names[1:]) for kernel in kernels]
    if means:
        rows.append(f"{'geometric mean':{width}}  {'':21}" + "".join(cells(means[name]) for name in names[1:]))
    return "\n".join(line.rstrip() for line in [first, second, *rows])
