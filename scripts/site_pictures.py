# SPDX-License-Identifier: Apache-2.0
"""Diagrams of functions that map integers, tuples and values: strips, tables and nested boxes, as SVG in the style of render/.

Their content is computed by `cosmati eval`, or printed by an example that the tests run. Nothing is drawn by hand.
`cosmati draw` makes the grids of layouts, atoms and copies.
"""
import html
import json
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
LETTER, LINE, MARGIN = 8, 18, 14


def palette() -> list[str]:
    """The library's own colours, which colour-blind readers can tell apart too."""
    text = (ROOT / "include/cosmati/render/figure.hpp").read_text()
    return re.findall(r'"(#[0-9a-f]{6})"', text[text.index("palette[]") : text.index("palette_size")])


def style() -> str:
    colors = "".join(f".k{i}{{fill:{c}}}" for i, c in enumerate(palette()))
    return ("text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px;fill:#111}"
            ".m{text-anchor:middle}.e{text-anchor:end}.h{fill:#444}.bg,.k{fill:#fff}.c{stroke:#555;stroke-width:.5}"
            ".b{fill:none;stroke:#555;stroke-width:1.2}.a{stroke:#444;stroke-width:1.6;fill:none}" + colors +
            "@media (prefers-color-scheme:dark){.bg{fill:#16181c}.k{fill:#2a2d33}text{fill:#e8e8e8}.h{fill:#b8b8b8}.i{fill:#111}"
            ".b{stroke:#aaa}.a{stroke:#b8b8b8}}")


class Picture:
    """SVG shapes and their common size."""

    def __init__(self):
        self.shapes: list[str] = []
        self.width = self.height = 0

    def text(self, x: float, y: float, words: str, kind: str = "") -> None:
        self.shapes.append(f'<text class="{kind}" xml:space="preserve" x="{x:g}" y="{y + 4:g}">{html.escape(words)}</text>')
        right = x + LETTER * len(words) / (2 if "m" in kind.split() else 1)
        self.reach(x if "e" in kind.split() else right, y + LINE / 2)

    def box(self, x: float, y: float, w: float, h: float, kind: str, round_by: float = 0) -> None:
        self.shapes.append(f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{round_by:g}"/>')
        self.reach(x + w, y + h)

    def cell(self, x: float, y: float, w: float, words: str, color: int | None) -> None:
        self.box(x, y, w, 26, f"c k{'' if color is None else color % 8}")
        self.text(x + w / 2, y + 13, words, "m" if color is None else "m i")

    def arrow(self, x: float, y: float) -> None:
        self.shapes.append(f'<path class="a" d="M{x:g} {y:g}h26m-7 -5l7 5l-7 5"/>')

    def reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def svg(self, title: str) -> str:
        w, h = round(self.width + MARGIN), round(self.height + MARGIN)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img">\n'
                f'<title>{html.escape(title)}</title>\n<style>{style()}</style>\n<rect class="bg" width="{w}" height="{h}"/>\n'
                + "\n".join(self.shapes) + "\n</svg>\n")


def evaluated(command: str, expressions: list[str]) -> list[str]:
    """The command's answers to the expressions. A mistake ends the build."""
    done = subprocess.run([command, "eval", "-"], input="".join(e + "\n" for e in expressions), capture_output=True, text=True)
    answers = done.stdout.splitlines()
    wrong = [f"{e}: {a}" for e, a in zip(expressions, answers) if a.startswith("error")]
    if wrong or len(answers) != len(expressions):
        raise ValueError(wrong[0] if wrong else f"{len(answers)} answers to {len(expressions)} expressions: {done.stderr}")
    return answers


class Colors:
    """A colour for each word, equal for equal words. The words that mean no, and empty words, have none."""

    def __init__(self):
        self.of: dict[str, int] = {}

    def __call__(self, words: str) -> int | None:
        return None if words in ("false", "", "0@") else self.of.setdefault(words, len(self.of))


def grid(p: Picture, x: float, y: float, rows: list[str], columns: list[str], cells: list[list[str]], colors: list[list]) -> None:
    longest = max((len(c) for line in cells for c in line), default=1)
    wide = max(34, LETTER * max(longest, *(len(c) for c in columns)) + 8)
    left = x + LETTER * max(len(r) for r in rows) + 8
    for j, name in enumerate(columns):
        p.text(left + j * wide + wide / 2, y + 9, name, "m h")
    for i, name in enumerate(rows):
        p.text(left - 8, y + 20 + i * 26 + 13, name, "e h")
        for j, words in enumerate(cells[i]):
            p.cell(left + j * wide, y + 20 + i * 26, wide, words, colors[i][j])


