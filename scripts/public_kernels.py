#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs public CUDA files by `cosmati sim`, without a changed line, and compares each outcome with the list.

    public_kernels.py FOLDER            runs the files of public_kernels.toml; the checkouts are FOLDER/OWNER/NAME
    public_kernels.py FOLDER --write    writes the table of docs/public-kernels.md from this run, too
    public_kernels.py FOLDER --clones   prints the commands that make the checkouts

No file is part of this repository. The list has for each file the repository, the path, options and arguments, and the outcome if
it is not `right`.
`sources` are the other files of a program that has several. `arguments` are those of one run, or a list of several.

  * right: the verdict is clean and the program ends with the status 0. Most of these programs check their own results.
  * finding: `hazards` has the kind and the line of each hazard, and `why` explains the fault of the program. `exit` is the
    program's own exit status if it is not 0; a negative number is a signal.

A file whose own main function takes hours on the simulated device, or that has none, has a `driver`: a program of
scripts/public_kernels/ that includes the file as it is and calls its kernels with small sizes.

Exit status: 0 if every file that is there has its outcome, 1 if one has not, 2 if the list is wrong or FOLDER has no file of it.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIST = ROOT / "scripts/public_kernels.toml"
PAGE = ROOT / "docs/public-kernels.md"
BEGIN, END = "<!-- runs:begin -->", "<!-- runs:end -->"
DRIVERS = ROOT / "scripts/public_kernels"
KEYS = {"repository", "path", "driver", "sources", "options", "arguments", "outcome", "hazards", "exit", "why"}


class wrong_list(Exception):
    pass


@dataclasses.dataclass
class public_file:
    """One entry of the list. Options that begin with @ are paths in the checkout."""
    repository: str
    path: str
    outcome: str = "right"
    driver: str = ""
    sources: list = dataclasses.field(default_factory=list)
    options: list = dataclasses.field(default_factory=list)
    arguments: list = dataclasses.field(default_factory=list)
    hazards: list = dataclasses.field(default_factory=list)
    exit: int = 0
    why: str = ""

    def wanted(self) -> str:
        return text_of(self.outcome, self.hazards, self.exit)


@dataclasses.dataclass
class run_result:
    file: public_file
    state: str   # as listed, changed, missing, time-out
    got: str     # the outcome in words


def text_of(outcome: str, hazards: list, status: int) -> str:
    """An outcome in words: `right`, or `race@12, race@14, exit status 1`."""
    parts = sorted(set(hazards)) + ([] if status == 0 else [f"signal {-status}" if status < 0 else f"exit status {status}"])
    return outcome if outcome == "right" and not parts else ", ".join(parts) or "nothing"


def read_list(path: pathlib.Path) -> tuple[dict, list]:
    """The commits by repository, and the files. Raises wrong_list with the entry that is wrong."""
    try:
        data = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise wrong_list(f"{path.name}: {error}") from error
    commits, files = data.get("commits", {}), []
    for entry in data.get("file", []):
        name = f"{path.name}: {entry.get('repository', '?')}/{entry.get('path', '?')}"
        if unknown := set(entry) - KEYS:
            raise wrong_list(f"{name}: {sorted(unknown)[0]} is not a key")
        if missing := {"repository", "path"} - set(entry):
            raise wrong_list(f"{name}: the key {sorted(missing)[0]} is missing")
        given = entry.pop("arguments", [])
        runs = [public_file(**entry, arguments=a) for a in (given if given and isinstance(given[0], list) else [given])]
        file = runs[0]
        if file.repository not in commits:
            raise wrong_list(f"{name}: [commits] has no {file.repository}")
        if file.outcome not in ("right", "finding"):
            raise wrong_list(f"{name}: the outcome is {file.outcome}; write right or finding")
        if (file.outcome == "finding") != bool(file.why and (file.hazards or file.exit)):
            raise wrong_list(f"{name}: a finding has `why`, and `hazards` or `exit`; what is right has no `hazards`")
        if file.driver and not (DRIVERS / file.driver).is_file():
            raise wrong_list(f"{name}: there is no driver {file.driver}")
        files += runs
    if len({(f.repository, f.path, f.driver, *f.sources, *f.options, *f.arguments) for f in files}) != len(files):
        raise wrong_list(f"{path.name}: a file stands twice with the same options")
    return commits, files


def outcome_of(found: dict) -> str:
    """The outcome of a run from what --json wrote."""
    hazards = [f"{h['kind']}@{h['line']}" for h in found["hazards"]]
    end = found["program"]
    status = -end["signal"] if end["signal"] else end["exit"]
    if found["verdict"] == "clean" and status == 0:
        return "right"
    if found["verdict"] in ("review", "incomplete") and not hazards and status == 0:
        return f"{found['verdict']}: {'; '.join(found['reasons'])}"
    return text_of("finding", hazards, status)


