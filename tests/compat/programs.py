#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that programs written for CuTe compile with only compat/ on the include path.

    programs.py COMPILER [ROOT]      COMPILER is g++, clang++, nvcc, or a path to one

The programs are the tests of this folder, which are compiled but not run. nvcc also compiles the programs of bench/cute, which
measure the same sources with CuTe's headers. COSMATI_CUTE_TUTORIALS, a folder, adds CuTe's own SIMT and Ampere tutorials.
Exit status 77 (skipped) if there is no such compiler.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

TUTORIALS = ("sgemm_1", "sgemm_2", "sgemm_sm70", "sgemm_sm80", "tiled_copy", "tiled_copy_if")


def programs(root: pathlib.Path, with_cuda: bool) -> list[pathlib.Path]:
    found = sorted((root / "tests/compat").glob("*.cpp"))
    if with_cuda:
        found += sorted((root / "bench/cute/programs").glob("*.cu"))
        tutorials = os.environ.get("COSMATI_CUTE_TUTORIALS")
        found += [pathlib.Path(tutorials) / f"{name}.cu" for name in TUTORIALS] if tutorials else []
    return found


def output_of(compiler: str, root: pathlib.Path, source: pathlib.Path) -> str:
    """The compiler's output for a program; empty if it accepts the program."""
    command = [compiler, "-std=c++20", f"-I{root / 'compat'}", "-DBENCH_CUTE"]
    if "nvcc" in os.path.basename(compiler):
        command += ["-arch=sm_90a", "-ptx", "-fdevice-syntax-only", "-o", os.devnull, "-x", "cu"]
        command += ["-Werror=all-warnings"] if source.is_relative_to(root) else ["-w"]  # CuTe's tutorials warn
    else:
        command += ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True)
    return (done.stdout + done.stderr).strip() or (f"exit status {done.returncode}" if done.returncode else "")


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    compiler = shutil.which(sys.argv[1], path=os.environ["PATH"] + ":/usr/local/cuda/bin")
    root = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parents[2]).resolve()
    if compiler is None:
        print(f"skipped: no {sys.argv[1]}")
        return 77
    sources = programs(root, "nvcc" in os.path.basename(compiler))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        outputs = list(pool.map(lambda source: output_of(compiler, root, source), sources))
    failed = [(source, output) for source, output in zip(sources, outputs) if output]
    for source, output in failed:
        print(f"{source.name}:")
        print("\n".join("    " + line for line in output.splitlines()[:12]))
    print(f"counts: {len(sources) - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
