// SPDX-License-Identifier: Apache-2.0
// Source lines of instructions, from the program's own .debug_line (DWARF 2 to 5). They are read when an error is
// reported.
#include "lines.hpp"

#include <cstring>
#include <utility>
#include <vector>

namespace cosmati_sim {
namespace {

/// Reads little-endian numbers. Past the end it returns zeros and sets a flag.
class reader {
 public:
  reader(char const* p, std::size_t n) : p_(p), end_(p + n) {}

  bool ok() const { return ok_; }
  bool more() const { return ok_ && p_ < end_; }
  char const* at() const { return p_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - p_); }
  void skip(std::uint64_t n) {
    if (n > left()) {
      ok_ = false;
      p_ = end_;
    } else {
      p_ += n;
    }
  }
  std::uint64_t number(unsigned bytes) {
    if (bytes > left()) {
      skip(bytes);
      return 0;
    }
    std::uint64_t v = 0;
    std::memcpy(&v, p_, bytes);
    p_ += bytes;
    return v;
  }
  std::uint64_t uleb() {
    std::uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
      std::uint64_t const byte = number(1);
      if (shift < 64) v |= (byte & 127) << shift;
      if ((byte & 128) == 0) return v;
    }
  }
  std::int64_t sleb() {
    std::uint64_t v = 0;
    unsigned shift = 0;
    std::uint64_t byte = 0;
    do {
      byte = number(1);
      if (shift < 64) v |= (byte & 127) << shift;
      shift += 7;
    } while ((byte & 128) != 0);
    if (shift < 64 && (byte & 64) != 0) v |= ~0ull << shift;
    return static_cast<std::int64_t>(v);
  }
  char const* text() {
    char const* const begin = p_;
    void const* const zero = std::memchr(p_, 0, left());
    skip(zero == nullptr ? left() + 1 : static_cast<std::size_t>(static_cast<char const*>(zero) - begin) + 1);
    return zero == nullptr ? "" : begin;
  }

 private:
  char const* p_;
  char const* end_;
  bool ok_ = true;
};

enum form : unsigned {
  form_block2 = 0x03,
  form_data2 = 0x05,
  form_data4 = 0x06,
  form_data8 = 0x07,
  form_string = 0x08,
  form_block = 0x09,
  form_block1 = 0x0a,
  form_data1 = 0x0b,
  form_strp = 0x0e,
  form_udata = 0x0f,
  form_data16 = 0x1e,
  form_line_strp = 0x1f
};

/// The line program of one compilation unit.
class unit {
 public:
  unit(reader body, bool wide, elf_file const& file, std::uint64_t least, bool (*is_meant)(std::string const&))
      : r_(body), offset_bytes_(wide ? 8 : 4), file_(file), least_(least), is_meant_(is_meant) {}

  /// The row that covers `address`, or line 0.
  found_line find(std::uint64_t address) {
    if (!header()) return {};
    return run(address);
  }

 private:
  bool header() {
    version_ = static_cast<unsigned>(r_.number(2));
    if (version_ < 2 || version_ > 5) return false;
    if (version_ >= 5) r_.skip(2);
    std::uint64_t const header_bytes = r_.number(offset_bytes_);
    if (header_bytes > r_.left()) return false;
    char const* const program = r_.at() + header_bytes;
    minimum_ = static_cast<unsigned>(r_.number(1));
    if (version_ >= 4) r_.skip(1);
    r_.skip(1);
    int const base = static_cast<int>(r_.number(1));
    line_base_ = base < 128 ? base : base - 256;
    line_range_ = static_cast<unsigned>(r_.number(1));
    opcode_base_ = static_cast<unsigned>(r_.number(1));
    if (line_range_ == 0 || opcode_base_ == 0) return false;
    lengths_.assign(opcode_base_, 0);
    for (unsigned i = 1; i < opcode_base_; ++i) lengths_[i] = static_cast<unsigned>(r_.number(1));
    if (version_ >= 5) {
      entries(folders_);
      entries(files_);
    } else {
      folders_.push_back({"", 0});
      for (;;) {
        char const* const name = r_.text();
        if (*name == 0 || !r_.ok()) break;
        folders_.push_back({name, 0});
      }
      files_.push_back({"", 0});  // files count from 1
      for (;;) {
        char const* const name = r_.text();
        if (*name == 0 || !r_.ok()) break;
        files_.push_back({name, r_.uleb()});
        for (int i = 0; i < 2; ++i) r_.uleb();
      }
    }
    if (!r_.ok() || r_.at() > program) return false;
    r_.skip(static_cast<std::uint64_t>(program - r_.at()));
    return true;
  }

