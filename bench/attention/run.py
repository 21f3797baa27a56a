#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attention forward (examples/attention/forward.hpp) beside PyTorch's scaled_dot_product_attention, on a GPU with sm_90a.

    run.py [--library FILE] [--build FILE] [--json FILE] [--minutes N] [--heads 64,128,256] [--tiles]

--build compiles the library with nvcc, without a GPU, and ends. --library names one that was built elsewhere; without it, it is
built in a temporary folder. Each piece of work has 16384 tokens, 16 heads and bfloat16, in 1 to 16 sequences, with and
without a causal mask. The peer is the fastest of PyTorch's backends. Both are timed in turn, with events; the result is compared
with the peer's. --tiles also times the other numbers of keys a tile. The exit status is 77 without PyTorch or such a GPU.
"""
from __future__ import annotations

import argparse
import ctypes
import json
import math
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TOKENS, HEADS, REPETITIONS = 16384, 16, 15
TILES = {64: [128], 128: [128, 176], 256: [64, 80]}
# usual_tile of forward.hpp
USUAL = {(64, False): 128, (64, True): 128, (128, False): 176, (128, True): 128, (256, False): 80, (256, True): 64}


def build(target: pathlib.Path) -> None:
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    subprocess.run([nvcc, "-std=c++20", "-O3", "-arch=sm_90a", "-DNDEBUG", f"-I{ROOT / 'include'}", "-shared", "-Xcompiler", "-fPIC",
                    "-cudart", "shared", "-x", "cu", str(HERE / "library.cpp"), "-o", str(target)], check=True)


def milliseconds(torch, call) -> float:
    """The time of a call on the GPU, from a few in a row."""
    rounds = 3
    start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(rounds):
        call()
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) / rounds


def backends(torch, q, k, v, causal: bool) -> dict:
    """PyTorch's backends that take the problem, as calls."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    found = {}
    for name in ("CUDNN_ATTENTION", "FLASH_ATTENTION", "EFFICIENT_ATTENTION"):
        backend = getattr(SDPBackend, name, None)
        if backend is None:
            continue

        def call(backend=backend):
            with sdpa_kernel(backend):
                return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)

        try:
            call()
            torch.cuda.synchronize()
            found[name] = call
        except RuntimeError as problem:
            print(f"  {name}: {str(problem).splitlines()[0][:100]}", file=sys.stderr)
    return found


def measure(torch, function, head: int, batches: int, causal: bool, tile: int) -> dict:
    """One piece of work, as schema.json says it, without commit and date."""
    length = TOKENS // batches
    q, k, v = (torch.randn(batches, HEADS, length, head, dtype=torch.bfloat16, device="cuda") for _ in range(3))
    o = torch.empty_like(q)

    def own():
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        pointers = [ctypes.c_void_p(x.data_ptr()) for x in (q, k, v, o)]
        if function(*pointers, batches, HEADS, length, length, head, int(causal), tile, 1 / math.sqrt(head), stream) != 0:
            raise SystemExit("attention_forward failed")

    peers = backends(torch, q, k, v, causal)
    own()
    torch.cuda.synchronize()
    first = {name: min(milliseconds(torch, call) for _ in range(3)) for name, call in peers.items()}
    best = min(first, key=lambda name: first[name])
    error = (o.float() - peers[best]().float()).abs().max().item()
    if not error < 0.05:
        raise SystemExit(f"head {head}, {batches} sequences, causal {causal}: the results differ by {error}")
    own_times, peer_times = [], []
    for i in range(REPETITIONS + 1):
        pair = (milliseconds(torch, own), milliseconds(torch, peers[best]))
        if i > 0:  # the first warms up
            own_times.append(pair[0])
            peer_times.append(pair[1])
    products = 4 * batches * HEADS * head * length * length / (2 if causal else 1)
    figure, peer = (round(products / statistics.median(t) * 1e-9, 1) for t in (own_times, peer_times))
    name = torch.cuda.get_device_name()
    print(f"head {head:3} {batches:2} x {length:5}{' causal' if causal else '       '} tile {tile:3}: {figure:6.1f} TFLOP/s, "
          f"{best} {peer:6.1f}, ratio {figure / peer:.3f}, greatest difference {error:.4f}", flush=True)
    return {"schema": 1,
            "work": {"name": "attention/causal" if causal else "attention/all",
                     "parameters": {"head": head, "sequences": batches, "length": length, "heads": HEADS, "type": "bf16",
                                    "tile": tile},
                     "command": "python3 bench/attention/run.py"},
            "device": {"name": name, "architecture": "sm_90a"},
            "figure": {"value": figure, "unit": "TFLOP/s"},
            "peer": {"name": f"scaled_dot_product_attention, {best}", "version": f"PyTorch {torch.__version__}",
                     "figure": {"value": peer, "unit": "TFLOP/s"}},
            "ratio": round(figure / peer, 4), "kernels": [f"attention::forward_kernel<{head}, {tile}, {batches}x{length}>"],
            "repetitions": REPETITIONS,
            "spread": round((max(own_times) - min(own_times)) / statistics.median(own_times), 4)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Attention forward beside PyTorch's")
    parser.add_argument("--library", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--heads", default="128,64,256", help="extents of a head")
    parser.add_argument("--tiles", action="store_true")
    options = parser.parse_args()
    if options.build:
        build(options.build)
        return 0
    try:
        import torch
    except ImportError:
        print("skipped: no PyTorch")
        return 77
    if not torch.cuda.is_available() or torch.cuda.get_device_capability() != (9, 0):
        print("skipped: no GPU with sm_90a")
        return 77
    end = time.monotonic() + 60 * options.minutes
    results = []
    with tempfile.TemporaryDirectory() as folder:
        path = options.library or pathlib.Path(folder) / "libattention.so"
        if not options.library:
            build(path)
        function = ctypes.CDLL(str(path.resolve())).attention_forward
        function.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_int] * 7 + [ctypes.c_float, ctypes.c_void_p]
        for head in map(int, options.heads.split(",")):
            for causal in (False, True):
                for batches in (1, 4, 16):
                    for tile in TILES[head] if options.tiles else [USUAL[head, causal]]:
                        if time.monotonic() < end:
                            results.append(measure(torch, function, head, batches, causal, tile))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
