#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that `gemm_mma` compiles for sm_80, as bench/compile/gemm_mma.cu has it, without instructions of newer GPUs."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main() -> int:
    nvcc = shutil.which("nvcc", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin"]))
    if nvcc is None:
        print("skipped: no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder) / "gemm_mma.ptx"
        done = subprocess.run([nvcc, "-std=c++20", "-O1", f"-I{ROOT / 'include'}", "-Werror=all-warnings", "-ptx", "-o", ptx,
                               "-gencode=arch=compute_80,code=compute_80", ROOT / "bench/compile/gemm_mma.cu"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stdout + done.stderr)
            return 1
        text = ptx.read_text()
    newer = sorted(set(re.findall(r"^\s*(?:@%p\d+ )?((?:stmatrix|cp\.async\.bulk|elect|fence\.proxy|setmaxnreg)\S*)", text, re.M)))
    has = [name for name in ("mma.sync", "ldmatrix", "cp.async.cg") if name in text]
    print(f"of newer GPUs: {newer or 'nothing'}; {', '.join(has)}")
    return 1 if newer or len(has) != 3 else 0


if __name__ == "__main__":
    sys.exit(main())