# A table: the values of an expression for each value of one variable or two
# ----------------------------------------------------------------------------------------------------------------------


def values_of(text: str) -> tuple[str, list[str]]:
    name, _, values = (part.strip() for part in text.partition("="))
    span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", values)
    return name, [str(i) for i in range(int(span[1]), int(span[2]) + 1)] if span else [v.strip() for v in values.split("|")]


def put(expression: str, values: dict[str, str]) -> str:
    return re.sub(r"\b[a-z]\b(?!<)", lambda m: values.get(m[0], m[0]), expression)


def table(command: str, text: str) -> tuple[str, str]:
    """`x=0..7; EXPRESSION; ...`: a row each; or `i=0..3, j=0..7; EXPRESSION; COLOR`: rows of i, columns of j. Values other than
    a range have | between them. Returns the SVG and a sentence that says what it shows."""
    head, *expressions = (part.strip() for part in text.split(";"))
    variables = [values_of(v) for v in re.split(r",\s*(?=[a-z]\s*=)", head)]
    p = Picture()
    if len(variables) == 1:
        name, values = variables[0]
        answers = evaluated(command, [put(e, {name: v}) for e in expressions for v in values])
        cells = [answers[k * len(values) : (k + 1) * len(values)] for k in range(len(expressions))]
        shade = Colors()
        colors = [[shade(words) for words in row] for row in cells]
        p.text(MARGIN, MARGIN + 4, f"for {name} =", "h")
        grid(p, MARGIN, MARGIN + 14, expressions, values, cells, colors)
        said = f"{' and '.join(expressions)} for {name} = {values[0]} to {values[-1]}"
    else:
        (row, down), (column, across) = variables
        pairs = [{row: a, column: b} for a in down for b in across]
        answers = evaluated(command, [put(expressions[0], v) for v in pairs])
        shades = evaluated(command, [put(expressions[-1], v) for v in pairs])
        wide = len(across)
        one = Colors()
        p.text(MARGIN, MARGIN + 4, f"{expressions[0]}, {row} down, {column} across", "h")
        grid(p, MARGIN, MARGIN + 14, down, across, [answers[k : k + wide] for k in range(0, len(answers), wide)],
             [[one(s) for s in shades[k : k + wide]] for k in range(0, len(shades), wide)])
        said = f"{expressions[0]} for {row} = {down[0]} to {down[-1]} and {column} = {across[0]} to {across[-1]}"
    return p.svg(said), said


# Nested boxes: tuples and layouts, before and after
# ----------------------------------------------------------------------------------------------------------------------


def parsed(text: str):
    """A tuple as a list, or a layout as the list of its modes `extent:stride`."""
    def read(at: int):
        if text[at] != "(":
            found = re.compile(r"[^(),:]+").match(text, at)
            return found[0], found.end()
        items, at = [], at + 1
        while text[at] != ")":
            item, at = read(at)
            if text[at] == ":":
                stride, at = read(at + 1)
                item = zipped(item, stride)
            items.append(item)
            at += text[at] == ","
        return items, at + 1

    first, at = read(0)
    if at < len(text) and text[at] == ":":
        first, at = zipped(first, parsed(text[at + 1 :])), len(text)
    if at != len(text):
        raise ValueError(f"{text} is neither a tuple nor a layout")
    return first


def zipped(shape, stride):
    return [zipped(a, b) for a, b in zip(shape, stride)] if isinstance(shape, list) else f"{shape}:{stride}"


def size_of(node) -> tuple[float, float]:
    if not isinstance(node, list):
        return max(30, LETTER * len(node) + 14), 26
    sizes = [size_of(n) for n in node]
    return max(26, sum(w for w, _ in sizes) + 6 * max(len(sizes) - 1, 0) + 14), max((h for _, h in sizes), default=12) + 14


def put_node(p: Picture, node, x: float, y: float, height: float, shade: Colors) -> None:
    w, h = size_of(node)
    y += (height - h) / 2
    if not isinstance(node, list):
        p.cell(x, y, w, node, shade(node))
        return
    p.box(x, y, w, h, "b", 9)
    x += 7
    for n in node:
        put_node(p, n, x, y + 7, h - 14, shade)
        x += size_of(n)[0] + 6


def tuples_in(text: str) -> list[str]:
    """The outermost tuples of a line."""
    found, deep, begin = [], 0, 0
    for at, c in enumerate(text):
        if c == "(":
            begin = at if deep == 0 else begin
            deep += 1
        elif c == ")":
            deep -= 1
            found += [text[begin : at + 1]] if deep == 0 else []
    return found


