#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No function of the library, its tools or its programs has more than 60 lines.

    functions.py [ROOT]           ROOT is the repository (default: two folders up)
    functions.py --over LINES     lists the functions with more than LINES lines, longest first, and checks nothing

The lines of a function are those from its declaration, `template` included, to the brace that closes its body, comments
included. A lambda counts as a part of the function around it, and as a function where it initializes a variable of a
namespace or class. Both
branches of an #if are read; where a brace opens in one branch and closes behind the #endif, the first branch is read.

long_functions.txt lists the exceptions, each with a reason: a line `path: function: reason`.
"""
import pathlib
import re
import sys
from dataclasses import dataclass

MOST_LINES = 60
FOLDERS = ("include", "compat", "src", "bench", "examples", "web")
SUFFIXES = (".hpp", ".h", ".cpp", ".cu", ".cuh", ".inl")
SCOPES = ("namespace", "class", "struct", "union")
NO_FUNCTION = ("alignas", "__align__", "decltype", "sizeof", "requires", "explicit", "__attribute__", "__launch_bounds__")  # before a parenthesis
GOES_ON = (",", "{", "(", ")", ".", "->", "[", "?", ":", "&&", "=", "==", "<", ">", "+", "-", "*", "/", "|", ";")  # behind a value's }

TOKEN = re.compile(
    r"""(?P<skip>//(?:\\\n|[^\n])*|/\*.*?\*/)
    |(?P<literal>(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+')
    |(?P<directive>^[ \t]*\#(?:\\\n|/\*.*?\*/|[^\n])*)
    |(?P<number>\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z]|[0-9A-Za-z_.])*)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<mark_of_two>::|->|&&|[=!<>]=|\[\[|\]\])
    |(?P<other>[^\s])""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


@dataclass
class Token:
    text: str
    line: int
    kind: str


@dataclass
class Function:
    name: str
    first: int
    last: int

    @property
    def lines(self) -> int:
        return self.last - self.first + 1


def tokens_of(text: str) -> list[Token]:
    """The words and marks of a source, comments left out, directives as one token each."""
    found, line, at = [], 1, 0
    for match in TOKEN.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        kind = match.lastgroup
        if kind != "skip":
            found.append(Token(match.group(), line, "literal" if kind == "mark" else kind))
    return found


def balanced(tokens: list[Token]) -> bool:
    """Whether each brace of these tokens has its partner among them."""
    depth = 0
    for token in tokens:
        if token.kind == "other":
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            if depth < 0:
                return False
    return depth == 0


def without_directives(tokens: list[Token]) -> list[Token]:
    """The tokens without directives; of an #if whose branches are not balanced, the first branch alone."""
    kept: list[list[Token]] = [[]]
    branches: list[list[list[Token]]] = []  # of each open #if
    for token in tokens:
        if token.kind != "directive":
            kept[-1].append(token)
            continue
        name = re.match(r"\s*#\s*(\w*)", token.text)[1]
        if name in ("if", "ifdef", "ifndef"):
            branches.append([])
            kept.append([])
        elif name in ("elif", "else", "elifdef", "elifndef") and branches:
            branches[-1].append(kept.pop())
            kept.append([])
        elif name == "endif" and branches:
            branches[-1].append(kept.pop())
            of_if = branches.pop()
            kept[-1] += sum(of_if, []) if all(balanced(b) for b in of_if) else of_if[0]
    return sum(kept, [])


def without_template(head: list[Token]) -> list[Token]:
    """The head behind each `template <...>`; a > in parentheses closes nothing."""
    while head and head[0].text == "template":
        angles = parentheses = 0
        for i, token in enumerate(head[1:], 1):
            parentheses += {"(": 1, ")": -1}.get(token.text, 0)
            if parentheses == 0:
                angles += {"<": 1, ">": -1}.get(token.text, 0)
            if parentheses == angles == 0:
                break
        head = head[i + 1 :]
    return head


def outside_brackets(head: list[Token]) -> list[Token]:
    """The head without what stands in parentheses and square brackets."""
    depth, kept = 0, []
    for token in head:
        depth -= token.text in (")", "]", "]]")
        if depth == 0:
            kept.append(token)
        depth += token.text in ("(", "[", "[[")
    return kept


def call_in(shape: list[str]) -> int | None:
    """Where the parameters of a function begin, if these tokens have any."""
    return next((i for i, t in enumerate(shape) if t == "(" and i and shape[i - 1] not in NO_FUNCTION), None)


def opens_scope(head: list[Token]) -> bool:
    """Whether a brace behind these tokens opens a namespace or a class, whose declarations are read one by one."""
    shape = [t.text for t in outside_brackets(without_template(head))]
    if shape[:1] == ["extern"] and len(shape) == 2:
        return True
    for i, word in enumerate(shape):
        if word in SCOPES and (i == 0 or shape[i - 1] != "enum"):
            behind = shape[i:]
            before_bases = behind[: behind.index(":")] if ":" in behind else behind
            return "=" not in before_bases and call_in(before_bases) is None
    return False


def name_in(head: list[Token]) -> str:
    shape = [t.text for t in outside_brackets(without_template(head))]
    if "operator" in shape:
        return "".join(shape[shape.index("operator") :]).split("(")[0].strip() or "operator()"
    if "=" in shape:
        shape = shape[: shape.index("=")]
        return next((t for t in reversed(shape) if re.match(r"[A-Za-z_]", t)), "a lambda")
    call = call_in(shape)
    return next((t for t in reversed(shape[:call]) if re.match(r"[A-Za-z_]", t)), "a block without a name")


def closing(tokens: list[Token], opened: int) -> int:
    """Where the brace closes that opens at this token."""
    depth = 0
    for i in range(opened, len(tokens)):
        if tokens[i].kind == "other":
            depth += {"{": 1, "}": -1}.get(tokens[i].text, 0)
            if depth == 0:
                return i
    raise ValueError(f"line {tokens[opened].line}: the brace that opens here does not close")


def functions_of(text: str) -> list[Function]:
    """The blocks of code of a source that no other block of code contains: its functions, and its few other ones."""
    tokens = without_directives(tokens_of(text))
    found, head, at = [], [], 0
    while at < len(tokens):
        token = tokens[at]
        depth = sum({"(": 1, ")": -1}.get(t.text, 0) for t in head) if token.text in "{;" else 0
        if token.text == "{" and depth == 0 and opens_scope(head):
            head = []
        elif token.text == "{":
            end = closing(tokens, at)
            if any(t.text == ";" for t in tokens[at:end]):
                found.append(Function(name_in(head), (head or [token])[0].line, tokens[end].line))
                head = head if depth else []
            elif tokens[end + 1 : end + 2] and tokens[end + 1].text in GOES_ON:
                head = [*head, token, tokens[end]]
            else:
                head = head if depth else []
            at = end
        elif token.text == "}" or (token.text == ";" and depth == 0):
            head = []
        elif token.text == ":" and len(head) == 1 and head[0].text in ("public", "protected", "private"):
            head = []
        else:
            head.append(token)
        at += 1
    return found


def sources(root: pathlib.Path) -> list[pathlib.Path]:
    files = (f for folder in FOLDERS for f in (root / folder).rglob("*") if f.suffix in SUFFIXES)
    return sorted(f for f in files if not any(part.startswith("build") for part in f.relative_to(root).parts))


def listed(root: pathlib.Path) -> dict[tuple[str, str], str]:
    """The exceptions: lines `path: function: reason`."""
    path = root / "tests/style/long_functions.txt"
    reasons = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.strip() and not line.startswith("#"):
            file, function, reason = (part.strip() for part in (line + "::").split(":", 2))
            reasons[file, function] = reason.rstrip(":").strip()
    return reasons


def check(root: pathlib.Path) -> tuple[list[str], int, int]:
    """Problems, the number of functions, and the lines of the longest."""
    reasons, used = listed(root), set()
    problems, count, longest = [], 0, 0
    for path in sources(root):
        name = str(path.relative_to(root))
        try:
            functions = functions_of(path.read_text())
        except ValueError as error:
            problems.append(f"{name}: {error}")
            continue
        for function in functions:
            count += 1
            longest = max(longest, function.lines)
            if function.lines > MOST_LINES:
                used.add((name, function.name))
                if not reasons.get((name, function.name)):
                    problems.append(
                        f"{name}:{function.first}: {function.name} has {function.lines} lines, {MOST_LINES} at most: "
                        f"cut it where a reader would"
                    )
    for file, function in sorted(set(reasons) - used):
        problems.append(f"tests/style/long_functions.txt: {file} has no function {function} with more than {MOST_LINES} lines")
    return problems, count, longest


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] == ["--over"]:
        root = pathlib.Path(__file__).parents[2].resolve()
        every = [(f.lines, str(p.relative_to(root)), f) for p in sources(root) for f in functions_of(p.read_text())]
        for lines, name, function in sorted((e for e in every if e[0] > int(arguments[1])), key=lambda e: (-e[0], e[1])):
            print(f"{lines:4} {name}:{function.first} {function.name}")
        return 0
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[2]).resolve()
    problems, count, longest = check(root)
    for problem in problems:
        print(problem)
    print(f"{count} functions, the longest with {longest} lines, {len(problems)} problems")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
