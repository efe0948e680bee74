# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Medians, ratios and geometric means of what runs cost, and their table."""

import math
import statistics

# Less extra memory than this, in MiB, is taken for this: a geometric mean knows no zero.
LEAST_MEMORY = 0.1


def median_of(runs):
    return {kind: statistics.median(run[kind] for run in runs) for kind in ("wall", "cpu", "memory")}


def compare(plain, other):
    """Slowdowns by wall time and by CPU time, and the memory above the plain program's in MiB."""
    return {"wall": other["wall"] / plain["wall"], "cpu": other["cpu"] / max(plain["cpu"], 1e-6),
            "memory": max(other["memory"] - plain["memory"], LEAST_MEMORY)}


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
    return {name: {kind: geometric_mean(ratios[name][kind] for ratios in complete) for kind in ("wall", "cpu", "memory")}
            for name in names[1:]}


def table(kernels, names, means):
    """A row for each kernel: seconds and MiB of the plain program; wall and CPU slowdown and MiB above it for the others."""
    width = max([len("geometric mean")] + [len(kernel["name"]) for kernel in kernels])
    first = f"{'':{width}}  {names[0]:>21}" + "".join(f"  {name:>21}" for name in names[1:])
    second = f"{'kernel':{width}}  {'wall s':>6} {'cpu s':>6} {'MiB':>7}" + f"  {'wall x':>6} {'cpu x':>6} {'+MiB':>7}" * (len(names) - 1)

    def cells(value, digits=1):
        if value is None:
            return f"  {'-':>6} {'-':>6} {'-':>7}"
        return f"  {value['wall']:>6.2f} {value['cpu']:>6.2f} {value['memory']:>7.{digits}f}"

    rows = [f"{kernel['name']:{width}}" + cells(kernel["medians"].get(names[0]))
            + "".join(cells(kernel.get("ratios", {}).get(name)) for name in names[1:]) for kernel in kernels]
    if means:
        rows.append(f"{'geometric mean':{width}}  {'':21}" + "".join(cells(means[name]) for name in names[1:]))
    return "\n".join(line.rstrip() for line in [first, second, *rows])
