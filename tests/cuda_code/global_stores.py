#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Searches the machine code of the copies through registers for what costs vectors of single elements most:

    global_stores.py [--include FOLDER]

Fails if a kernel uses local memory, or stores or loads through a generic address (ST and LD in place of STG and LDG). nvcc makes
four generic accesses of a pointer whose bits the program has examined. Fails as well if a kernel has not at least one load for
all elements of a vector whose source repeats one. The kernels are compiled for sm_90a, and read from the ELF file, as in run.py.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from run import ARCH, HERE, kernels, text  # noqa: E402

# Bytes of an element, elements of a vector, whether they lie together in the source, vectors at once.
DIRECT = [(1, 1, False, 2), (1, 16, True, 1), (1, 16, False, 1), (2, 8, False, 1), (4, 4, False, 1), (4, 4, True, 1),
          (8, 2, False, 1)]
# Bytes of an element, of a window, whether windows turn.
ONCE = [(1, 16, True), (2, 16, False), (4, 16, True), (8, 16, True)]
OF_BYTES = {1: "LDG.U8", 2: "LDG.U16", 4: "LDG", 8: "LDG.64"}


def source() -> str:
    lines = ["#include <cosmati/kernel/copy/direct.hpp>", "#include <cosmati/kernel/copy/once.hpp>",
             "using namespace cosmati;"]
    parameter = "(__grid_constant__ direct_copy_arguments const);"
    for element, vector, together, at_once in DIRECT:
        lines.append(f"template __global__ void cosmati::copy_direct<copy_bits<{element}>, {vector}, {str(together).lower()}, {at_once}>{parameter}")
    for element, window, turns in ONCE:
        lines.append(f"template __global__ void cosmati::copy_once<{element}, {str(turns).lower()}>"
                     "(__grid_constant__ once_copy_arguments const);")
    return "\n".join(lines) + "\n"


def name_of(kind: str, element: int, vector: int, together: bool, at_once: int | None) -> str:
    """A part of the kernel's mangled name."""
    of = f"INS_9copy_bitsILi{element}EEELi{vector}ELb{int(together)}ELi{at_once}EE" if kind == "copy_direct" else f"ILi{element}ELb{int(together)}EE"
    return f"{len(kind)}{kind}{of}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", metavar="FOLDER", default=HERE.parents[1] / "include", help="another tree's headers")
    options = parser.parse_args()
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"])
    nvcc = shutil.which("nvcc", path=path)
    if nvcc is None:
        print("skipped: no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        program, cubin = pathlib.Path(folder) / "copies.cu", pathlib.Path(folder) / "copies.cubin"
        program.write_text(source())
        command = [nvcc, "-std=c++20", "-O3", "-DNDEBUG", f"-I{options.include}",
                   f"-gencode=arch=compute_{ARCH},code=sm_{ARCH}", "-cubin", "-o", str(cubin), str(program)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"does not compile:\n{done.stdout}{done.stderr}")
            return 1
        code = kernels(cubin.read_bytes())
    cases = [("copy_direct", *c) for c in DIRECT] + [("copy_once", *c, None) for c in ONCE]
    failed = 0
    for kind, element, vector, together, at_once in cases:
        found = [k for name, k in code.items() if name_of(kind, element, vector, together, at_once) in name]
        title = f"{kind}, {element} bytes, windows of {vector} bytes{' that turn' * together}" if at_once is None else f"{kind}, {element} bytes, vectors of {vector}{'' if together else ' single elements'}, {at_once} at once"
        problems = []
        if len(found) != 1:
            print(f"  {title}: {len(found)} kernels of that name")
            failed += 1
            continue
        accesses = found[0].all
        for name, number in accesses.items():
            if name.split(".")[0] in ("LD", "ST"):
                problems.append(f"{number} {name} through generic addresses")
            if name.split(".")[0] in ("LDL", "STL"):
                problems.append(f"{number} {name}: local memory")
        wanted = (vector + 1) * (at_once or 1)  # each element's, and one for all of them
        if at_once and not together and vector > 1 and accesses[OF_BYTES[element]] < wanted:
            problems.append(f"{accesses[OF_BYTES[element]]} {OF_BYTES[element]} where {wanted} are for single elements and for one that repeats")
        print(f"  {title}: {text(accesses)}")
        for problem in problems:
            print(f"  {title}: {problem}")
        failed += bool(problems)
    print(f"counts: {len(cases) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
