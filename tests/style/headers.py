#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Header self-containment: each public header compiles first, in a file by itself.

    headers.py COMPILER [ROOT]      COMPILER is g++, clang++, nvcc, or a path to one

The macros I, small and B0, which <complex.h>, <windows.h> and <termios.h> define, are poisoned: a header that uses
one of these names breaks programs that include those first. Warnings are errors. Exit status 77 (skipped) if there is
no such compiler.
"""
import concurrent.futures
import os
import pathlib
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


def compile_one(compiler: str, root: pathlib.Path, header: str, folder: pathlib.Path) -> str:
    """The compiler's output, empty if it takes the header without a word."""
    nvcc = "nvcc" in os.path.basename(compiler)
    source = folder / (header.replace("/", "_") + (".cu" if nvcc else ".cpp"))
    source.write_text(f"{POISON}#include <{header}>\n")
    command = [compiler, "-std=c++20", f"-I{root / 'include'}"]
    if nvcc:
        command += ["-Werror=all-warnings", "-Xcompiler=-Wall,-Wextra,-Werror", "-c", "-o", str(source) + ".o"]
        command += ["-gencode", "arch=compute_90a,code=sm_90a"]
    else:
        command += ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    done = subprocess.run(command + [str(source)], capture_output=True, text=True)
    return (done.stdout + done.stderr).strip() or (f"exit status {done.returncode}" if done.returncode else "")


def check(compiler: str, root: pathlib.Path) -> tuple[list[tuple[str, str]], int, int]:
    kind = next((k for k in ("nvcc", "clang++", "g++") if k in os.path.basename(compiler)), compiler)
    excused = exceptions(root, kind)
    headers = sorted(str(h.relative_to(root / "include")) for h in (root / "include").rglob("*.hpp"))
    tried = [h for h in headers if f"include/{h}" not in excused]
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            outputs = list(pool.map(lambda h: compile_one(compiler, root, h, pathlib.Path(folder)), tried))
    failed = [(h, output) for h, output in zip(tried, outputs) if output]
    return failed, len(tried), len(headers) - len(tried)


def main() -> int:
    compiler = shutil.which(sys.argv[1])
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[2]).resolve()
    if compiler is None:
        print(f"skipped: no {sys.argv[1]}")
        return 77
    failed, tried, excused = check(compiler, root)
    for header, output in failed:
        print(f"<{header}> does not compile by itself:")
        print("\n".join("    " + line for line in output.splitlines()[:12]))
    print(f"counts: {tried - len(failed)} passed, {len(failed)} failed, {excused} skipped")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
