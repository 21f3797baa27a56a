# SPDX-License-Identifier: Apache-2.0
"""Functions that the benchmarks of the host share."""
import pathlib
import platform
import re
import statistics


def device(toolkit: str) -> dict:
    """The processor's name, as the kernel gives it."""
    match = re.search(r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    told = {"name": match[1].strip() if match else platform.machine(), "toolkit": toolkit}
    if platform.machine() in ("x86_64", "aarch64"):
        told["architecture"] = platform.machine()
    return told


def spread(values: list[float]) -> float:
    """(largest - smallest) / median"""
    return round((max(values) - min(values)) / statistics.median(values), 4)
