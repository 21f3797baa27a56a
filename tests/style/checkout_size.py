#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tracked files hold at most 12 MB in all, so that a clone stays quick. Exit status 77 (skipped) without git."""
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT = 12_000_000  # bytes


def tracked(root: pathlib.Path) -> dict[str, int] | None:
    """Each tracked file that exists, with its bytes; None if git does not answer."""
    try:
        listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    paths = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    return {path: os.lstat(root / path).st_size for path in paths if os.path.lexists(root / path)}


def too_large(sizes: dict[str, int], limit: int) -> str:
    """A message that names the largest files; empty if the sum is within the limit."""
    total = sum(sizes.values())
    if total <= limit:
        return ""
    largest = sorted(sizes, key=sizes.get, reverse=True)[:5]
    return (f"the {len(sizes)} tracked files hold {total / 1e6:.1f} MB, {limit / 1e6:g} MB are allowed; the largest are "
            + ", ".join(f"{path} ({sizes[path] / 1e6:.2f} MB)" for path in largest))


class CheckoutSize(unittest.TestCase):
    def test_tracked_files(self):
        sizes = tracked(ROOT)
        print(f"{len(sizes)} tracked files, {sum(sizes.values()) / 1e6:.2f} MB")
        self.assertEqual(too_large(sizes, LIMIT), "")

    def test_the_sum_counts(self):
        self.assertEqual(too_large({"a": 6, "b": 6}, 12), "")
        self.assertIn("the 2 tracked files hold", too_large({"a": 6, "b": 7}, 12))
        self.assertRegex(too_large({"small": 1_000_000, "large": 12_000_000}, LIMIT), r"13\.0 MB, 12 MB .* are large \(12\.00 MB\), small")


if __name__ == "__main__":
    if tracked(ROOT) is None:
        print("skipped: no git here")
        sys.exit(77)
    unittest.main()
