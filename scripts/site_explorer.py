# SPDX-License-Identifier: Apache-2.0
"""Where the explorer shows what a picture of the documents shows: the part of its address behind the page's name.

The explorer's fields are those of web/state.js. A picture that it cannot show, as a time line or a table, has no such state."""
import re
import shlex
import urllib.parse

# Option of the command -> field of the explorer's view.
COPY = {"atom": "atom", "type": "type", "thr": "thr", "val": "val", "src": "src", "dst": "dst", "space": "space", "bounds": "bounds", "arch": "arch",
        "operand": "operand", "mma": "mma", "atom-layout": "layout", "permutation": "permutation"}
MMA = {"mma": "atom", "atom": "atom", "atom-layout": "layout", "permutation": "permutation", "a": "a", "b": "b", "c": "c"}
PLAN = {"src": "src", "dst": "dst", "shape": "shape", "permute": "permute", "bytes": "bytes", "threads": "threads"}
IGNORED = {"format", "out", "width", "height", "alternatives"}  # of the form, not of what is shown
FLAGS = {"modes", "json"}


def options_of(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """--option value pairs, and what is none."""
    given: dict[str, str] = {}
    rest: list[str] = []
    words = list(words)
    while words:
        word = words.pop(0)
        if not word.startswith("--"):
            rest.append(word)
        elif word[2:] in FLAGS:
            given[word[2:]] = ""
        elif "=" in word:
            name, _, given_value = word[2:].partition("=")
            given[name] = given_value
        else:
            given[word[2:]] = words.pop(0)
    return given, rest


def address(view: str, fields: dict[str, str]) -> str:
    """As hashOf of web/state.js writes it."""
    parts = [f"view={view}"] + [f"{name}={urllib.parse.quote(value, safe='!~*()' + ':,/@;' + chr(39))}" for name, value in fields.items() if value]
    return "#" + "&".join(parts)


def mapped(given: dict[str, str], names: dict[str, str]) -> dict[str, str] | None:
    """The view's fields; none if an option says what the view cannot show."""
    fields: dict[str, str] = {}
    for name, value in given.items():
        if name in IGNORED:
            continue
        if name not in names:
            return None
        fields[names[name]] = value
    return fields


def of_algebra(expression: str, bits: str = "") -> str:
    return address("algebra", {"expression": expression, "bits": "" if bits == "16" else bits})


def of_arguments(words: list[str]) -> str | None:
    """Of arguments of `cosmati draw`, `check`, `report` or `tiled-copy`."""
    given, rest = options_of(words)
    if rest:
        shown = set(given) - IGNORED - {"bits", "modes"}
        return of_algebra(rest[0], given.get("bits", "")) if len(rest) == 1 and not shown else None
    view = "mma" if "mma" in given and "atom" not in given else "copy"
    fields = mapped(given, MMA if view == "mma" else COPY)
    return address(view, fields) if fields and "atom" in fields else None


def of_mark(kind: str, text: str) -> list[str | None]:
    """For each picture of a mark, `<!-- KIND: TEXT -->`, its state or None."""
    if kind == "picture":
        return [of_arguments(shlex.split(part)) for part in re.split(r" (?:=>|&) ", text)]
    if kind == "report":
        return [of_arguments(shlex.split(text)[1:])]
    if kind == "plan":
        fields = mapped(options_of(shlex.split(text))[0], PLAN)
        return [address("plan", fields) if fields else None]
    return [None]


def of_command(line: str) -> str | None:
    """Of a line of a console, `$ cosmati eval '...'`; None where the explorer has no such view."""
    found = re.match(r"\$ cosmati (eval|layout|draw|check|report|tiled-copy|tiled-mma|plan) ([^|>;]*)", quoted_whole(line))
    if not found:
        return None
    what, arguments = found[1], [word.translate(BACK) for word in shlex.split(found[2])]
    if what == "plan":
        return of_mark("plan", shlex.join(arguments))[0]
    if what == "tiled-mma":
        fields = mapped(options_of(arguments)[0], MMA)
        return address("mma", fields) if fields else None
    return of_arguments(arguments)


# Within quotes these do not end a command.
AWAY, BACK = str.maketrans("|>;", "\1\2\3"), str.maketrans("\1\2\3", "|>;")


def quoted_whole(line: str) -> str:
    return re.sub(r"'[^']*'", lambda quoted: quoted[0].translate(AWAY), line)
