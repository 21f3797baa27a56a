# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command share: running it."""
import os
import subprocess

BIN = os.environ.get("COSMATI_BIN", os.path.join(os.path.dirname(__file__), "../../../build/bin/cosmati"))


def run(*arguments: str, text: str | bytes | None = None) -> subprocess.CompletedProcess:
    """Runs `cosmati ARGUMENTS`, with `text` on its standard input."""
    binary = isinstance(text, bytes)
    return subprocess.run([BIN, *arguments], input=text, capture_output=True, text=not binary, timeout=300)


def lines(expressions: list[str]) -> list[str]:
    """The answers of one `cosmati eval -`."""
    done = run("eval", "-", text="\n".join(expressions) + "\n")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()

