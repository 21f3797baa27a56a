#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each public header is self-contained: it compiles as the first line of a file of its own.

    headers.py COMPILER [ROOT]      COMPILER is g++, clang++, nvcc, or a path to one

g++ reads each header by itself. clang and nvcc have the same standard library, so g++ has found every missing include.
They read one file of all headers. Headers that name them (`__clang__`, `__CUDACC__` and the like) they read one by one.

The headers of compat/ are read too, with only that folder on the include path. A header whose contents are still missing
ends with its own #error and nothing else.

The macros I, small and B0 are poisoned. <complex.h>, <windows.h> and <termios.h> define them, and a header that uses
one of these names breaks programs that include those files first. Warnings are errors. Exit status 77 (skipped) if there is
no such compiler.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

POISON = "".join(f'#define {name} "{name} is a macro in system headers"\n' for name in ("I", "small", "B0"))


def exceptions(root: pathlib.Path, compiler: str) -> dict[str, str]:
    """Lines `path: compiler: reason`."""
    listed = root / "tests/style/header_exceptions.txt"
    reasons = {}
    if listed.exists():
        for line in listed.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                path, which, reason = (part.strip() for part in line.split(":", 2))
                if which in (compiler, "all") and reason:
                    reasons[path] = reason
    return reasons


NAMES = {"clang++": r"__clang__", "nvcc": r"__CUDA|__NVCC__|\bcuda_"}


def folder_of(header: str) -> str:
    return "include" if header.startswith("cosmati/") else "compat"


def files_for(kind: str, root: pathlib.Path, headers: list[str]) -> list[list[str]]:
    """The compilations, each a list of headers."""
    empty = [[h] for h in headers if is_empty_place(root, h)]
    headers = [h for h in headers if not is_empty_place(root, h)]
    if kind not in NAMES or len(headers) < 2:
        return [[header] for header in headers] + empty
    together = [of for name in ("include", "compat") if (of := [h for h in headers if folder_of(h) == name])]
    alone = [h for h in headers if re.search(NAMES[kind], (root / folder_of(h) / h).read_text())]
    return [*together, *([h] for h in alone), *empty]


def is_empty_place(root: pathlib.Path, header: str) -> bool:
    """Whether a header of compat/ has only an #error, unless a header of the same name stands further back."""
    if folder_of(header) == "include":
        return False
    directives = [line for line in (root / "compat" / header).read_text().splitlines() if line.startswith("#")]
    if len(directives) == 4 and directives[1].startswith("#if !__has_include_next(") and directives[3] == "#endif":
        directives = [directives[0], directives[2]]  # a header of CuTe's further back on the path takes its place
    return len(directives) == 2 and directives[1].startswith("#error")


def compile_these(compiler: str, root: pathlib.Path, headers: list[str], folder: pathlib.Path) -> str:
    output = output_of_compiler(compiler, root, headers, folder)
    if not is_empty_place(root, headers[0]):
        return output
    errors = [line for line in output.splitlines() if "error" in line and "cosmati: <" in line]
    return "" if errors and output.count("error:") + output.count("error directive") <= 2 else f"no clear #error: {output}"


def output_of_compiler(compiler: str, root: pathlib.Path, headers: list[str], folder: pathlib.Path) -> str:
    """The compiler's output for a file of these headers; empty if it accepts them."""
    nvcc = "nvcc" in os.path.basename(compiler)
    source = folder / (headers[0].replace("/", "_") + f"_{len(headers)}" + (".cu" if nvcc else ".cpp"))
    source.write_text(POISON + "".join(f"#include <{header}>\n" for header in headers))
    command = [compiler, "-std=c++20", f"-I{root / folder_of(headers[0])}"]
    if nvcc:
        command += ["-Werror=all-warnings", "-Xcompiler=-Wall,-Wextra,-Werror", "-o", str(source) + ".o"]
        command += ["-gencode", "arch=compute_90a,code=sm_90a"]
        command += ["-c"] if len(headers) > 1 else ["-ptx", "-fdevice-syntax-only"]
    else:
        command += ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    done = subprocess.run(command + [str(source)], capture_output=True, text=True)
    return (done.stdout + done.stderr).strip() or (f"exit status {done.returncode}" if done.returncode else "")


def check(compiler: str, root: pathlib.Path) -> tuple[list[tuple[str, str]], int, int]:
    kind = next((k for k in ("nvcc", "clang++", "g++") if k in os.path.basename(compiler)), compiler)
    excused = exceptions(root, kind)
    headers = sorted(str(h.relative_to(root / "include")) for h in (root / "include").rglob("*.hpp"))
    headers += sorted(
        str(h.relative_to(root / "compat")) for name in ("cute", "cutlass") for h in (root / "compat" / name).rglob("*.h*")
    )
    tried = [h for h in headers if f"include/{h}" not in excused]
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            files = files_for(kind, root, tried)
            outputs = list(pool.map(lambda f: compile_these(compiler, root, f, pathlib.Path(folder)), files))
    failed = [(f[0], output) for f, output in zip(files, outputs) if output and len(f) == 1]
    if not failed:  # else that one is no news
        failed = [("all of them", output) for f, output in zip(files, outputs) if output]
    return failed, len(files), len(headers) - len(tried)


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    compiler = shutil.which(sys.argv[1])
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[2]).resolve()
    if compiler is None:
        print(f"skipped: no {sys.argv[1]}")
        return 77
    failed, tried, excused = check(compiler, root)
    for header, output in failed:
        print(f"{header} does not compile by itself:")
        print("\n".join("    " + line for line in output.splitlines()[:12]))
    print(f"counts: {tried - len(failed)} passed, {len(failed)} failed, {excused} skipped")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