def tree(command: str, text: str, printed: list[str]) -> tuple[str, str]:
    """`EXPRESSION & EXPRESSION => EXPRESSION ...`; `NAME: $2` is what the example printed in its second line,
    `$2.1` the first tuple of it."""
    p = Picture()
    shade = Colors()
    parts = [(mark, term.strip()) for mark, term in re.findall(r"(^|=>|&)((?:(?!=>|&).)+)", text)]
    terms = []
    for mark, term in parts:
        name, _, line = term.rpartition(": ")
        found = re.fullmatch(r"\$(\d+)(?:\.(\d+))?", line)
        if found:
            whole = printed[int(found[1]) - 1].replace("_", "")
            terms.append((mark, name, tuples_in(whole)[int(found[2]) - 1] if found[2] else whole))
        else:
            terms.append((mark, name or term, evaluated(command, [line])[0]))
    nodes = [parsed(answer) for _, _, answer in terms]
    tallest = max(size_of(n)[1] for n in nodes)
    x = y = MARGIN
    for (mark, name, _), node in zip(terms, nodes):
        wide = max(size_of(node)[0], LETTER * len(name))
        if x > MARGIN and x + wide > 780:
            x, y = MARGIN, y + tallest + 2 * LINE
        if mark == "=>":
            p.arrow(x, y + LINE + tallest / 2)
            x += 40
        p.text(x, y + 4, name, "h")
        put_node(p, node, x, y + LINE, tallest, shade)
        x += wide + 20
    said = ", then ".join(f"{name}: {answer}" if name != answer else name for _, name, answer in terms)
    return p.svg(said), said


# Strips: the content of memory, as an example printed it
# ----------------------------------------------------------------------------------------------------------------------


def strips(text: str, printed: list[str]) -> tuple[str, str]:
    """`NAME = 1 2 3; NAME = $2; ...`: a strip each, / between rows of one; `$2` is the second line that the example printed,
    `$2[0:3]` of its words. Equal words are coloured alike."""
    p = Picture()
    shade = Colors()
    rows: list[tuple[str, list[str]]] = []
    for part in text.split(";"):
        name, _, items = (piece.strip() for piece in part.partition(" = "))
        span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", items)
        found = re.fullmatch(r"\$(\d+)(?:\[(\d*):(\d*)\])?", items)
        if span:
            items = " ".join(str(i) for i in range(int(span[1]), int(span[2]) + 1))
        if found:
            words = re.findall(r"\([^)]*\)|[^\s,]+", printed[int(found[1]) - 1])
            items = " ".join(words[int(found[2] or 0) : int(found[3]) if found[3] else None])
        for k, line in enumerate(items.split(" / ")):
            rows.append((name if k == 0 else "", line.split()))
    longest = max(len(items) for _, items in rows)
    wide = max(34, LETTER * max(len(w) for _, items in rows for w in items) + 8)
    left = MARGIN + LETTER * max(len(name) for name, _ in rows) + 8
    y = MARGIN
    for j in range(longest):
        p.text(left + j * wide + wide / 2, y + 6, str(j), "m h")
    y += 16
    for name, items in rows:
        y += 6 if name else 0
        p.text(left - 8, y + 13, name, "e h")
        for j, words in enumerate(items):
            if words != ".":
                p.cell(left + j * wide, y, wide, words, shade(words))
        y += 26
    said = "; ".join(f"{name}: {' '.join(items)}" if name else " ".join(items) for name, items in rows)
    return p.svg(said), said


def plan(command: str, arguments: str) -> tuple[str, str]:
    """The best plan of each kernel among those that the planner keeps, a bar as long as it is predicted to take."""
    done = subprocess.run([command, "plan", "--json", "--alternatives", "16", *shlex.split(arguments)], capture_output=True, text=True, check=True)
    plans = list({q["kernel"]: q for q in reversed(json.loads(done.stdout)["plans"])}.values())[::-1]
    plans = sorted(plans, key=lambda q: q["us"])[:6]
    p = Picture()
    left = MARGIN + LETTER * max(len(q["kernel"]) for q in plans) + 8
    longest = max(q["us"] for q in plans)
    for k, q in enumerate(plans):
        y = MARGIN + 30 * k
        p.text(left - 8, y + 13, q["kernel"], "e h")
        p.box(left, y, 360 * q["us"] / longest, 26, f"c k{k % 8}")
        p.text(left + 360 * q["us"] / longest + 8, y + 13, f"{q['us']:.1f} us")
    return p.svg(f"plans: {arguments}"), "; ".join(f"{q['kernel']}: {q['us']:.1f} us" for q in plans)
