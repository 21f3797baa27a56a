# SPDX-License-Identifier: Apache-2.0
"""The demo's picture: a floor of cut stone, as the Cosmati laid them. Computed, with nothing but Python.

The floor has a great roundel of porphyry, smaller ones around it whose bands interlace with its own, a ground of small
squares and triangles, and a border. One quarter is drawn. The others mirror it, and each stone has a grain of its own.
"""
import math
import random
import struct
import zlib

GROUT = (58, 50, 44)
# Darkest and lightest shade of each stone.
STONES = {
    "porphyry": ((66, 14, 28), (140, 50, 62)),
    "serpentine": ((18, 58, 44), (74, 128, 98)),
    "giallo": ((176, 122, 40), (240, 204, 122)),
    "marble": ((206, 198, 182), (252, 250, 244)),
    "rosso": ((128, 44, 30), (196, 92, 66)),
    "grey": ((70, 78, 88), (142, 148, 156)),
    "night": ((22, 20, 26), (62, 58, 66)),
}
NAMES = list(STONES)
INDEX = {name: i for i, name in enumerate(NAMES)}
GRAIN = 256  # the grain's texture repeats after so many pixels


def grain(rng):
    """Smooth noise with veins: GRAIN x GRAIN bytes."""

    def octave(cells):
        lattice = [[rng.random() for _ in range(cells)] for _ in range(cells)]
        step = GRAIN // cells
        ease = [t * t * (3 - 2 * t) for t in (i / step for i in range(step))]
        rows = []
        for y in range(GRAIN):
            j, v = y // step, ease[y % step]
            top, low = lattice[j], lattice[(j + 1) % cells]
            line = [a + (b - a) * v for a, b in zip(top, low)]
            line.append(line[0])
            rows.append([line[i] + (line[i + 1] - line[i]) * e for i in range(cells) for e in ease])
        return rows

    layers = [(0.46, octave(8)), (0.28, octave(16)), (0.16, octave(32)), (0.10, octave(128))]
    out = bytearray()
    for y in range(GRAIN):
        rows = [(w, layer[y]) for w, layer in layers]
        for x in range(GRAIN):
            n = sum(w * row[x] for w, row in rows)
            vein = abs(math.sin(19 * n))  # thin bright lines where it vanishes
            out.append(int(255 * min(1, max(0, 0.15 + 0.7 * n + (0.35 * (0.12 - vein) / 0.12 if vein < 0.12 else 0)))))
    return bytes(out)


def shades():
    """For each stone, 256 shades as bytes, and the same in 8 steps half way to the colour of the grout."""
    table = []
    for dark, light in STONES.values():
        steps = []
        for w in range(9):
            share = w / 8
            row = []
            for i in range(256):
                stone = [d + (e - d) * i / 255 for d, e in zip(dark, light)]
                row.append(bytes(int(s + (g - s) * share) for s, g in zip(stone, GROUT)))
            steps.append(row)
        table.append(steps)
    return table


class Roundel:
    """Disc, white ring, ring of triangles, white ring."""

    def __init__(self, x, y, outer, disc, sectors, stones):
        self.x, self.y, self.outer, self.disc, self.sectors = x, y, outer, disc, sectors
        self.inner_ring = disc + max(7, outer * 0.05)
        self.outer_ring = outer - max(9, outer * 0.085)
        self.stones = [INDEX[s] for s in stones]

    def at(self, dx, dy, r):
        """(stone, tile, distance to the tile's edge)"""
        heart, first, second, small = self.stones
        white = INDEX["marble"]
        if r < self.disc:
            return heart, 1, self.disc - r
        turn = (math.atan2(dy, dx) / (2 * math.pi)) % 1.0
        if r < self.inner_ring or r >= self.outer_ring:
            low, high = (self.disc, self.inner_ring) if r < self.inner_ring else (self.outer_ring, self.outer)
            joints = self.sectors // 4 if r >= self.outer_ring else self.sectors // 6
            f = turn * joints
            side = abs(f - round(f)) * 2 * math.pi * r / joints
            return white, 2 + int(f), min(r - low, high - r, side)
        # Triangles that alternately point out and in. Each has a smaller triangle, upside down, in its middle.
        f = turn * self.sectors
        k, f = int(f), f % 1.0
        height = self.outer_ring - self.inner_ring
        t = (r - self.inner_ring) / height
        across = abs(2 * f - 1)
        half = math.pi * r / self.sectors
        slope = half / math.hypot(half, height) * height
        edge = min(r - self.inner_ring, self.outer_ring - r, abs(1 - across - t) * slope)
        if t < 1 - across:
            u, v, big = across, t, first  # base inside
        else:
            u, v, big = 1 - across, 1 - t, second  # base outside, between two sectors
            k += self.sectors if f < 0.5 else self.sectors + 1
        outside = max((v - 0.5) * height, (u - v) * slope)
        return (small, 100 + 3 * k, min(edge, -outside)) if outside < 0 else (big, 101 + 3 * k, min(edge, outside))


