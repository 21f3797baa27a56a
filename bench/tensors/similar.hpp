// SPDX-License-Identifier: Apache-2.0
/// @file
/// Copies like given ones: what the planner chose badly, with other extents.
#pragma once

#include <cosmati/core/error.hpp>
#include <cosmati/kernel/copy/problem.hpp>
#include <fstream>

#include "problems.hpp"

namespace bench {

/// Random copies that resemble those of a file: the same orders of modes, the same gaps or none, half of the extents up
/// to 1.5 times as long or as short, 60 MB to 1.1 GB, nearly as `random_copies`.
class similar_copies {
 public:
  /// @param path of what `--explore` wrote, of which the lines that begin with "problem|" count. Throws where it has
  /// none.
  similar_copies(std::string const& path, unsigned seed) : path_(path), random_(seed) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
      if (line.rfind("problem|", 0) != 0) continue;
      std::size_t const name = line.find('|') + 1, name_end = line.find('|', name), key = line.find("|[", name_end) + 1;
      if (name_end == std::string::npos || key == 0)
        throw cosmati::error("%s: no problem in: %s", path.c_str(), line.c_str());
      try {
        models_.push_back(
            {line.substr(name, name_end - name), "", problem_of(line.substr(key, line.find('|', key) - key))});
      } catch (nlohmann::json::exception const& wrong) {
        throw cosmati::error("%s: %s in: %s", path.c_str(), wrong.what(), line.c_str());
      }
    }
    if (models_.empty()) throw cosmati::error("%s has no line that begins with \"problem|\"", path.c_str());
  }

  /// Throws where none of a million draws has a size that is measured.
  case_of_copy next() {
    for (int draw = 0; draw < 1000000; ++draw) {
      case_of_copy const& model = models_[below(static_cast<unsigned>(models_.size()))];
      case_of_copy one = model;
      copy_problem& p = one.problem;
      double size = p.element_bytes;
      for (int m = 0; m < p.rank; ++m) {
        std::int64_t& extent = p.mode[m].extent;
        bool const of_eight = extent % 8 == 0;
        if (below(2) == 0) extent = std::llround(static_cast<double>(extent) * std::exp2(1.17 * uniform() - 0.585));
        if (of_eight && below(4) != 0) extent = (extent + 4) / 8 * 8;
        extent = std::max<std::int64_t>(extent, 2);
        size *= static_cast<double>(extent);
      }
      if (size < 6e7 || size > 1.1e9) continue;
      lay_out(p, model.problem, true);
      lay_out(p, model.problem, false);
      if (span_of(p, true) <= random_copies::largest_span && span_of(p, false) <= random_copies::largest_span)
        return one;
    }
    throw cosmati::error("%s: no copy of 60 MB to 1.1 GB resembles its %zu problems; name larger ones", path_.c_str(),
                         models_.size());
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  double uniform() { return static_cast<double>(random_()) / 4294967296.0; }
  static std::int64_t& stride_of(cosmati::copy_mode& mode, bool source) { return source ? mode.source : mode.target; }
  /// A side's modes behind each other in the model's order, with gaps where it has some: of as many elements or of up
  /// to 16 more, by lines of 128 bytes where all of its gaps are.
  void lay_out(copy_problem& p, copy_problem const& model, bool source) {
    std::vector<int> order;
    for (int m = 0; m < p.rank; ++m)
      if ((source ? model.mode[m].source : model.mode[m].target) > 0) order.push_back(m);
    auto const before = [&](int m) { return source ? model.mode[m].source : model.mode[m].target; };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return before(a) < before(b); });
    std::int64_t const line = std::max(1, 128 / p.element_bytes);
    std::int64_t next = order.empty() ? 1 : before(order[0]), dense = next;
    bool by_lines = true;
    for (int const m : order) {
      by_lines = by_lines && (before(m) == dense || before(m) % line == 0);
      dense = before(m) * model.mode[m].extent;
    }
    dense = next;
    for (int const m : order) {
      if (before(m) != dense) {
        std::int64_t const gap = below(2) == 0 ? std::max<std::int64_t>(1, before(m) - dense) : 1 + below(16),
                           unit = by_lines ? line : 1;
        next = (next + gap + unit - 1) / unit * unit;
      }
      stride_of(p.mode[m], source) = next;
      next *= p.mode[m].extent;
      dense = before(m) * model.mode[m].extent;
    }
  }

  std::string path_;
  std::vector<case_of_copy> models_;
  std::mt19937 random_;
};

}  // namespace bench
