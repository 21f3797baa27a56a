#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What PyTorch takes for the copies of bench_tensors, on the same GPU: a line each, GB/s read and written.

pytorch.py [CSV]: also for the permutations that `bench_tensors --csv` wrote there, whose lines get its time added."""
import csv
import itertools
import math
import sys

try:
    import torch
except ImportError:
    sys.exit(77)
if not torch.cuda.is_available():
    sys.exit(77)


def microseconds(work, rounds=7):
    for _ in range(2):
        work()
    times = []
    for _ in range(rounds):
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        work()
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop) * 1e3)
    return sorted(times)[len(times) // 2]


def say(name, bytes_moved, us):
    print(f"{name:40} {us:10.1f} us {bytes_moved / us * 1e-3:8.1f} GB/s", flush=True)


def add_permutations(path):
    """The same permutations, each once more: how often, and by how much, bench_tensors was faster."""
    with open(path, newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    gains = []
    for row in rows:
        extents, order = (tuple(map(int, text.strip("()").split(","))) for text in row[:2])
        x = torch.empty(extents, dtype=torch.float16, device="cuda")
        us = microseconds(lambda: x.permute(order).clone(memory_format=torch.contiguous_format), 3)
        row.append(f"{us:.1f}")
        gains.append(us / float(row[3]))
        del x
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([head + ["pytorch_us"], *rows])
    print(f"{len(rows)} permutations: PyTorch takes {math.exp(sum(map(math.log, gains)) / len(gains)):.2f} times as long "
          f"(geometric mean), {min(gains):.2f} at least")


def main():
    if len(sys.argv) > 1:
        add_permutations(sys.argv[1])
        return 0
    device = torch.device("cuda")
    print("PyTorch", torch.__version__, torch.cuda.get_device_name())
    for kind, e in ((torch.int8, 1), (torch.float16, 2), (torch.float32, 4), (torch.float64, 8)):
        rows = 32768 if e < 8 else 16384
        x = torch.empty(rows, 32768, dtype=kind, device=device)
        y = torch.empty(32768, rows, dtype=kind, device=device)
        say(f"transpose {rows} x 32768 {kind}", 2 * e * rows * 32768, microseconds(lambda: y.copy_(x.t())))
        x = torch.empty(32 // e, 4095, 8193, dtype=kind, device=device)
        y = torch.empty(32 // e, 8193, 4095, dtype=kind, device=device)
        say(f"transpose {32 // e} x 4095 x 8193 {kind}", 2 * 32 * 4095 * 8193,
            microseconds(lambda: y.copy_(x.transpose(1, 2))))
        del x, y
    x = torch.empty(1 << 29, dtype=torch.float32, device=device)
    y = torch.empty(1 << 29, dtype=torch.bfloat16, device=device)
    say("f32 -> bf16", 6 << 29, microseconds(lambda: y.copy_(x)))
    say("bf16 -> f32", 6 << 29, microseconds(lambda: x.copy_(y)))
    del x, y
    table = torch.empty(1 << 23, 128, dtype=torch.float32, device=device)
    index = torch.randint(1 << 23, (1 << 21,), device=device)
    out = torch.empty(1 << 21, 128, dtype=torch.float32, device=device)
    say("index_select, 512 B rows", 2 << 30, microseconds(lambda: torch.index_select(table, 0, index, out=out)))
    del table, index, out
    x = torch.empty(31, 45, 57, 63, 101, dtype=torch.float16, device=device)
    whole = microseconds(lambda: x.clone())
    ratios = [whole / microseconds(lambda: x.permute(p).clone(memory_format=torch.contiguous_format), 3)
              for p in itertools.permutations(range(5))]
    print(f"120 permutations: geometric mean {math.exp(sum(map(math.log, ratios)) / 120):.3f} of clone, worst {min(ratios):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
