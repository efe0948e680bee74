# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is measured: our own kernels, or applications in a folder of checkouts."""

import glob
import json
import pathlib
from dataclasses import dataclass

HERE = pathlib.Path(__file__).parent


@dataclass(frozen=True)
class Program:
    """Sources that one command compiles, and a run. `is_ours`: its result and its findings are known."""

    name: str
    sources: tuple
    arguments: tuple = ()
    flags: tuple = ()
    is_ours: bool = False

    @property
    def is_cxx(self):
        return any(pathlib.Path(source).suffix in (".cpp", ".cc", ".cxx") for source in self.sources)


def kernels(percent):
    """Those of tools/bench/kernels, with this part of their work."""
    return [Program(path.stem, (str(path),), (f"{percent:g}",), ("-std=c++20",) if path.suffix == ".cpp" else (), True)
            for path in sorted((HERE / "kernels").iterdir()) if path.suffix in (".c", ".cpp")]


def applications(folder):
    """Those that applications.json names, of the folder or else of this one, as far as the folder has their sources; and the
    names of the others. {} stands for the folder."""
    folder = pathlib.Path(folder).resolve()
    listed = folder / "applications.json"
    try:
        entries = json.loads((listed if listed.exists() else HERE / "applications.json").read_text(encoding="utf-8"))
        found, missing = [], []
        for entry in entries:
            texts = {key: [text.replace("{}", str(folder)) for text in entry.get(key, [])] for key in ("sources", "arguments", "flags")}
            sources = [sorted(glob.glob(pattern)) for pattern in texts["sources"]]
            if all(sources):
                every = tuple(dict.fromkeys(path for paths in sources for path in paths))
                found.append(Program(entry["name"], every, tuple(texts["arguments"]), tuple(texts["flags"])))
            else:
                missing.append(entry["name"])
        return found, missing
    except (OSError, ValueError, KeyError, AttributeError, TypeError) as reason:
        raise SystemExit(f"bench: cannot read {listed.name}: {type(reason).__name__}: {reason}") from None
