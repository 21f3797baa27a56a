#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch's equals of the copies of bench_tensors, on the same GPU. Prints a line for each, in GB/s read and written.

pytorch.py [CSV]: also times the permutations that `bench_tensors --csv` wrote there, and adds the times to their lines."""
import csv
import itertools
import json
import math
import statistics
import sys
import time

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
    """Times the same permutations once more, and says how often and by how much bench_tensors was faster."""
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


def works():
    """For each piece of work of bench_tensors: its name, the bytes read and written, and PyTorch's call for it."""
    device = torch.device("cuda")
    for kind, e in ((torch.int8, 1), (torch.float16, 2), (torch.float32, 4), (torch.float64, 8)):
        rows = 32768 if e < 8 else 16384
        x = torch.empty(rows, 32768, dtype=kind, device=device)
        y = torch.empty(32768, rows, dtype=kind, device=device)
        yield f"transpose_b{8 * e}", 2 * e * rows * 32768, lambda: y.copy_(x.t())
        x = torch.empty(32 // e, 4095, 8193, dtype=kind, device=device)
        y = torch.empty(32 // e, 8193, 4095, dtype=kind, device=device)
        yield f"transpose_b{8 * e}_ragged", 2 * 32 * 4095 * 8193, lambda: y.copy_(x.transpose(1, 2))
        del x, y
    kinds = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16, "s32": torch.int32}
    for pair in ("f32_bf16", "bf16_f32", "f32_f16", "s32_f32"):
        source, target = (kinds[name] for name in pair.split("_"))
        x = torch.empty(1 << 29, dtype=source, device=device)
        y = torch.empty(1 << 29, dtype=target, device=device)
        yield f"convert_{pair}", (x.element_size() + y.element_size()) << 29, lambda: y.copy_(x)
        del x, y
    table = torch.empty(1 << 23, 128, dtype=torch.float32, device=device)
    index = torch.randint(1 << 23, (1 << 21,), device=device)
    out = torch.empty(1 << 21, 128, dtype=torch.float32, device=device)
    yield "gather_512", 2 << 30, lambda: torch.index_select(table, 0, index, out=out)


def beside(results):
    """The results of bench_tensors that have an equal in PyTorch, with PyTorch's figure of this run as the peer."""
    ours = {r["work"]["name"]: r for r in results if not r["work"]["name"].endswith("_beside_geam")}
    out = []
    for name, bytes_moved, work in works():
        us = microseconds(work)
        say(name, bytes_moved, us)
        mine = ours.get("tensors/" + name)
        if mine is None:
            continue
        result = json.loads(json.dumps(mine))
        result["work"]["name"] += "_beside_pytorch"
        figure = round(bytes_moved / us * 1e-3, 1)
        result["peer"] = {"name": f"PyTorch {torch.__version__}", "figure": {"value": figure, "unit": "GB/s"}}
        result["ratio"] = round(result["figure"]["value"] / figure, 4)
        result["notes"] = "on the same GPU right after the library's; the spread is the library's"
        out.append(result)
    return out


def call_times(call, in_a_row=50, rounds=5):
    """Medians in microseconds: one of 50 calls in a row, the part of the host, and one call with a wait."""
    for _ in range(3):
        call()
    torch.cuda.synchronize()
    behind, host, alone = [], [], []
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(in_a_row):
            call()
        given = time.perf_counter()
        torch.cuda.synchronize()
        end = time.perf_counter()
        behind.append((end - begin) / in_a_row * 1e6)
        host.append((given - begin) / in_a_row * 1e6)
        begin = time.perf_counter()
        call()
        torch.cuda.synchronize()
        alone.append((time.perf_counter() - begin) * 1e6)
    return [statistics.median(t) for t in (behind, host, alone)]


KINDS = {"u8": torch.uint8, "e4m3": torch.float8_e4m3fn, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
         "f64": torch.float64, "c128": torch.complex128}


def pytorch_call(parameters):
    """PyTorch's call for one of bench_tensors' calls. Its output and its view of the source exist already."""
    device = torch.device("cuda")
    extents = [int(n) for n in parameters["extents"].split(",")]
    source, target = KINDS[parameters["from"]], KINDS[parameters["to"]]
    if not parameters["order"]:
        rows, width, moved = extents
        table = torch.empty(rows, width, dtype=source, device=device)
        index = torch.randint(rows, (moved,), device=device)
        out = torch.empty(moved, width, dtype=target, device=device)
        return lambda: torch.index_select(table, 0, index, out=out)
    view = torch.empty(extents, dtype=source, device=device).permute([int(m) for m in parameters["order"].split(",")])
    out = torch.empty(view.shape, dtype=target, device=device)
    return lambda: out.copy_(view)


def beside_calls(results):
    """The calls of bench_tensors compared with PyTorch's of this run, end to end."""
    out, gains = [], []
    for mine in results:
        if not mine["work"]["name"].startswith("tensors/call_"):
            continue
        parameters = mine["work"]["parameters"]
        behind, host, alone = call_times(pytorch_call(parameters))
        torch.cuda.empty_cache()
        result = json.loads(json.dumps(mine))
        result["work"]["name"] += "_beside_pytorch"
        result["work"]["parameters"].update(pytorch_us=round(behind, 2), pytorch_host_us=round(host, 2),
                                            pytorch_alone_us=round(alone, 2))
        figure = round(parameters["bytes"] / behind * 1e-3, 1)
        result["peer"] = {"name": f"PyTorch {torch.__version__}", "figure": {"value": figure, "unit": "GB/s"}}
        result["ratio"] = round(behind / parameters["us"], 4)
        result["notes"] = "end to end, 50 calls in a row; PyTorch's output and its view of the source exist"
        out.append(result)
        print(f"{mine['work']['name'][13:]:40} PyTorch {behind:9.2f} us, on the host {host:6.2f}, alone {alone:9.2f}; "
              f"Cosmati {result['ratio']:6.2f} times as fast", flush=True)
        if "relayout" in mine["work"]["name"]:
            gains.append(result["ratio"])
    if gains:
        print(f"{len(gains)} relayouts: {math.exp(sum(map(math.log, gains)) / len(gains)):.2f} times as fast as PyTorch "
              f"(geometric mean), {min(gains):.2f} at least")
    return out


def main():
    if len(sys.argv) > 1:
        add_permutations(sys.argv[1])
        return 0
    print("PyTorch", torch.__version__, torch.cuda.get_device_name())
    for name, bytes_moved, work in works():
        say(name, bytes_moved, microseconds(work))
    x = torch.empty(31, 45, 57, 63, 101, dtype=torch.float16, device="cuda")
    whole = microseconds(lambda: x.clone())
    ratios = [whole / microseconds(lambda: x.permute(p).clone(memory_format=torch.contiguous_format), 3)
              for p in itertools.permutations(range(5))]
    print(f"120 permutations: geometric mean {math.exp(sum(map(math.log, ratios)) / 120):.3f} of clone, worst {min(ratios):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
