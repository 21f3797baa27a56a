#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the documents' code: it compiles, runs, and prints what the documents say.

    snippets.py [--update] [FILE.md...]       default: README.md and docs/*.md

The HTML comment above a block, or the block's language, says how it is checked:

    <!-- snippet: name -->      ```cpp: statements, run in a function. The ```text block that follows, if any, is their
                                output. An exception prints `error: ` and its text.
    <!-- scope: name -->        ```cpp: declarations (kernels, types), in the document's namespace
    <!-- fails: name -->        ```cpp: statements that must not compile. The compiler's output contains each line of the
                                ```text block that follows
    <!-- file: path -->         ```cpp: these lines stand in that file, in this order
    ```console                  `$ command` lines and their output. The commands of a document share a folder, which has
                                in.npy (float32 0, 1, 2, ... of shape (70,101)) and the project's examples/

In expected output `...` stands for any text. With --update the output is written instead of compared; output that is
right already stays unchanged.

COSMATI_BIN names the command, and COSMATI_SIM the library of the simulated device. By default both are those that ./demo
and ./test leave in build/. The snippets of all documents that launch no kernel make one file, those of the others another.
"""
import argparse
import array
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = os.path.abspath(os.environ.get("COSMATI_BIN", str(ROOT / "build/bin/cosmati")))
SIM = os.path.abspath(os.environ.get("COSMATI_SIM", str(ROOT / "build/src/sim/libcosmati_sim.a")))
MARK = re.compile(r"^<!-- (snippet|scope|fails|file): *(\S+) *-->$")
ANALYSIS = "\n".join(f"#include <cosmati/analysis/{name}.hpp>" for name in ("copy_cost", "verify", "words"))
WRAPPED = "memcpy memmove memset printf puts putchar vprintf __assert_fail __cxa_throw".split()


@dataclasses.dataclass
class Block:
    document: pathlib.Path
    kind: str  # snippet, scope, fails, file or console
    name: str
    line: int  # of its first line of code, counted from 1
    code: list[str]
    output: range | None = None  # the lines of the expected output, as indices into the document

    @property
    def where(self) -> str:
        return f"{self.document.relative_to(ROOT)}:{self.line} ({self.name})"

    @property
    def space(self) -> str:
        return "doc_" + re.sub(r"\W", "_", self.document.stem).lower()


def fence_end(lines: list[str], begin: int) -> int:
    end = begin + 1
    while end < len(lines) and lines[end] != "```":
        end += 1
    return end


def blocks_of(document: pathlib.Path) -> tuple[list[Block], list[str], list[str]]:
    """The blocks, the document's lines, and the faults of its marks."""
    lines = document.read_text().splitlines()
    found, problems = [], []
    i = 0
    while i < len(lines):
        mark = MARK.match(lines[i])
        if mark and (i + 1 >= len(lines) or lines[i + 1] != "```cpp"):
            problems.append(f"{document.relative_to(ROOT)}:{i + 1}: no ```cpp block follows this mark")
        elif mark:
            end = fence_end(lines, i + 1)
            block = Block(document, mark[1], mark[2], i + 3, lines[i + 2 : end])
            after = end + 1
            while after < len(lines) and not lines[after]:
                after += 1
            if mark[1] in ("snippet", "fails") and after < len(lines) and lines[after] == "```text":
                block.output = range(after + 1, fence_end(lines, after))
                end = block.output.stop
            found.append(block)
            i = end
        elif lines[i] == "```console":
            end = fence_end(lines, i)
            found.append(Block(document, "console", "console", i + 2, lines[i + 1 : end], range(i + 1, end)))
            i = end
        elif lines[i] == "```cpp":
            problems.append(f"{document.relative_to(ROOT)}:{i + 1}: a ```cpp block that nothing checks: mark it")
            i = fence_end(lines, i)
        elif lines[i].startswith("```"):
            i = fence_end(lines, i)
        i += 1
    return found, lines, problems


def matches(wanted: list[str], real: list[str]) -> bool:
    """A pattern for expected output. `...` alone on a line stands for any lines, within a line for any text."""
    parts = []
    for line in wanted:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(p) for p in line.split("...")) + "\n")
    return re.fullmatch("".join(parts), "".join(line + "\n" for line in real)) is not None


def program(blocks: list[Block]) -> str:
    """The snippets of several documents as one source file."""
    out = ["#include <cosmati/cosmati.hpp>", "#include <cosmati/mma.hpp>", "#include <cstdio>", "#include <vector>"]
    # A scope's headers come first, because an include in the document would stand in its namespace.
    out += [ANALYSIS, *sorted({line for b in blocks for line in b.code if line.startswith("#include <")})]
    out += ['#include "examples/show.hpp"', '#include "examples/executed.hpp"']
    calls = []
    for number, block in enumerate(blocks):
        out.append(f"namespace {block.space} {{ using namespace cosmati; using example::show;")
        if block.kind == "snippet":
            out.append(f"static void snippet_{number}() {{")
        out.append(f'#line {block.line} "{block.document.relative_to(ROOT)}"')
        out += block.code
        out.append("}" * (2 if block.kind == "snippet" else 1))
        if block.kind == "snippet":
            calls.append(f"  run({number}, {block.space}::snippet_{number});")
    out += ["static void run(int n, void (*f)()) {", r'  std::printf("\001%d\n", n);']
    out += [r'  try { f(); } catch (std::exception const& e) { std::printf("error: %s\n", e.what()); }', "}"]
    out += ["int main() {", *calls, "}"]
    return "\n".join(out) + "\n"


def compile_and_run(blocks: list[Block], simulated: bool, folder: pathlib.Path) -> tuple[dict[int, list[str]], str]:
    """The output of each snippet, by its index in `blocks`, or the error."""
    source = folder / ("kernels.cpp" if simulated else "host.cpp")
    source.write_text(program(blocks))
    target, compiled = source.with_suffix(""), source.with_suffix(".o")
    command = ["g++", "-std=c++20", "-O0", "-g1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"]
    command += ["-Wno-unused-variable", "-Wno-unused-but-set-variable", f"-I{ROOT}/include", f"-I{ROOT}"]
    if simulated:  # the same as in the target cosmati::sim_instrumented
        command += ["-fsanitize=thread", "-fsanitize=alignment,bounds"]
    done = subprocess.run([*command, "-c", str(source), "-o", str(compiled)], capture_output=True, text=True)
    if done.returncode == 0:
        link = ["g++", str(compiled), "-o", str(target)]
        if simulated:
            link += [SIM, "-lboost_context", "-lpthread", *(f"-Wl,--wrap={name}" for name in WRAPPED)]
        done = subprocess.run(link, capture_output=True, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line or "undefined" in line] or [done.stderr]
        return {}, "\n".join(errors[:20])
    done = subprocess.run([str(target)], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return {}, f"exit status {done.returncode}: {done.stderr[-2000:]}"
    outputs = {}
    for part in done.stdout.split("\001")[1:]:
        number, _, text = part.partition("\n")
        outputs[int(number)] = [line.rstrip() for line in text.splitlines()]
    return outputs, ""


def refused(block: Block, folder: pathlib.Path) -> str | None:
    """The compiler's output for a program that must not compile; None if it compiles."""
    source = folder / f"{block.space}_{block.line}.cpp"
    head = f"#include <cosmati/cosmati.hpp>\n{ANALYSIS}\nusing namespace cosmati;\nvoid wrong() {{\n"
    source.write_text(head + "\n".join(block.code) + "\n}\n")
    command = ["g++", "-std=c++20", f"-I{ROOT}/include", "-fsyntax-only", str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr


def essence(said: str) -> list[str]:
    """The sentence in a compiler's output, and the types that carry its numbers."""
    sentence = re.search(r"static assertion failed: (.*)", said)
    if not sentence:
        call = re.search(r"call to non-.constexpr. function .*?(\w+\([^)]*\))", said)
        return [call[1]] if call else [line for line in said.splitlines() if "error:" in line][:3]
    names = re.findall(r"[a-zA-Z]+(?:_[a-z]+)+(?=<)", sentence[1])
    before = said[: sentence.start()]
    numbers = r"<[\w' ,*+-]*>"
    types = re.findall(rf"\b([a-zA-Z]+(?:_[a-z]+)+{numbers}(?:::\w+{numbers})?)", before)
    types = types or re.findall(r"\b(\w+<[^\u2018\u2019]*>)\u2019", before)
    chosen = [t for t in types if any(t.startswith(name + "<") for name in names)] or [t for t in types if t.count("_") > 2]
    chosen.sort(key=lambda t: "::" in t)
    return chosen[-1:] + textwrap.wrap(sentence[1], 110, break_long_words=False, break_on_hyphens=False)


def steady(line: str) -> str:
    """The output without the parts that differ from run to run."""
    line = re.sub(r"0x[0-9a-f]+", "0x...", re.sub(r"\.md:\d+", ".md:...", line))
    line = re.sub(r"access\.hpp:\d+", "access.hpp:...", line)  # the library's line moves with every change of it
    return re.sub(r"allocation \d+", "allocation ...", line)


def commands_of(block: Block) -> list[tuple[str, list[str], list[str]]]:
    """(command, its lines, expected output) of a console block."""
    out = []
    lines = iter(block.code)
    for line in lines:
        if not line.startswith("$ "):
            out[-1][2].append(line)
            continue
        typed = [line]
        while typed[-1].endswith("\\"):
            typed.append(next(lines))
        out.append(("\n".join(typed)[2:], typed, []))
    return out


def write_array(path: pathlib.Path) -> None:
    head = "%-117s\n" % "{'descr': '<f4', 'fortran_order': False, 'shape': (70, 101), }"
    path.write_bytes(b"\x93NUMPY\x01\x00\x76\x00" + head.encode() + array.array("f", range(70 * 101)).tobytes())


def run_command(command: str, folder: pathlib.Path) -> list[str]:
    path = f"{pathlib.Path(BIN).parent}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", command], cwd=folder, env={**os.environ, "PATH": path}, text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [line.rstrip() for line in done.stdout.splitlines()]


def check(documents: list[pathlib.Path], update: bool) -> tuple[list[str], int]:
    problems: list[str] = []
    host: list[Block] = []
    kernels: list[Block] = []
    others: list[Block] = []
    texts: dict[pathlib.Path, list[str]] = {}
    for document in documents:
        blocks, texts[document], wrong = blocks_of(document)
        problems += wrong
        compiled = [b for b in blocks if b.kind in ("snippet", "scope")]
        launches = any("__global__" in line or "device_buffer" in line for b in compiled for line in b.code)
        (kernels if launches else host).extend(compiled)
        others += [b for b in blocks if b.kind not in ("snippet", "scope")]
    changes: dict[pathlib.Path, list[tuple[range, list[str]]]] = {}
    count = 0

    def compare(block: Block, real: list[str]) -> None:
        if block.output is None:
            if any(line.startswith("error: ") for line in real):
                problems.append(f"{block.where}: {real[-1]}")
            return
        wanted = texts[block.document][block.output.start : block.output.stop]
        if matches(wanted, real):
            return
        if update:
            changes.setdefault(block.document, []).append((block.output, [steady(line) for line in real]))
        else:
            problems.append(f"{block.where} prints\n" + "\n".join("    " + line for line in real))

    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        programs = [(b, pool.submit(compile_and_run, b, b is kernels, folder)) for b in (host, kernels) if b]
        refusals = [(b, pool.submit(refused, b, folder)) for b in others if b.kind == "fails"]
        for block in others:
            if block.kind == "console":
                work = folder / block.space
                work.mkdir(exist_ok=True)
                write_array(work / "in.npy")
                if not (work / "examples").exists():
                    (work / "examples").symlink_to(ROOT / "examples")
                shown = []
                wrong = False
                for command, typed, wanted in commands_of(block):
                    count += 1
                    real = run_command(command, work)
                    keep = matches(wanted, real)
                    shown += typed + (wanted if keep else real)
                    if not keep and not update:
                        problems.append(f"{block.where}: {command} prints\n" + "\n".join("    " + line for line in real))
                    wrong = wrong or not keep
                if wrong and update:
                    changes.setdefault(block.document, []).append((block.output, shown))
            elif block.kind == "file":
                count += 1
                there = [line.rstrip() for line in (ROOT / block.name).read_text().splitlines()]
                size = len(block.code)
                if not any(there[i : i + size] == block.code for i in range(len(there) - size + 1)):
                    problems.append(f"{block.where}: these lines do not stand in {block.name}")
        for blocks, future in programs:
            outputs, wrong = future.result()
            if wrong:
                problems.append(wrong)
                continue
            for number, block in enumerate(blocks):
                if block.kind == "snippet":
                    count += 1
                    compare(block, outputs.get(number, ["nothing: the program ended before"]))
        for block, future in refusals:
            count += 1
            said = future.result()
            wanted = texts[block.document][block.output.start : block.output.stop] if block.output else []
            missing = [line for line in wanted if line not in (said or "")]
            if said is None:
                problems.append(f"{block.where}: this compiles, and must not")
            elif update and (missing or not wanted) and block.output is not None:
                changes.setdefault(block.document, []).append((block.output, essence(said)))
            elif missing:
                problems.append(f"{block.where}: the compiler does not say: {missing[0]}\nbut:\n" + "\n".join(essence(said)))
    for document, parts in changes.items():
        lines = texts[document]
        for where, real in sorted(parts, key=lambda p: -p[0].start):
            lines[where.start : where.stop] = real
        document.write_text("\n".join(lines) + "\n")
        print(f"updated {document.relative_to(ROOT)}")
    return problems, count


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    for tool in (BIN, SIM, shutil.which("g++")):
        if not tool or not pathlib.Path(tool).exists():
            print(f"skipped: no {tool or 'g++'}; build it first")
            return 77
    documents = [f.resolve() for f in options.files] or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    problems, count = check(documents, options.update)
    for problem in problems:
        print(problem)
    print(f"{count} pieces of code and commands, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
