#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy 14 over the library:  tidy.py BUILD [FILE...]

BUILD is a folder configured with the preset `tidy`. Without files it checks one source that includes every public
header, and every source of src/ and web/. Exit status 1 if clang-tidy finds anything.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/style"))
import headers  # noqa: E402


def all_headers(build: pathlib.Path) -> pathlib.Path:
    excused = headers.exceptions(ROOT, "clang++")
    names = sorted(str(h.relative_to(ROOT / "include")) for h in (ROOT / "include").rglob("*.hpp"))
    source = build / "all_headers.cpp"
    source.write_text("".join(f"#include <{n}>\n" for n in names if f"include/{n}" not in excused))
    return source


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    tool = shutil.which("clang-tidy-14") or shutil.which("clang-tidy")
    known = {entry["file"] for entry in json.loads((build / "compile_commands.json").read_text() or "[]")}
    files = [pathlib.Path(f).resolve() for f in sys.argv[2:]]
    if not files:
        files = [all_headers(build), *sorted((ROOT / "src").rglob("*.cpp")), *sorted((ROOT / "web").glob("*.cpp"))]

    def run(path: pathlib.Path) -> tuple[int, str]:
        command = [tool, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", str(path)]
        if str(path) in known:
            command += ["-p", str(build)]
        else:
            command += ["--", "-std=c++20", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src/cli'}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        return done.returncode, done.stdout.strip() or done.stderr.strip()

    findings = {}  # a finding once, however many sources include its header
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count())) as pool:
        for status, said in pool.map(run, files):
            wrong += bool(status)
            if status:
                for finding in re.split(r"\n(?=\S+:\d+:\d+: (?:error|warning):)", "\n" + said):
                    if re.match(r"\n?\S+:\d+:\d+: (?:error|warning):", finding):
                        findings[finding.strip()] = None
                    elif finding.strip():
                        findings.setdefault(finding.strip().splitlines()[0])
    for finding in findings:
        print(finding.replace(f"{ROOT}/", ""))
    print(f"clang-tidy: {len(files)} sources, {wrong} with findings, {len(findings)} in all")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
