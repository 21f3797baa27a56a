# SPDX-License-Identifier: Apache-2.0
"""What the page of a function has beside its section: its parameters with types, as Doxygen reads them of the headers, its neighbours, and
the functions that belong to it."""
import collections
import re
import shlex

# Not what a program calls: results that stand for a mistake, layouts of the command line, the algebra behind the types.
VALUE = re.compile(r"(unsigned |std::)?(int|bool|size_t|unsigned|auto|int32_t)\b")
ANY = ("class", "typename", "class...", "typename...")
INNER_TYPES = re.compile(r"\brefused\b|mistake_in|::says\b|_check<")


def spelled(type_: str) -> str:
    """`Layout< S, D > const &` as the project writes it."""
    text = re.sub(r"\s+", " ", type_).strip()
    text = re.sub(r"<\s+", "<", text)
    text = re.sub(r"\s+>", ">", text)
    return re.sub(r"\s+(&&?|\*)", r"\1", text)


def arguments(text: str) -> list[str]:
    """Of a call, up to its closing parenthesis: what commas of the outermost level part."""
    found, depth, at = [""], 0, 0
    for at, c in enumerate(text):
        depth += c in "([{<"
        depth -= c in ")]}>"
        if depth < 0:
            break
        if c == "," and depth == 0:
            found.append("")
        else:
            found[-1] += c
    return [a.strip() for a in found if a.strip()]


class Call:
    """`name(arguments)` of a page's signature; `object.name(arguments)` is of a member."""

    def __init__(self, before: str, name: str, text: str):
        self.name, self.is_member, self.arguments = name, before in (".", "->"), arguments(text)

    def names(self) -> list[str]:
        """Of its arguments, "" where one is no name."""
        return [a[:-3] if a.endswith("...") else a if a.isidentifier() else "" for a in self.arguments]


def calls(section: str) -> list[Call]:
    """What the section's signature calls."""
    signature = re.search(r"```c\+\+\n(.*?)```", section, re.DOTALL)
    text = re.sub(r"//.*", "", signature[1]) if signature else ""
    return [Call(m[1] or "", m[2], text[m.end():]) for m in re.finditer(r"(\.|->|::)?\b(\w+)\s*(?:<[^()]*>)?\s*[({]", text) if not m[2].startswith("Layout")]


def text_of(element) -> str:
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def typed(type_: str, concepts: dict[str, str]) -> str:
    """A type, with what its template parameter must be."""
    bare = re.sub(r"\W*(const)?[&*\s.]*$", "", type_)
    kind = spelled(concepts.get(bare, "class"))
    return type_ if kind in ANY or "detail::" in kind else f"{type_}, {bare}: {kind}"


def template_parameters(element) -> list[tuple[str, str]]:
    """(name, what it may be: `int...`, a concept, `class`)."""
    found = []
    for p in element.findall("templateparamlist/param"):
        kind, name = text_of(p.find("type")), p.findtext("declname") or ""
        if not name:  # `class S` is all in the type
            kind, _, name = kind.rpartition(" ")
        found.append((name, kind))
    return found


