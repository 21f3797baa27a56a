# SPDX-License-Identifier: Apache-2.0
"""Arrays as .npy files hold them."""
import math
import pathlib
import random
import struct


def strides(shape, fortran):
    result, step = [0] * len(shape), 1
    for i in range(len(shape)) if fortran else reversed(range(len(shape))):
        result[i] = step
        step *= shape[i]
    return result


CODES = {"i1": "b", "u1": "B", "i4": "i", "f2": "e", "f4": "f", "f8": "d", "c8": "ff"}


def parts(descr, number):
    return (number.real, number.imag) if descr[1] == "c" else (number,)


class Array:
    """An array as a .npy file holds it."""

    def __init__(self, descr, shape, fortran=False, data=None, seed=0):
        self.descr, self.shape, self.fortran = descr, tuple(shape), fortran
        self.width = int(descr.lstrip("<>|=")[1:])
        size = math.prod(shape) * self.width
        self.data = random.Random(seed).randbytes(size) if data is None else data

    def bytes(self, version=1, text=None):
        if text is None:
            shape = "(" + ", ".join(map(str, self.shape)) + ("," if len(self.shape) == 1 else "") + ")"
            text = f"{{'descr': '{self.descr}', 'fortran_order': {self.fortran}, 'shape': {shape}, }}"
        length = 2 if version == 1 else 4
        text += " " * (63 - (8 + length + len(text)) % 64) + "\n"
        head = struct.pack("<H" if version == 1 else "<I", len(text))
        return b"\x93NUMPY" + bytes([version, 0]) + head + text.encode("utf-8") + self.data

    def items(self):
        """The elements, the last index fastest."""
        step = strides(self.shape, self.fortran)
        w, data = self.width, self.data
        starts = [0]
        for extent, s in zip(self.shape, step):
            starts = [a + i * s for a in starts for i in range(extent)]
        return [data[a * w:a * w + w] for a in starts]

    @classmethod
    def of(cls, descr, shape, values, fortran=False):
        """From numbers, the last index fastest."""
        one = b"".join(struct.pack(descr[0].replace("|", "<") + CODES[descr[1:]], *parts(descr, v)) for v in values)
        array = cls(descr, shape, False, one)
        return cls(descr, shape, True, b"".join(cls(descr, shape[::-1], True, one).items())) if fortran else array

    def values(self):
        """The numbers, the last index fastest."""
        found = [struct.unpack(self.descr[0].replace("|", "<") + CODES[self.descr[1:]], x) for x in self.items()]
        return [complex(*x) if self.descr[1] == "c" else x[0] for x in found]


def read(path):
    raw = pathlib.Path(path).read_bytes()
    assert raw[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack("<H", raw[8:10])[0]
    assert (10 + length) % 64 == 0 and raw[9 + length:10 + length] == b"\n"
    head = eval(raw[10:10 + length].decode(), {"__builtins__": {}})
    return Array(head["descr"], head["shape"], head["fortran_order"], raw[10 + length:])