def square_pattern(x, y, side, outer, inner, heart):
    """A square, a turned square in it, and a square in that one: (stone, tile, distance to the edge)."""
    i, j = math.floor(x / side), math.floor(y / side)
    half = side / 2
    u, v = abs(x - i * side - half), abs(y - j * side - half)
    tile = 7 * i + 131 * j
    diamond = (half - u - v) * 0.7071
    if diamond < 0:
        corner = 2 if x - i * side > half else 0
        return outer, tile + corner + (y - j * side > half), min(-diamond, half - u, half - v)
    square = half / 2 - max(u, v)
    if square < 0:
        return inner[(i + j) % 2], tile + 4 + (u > v), min(diamond, -square, abs(u - v) * 0.7071 + 1)
    return heart, tile + 6, square


def quarter(width, height):
    """(stone, tile, grout in eighths) of each pixel of the upper left quarter, with the middle row and column."""
    half_w, half_h = width / 2, height / 2
    in_w, in_h = half_w - 56, half_h - 56
    lesser = 0.39 * half_h
    great = math.hypot(in_w - lesser, in_h - lesser) - lesser + 0.062 * half_h
    sx, sy = in_w - lesser, in_h - lesser
    top = (in_h - great) / 2
    side = math.hypot(sx - (in_w - 74), sy) - lesser + 5
    roundels = [
        Roundel(0, 0, great, great * 0.5, 28, ("porphyry", "serpentine", "giallo", "marble")),
        Roundel(sx, sy, lesser, lesser * 0.5, 20, ("serpentine", "rosso", "grey", "giallo")),
        Roundel(in_w - 74, 0, side, side * 0.5, 12, ("giallo", "porphyry", "marble", "night")),
        Roundel(0, great + top, top + 3, top * 0.52, 12, ("rosso", "serpentine", "marble", "night")),
    ]
    white, night = INDEX["marble"], INDEX["night"]
    ground = (white, (INDEX["porphyry"], INDEX["serpentine"]), INDEX["giallo"])
    border = (INDEX["giallo"], (INDEX["rosso"], INDEX["serpentine"]), white)
    corner = (white, (INDEX["porphyry"],) * 2, INDEX["giallo"])

    def sample(x, y):
        frame = min(half_w - x, half_h - y)  # pixels from the picture's edge
        if frame < 12:
            joint = abs(((x + y) / 96) % 1 - 0.5) * 96
            return white, int((x + y) / 96), min(frame + 1, 12 - frame, joint)
        if frame < 46:
            if max(half_w - x, half_h - y) < 46:  # a corner
                stone, tile, edge = square_pattern(half_w - x - 12, half_h - y - 12, 34, *corner)
            else:
                along = x if half_h - y < half_w - x else y
                stone, tile, edge = square_pattern(along + 17, frame - 12, 34, *border)
            return stone, tile + 5000, min(edge, frame - 12, 46 - frame)
        if frame < 56:
            return night, 9, min(frame - 46, 56 - frame)
        for n, r in enumerate(roundels):
            dx, dy = x - r.x, y - r.y
            if abs(dx) < r.outer and abs(dy) < r.outer:
                d = math.hypot(dx, dy)
                if d < r.outer:
                    stone, tile, edge = r.at(dx, dy, d)
                    return stone, tile + 1000 * n + 10000, edge
        stone, tile, edge = square_pattern((x + y) * 0.7071 + 14, (x - y) * 0.7071 + 14, 28, *ground)
        return stone, tile + 70000, min(edge, frame - 56)

    rows = []
    for py in range((height + 1) // 2):
        y = half_h - py - 0.5
        row = []
        for px in range((width + 1) // 2):
            stone, tile, edge = sample(half_w - px - 0.5, y)
            row.append((stone, tile, 0 if edge >= 1.4 else min(8, int(8 * (1.4 - edge) / 1.4) + 1)))
        rows.append(row)
    return rows


def floor_picture(width, height):
    """The picture as `height` rows of `width` RGB pixels, in bytes."""
    texture = grain(random.Random(1198))
    table = shades()
    rows = quarter(width, height)
    middle_x = width - (width + 1) // 2
    out = []
    for y in range(height):
        low = y >= len(rows)
        source = rows[height - 1 - y] if low else rows[y]
        line = source + source[:middle_x][::-1]
        pixels = []
        for x, (stone, tile, grout) in enumerate(line):
            # Each tile is cut from another place of its stone. Mirrored tiles are different tiles.
            seed = tile * 2654435761
            if tile % 1000 != 1:  # a disc may lie across the axis
                seed += (40503 if x >= len(source) else 0) + (12289 if low else 0)
            seed &= 0xFFFF
            shade = texture[((y + (seed >> 8)) & 255) << 8 | ((x + seed) & 255)] + (seed >> 5 & 31) - 16
            pixels.append(table[stone][grout][0 if shade < 0 else 255 if shade > 255 else shade])
        out.append(b"".join(pixels))
    return out


def write_png(path, rows):
    """Writes rows of RGB bytes as a PNG file."""

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b""))