class Declarations:
    """Of all public functions and classes."""

    def __init__(self, compounds: list, without_arguments, header_of):
        self.free: dict[str, list] = collections.defaultdict(list)
        self.members: dict[str, list] = collections.defaultdict(list)
        self.classes: dict[str, object] = {}
        for compound in compounds:
            kind, full = compound.get("kind"), without_arguments(compound.findtext("compoundname"))
            parts = full.split("::")
            if parts[0] != "cosmati" or "detail" in parts or parts[-1] == "refused":
                continue
            if kind in ("class", "struct"):
                self.classes.setdefault(parts[-1], compound)
            for member in compound.iter("memberdef"):
                if member.get("kind") != "function" or header_of(member).endswith("refused_calls.hpp"):
                    continue
                says = text_of(member.find("type")) + text_of(member.find("argsstring"))
                if INNER_TYPES.search(spelled(says)) and not self.names_its_parameters(member):
                    continue
                if parts == ["cosmati"]:
                    self.free[member.findtext("name")].append(member)
                elif kind in ("class", "struct") and member.get("prot") == "public":
                    self.members[member.findtext("name")].append(member)

    @staticmethod
    def names_its_parameters(member) -> bool:
        """The twin of a function that says what is wrong has the names that the function leaves out."""
        return "refused" not in text_of(member.find("type")) and all("refused" not in text_of(p.find("type")) for p in member.findall("param")) \
            and all(p.findtext("declname") for p in member.findall("param"))

    def of(self, name: str, is_member: bool) -> list:
        first, second = (self.members, self.free) if is_member else (self.free, self.members)
        own = self.classes.get(name)
        constructors = [m for m in own.iter("memberdef") if m.findtext("name") == name] if own is not None else []
        return first.get(name) or constructors or second.get(name) or []

    def matching(self, name: str, of_page: list[Call]) -> list[tuple[object, list[str]]]:
        """The declarations that the page's calls of a name may mean, each with the names that the page gives to its parameters."""
        found = []
        for member in self.of(name, of_page[0].is_member):
            given = [p for p in member.findall("param") if text_of(p.find("type")) != "void"]
            least = sum(p.find("defval") is None and "..." not in text_of(p.find("type")) for p in given)
            fits = [c for c in of_page if least <= len(c.arguments) <= len(given)]
            if fits:
                own = {p.findtext("declname") for p in given}
                names = max(fits, key=lambda c: (len(own & set(c.names())), len(c.arguments))).names()
                found.append((member, names + [""] * (len(given) - len(names))))
        return found or [(member, [""] * 99) for member in self.of(name, of_page[0].is_member)]

    def parameters(self, section: str, title: str) -> list[tuple[str, str, list[str], str]]:
        """(function, name, types, what it is) of all calls of a section, each name of a function once."""
        found: dict[tuple[str, str], tuple[list[str], list[str]]] = {}

        def note(function: str, name: str, type_: str, words: str) -> None:
            types, said = found.setdefault((function, name), ([], []))
            types += [type_] if type_ and type_ not in types else []
            said += [words] if words and words not in said else []

        by_name: dict[str, list[Call]] = collections.defaultdict(list)
        for call in calls(section):
            by_name[call.name].append(call)
        for function, of_page in by_name.items():
            for member, names in self.matching(function, of_page):
                words = {text_of(n): text_of(item.find("parameterdescription")) for item in member.iter("parameteritem") for n in item.iter("parametername")}
                concepts = dict(template_parameters(member))
                for n, kind in concepts.items():
                    if n and n not in ("dependent", "Dependent") and VALUE.match(kind):
                        note(function, f"<{n}>", spelled(kind), words.get(n, ""))
                given = [p for p in member.findall("param") if text_of(p.find("type")) != "void"]
                for p, of_call in zip(given, names):
                    declared = p.findtext("declname") or ""
                    name = of_call or declared
                    if name and name != "...":
                        note(function, name, typed(spelled(text_of(p.find("type"))), concepts), words.get(declared, ""))
        own = self.classes.get(title)
        if not found and own is not None:
            for n, kind in template_parameters(own):
                note(title, f"<{n}>", "a type" if kind in ANY else spelled(kind), "")
        return [(function, name, sorted(types, key=lambda t: "Any" in t), "; ".join(said)) for (function, name), (types, said) in found.items()]

    def table(self, section: str, title: str) -> str:
        """The parameters as Markdown."""
        rows = self.parameters(section, title)
        if not rows:
            return "**Parameters.** None."
        several = len({function for function, *_ in rows}) > 1
        lines = ["**Parameters**, as the headers declare them:", "", ("| of " if several else "") + "| parameter | type | |", "|---" * (4 if several else 3) + "|"]
        for function, name, types, words in rows:
            cells = [f"`{function}`"] if several else []
            cells += [f"`{name}`", " or ".join(f"`{t}`" for t in types), words]
            lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
        return "\n".join(lines)


