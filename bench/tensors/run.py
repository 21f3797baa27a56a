#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares copy_tensor and gather_rows with cudaMemcpyAsync, cudaMemcpy2DAsync, cuBLAS' geam and the library's own contiguous copy.
Where PyTorch is installed, it is compared as well.

run.py --json FILE [option of bench_tensors ...]
"""
import json
import os
import pathlib
import subprocess
import sys


def main() -> int:
    build = pathlib.Path(os.environ.get("COSMATI_BUILD", "build-cuda"))
    program = build / "bin" / "bench_tensors"
    if not program.exists():
        print(f"tensors: {program} is not built: cmake --preset cuda && cmake --build build-cuda", file=sys.stderr)
        return 77
    status = subprocess.run([str(program), *sys.argv[1:]]).returncode
    if status != 0 or "--json" not in sys.argv or "--study" in sys.argv:
        return status
    try:
        import pytorch
    except SystemExit:  # no PyTorch, or none that sees the GPU
        return 0
    path = pathlib.Path(sys.argv[sys.argv.index("--json") + 1])
    results = json.loads(path.read_text())
    calls = pytorch.beside_calls(results)
    kernels = pytorch.beside(results) if len(results) > len(calls) else []
    path.write_text(json.dumps(results + kernels + calls, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
