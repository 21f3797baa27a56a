#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the explorer together as one file: bundle.py LIBRARY.js OUT.html

The scripts are modules, whose names differ; in the page they stand one behind the other, each behind those that it
imports, in one module: a page from file:// may not import others.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
IMPORT = re.compile(r"^import\s[^;]*?from\s+'\./(\w+\.js)';\n", re.MULTILINE)


def ordered(name: str, done: list[str]) -> list[str]:
    """`name` behind what it imports."""
    for imported in IMPORT.findall((HERE / name).read_text()):
        if imported not in done:
            ordered(imported, done)
    if name not in done:
        done.append(name)
    return done


def script(name: str) -> str:
    text = IMPORT.sub("", (HERE / name).read_text())
    return re.sub(r"^export (?=(?:const|let|class|function|async function) )", "", text, flags=re.MULTILINE)


def function_pages() -> list[str]:
    """The functions of which the documents' site has a page: the sections of docs/functions*.md."""
    names = set()
    for file in (HERE.parent / "docs").glob("functions*.md"):
        names.update(re.findall(r"^## ([A-Za-z_]\w*)$", file.read_text(), flags=re.MULTILINE))
    return sorted(names)


def check_names(names: list[str]) -> None:
    """One module has one place for names."""
    where: dict[str, str] = {}
    for file in names:
        for name in re.findall(r"^(?:const|let|class|function|async function) (\w+)", script(file), flags=re.MULTILINE):
            if name in where:
                sys.exit(f"{file} and {where[name]} both have a '{name}': call one of them something else")
            where[name] = file


def main() -> None:
    library, out = map(pathlib.Path, sys.argv[1:])
    names = ordered("page.js", [])
    check_names(names)
    scripts = "".join(f"// {name}\n{script(name)}" for name in names)
    mark = "/* pages of functions */"
    if mark not in scripts:
        sys.exit(f"no script has the place '{mark}'")
    scripts = scripts.replace(mark, ", ".join(f"'{name}'" for name in function_pages()))
    page = (HERE / "index.html").read_text()
    compiled = library.read_text()
    for text in (scripts, compiled):
        if "</script" in text:
            sys.exit("a script holds '</script', which would end it")
    page = page.replace("<!-- web/build puts style.css, the library and the scripts here, so that the page is one file. -->\n", "")
    page = page.replace("<!-- style -->", f"<style>\n{(HERE / 'style.css').read_text()}</style>")
    page = page.replace("<!-- script -->", f"<script>\n{compiled}</script>\n<script type=\"module\">\n{scripts}</script>")
    if re.search(r"(?:src|href)=[\"']?https?:|url\(|@import", re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)):
        sys.exit("the page refers to something outside itself")
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_suffix(".part")
    part.write_text(page)
    part.replace(out)


if __name__ == "__main__":
    main()
