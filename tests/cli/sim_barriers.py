#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The barrier that `cosmati sim` asks for mends all that was found at its lines, in all launches and kernels: the program is clean once it stands
there, and no second one is asked for."""
import json
import pathlib
import re
import tempfile
import unittest

from support.command import run

# Behind `// first` a barrier is missing.
KERNEL = """
#include <cosmati/cosmati.hpp>
using namespace cosmati;
template <int step>
__global__ void kernel(float* out, unsigned far) {
  float* row = dynamic_shared<float>();
  unsigned const t = threadIdx.x;
  row[t] = static_cast<float>(t);  // first
  out[t] = row[(t + step) % blockDim.x] + row[t ^ far];
  MORE
}
int main() {
  device_buffer<float> out(256);
  auto const at = out.data();
  LAUNCHES
}
"""
ONE_WARP, TWO_WARPS = "launch(kernel<1>, {.grid = 1, .block = 32, .shared_bytes = 512}, at, 0u);", "launch(kernel<1>, {.grid = 1, .block = 64, .shared_bytes = 512}, at, 0u);"
PAIRS = "launch(kernel<0>, {.grid = 1, .block = 64, .shared_bytes = 512}, at, 1u);"
FAR = "launch(kernel<0>, {.grid = 1, .block = 64, .shared_bytes = 512}, at, 32u);"
WARP, BLOCK = "__syncwarp();", "__syncthreads();"
CASES = {  # what else the kernel does, launches, the barrier that mends all
    "one warp": ("", ONE_WARP, WARP),
    "two warps": ("", TWO_WARPS, BLOCK),
    "pairs of neighbours": ("", PAIRS, WARP),
    "first one warp, then two": ("", ONE_WARP + TWO_WARPS, BLOCK),
    "first two warps, then one": ("", TWO_WARPS + ONE_WARP, BLOCK),
    "first neighbours, then far ones": ("", PAIRS + FAR, BLOCK),
    "two kernels of the same lines": ("", PAIRS + TWO_WARPS, BLOCK),
    "a second line that reads far": ("out[64 + t] = row[t ^ 32];", PAIRS, BLOCK),
    "a second line that reads near": ("out[64 + t] = row[t ^ 2];", PAIRS, WARP),
}


def findings(source: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.cpp"
        path.write_text(source)
        report = path.with_suffix(".json")
        done = run("sim", str(path), "--quiet", "--json", str(report))
        assert done.returncode in (0, 3), done.stderr
        return json.loads(report.read_text())


class Barriers(unittest.TestCase):
    def test_the_one_that_is_named_mends_all(self):
        for name, (more, launches, barrier) in CASES.items():
            with self.subTest(name):
                source = KERNEL.replace("MORE", more).replace("LAUNCHES", launches)
                found = findings(source)
                self.assertEqual(found["verdict"], "error")
                named = {m for h in found["hazards"] for m in re.findall(r"put (__\w+\(\)) between the two", h["message"])}
                self.assertEqual({f"{n};" for n in named}, {barrier})
                places = [(h["kernel"], h["kind"], h["line"], h["other_line"]) for h in found["hazards"]]
                self.assertEqual(len(places), len(set(places)), places)
                for h in found["hazards"]:
                    self.assertFalse({"across_warps", "message_across_warps"} & set(h), h)
                mended = findings(source.replace("// first", barrier))
                self.assertEqual((mended["verdict"], mended["hazards"]), ("clean", []))

    def test_a_warps_would_not_have(self):
        """The cases that need the block's barrier are cases that need it."""
        for name, (more, launches, barrier) in CASES.items():
            if barrier == BLOCK:
                with self.subTest(name):
                    source = KERNEL.replace("MORE", more).replace("LAUNCHES", launches)
                    self.assertEqual(findings(source.replace("// first", WARP))["verdict"], "error")


if __name__ == "__main__":
    unittest.main()
