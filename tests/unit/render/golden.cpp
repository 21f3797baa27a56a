// SPDX-License-Identifier: Apache-2.0
// Every renderer of every kind of picture, byte for byte: tests/golden/render/NAME.{svg,html,typ,tex,txt}.
// COSMATI_UPDATE_GOLDEN=1 writes the files instead; read the difference before you commit it.
// tests/cli/golden_pictures.py checks that they are documents.
#include <gtest/gtest.h>
#include <cosmati/layout/parse.hpp>
#include <cosmati/mma.hpp>
#include <cosmati/render/cost.hpp>
#include <cosmati/render/html.hpp>
#include <cosmati/render/latex.hpp>
#include <cosmati/render/picture.hpp>
#include <cosmati/render/terminal.hpp>
#include <cosmati/render/timeline_svg.hpp>
#include <cosmati/render/typst.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace cosmati;

void compare(std::string const& file, std::string const& found) {
  std::filesystem::path const path = std::filesystem::path(COSMATI_TEST_DATA) / "golden/render" / file;
  if (std::getenv("COSMATI_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << found;
    return;
  }
  std::ifstream in(path);
  ASSERT_TRUE(in) << path << " is not there; COSMATI_UPDATE_GOLDEN=1 writes it";
  std::string const wanted(std::istreambuf_iterator<char>(in), {});
  if (found == wanted) return;
  std::size_t at = 0;
  while (at < found.size() && at < wanted.size() && found[at] == wanted[at]) ++at;
  std::size_t const from = at < 40 ? 0 : at - 40;
  ADD_FAILURE() << file << " differs at byte " << at << ":\n  wanted " << wanted.substr(from, 100) << "\n  found  "
                << found.substr(from, 100);
}

void compare_all(std::string const& name, figure const& f) {
  compare(name + ".svg", to_svg(f));
  if (f.cells() < 40) compare(name + ".html", to_html(f));  // the SVG within a page
  compare(name + ".typ", to_typst(f));
  compare(name + ".tex", to_latex(f));
  compare(name + ".txt", to_terminal(f));
  compare(name + ".color.txt", to_terminal(f, true));
}

TEST(Golden, Layout) { compare_all("layout", picture(make_layout(Shape<_2, _3, _2>{}, Stride<_3, _1, _6>{}))); }
TEST(Golden, SwizzledLayout) {
  compare_all("swizzled", picture(composition(Swizzle<2, 2, 2>{}, Layout<Shape<_4, _16>, Stride<_16, _1>>{}), 32));
}
TEST(Golden, Tensor) {
  float const x[6] = {1, 2.5f, -3, 4, 5, 6};
  compare_all("tensor", picture(make_tensor(&x[0], Layout<Shape<_2, _3>>{})));
}
TEST(Golden, Tv) { compare_all("tv", picture_tv(parse_layout("(4,2):(2,1)"), {4, 2})); }
TEST(Golden, CopyAtom) { compare_all("copy_atom", picture(Copy_Atom<SM75_U32x1_LDSM_N, half_t>{})); }
TEST(Golden, TiledCopy) {
  compare_all("tiled_copy", picture(make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, half_t>{},
                                                    Layout<Shape<_2, _2>>{}, Layout<_4>{})));
}
TEST(Golden, MmaAtom) { compare_all("mma_atom", picture(MMA_Atom<SM80_16x8x8_F32F16F16F32_TN>{})); }
TEST(Golden, TiledMma) {
  compare_all("tiled_mma", picture(make_tiled_mma(UniversalFMA<float>{}, Layout<Shape<_2, _2>>{})));
}
TEST(Golden, Costs) {
  warp_access column, vectors;
  column.active = 0xff;
  for (int l = 0; l < 32; ++l) {
    column.offset[l] = 64 * l;
    vectors.offset[l] = 16 * l + 16;
  }
  compare_all("banks", picture_banks(load_shared(4), column));
  compare_all("sectors", picture_sectors(load_global(16), vectors));
}
TEST(Golden, Timeline) {
  using k = run_event_kind;
  run_timeline t;
  t.why = "first block";
  t.threads = 64;
  std::uint64_t tick = 0;
  auto const add = [&](k kind, std::uint32_t warp, std::uint32_t object, std::uint64_t until,
                       std::uint64_t amount = 0) {
    run_event e;
    e.kind = kind;
    e.warp = warp;
    e.lanes = ~0u;
    e.object = object;
    e.first = e.last = ++tick;
    e.until = until;
    e.amount = amount;
    e.bytes = 512;
    e.file = "kernel.cpp";
    e.line = static_cast<int>(tick);
    t.event.push_back(e);
  };
  add(k::mbarrier_init, 0, 0, 0, 1);
  for (std::uint32_t const w : {0u, 1u}) {
    add(k::cp_async, w, 0, tick + 3, 32);
    add(k::commit, w, 0, 0);
    add(k::wait, w, 0, 0);
    add(k::barrier, w, 0, 10);
  }
  add(k::barrier_done, 0, 0, 0);
  add(k::bulk_load, 0, 0, 14);
  add(k::mbarrier_wait, 1, 0, 15);
  add(k::hazard, 0, 0, 0);
  add(k::landed, 0, 0, 0);
  add(k::phase_done, 0, 0, 0);
  add(k::exit, 0, 0, 0);
  add(k::barrier, 1, 1, 0);
  compare("timeline.svg", to_svg(t));
}

}  // namespace
