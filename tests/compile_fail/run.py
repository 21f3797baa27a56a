#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that programs do not compile, and what the compiler says about them.

    run.py COMPILER FILE [ROOT]     COMPILER is g++, clang++ or nvcc
    run.py COMPILER FILE --show     prints every output instead of judging it

FILE is compiled with -DCOSMATI_FAIL=0, which must succeed, and with =1, =2, ..., which must fail. The failures are the same
mistake with other shapes, which show that the numbers in the message are those of the case. Comments that start a line of the
file say what the message must contain:

    // expect 1: regex           the output of COSMATI_FAIL=1 contains it, outside of quoted source; may be repeated
    // expect 2: regex
    // expect: regex             every output contains it
    // expect 1 nvcc: regex      for one compiler only
    // reject: regex             no output contains it
    // expect-lines < 25         the output is shorter than that (this is the default)
    // expect-bytes < 3000       (this is the default)
    // only: g++, clang++        the other compilers do not try the file; the comment says why
    // flags nvcc: -arch=sm_90a  more flags for the compilation

No flag is set that would shorten a user's output: the command is `COMPILER -std=c++20 -Iinclude -c FILE`, run in ROOT.
nvcc only checks the corrected form and generates no code for it, which takes a quarter of the time.
Exit status 77 (skipped) if there is no such compiler.
"""
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

COMMENT = re.compile(r"^//\s*(expect-lines|expect-bytes|expect|reject|only|flags)\b\s*(.*)$")
WHICH = re.compile(r"^(\d+)?\s*(g\+\+|clang\+\+|nvcc)?\s*:\s*(.*)$")


@dataclasses.dataclass
class Expectations:
    wanted: dict[int, list[str]]  # by value of COSMATI_FAIL; those of `expect:` are in every list
    rejected: list[str]
    lines: int = 25
    size: int = 3000
    only: list[str] | None = None
    flags: list[str] = dataclasses.field(default_factory=list)


def read_expectations(text: str, compiler: str) -> Expectations:
    """Raises ValueError, with a sentence, if the comments make no sense."""
    wanted, everywhere, rejected = {}, [], []
    result = Expectations(wanted, rejected)
    for number, line in enumerate(text.splitlines(), 1):
        match = COMMENT.match(line)
        if not match:
            continue
        word, rest = match.groups()
        if word in ("expect-lines", "expect-bytes"):
            limit = re.fullmatch(r"<\s*(\d+)\s*(?:\(.*\))?", rest)
            if not limit:
                raise ValueError(f"line {number}: write `// {word} < N`")
            setattr(result, "lines" if word == "expect-lines" else "size", int(limit[1]))
            continue
        if word == "only":
            result.only = [name for name in ("clang++", "nvcc", "g++") if name in re.split(r"[,\s:;.()]+", rest)]
            continue
        which = WHICH.match(rest)
        if not which:
            raise ValueError(f"line {number}: write `// {word} 1: regex`")
        case, only_for, regex = which.groups()
        if word == "flags":
            if only_for in (None, compiler):
                result.flags += regex.split()
            continue
        try:
            re.compile(regex)
        except re.error as problem:
            raise ValueError(f"line {number}: not a regex: {problem}") from None
        if word == "reject":
            rejected.append(regex)
        elif case is None:
            if only_for in (None, compiler):
                everywhere.append(regex)
        else:
            wanted.setdefault(int(case), [])
            if only_for in (None, compiler):
                wanted[int(case)].append(regex)
    for regexes in wanted.values():
        regexes += everywhere
    if sorted(wanted) != list(range(1, len(wanted) + 1)) or len(wanted) < 2:
        raise ValueError("at least two shapes are wanted: `// expect 1: regex`, `// expect 2: regex`, ...")
    if not all(wanted.values()):
        raise ValueError(f"no regex for {compiler} in one of the cases")
    for case in wanted:
        if not re.search(r"COSMATI_FAIL\s*==\s*%d\b" % case, text) and not (
            case == len(wanted) and re.search(r"^\s*#\s*else", text, re.M)
        ):
            raise ValueError(f"the file has no `#if COSMATI_FAIL == {case}`")
    return result


def compile_case(compiler: str, flags: list[str], root: pathlib.Path, source: str, case: int) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as folder:
        command = [compiler, "-std=c++20", "-Iinclude", *flags, f"-DCOSMATI_FAIL={case}"]
        nvcc = "nvcc" in os.path.basename(compiler)
        command += ["-x", "cu"] if nvcc else []
        command += ["-ptx", "-fdevice-syntax-only"] if nvcc and case == 0 else ["-c"]
        command += [source, "-o", os.path.join(folder, "out.o")]
        environment = {**os.environ, "LC_ALL": "C"}
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace", env=environment)
        return done.returncode, (done.stdout + done.stderr).strip()


def spoken(output: str) -> str:
    """The compiler's output without the source lines that it quotes, because those would contain any word of the test."""
    kept = []
    for line in output.splitlines():
        if re.match(r"^\s*\d*\s\|", line):  # g++: `   18 |   code`, `      |   ~~^~~`
            continue
        if re.match(r"^\s*[~^][~^ ]*$", line):  # clang, nvcc: a line of carets under the quoted line
            if kept:
                kept.pop()
            continue
        kept.append(line)
    # A long message may be wrapped: regexes see each run of blanks as one.
    return re.sub(r"\s+", " ", "\n".join(kept))


