#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""README.md and docs/performance.md state the numbers of bench/results/ and no others; links in the documents lead somewhere."""
import json
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import readme_tables  # noqa: E402

RESULT = {
    "work": {"name": "copy/through_shared", "parameters": {"bytes": 4294967296}},
    "device": {"name": "NVIDIA H200"},
    "commit": "0123456789" * 4,
    "date": "2026-01-31",
    "figure": {"value": 4100.0, "unit": "GB/s"},
    "peer": {"name": "cudaMemcpyAsync", "figure": {"value": 4200.0, "unit": "GB/s"}},
    "ratio": 0.976,
    "spread": 0.008,
}


class Readme(unittest.TestCase):
    def test_tables_are_those_of_the_results(self):
        for path, text in readme_tables.documents().items():
            self.assertEqual(path.read_text(), text, f"{path.name}: run scripts/readme_tables.py")

    def test_links(self):
        for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md"):
            prose = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(), flags=re.DOTALL)
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", prose):
                if "://" not in target:
                    self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")


class Tables(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(readme_tables.tables([]), readme_tables.NONE)

    def test_row(self):
        text = readme_tables.tables([{**RESULT, "work": {**RESULT["work"], "name": "eval/divides"}}])
        for part in ("**The algebra at run time**", "divides (bytes 4294967296)", "4,100 GB/s", "4,200 GB/s (cudaMemcpyAsync)",
                     "| 0.976 |", "0.8 %", "NVIDIA H200, 2026-01-31, `0123456789`"):
            self.assertIn(part, text)

    def test_summary(self):
        def told(name, figure, ratio, **parameters):
            return {**RESULT, "work": {"name": name, "parameters": parameters}, "figure": {"value": figure, "unit": "TFLOP/s"}, "ratio": ratio}
        text = readme_tables.summary([told("gemm/mma", 510, 0.66, type="f16", n=4096), told("gemm/mma", 540, 0.67, type="f16", n=8192),
                                      told("gemm/mma", 62, 0.98, type="f64", n=4096), told("tensors/gather_4096", 1, 1)])
        self.assertIn("| matrix product, f16, 4096 and 8192 | 510 to 540 TFLOP/s | cudaMemcpyAsync | 0.66 to 0.67 | NVIDIA H200 |", text)
        self.assertIn("| matrix product, f64, 4096 and 8192 | 62 TFLOP/s | cudaMemcpyAsync | 0.98 |", text)
        self.assertEqual(sum(line.startswith("| ") for line in text.splitlines()), 3)

    def test_of_configurations_the_best(self):
        def told(threads, ratio):
            return {**RESULT, "work": {"name": "copy/through_shared", "parameters": {"bytes": 4096, "threads": threads}},
                    "figure": {"value": 4200.0 * ratio, "unit": "GB/s"}, "ratio": ratio}
        text = readme_tables.tables([told(128, 0.91), told(256, 0.97), told(512, 0.95)])
        self.assertIn("| through shared, bytes 4096 | 3: threads 256 | 4,074 GB/s | 4,200 GB/s (cudaMemcpyAsync) | 0.97 | 0.91 to 0.97 |", text)
        self.assertEqual(sum(line.startswith("| through") for line in text.splitlines()), 1)

    def test_counters(self):
        text = readme_tables.tables([{**RESULT, "work": {"name": "counters/kernels", "parameters": {"counters": 832}},
                                      "figure": {"value": 51, "unit": "count"},
                                      "peer": {"name": "kernels", "figure": {"value": 52, "unit": "count"}}}])
        self.assertIn("(of 832 together)", text)
        self.assertIn("| 51 of 52 | NVIDIA H200", text)

    def test_compile_cost(self):
        def told(name, value, peer, unit, **limits):
            return {**RESULT, "work": {"name": f"compile/{name}", "parameters": {"flags": "-O3", **limits}},
                    "figure": {"value": value, "unit": unit}, "ratio": round(value / peer, 4),
                    "peer": {"name": "empty kernel", "figure": {"value": peer, "unit": unit}}}
        text = readme_tables.tables([
            told("layouts_300", 3.5, 0.5, "s", limit_ratio=8), told("layouts_300_memory", 546e6, 200e6, "bytes", limit_bytes=6e8),
            told("header", 1.0, 0.5, "s", limit_ratio=3.5)])
        self.assertIn("| layouts 300 | 3.5 s | 0.5 s | 7 (limit 8) | 0.8 % | 0.55 GB (limit 0.6 GB) | NVIDIA H200", text)
        self.assertIn("| header | 1 s | 0.5 s | 2 (limit 3.5) | 0.8 % |  | NVIDIA H200", text)
        self.assertIn("`nvcc -O3 -Iinclude`", text)
        self.assertLess(text.index("| header"), text.index("| layouts 300"))
        self.assertEqual(sum(line.startswith("| ") for line in text.splitlines()), 3)

    def test_the_newest_counts(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "copy").mkdir()
            for date, value in (("2026-02-01", 4300.0), ("2026-01-01", 4000.0)):
                result = {**RESULT, "date": date, "figure": {"value": value, "unit": "GB/s"}}
                (folder / "copy" / f"{date}.json").write_text(json.dumps(result))
            results = readme_tables.load(folder)
        self.assertEqual([r["date"] for r in results], ["2026-02-01"])

    def test_marks(self):
        readme = f"a\n{readme_tables.BEGIN}\nold\n{readme_tables.END}\nb\n"
        self.assertEqual(readme_tables.filled(readme, "new"), readme.replace("old", "new"))
        with self.assertRaises(ValueError):
            readme_tables.filled("a\nb\n", "new")


if __name__ == "__main__":
    unittest.main()
