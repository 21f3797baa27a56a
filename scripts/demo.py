#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows `cosmati run-copy` at work on a picture, straight and transposed, and compares every byte of the output.

./demo calls this script after it has built the command, which COSMATI_BIN names. Files go to build/demo, or to --folder.
Arguments that the script does not know go to `cosmati run-copy`, for example --device sim.
"""
import argparse
import json
import os
import pathlib
import struct
import subprocess
import sys
import time

from floor_picture import floor_picture, write_png

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMAND = os.environ.get("COSMATI_BIN", str(ROOT / "build" / "bin" / "cosmati"))


def write_npy(path, shape, rows):
    """Writes rows of bytes as an array of uint8."""
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))}), }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + b"".join(rows))


def read_npy(path):
    """The header's dictionary, and the bytes of the array."""
    raw = pathlib.Path(path).read_bytes()
    length = struct.unpack("<H", raw[8:10])[0]
    return raw[10:10 + length].decode().rstrip(), memoryview(raw)[10 + length:]


def planes_of(rows):
    """The planes red, green and blue, each as rows."""
    return [row[channel::3] for channel in range(3) for row in rows]


def transposed_planes(planes, height):
    """The right transposed planes, made without Cosmati."""
    out = []
    for first in range(0, 3 * height, height):
        plane = b"".join(planes[first:first + height])
        width = len(plane) // height
        out += [plane[x::width] for x in range(width)]
    return b"".join(out)


def run(*arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"failed: cosmati {' '.join(map(str, arguments))}")
    return done.stdout


def quoted(option):
    return f"'{option}'" if any(c in option for c in "(<") else option


def shown(path):
    try:
        return str(path.relative_to(pathlib.Path.cwd()))
    except ValueError:
        return str(path)


class Demo:
    def __init__(self, folder, more):
        self.folder, self.more = folder, more
        self.wrong = 0

    def copy(self, title, name, shape, rows, wanted, wanted_shape, *options):
        """Writes the input, runs the copy, compares its output with `wanted`. Returns the command's report."""
        source, target = self.folder / f"{name}.npy", self.folder / f"{name}.out.npy"
        write_npy(source, shape, rows)
        target.unlink(missing_ok=True)
        print(f"\n{title}")
        print("  cosmati run-copy", shown(source), shown(target), *map(quoted, options))
        report = json.loads(run("run-copy", source, target, "--json", *options, *self.more))
        head, data = read_npy(target)
        dims = ", ".join(map(str, wanted_shape))
        same = data == wanted and f"({dims})" in head
        self.wrong += not same
        for line in (f"{report['device']}: {report['blocks']} blocks of {report['threads']} threads, "
                     f"{report['seconds']:.2f} s",
                     f"{report['atom']}, tile {report['tile']} of tiler {report['tiler']}"
                     + (", read turned" if report["tile_read_turned"] else "")):
            print("  " + line)
        for space in ("global", "shared"):
            for kind in ("load", "store"):
                parts = [f"{i['count']} of {i['bytes']} byte{'s' if i['bytes'] > 1 else ''}"
                         for i in report["instructions"] if (i["kind"], i["space"]) == (kind, space)]
                print(f"    {kind:<5} {space:<6}  {', '.join(parts)}")
        print(f"  {len(data)} bytes of {len(wanted)} compared: {'equal' if same else 'DIFFERENT'}")
        return report, data


