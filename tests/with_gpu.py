#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command that needs a GPU. Without a GPU it exits with 77, which CTest counts as skipped.
"""
import os
import shutil
import subprocess
import sys


def gpu_present() -> bool:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return False
    listing = subprocess.run([tool, "-L"], capture_output=True, text=True)
    return listing.returncode == 0 and "GPU 0" in listing.stdout


if not gpu_present():
    print("skipped: no GPU")
    sys.exit(77)
if shutil.which(sys.argv[1]) is None:
    print(f"skipped: {sys.argv[1]} not found")
    sys.exit(77)
os.execvp(sys.argv[1], sys.argv[1:])