def judge(expectations: Expectations, case: int, status: int, output: str) -> list[str]:
    """The faults of one compilation; empty if it is as wanted."""
    if case == 0:
        return [] if status == 0 else ["the corrected form does not compile"]
    if status == 0:
        return ["it compiles"]
    problems = []
    text = spoken(output)
    for regex in expectations.wanted[case]:
        if not re.search(regex, text):
            problems.append(f"the output does not contain: {regex}")
    for regex in expectations.rejected:
        if re.search(regex, text):
            problems.append(f"the output contains: {regex}")
    lines = len(output.splitlines())
    size = len(output.encode())
    if lines >= expectations.lines:
        problems.append(f"{lines} lines, fewer than {expectations.lines} wanted")
    if size >= expectations.size:
        problems.append(f"{size} bytes, fewer than {expectations.size} wanted")
    return problems


def indent(text: str, limit: int) -> str:
    lines = text.splitlines()
    more = [f"... {len(lines) - limit} more lines"] if len(lines) > limit else []
    return "\n".join("    | " + line[:300] for line in lines[:limit] + more)


def run(compiler: str, kind: str, root: pathlib.Path, source: str, show: bool = False) -> int:
    path = root / source
    try:
        expectations = read_expectations(path.read_text(), kind)
    except ValueError as problem:
        print(f"{source}: {problem}")
        return 1
    if expectations.only is not None and kind not in expectations.only:
        print(f"skipped: only for {', '.join(expectations.only)}")
        return 77
    cases = [0, *sorted(expectations.wanted)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda case: compile_case(compiler, expectations.flags, root, source, case), cases))
    wrong = 0
    for case, (status, output) in zip(cases, results):
        problems = judge(expectations, case, status, output)
        wrong += bool(problems)
        if problems or show:
            print(f"{source}, COSMATI_FAIL={case}, {kind}: {'; '.join(problems) or 'as wanted'}")
            print(indent(output, 60))
        else:
            print(f"COSMATI_FAIL={case}: {len(output.splitlines())} lines, {len(output.encode())} bytes")
    return 1 if wrong else 0


def main() -> int:
    arguments = [a for a in sys.argv[1:] if a != "--show"]
    compiler = shutil.which(arguments[0])
    kind = next((k for k in ("nvcc", "clang++", "g++") if k in os.path.basename(arguments[0])), arguments[0])
    source = pathlib.Path(arguments[1]).resolve()
    root = pathlib.Path(arguments[2] if len(arguments) > 2 else pathlib.Path(__file__).parents[2]).resolve()
    if compiler is None:
        print(f"skipped: no {arguments[0]}")
        return 77
    return run(compiler, kind, root, str(source.relative_to(root)), "--show" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