def who_moves_what(report):
    """The tiled copy itself, from `cosmati tiled-copy`, and its tile as a table of threads."""
    tile = report["layout_shared"].split(":")[0]
    command = ["--atom", report["atom"], "--type", report["type"], "--thr", report["thr"], "--val", report["val"],
               "--src", f"{tile}:{report['layout_src'].split(':')[1]}", "--dst", report["layout_shared"]]
    print("  cosmati tiled-copy", *map(quoted, command))
    told = json.loads(run("tiled-copy", *command, "--threads", "0,1,8,255", "--json"))
    print(f"""
  tiler                 {told['tiler']}
  TV layout             {told['layout_tv']}    (thread, value) -> place in the tile
  partition of global   {told['partition_src']}
  partition of shared   {told['partition_dst']}
  threads 0, 1, 8, 255 begin at {told['src_offsets']} in global, {told['dst_offsets']} in shared memory""")
    if (told["tiler"], told["layout_tv"]) != (report["tiler"], report["layout_tv"]):
        sys.exit("failed: run-copy and tiled-copy disagree")

    threads = told["thread_table"]
    rows, columns = len(threads), len(threads[0])
    wide = report["vector_bytes"]
    print(f"\n  Who moves what: each number is the thread that moves these {wide} bytes of the {rows} x {columns} tile\n")
    print("  row \\ column " + "".join(f"{c:>6}" for c in range(0, columns, wide)))
    shown_rows = [*range(min(rows, 6)), *range(max(rows - 2, 6), rows)]
    for previous, r in zip([-1, *shown_rows], shown_rows):
        if r != previous + 1:
            print(f"  {'...':>12} " + "   ...".rjust(6) * len(range(0, columns, wide)))
        cells = []
        for c in range(0, columns, wide):
            owner = set(threads[r][c:c + wide])
            cells.append(f"{owner.pop():>6}" if len(owner) == 1 else f"{'*':>6}")
        print(f"  {r:>12} " + "".join(cells))


def main():
    parser = argparse.ArgumentParser(description="Shows cosmati run-copy at work on a picture.")
    parser.add_argument("--folder", type=pathlib.Path, help="where the files go; build/demo")
    arguments, more = parser.parse_known_args()
    folder = (arguments.folder or pathlib.Path(COMMAND).resolve().parent.parent / "demo").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()

    width, height, odd_width, odd_height = 1024, 768, 1027, 771
    odd = floor_picture(odd_width, odd_height)
    picture = [row[:3 * width] for row in odd[:height]]
    write_png(folder / "floor.png", picture)
    print(f"A floor of cut stone, {width} x {height} pixels of 8-bit RGB: {shown(folder / 'floor.png')}")

    demo = Demo(folder, more)
    given = ("--thr", "(32,8):(8,1)", "--val", "(1,16)", "--atom", "UniversalCopy<uint128_t>", "--tile", "(64,128)")
    turning = ("--transpose", "--thr", "(32,8):(8,1)", "--val", "(1,4)", "--atom", "UniversalCopy<uint32_t>", "--tile",
               "(64,64)")
    report, data = demo.copy(f"1. As it is: {height} rows of {3 * width} bytes, global -> shared -> global", "floor",
                             (height, 3 * width), picture, b"".join(picture), (height, 3 * width), *given)
    write_png(folder / "floor_copied.png", [bytes(data[y * 3 * width:(y + 1) * 3 * width]) for y in range(height)])

    planes = planes_of(picture)
    _, data = demo.copy("2. Transposed: red, green and blue as 3 matrices", "planes", (3, height, width), planes,
                        transposed_planes(planes, height), (3, width, height), *turning)
    size = width * height
    pixels = bytearray(3 * size)
    for channel in range(3):
        pixels[channel::3] = data[channel * size:(channel + 1) * size]
    write_png(folder / "floor_transposed.png",
              [bytes(pixels[x * 3 * height:(x + 1) * 3 * height]) for x in range(width)])

    demo.copy(f"3. Ragged: {odd_width} x {odd_height} pixels. No tile divides them, few rows are aligned: what lies outside is "
              "neither\n   read nor written, and vectors that are not whole or not aligned go element by element", "ragged",
              (odd_height, 3 * odd_width), odd, b"".join(odd), (odd_height, 3 * odd_width), *given)
    planes = planes_of(odd)
    demo.copy("4. Ragged and transposed", "ragged_planes", (3, odd_height, odd_width), planes,
              transposed_planes(planes, odd_height), (3, odd_width, odd_height), *turning)

    print("\nThe tiled copy of 1.")
    who_moves_what(report)

    print(f"\nIn {shown(folder)}: floor.png, floor_copied.png, floor_transposed.png, and each run's .npy and .out.npy")
    if demo.wrong:
        sys.exit(f"{demo.wrong} of 4 copies are DIFFERENT from what they should be")
    print(f"All 4 copies are right, byte for byte; {time.monotonic() - began:.1f} s")
    print("web/build makes the explorer, one page for any browser: build/web/index.html (docs/explorer.md)")


if __name__ == "__main__":
    main()