def run(file: public_file, folder: pathlib.Path, cosmati: str, seconds: float) -> run_result:
    checkout = folder / file.repository
    sources = [checkout / path for path in (file.path, *file.sources)]
    if missing := [s for s in sources if not s.is_file()]:
        return run_result(file, "missing", f"{missing[0]} is not there")
    options = [str(checkout / o[1:]) if o.startswith("@") else o for o in file.options]
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary) / "out.json"
        program = [DRIVERS / file.driver, *sources[1:]] if file.driver else sources
        words = [cosmati, "sim", *map(str, program), "--json", str(out), "--timeout", f"{seconds:g}", "--compile-timeout", "0", *options]
        words += ["--", *file.arguments] if file.arguments else []
        done = subprocess.run(words, cwd=temporary, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        found = json.loads(out.read_text()) if out.exists() else {}
    end = found.get("program")
    if not end or (end["exit"] is None and end["signal"] is None):
        said = [line for line in done.stderr.splitlines() if line.strip()]
        return run_result(file, "changed", said[0] if said else f"exit status {done.returncode}")
    if end["timed_out"]:
        return run_result(file, "time-out", f"not ended after {seconds:g} s")
    got = outcome_of(found)
    return run_result(file, "as listed" if got == file.wanted() else "changed", got)


def table(commits: dict, results: list) -> str:
    """The page's tables: one for each repository."""
    lines = []
    repositories = sorted({r.file.repository for r in results}, key=str.lower)
    listed = [r for r in results if r.state == "as listed"]
    right, findings = ([r for r in listed if r.file.outcome == o] for o in ("right", "finding"))
    files = len({(r.file.repository, r.file.path) for r in listed})
    lines.append(f"{files} files of {len(repositories)} repositories in {len(listed)} runs: {len(right)} are right, {len(findings)} have true findings.\n")
    for repository in repositories:
        lines += [f"### {repository}\n", f"Commit [`{commits[repository][:10]}`](https://github.com/{repository}/tree/{commits[repository]}).\n",
                  "| file | options | outcome | explanation |", "|---|---|---|---|"]
        rows = {}  # what is right with several arguments has one row
        for r in results:
            if r.file.repository != repository:
                continue
            driver = [f"scripts/public_kernels/{r.file.driver}"] if r.file.driver else []
            others = [os.path.relpath(s, os.path.dirname(r.file.path)) for s in r.file.sources]
            words = " ".join([*driver, *others, *(o.removeprefix("@") for o in r.file.options)])
            outcome = r.got if r.state == "as listed" else f"{r.state}: {r.got}"
            rows.setdefault((r.file.path, words, outcome, r.file.why), []).append(" ".join(["--", *r.file.arguments] if r.file.arguments else []))
        for (path, words, outcome, why), arguments in rows.items():
            first, *more = [" ".join(filter(None, [words, arguments[0]])), *arguments[1:]]
            cells = [f"`{path}`", ", ".join(f"`{w}`" for w in [first, *more] if w), outcome, why]
            lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def write_page(page: pathlib.Path, text: str) -> None:
    old = page.read_text()
    before, after = old.split(BEGIN)[0], old.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}")


def clones(commits: dict, folder: str) -> str:
    return "\n".join(f"git clone --filter=blob:none https://github.com/{r} {folder}/{r} && git -C {folder}/{r} checkout -q {c}" for r, c in commits.items())


def main(arguments: list) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--list", type=pathlib.Path, default=LIST)
    parser.add_argument("--page", type=pathlib.Path, default=PAGE)
    parser.add_argument("--cosmati", default=os.environ.get("COSMATI_BIN", str(ROOT / "build/bin/cosmati")))
    parser.add_argument("--timeout", type=float, default=300, help="seconds that a program may take")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="only files whose repository and path contain this text")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--clones", action="store_true")
    o = parser.parse_args(arguments)
    try:
        commits, files = read_list(o.list)
    except wrong_list as error:
        print(error, file=sys.stderr)
        return 2
    if o.clones:
        print(clones(commits, o.folder))
        return 0
    files = [f for f in files if o.only in f"{f.repository}/{f.path}"]
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        jobs = [pool.submit(run, f, pathlib.Path(o.folder).resolve(), o.cosmati, o.timeout) for f in files]
        results = []
        for job in jobs:
            r = job.result()
            results.append(r)
            more = "" if r.state == "as listed" else f" (listed: {r.file.wanted()})"
            print(f"{r.state:10} {r.file.repository}/{r.file.path}: {r.got}{more}", flush=True)
    counts = {s: sum(r.state == s for r in results) for s in ("as listed", "changed", "time-out", "missing")}
    print(", ".join(f"{n} {s}" for s, n in counts.items()))
    if len(results) == counts["missing"]:
        print(f"{o.folder} has no file of the list; --clones prints the commands that fetch them", file=sys.stderr)
        return 2
    if o.write:
        write_page(o.page, table(commits, results))
    return 1 if counts["changed"] or counts["time-out"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