def related(name: str, texts: dict[str, str], most: int = 8) -> list[str]:
    """The functions that belong to one: those that its section names, then those whose sections name it in words."""
    def words(text: str) -> collections.Counter:
        prose = " ".join(re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)))
        code = " ".join(re.findall(r"^```.*?^```$", text, re.MULTILINE | re.DOTALL))
        count = collections.Counter({w: 3 for w in re.findall(r"\w+", prose)})
        count.update(set(re.findall(r"\b(\w+)(?=[(<])", code)))
        return count

    own = words(texts[name])
    scores = {other: own[other] for other in texts if other != name and own[other] > 0}
    for other, text in texts.items():
        if other != name and words(text)[name] >= 3:
            scores[other] = scores.get(other, 0) + 2
    for common in ("print", "shape", "stride", "size", "get", "make_shape", "make_layout", "make_coord"):  # in most examples, and seldom what one looks for
        if scores.get(common, 9) <= 1:
            scores.pop(common, None)
    order = list(texts)
    return sorted(scores, key=lambda other: (-scores[other], abs(order.index(other) - order.index(name))))[:most]


# Example and picture
# ----------------------------------------------------------------------------------------------------------------------


def as_text(code: str) -> str:
    """Layouts, shapes and tiles of C++ in the command's words: `Layout<Shape<_8, _4>, Stride<_4, _1>>` is `(8,4):(4,1)`."""
    text = re.sub(r"\s+", "", code)
    text = re.sub(r"\bInt<(\d+)>|\b_(\d+)\b", lambda m: m[1] or m[2], text)
    text = re.sub(r"\bmake_(?:shape|stride|coord)\(", "Shape(", text).replace("{}", "")
    while True:
        shorter = re.sub(r"\b(?:Shape|Stride|Tile|Coord)<((?:[^<>]|<[^<>]*>)*?)>", r"(\1)", text)
        shorter = re.sub(r"\bLayout<((?:[^<>,()]|\((?:[^()]|\([^()]*\))*\))+)(?:,((?:[^<>,()]|\((?:[^()]|\([^()]*\))*\))+))?>",
                         lambda m: m[1] + (f":{m[2]}" if m[2] else ""), shorter)
        if shorter == text:
            return text
        text = shorter


LITERAL = re.compile(r"\((?:[^()a-zA-Z_]|\((?:[^()a-zA-Z_]|\([^()a-zA-Z_]*\))*\))*\)(?::(?:\d+|\((?:[^()a-zA-Z_]|\([^()]*\))*\)))?")


def unwrapped(text: str) -> str:
    """Without the parentheses of a call's arguments around one layout."""
    inner = text[1:-1]
    return inner if re.fullmatch(r"\([^a-zA-Z]*\)(:.*)?", inner) and text.startswith("((") and text.endswith(")") and balanced(inner) else text


def balanced(text: str) -> bool:
    """Whether no parenthesis closes before it is opened, and a colon or nothing stands outside."""
    depth = 0
    for c in text:
        depth += (c == "(") - (c == ")")
        if depth < 0 or (depth == 0 and c == ","):
            return False
    return depth == 0


def shown_elsewhere(section: str, arguments: str) -> list[str]:
    """The layouts of a picture's arguments that the section's example does not have."""
    example = "".join(re.findall(r"^```(?:cpp|console|text)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))
    said = as_text(example) + re.sub(r"\s+", "", example)
    words = shlex.split(arguments)
    wanted = []
    for before, word in zip(["", *words], words):
        if before in ("--thr", "--val", "--src", "--dst", "--atom-layout", "--permutation") or (not word.startswith("--") and not before.startswith("--")):
            whole = word.replace(" ", "")
            wanted += [whole] if whole in said else [unwrapped(x) for x in LITERAL.findall(whole)] or [whole.partition(":")[0]]
    return [w for w in wanted if w not in said and w.partition(":")[0] not in said]