  /// A name, with the number of its folder.
  struct entry {
    char const* name;
    std::uint64_t folder;
  };
  void entries(std::vector<entry>& list) {
    unsigned const formats = static_cast<unsigned>(r_.number(1));
    std::vector<std::pair<std::uint64_t, std::uint64_t>> format(formats);
    for (auto& f : format) f = {r_.uleb(), r_.uleb()};
    std::uint64_t const count = r_.uleb();
    for (std::uint64_t i = 0; i < count && r_.ok(); ++i) {
      entry e = {"", 0};
      for (auto const& [content, shape] : format) {
        attribute const a = value(static_cast<unsigned>(shape));
        if (content == 1 && a.text != nullptr) e.name = a.text;  // DW_LNCT_path
        if (content == 2) e.folder = a.number;                   // DW_LNCT_directory_index
      }
      list.push_back(e);
    }
  }
  /// The name with its folder, unless that is the folder in which the compiler ran.
  std::string file_name(std::uint64_t number) const {
    if (number >= files_.size()) return {};
    entry const& e = files_[number];
    if (e.name[0] == '/' || e.folder == 0 || e.folder >= folders_.size()) return e.name;
    return std::string(folders_[e.folder].name) + "/" + e.name;
  }

  struct attribute {
    char const* text = nullptr;
    std::uint64_t number = 0;
  };
  attribute value(unsigned shape) {
    switch (shape) {
      case form_string:
        return {r_.text(), 0};
      case form_line_strp:
        return {from(".debug_line_str", r_.number(offset_bytes_)), 0};
      case form_strp:
        return {from(".debug_str", r_.number(offset_bytes_)), 0};
      case form_udata:
        return {nullptr, r_.uleb()};
      case form_data1:
        return {nullptr, r_.number(1)};
      case form_data2:
        return {nullptr, r_.number(2)};
      case form_data4:
        return {nullptr, r_.number(4)};
      case form_data8:
        return {nullptr, r_.number(8)};
      case form_data16:
        r_.skip(16);
        return {};
      case form_block:
        r_.skip(r_.uleb());
        return {};
      case form_block1:
        r_.skip(r_.number(1));
        return {};
      case form_block2:
        r_.skip(r_.number(2));
        return {};
      default:
        r_.skip(~0ull);
        return {};
    }
  }

  char const* from(char const* section, std::uint64_t offset) const {
    elf_file::section const s = file_.find(section);
    return offset < s.size ? s.bytes + offset : "";
  }

  /// The line table's registers (DWARF 6.2.2), and the last row.
  struct row {
    std::uint64_t address = 0, file = 1;
    std::int64_t line = 1;
  };

  found_line run(std::uint64_t wanted) {
    search s{*this, wanted, std::vector<signed char>(is_meant_ != nullptr ? files_.size() : 0, -1)};
    while (r_.more()) {
      unsigned const op = static_cast<unsigned>(r_.number(1));
      bool const found = op >= opcode_base_ ? special(s, op - opcode_base_) : op == 0 ? extended(s) : standard(s, op);
      if (found) return s.result;
    }
    return s.result;
  }

