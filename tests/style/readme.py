#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""README.md and docs/performance.md state only numbers of bench/results/, and every link of the documents leads to a file."""
import json
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bench")]
import readme_tables  # noqa: E402
import validate  # noqa: E402

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
        for document in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "bench").rglob("*.md")):
            prose = re.sub(r"```.*?```|`[^`\n]*`", "", document.read_text(), flags=re.DOTALL)
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", prose):
                if "://" not in target:
                    self.assertTrue((document.parent / target).exists(), f"{document.relative_to(ROOT)}: {target}")

    def test_decisions_are_short_numbered_records(self):
        document = (ROOT / "docs/decisions.md").read_text()
        for subject in re.split(r"^## ", document, flags=re.MULTILINE)[1:]:
            self.assertRegex(subject, r"^[^\n]+\n\n### \d+\. ", "decisions.md: a subject begins with a record")
        records = re.split(r"^### ", document, flags=re.MULTILINE)[1:]
        self.assertTrue(records, "decisions.md has no records")
        for expected, record in enumerate(records, 1):
            title, _, rest = record.partition("\n")
            text = rest.partition("\n## ")[0]
            self.assertTrue(title.startswith(f"{expected}. "), f"decisions.md: the record after {expected - 1} is called {title}")
            self.assertLessEqual(len(text.split()), 120, f"decisions.md: record {expected} has more than 120 words")
            parts = re.findall(r"\*\*(\w+)[.:]\*\*", text)
            self.assertEqual(parts, ["Context", "Decision", "Consequence", "Status"], f"decisions.md: record {expected}")

    def test_a_change_is_one_line(self):
        for number, line in enumerate((ROOT / "CHANGELOG.md").read_text().splitlines(), 1):
            self.assertFalse(line.startswith(" "), f"CHANGELOG.md:{number}: a change has one line")
            self.assertLessEqual(len(line), 150, f"CHANGELOG.md:{number}: longer than 150 characters")


class Tables(unittest.TestCase):
    def test_nothing(self):
        self.assertEqual(readme_tables.tables([]), readme_tables.NONE)

    def test_row(self):
        work = {"name": "eval/divides", "parameters": {"shape": "4 x 8", "bytes": 64}}
        text = readme_tables.tables([{**RESULT, "work": work}])
        self.assertIn("**The algebra at run time**", text)
        self.assertIn("| divides (shape 4 x 8) | 4,100 GB/s | 0.976 (cudaMemcpyAsync) | 0.8 % | NVIDIA H200, 2026-01-31, `0123456789` |", text)

    def test_one_row_for_a_piece_of_work(self):
        def told(name, figure, ratio, peer, **parameters):
            return {**RESULT, "work": {"name": name, "parameters": parameters}, "figure": {"value": figure, "unit": "GB/s"},
                    "peer": {"name": peer, "figure": {"value": figure / ratio, "unit": "GB/s"}}, "ratio": ratio}
        text = readme_tables.tables([
            told("tensors/transpose_b32", 4000, 0.95, "a contiguous copy"), told("tensors/transpose_b32_beside_geam", 4000, 1.06, "geam"),
            told("tensors/transpose_b8", 3000, 0.75, "a contiguous copy"),
            told("tensors/product", 500, 0.5, "cuBLAS", type="f16", n=4096), told("tensors/product", 600, 0.6, "cuBLAS", type="f16", n=8192)])
        rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
        self.assertEqual([row.rpartition(" | ")[0] for row in rows],
                         ["| product f16 | 500 to 600 GB/s | 0.5 to 0.6 (cuBLAS) | 0.8 %", "| transpose b8 | 3,000 GB/s | 0.75 (a contiguous copy) | 0.8 %",
                          "| transpose b32 | 4,000 GB/s | 0.95 (a contiguous copy); 1.06 (geam) | 0.8 %"])

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
        self.assertIn("(832 counters in all)", text)
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
        """A study of other random problems is the same work. Another device or another size is other work."""
        def told(date, seed=1, problems=200, device="NVIDIA H200"):
            work = {"name": "tensors/planner_study", "parameters": {"problems": problems, "seed": seed, "worst": seed / 10}}
            return {**RESULT, "date": date, "work": work, "device": {"name": device}}
        files = {"old": told("2026-01-01"), "new": told("2026-02-01", seed=2), "h100": told("2026-01-01", device="NVIDIA H100"),
                 "small": told("2026-01-01", problems=20)}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "tensors").mkdir()
            for file, result in files.items():
                (folder / "tensors" / f"{file}.json").write_text(json.dumps(result))
            results = readme_tables.load(folder)
            for table in ("2026-01-01-H200-orders.csv", "2026-02-01-H200-orders.csv", "2026-01-01-H100-orders.csv", "h200_rules.csv"):
                (folder / "tensors" / table).write_text("a,b\n")
            self.assertEqual({path.stem: kept.stem for path, kept in validate.superseded(folder).items()},
                             {"old": "new", "2026-01-01-H200-orders": "2026-02-01-H200-orders"})
        for kept in ("new", "h100", "small"):
            self.assertIn(files[kept], results)
        self.assertEqual(len(results), 3)

    def test_marks(self):
        readme = f"a\n{readme_tables.BEGIN}\nold\n{readme_tables.END}\nb\n"
        self.assertEqual(readme_tables.filled(readme, "new"), readme.replace("old", "new"))
        with self.assertRaises(ValueError):
            readme_tables.filled("a\nb\n", "new")


if __name__ == "__main__":
    unittest.main()
