#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that headers are free of warnings in a program that includes them by -I and asks for many warnings.

    warnings.py COMPILER [ROOT]     COMPILER is g++, clang++, clang++-newest, nvcc, or a path to one
    warnings.py COMPILER --print    prints every warning and judges nothing

The test compiles one file of all headers, and the programs of PROGRAMS, which instantiate the headers' templates. A
warning counts if it stands in a header of the library. `clang++-newest` is the installed clang of the highest number, for
example clang++-22. If `clang++` is that clang, nothing more is checked. For nvcc, the compiler of the host gets the same
flags. Exit status 77 (skipped) if there is no such compiler.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = "-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wdouble-promotion".split()
NOT_OF_NVCC = {"-Wpedantic", "-Wold-style-cast"}  # nvcc rewrites all casts for the compiler of the host, in the style of C
PROGRAMS = ("bench/compile/eight_kernels.cu", "bench/compile/gemm_mma.cu", "bench/compile/copy_call.cu", "examples/15_transpose.cpp")
WARNING = re.compile(r"^(\S+?):(\d+):(?:\d+:)? (?:warning|error): (.*)$|^(\S+)\((\d+)\): (?:warning|error)[^:]*: (.*)$", re.MULTILINE)


def newest_clang() -> str | None:
    """The path of clang++-N with the largest N."""
    found = {}
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                if match := re.fullmatch(r"clang\+\+-(\d+)", name):
                    found.setdefault(int(match[1]), os.path.join(folder, name))
    if not found:
        return None
    usual = shutil.which("clang++")
    newest = found[max(found)]
    return None if usual and os.path.realpath(usual) == os.path.realpath(newest) else newest


def headers_of(root: pathlib.Path) -> list[str]:
    include = root / "include"
    return sorted(str(h.relative_to(include)) for h in include.rglob("cosmati/**/*.hpp") if "core/macro" not in str(h))


def command_for(compiler: str, root: pathlib.Path, source: pathlib.Path, folder: pathlib.Path) -> list[str]:
    if "nvcc" in os.path.basename(compiler):
        flags = ",".join(flag for flag in FLAGS if flag not in NOT_OF_NVCC)
        return [compiler, "-std=c++20", "-arch=sm_90a", "-O0", "-fdevice-syntax-only", f"-I{root / 'include'}", f"-Xcompiler={flags}", "-c", "-x", "cu", str(source),
                "-o", str(folder / (source.stem + ".o"))]
    return [compiler, "-std=c++20", "-fsyntax-only", *FLAGS, f"-I{root / 'include'}", "-x", "c++", str(source)]


def warnings_in_headers(output: str, root: pathlib.Path) -> list[str]:
    """`include/cosmati/....hpp:line: text`, each once, of warnings and errors in the library's headers."""
    found = set()
    for match in WARNING.finditer(output):
        path, line, text = match[1] or match[4], match[2] or match[5], match[3] or match[6]
        path = os.path.relpath(path, root) if os.path.isabs(path) else path
        if path.startswith("include/cosmati/"):
            found.add(f"{path}:{line}: {text}")
    return sorted(found)


def check(compiler: str, root: pathlib.Path) -> tuple[list[str], int]:
    """All warnings, and the number of compiled files."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        everything = folder / "every_header.cpp"
        everything.write_text("".join(f"#include <{header}>\n" for header in headers_of(root)))
        sources = [everything, *(root / program for program in PROGRAMS if (root / program).exists())]

        def compile_one(source: pathlib.Path) -> str:
            done = subprocess.run(command_for(compiler, root, source, folder), capture_output=True, text=True, cwd=root)
            output = done.stdout + done.stderr
            if done.returncode != 0 and not warnings_in_headers(output, root):
                return f"include/cosmati/: 0: warning: {source.name} does not compile: {output[:500]}"
            return output

        with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
            outputs = list(pool.map(compile_one, sources))
    found = sorted(set().union(*(warnings_in_headers(o, root) for o in outputs)))
    found += [o for o in outputs if "does not compile" in o]
    return found, len(sources)


def main() -> int:
    arguments = [a for a in sys.argv[1:] if a != "--print"]
    root = pathlib.Path(arguments[1] if len(arguments) > 1 else pathlib.Path(__file__).parents[2]).resolve()
    asked = arguments[0]
    compiler = newest_clang() if asked == "clang++-newest" else shutil.which(asked)
    if compiler is None:
        print(f"skipped: there is no {asked}" + (" beside clang++" if asked == "clang++-newest" else ""))
        return 77
    found, files = check(compiler, root)
    for warning in found:
        print(warning)
    print(f"{compiler}: {files} files, {len(found)} warnings in headers")
    return 1 if found and "--print" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