  /// Which row holds the wanted address: the row before it says the line of the code that begins there.
  struct search {
    unit& of;
    std::uint64_t wanted;
    std::vector<signed char> meant;  ///< by file: whether it is one that the reader knows; -1: not yet asked
    row now = {}, before = {};
    bool open = false;  ///< `before` is of the sequence that is read
    std::uint64_t latest_file = 0;
    std::int64_t latest = 0;  ///< the last line of a file that the reader knows, or 0
    found_line result = {};

    bool is_meant(std::uint64_t number) {
      if (of.is_meant_ == nullptr || number >= meant.size()) return of.is_meant_ == nullptr;
      if (meant[number] < 0) meant[number] = of.is_meant_(of.file_name(number)) ? 1 : 0;
      return meant[number] == 1;
    }
    /// A row is complete. Returns whether the wanted address lies before it. @param last of a sequence
    bool emit(bool last) {
      // Code that compilers have merged has line 0: what stands before it is near enough.
      if (open && before.line > 0 && before.address >= of.least_ && is_meant(before.file)) {
        latest = before.line;
        latest_file = before.file;
      }
      if (open && before.address <= wanted && wanted < now.address && latest != 0) {
        result = {of.file_name(latest_file), static_cast<int>(latest)};
        return true;
      }
      if (last) latest = 0;
      before = now;
      open = !last;
      return false;
    }
  };

  /// An opcode that advances address and line at once. This one and the two below return whether the line is found.
  bool special(search& s, unsigned by) {
    s.now.address += by / line_range_ * minimum_;
    s.now.line += line_base_ + static_cast<int>(by % line_range_);
    return s.emit(false);
  }
  bool extended(search& s) {
    std::uint64_t const bytes = r_.uleb();
    char const* const next = r_.at() + (bytes <= r_.left() ? bytes : r_.left());
    unsigned const op = static_cast<unsigned>(r_.number(1));
    if (op == 1) {
      if (s.emit(true)) return true;
      s.now = {};
    } else if (op == 2) {
      s.now.address = r_.number(static_cast<unsigned>(bytes - 1 <= 8 ? bytes - 1 : 8));
    }
    if (next > r_.at()) r_.skip(static_cast<std::uint64_t>(next - r_.at()));
    return false;
  }
  bool standard(search& s, unsigned op) {
    switch (op) {
      case 1:
        return s.emit(false);
      case 2:
        s.now.address += r_.uleb() * minimum_;
        break;
      case 3:
        s.now.line += r_.sleb();
        break;
      case 4:
        s.now.file = r_.uleb();
        break;
      case 8:
        s.now.address += (255 - opcode_base_) / line_range_ * minimum_;
        break;
      case 9:
        s.now.address += r_.number(2);
        break;
      default:
        for (unsigned i = 0; i < lengths_[op]; ++i) r_.uleb();
    }
    return false;
  }

  reader r_;
  unsigned offset_bytes_;
  elf_file const& file_;
  std::uint64_t least_;
  bool (*is_meant_)(std::string const&);
  unsigned version_ = 0, minimum_ = 1, line_range_ = 1, opcode_base_ = 1;
  int line_base_ = 0;
  std::vector<unsigned> lengths_;
  std::vector<entry> folders_, files_;
};

}  // namespace

found_line find_line(elf_file const& file, std::uint64_t address, std::uint64_t least,
                     bool (*is_meant)(std::string const&)) {
  elf_file::section const lines = file.find(".debug_line");
  reader r(lines.bytes, lines.size);
  while (r.more()) {
    std::uint64_t bytes = r.number(4);
    bool const wide = bytes == 0xffffffff;
    if (wide) bytes = r.number(8);
    if (!r.ok() || bytes > r.left()) break;
    found_line const found = unit(reader(r.at(), bytes), wide, file, least, is_meant).find(address);
    if (found.line != 0) return found;  // NOLINT(performance-no-automatic-move)
    r.skip(bytes);
  }
  return {};
}

}  // namespace cosmati_sim
