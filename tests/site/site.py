#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documentation's site: it is built, its links lead somewhere, nothing is fetched, every public name has a comment
and every public function a page; planted faults are found.  Run by `./test docs`; needs mkdocs, doxygen and the command (COSMATI_BIN)."""
import collections
import html.parser
import os
import pathlib
import shutil
import sys
import tempfile
import unittest
import urllib.parse
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import docs_site  # noqa: E402

OUT = pathlib.Path(os.environ.get("COSMATI_SITE", ROOT / "build/site"))


class Links(html.parser.HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.to, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.to += [given[k] for k in ("href", "src") if given.get(k)]
        self.names |= {given[k] for k in ("id", "name") if given.get(k)}


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        docs_site.build(OUT, api=True)

    def test_links_lead_somewhere(self):
        own = [p for p in OUT.rglob("*.html") if OUT / "api" not in p.parents and p.name not in ("404.html", "explorer-page.html")]
        pages = {p: Links(p.read_text()) for p in own}
        broken = []
        for page, links in pages.items():
            for to in links.to:
                address = urllib.parse.urlsplit(to)
                if address.scheme or to.startswith("//"):
                    continue
                target = page.parent / urllib.parse.unquote(address.path) if address.path else page
                target = pathlib.Path(os.path.normpath(target))
                if not target.exists():
                    broken.append(f"{page.relative_to(OUT)}: {to}")
                elif address.fragment and target in pages and address.fragment not in pages[target].names:
                    broken.append(f"{page.relative_to(OUT)}: {to} names no place")
        self.assertEqual(broken, [])
        self.assertGreater(sum(len(x.to) for x in pages.values()), 2000)

    def test_nothing_is_fetched(self):
        self.assertEqual(docs_site.fetched(OUT), [])

    def test_a_page_a_function(self):
        pages = {p.stem: p.read_text() for p in (OUT / "functions").glob("*.html")}
        row = set("""make_layout composition complement coalesce right_inverse left_inverse logical_divide zipped_divide tiled_divide
                     flat_divide logical_product zipped_product blocked_product raked_product zip group filter tile_to_shape Swizzle
                     local_tile local_partition inner_partition make_tiled_copy make_tiled_copy_A get_slice partition_S retile_S
                     tidfrg_S get_layoutS_TV copy make_tiled_mma partition_A gemm cp_async_fence fold transform_leaf for_each_leaf make_coord_iterator cp_async_stages
                     mbarrier_ring device_buffer cost_trace""".split())
        self.assertLessEqual(row, set(pages))
        for name, page in pages.items():
            with self.subTest(name):
                for part in ("<h1", "<strong>Law.</strong>", "<code"):
                    self.assertIn(part, page)

    def test_pictures_are_pictures(self):
        pictures = sorted((OUT / "pictures").glob("*.svg"))
        self.assertGreater(len(pictures), 10)
        for path in pictures:
            self.assertEqual(xml.parse(path).getroot().tag, "{http://www.w3.org/2000/svg}svg")

    def test_results_are_there(self):
        page = (OUT / "performance.html").read_text()
        for words in ("Compile cost", "Matrix products", "<table>"):
            self.assertIn(words, page)

    def test_the_reference(self):
        self.assertTrue((OUT / "api/index.html").exists())
        names = collections.Counter(p.name.partition("_")[0].partition("cosmati")[0] for p in (OUT / "api").glob("*.html"))
        self.assertGreater(names["struct"] + names["class"], 200)


class Names(unittest.TestCase):
    def test_every_public_name_has_a_comment(self):
        self.assertEqual(docs_site.undocumented([]), [])

    def test_every_public_function_has_a_section(self):
        self.assertEqual(docs_site.without_section([]), [])

    def test_a_function_without_one_is_found(self):
        root = docs_site.ROOT
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "include/cosmati/layout").mkdir(parents=True)
            (folder / "include/cosmati/layout/x.hpp").write_text(
                "#pragma once\nnamespace COSMATI_NAMESPACE {\nint composition(int);\nint composed_anew(int);\nnamespace detail {\nint inner(int);\n}\n}\n")
            shutil.copytree(root / "docs", folder / "docs")
            docs_site.ROOT = folder
            try:
                found = docs_site.without_section([])
            finally:
                docs_site.ROOT = root
        self.assertEqual(found, ["layout/x.hpp: composed_anew"])

    def test_names_without_one_are_found(self):
        text = """// SPDX-License-Identifier: Apache-2.0
#pragma once
#define COSMATI_LOOSE 1
namespace COSMATI_NAMESPACE {
/// Has one.
struct good {
  /// Has one.
  int f() const;

  int bare() const;
  int data_member;
};
/// Heads two.
int first();
int second();

int loose();
/// @name A group
/// @{
struct in_group {};
/// @}
struct loose_type {};
namespace detail {
int hidden();
}
[[noreturn]] void what_is_wrong();
template <class T>
concept loose_concept = true;
}
"""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "include/cosmati/core").mkdir(parents=True)
            (folder / "include/cosmati/core/x.hpp").write_text(text)
            root, docs_site.ROOT = docs_site.ROOT, folder
            try:
                found = docs_site.undocumented([])
            finally:
                docs_site.ROOT = root
        self.assertEqual([f.partition(": ")[2] for f in found],
                         ["COSMATI_LOOSE", "cosmati::good::bare", "cosmati::loose", "cosmati::loose_concept", "cosmati::loose_type"])

    def test_a_link_that_leads_nowhere(self):
        with tempfile.TemporaryDirectory() as name:
            site = docs_site.Site(pathlib.Path(name))
            with self.assertRaisesRegex(SystemExit, "nowhere"):
                site.page("[a](nothing/here.md)", ROOT / "docs/index.md", site.source / "index.md")
            self.assertEqual(site.page("`[a](x.md)`", ROOT / "docs/index.md", site.source / "index.md"), "`[a](x.md)`")


if __name__ == "__main__":
    if not all(map(shutil.which, ("mkdocs", "doxygen"))):
        sys.exit("needs mkdocs and doxygen")
    unittest.main()
