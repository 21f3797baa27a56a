// SPDX-License-Identifier: Apache-2.0
#include "npy.hpp"

#include "whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace cosmati::cli {

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

struct npy_type {
  char kind;
  int bytes;
  number_type type;
};
constexpr npy_type npy_types[] = {
    {'b', 1, number_type::boolean},         {'i', 1, number_type::int8},
    {'i', 2, number_type::int16},           {'i', 4, number_type::int32},
    {'i', 8, number_type::int64},           {'u', 1, number_type::uint8},
    {'u', 2, number_type::uint16},          {'u', 4, number_type::uint32},
    {'u', 8, number_type::uint64},          {'f', 2, number_type::half},
    {'f', 4, number_type::float32},         {'f', 8, number_type::float64},
    {'c', 8, number_type::complex_float32}, {'c', 16, number_type::complex_float64},
};

[[noreturn]] void refused(std::string const& path, std::string const& doing) {
  throw npy_error(false, fmt::format("{}: {}: {}", path, doing, std::strerror(errno)));
}

/// A file descriptor that is closed at the end.
struct descriptor {
  int number = -1;
  explicit descriptor(int n) : number(n) {}
  ~descriptor() {
    if (number >= 0) ::close(number);
  }
  descriptor(descriptor const&) = delete;
  descriptor& operator=(descriptor const&) = delete;
};

/// A file that is read from front to back.
struct source {
  std::string const& path;
  descriptor file;
  std::uint64_t at = 0;      ///< bytes read so far
  std::int64_t length = -1;  ///< the length of a regular file

  explicit source(std::string const& p) : path(p), file(::open(p.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file.number < 0) refused(path, "cannot be opened");
    struct stat status = {};
    if (::fstat(file.number, &status) != 0) refused(path, "cannot be examined");
    if (S_ISDIR(status.st_mode)) throw npy_error(false, fmt::format("{}: is a directory, not a .npy file", path));
    if (S_ISREG(status.st_mode)) length = status.st_size;
  }
  [[noreturn]] void wrong(std::uint64_t byte, std::string const& why) const {
    throw npy_error(true, fmt::format("{}: byte {}: {}", path, byte, why));
  }
  /// Reads up to `count` bytes. It returns fewer only at the end of the file.
  std::size_t some(void* to, std::size_t count) {
    std::size_t done = 0;
    while (done < count) {
      ssize_t const n =
          ::read(file.number, static_cast<char*>(to) + done, std::min<std::size_t>(count - done, 1 << 30));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) refused(path, "cannot be read");
      if (n == 0) break;
      done += static_cast<std::size_t>(n);
    }
    at += done;
    return done;
  }
  void exactly(void* to, std::size_t count, char const* what) {
    std::uint64_t const from = at;
    std::size_t const n = some(to, count);
    if (n != count)
      wrong(from + n, fmt::format("the file ends in {}, which has {} bytes from byte {}", what, count, from));
  }
};

/// Reads the Python dictionary in the head, `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
struct head_reader {
  source& file;
  std::string_view text;
  std::uint64_t first;  ///< the position in the file of the text's first byte
  std::size_t at = 0;

  [[noreturn]] void wrong(std::size_t place, std::string const& why) const { file.wrong(first + place, why); }
  [[noreturn]] void expected(std::string const& what) const {
    wrong(at, at < text.size() ? fmt::format("expected {}, but found '{}'", what, text.substr(at, 12))
                               : fmt::format("expected {}, but the head ends here", what));
  }
  char peek() {
    while (at < text.size() && std::strchr(" \t\r\n", text[at]) != nullptr) ++at;
    return at < text.size() ? text[at] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || at == text.size()) return false;
    ++at;
    return true;
  }
  void expect(char c, char const* what) {
    if (!accept(c)) expected(what);
  }
  std::string string() {
    char const quote = peek();
    if (quote != '\'' && quote != '"') expected("a quoted text");
    std::size_t const begin = ++at;
    std::size_t const end = text.find(quote, begin);
    if (end == std::string_view::npos) wrong(begin - 1, "this quotation does not end");
    at = end + 1;
    return std::string(text.substr(begin, end - begin));
  }
  bool boolean() {
    peek();
    for (std::string_view const word : {"True", "False"}) {
      if (text.substr(at, word.size()) != word) continue;
      at += word.size();
      return word == "True";
    }
    expected("True or False");
  }
  std::int64_t extent() {
    peek();
    std::size_t const begin = at;
    std::int64_t value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{text[at] - '0'}, &value)) {
        wrong(begin, "this extent does not fit 64 bits");
      }
    }
    if (at == begin) expected("an extent, an integer from 0");
    if (at < text.size() && text[at] == 'L') ++at;  // Python 2 wrote this
    return value;
  }
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> out;
    expect('(', "the shape, as in (3, 4)");
    while (peek() != ')') {
      out.push_back(extent());
      if (peek() != ')') expect(',', "',' or ')'");
    }
    ++at;
    return out;
  }
};

void read_type(head_reader& in, npy_head& head) {
  if (in.peek() == '[') in.wrong(in.at, "a structured type: give an array of numbers");
  std::size_t const place = in.at;
  head.descr = in.string();
  std::string_view name = head.descr;
  if (!name.empty() && std::strchr("<>|=", name[0]) != nullptr) name.remove_prefix(1);
  for (npy_type const& t : npy_types) {
    if (name == fmt::format("{}{}", t.kind, t.bytes)) {
      head.type = t.type;
      head.value_bytes = t.bytes;
      return;
    }
  }
  in.wrong(place, fmt::format("the type is '{}'; known are b1, i1 i2 i4 i8, u1 u2 u4 u8, f2 f4 f8, c8 c16, behind '<', "
                              "'>' or '|'",
                              head.descr));
}

void read_head(source& file, npy_head& head) {
  unsigned char start[8];
  std::size_t const n = file.some(start, sizeof start);
  if (n < magic.size() || std::memcmp(start, magic.data(), magic.size()) != 0) {
    file.wrong(0, "this is no .npy file: one begins with \\x93NUMPY");
  }
  if (n < sizeof start) file.wrong(n, "the file ends in the version of its format");
  if (start[6] < 1 || start[6] > 3 || start[7] != 0) {
    file.wrong(6, fmt::format("the format's version is {}.{}; known are 1.0, 2.0 and 3.0", start[6], start[7]));
  }
  unsigned char field[4] = {};
  file.exactly(field, start[6] == 1 ? 2 : 4, "the length of its head");
  std::uint32_t const length = field[0] | field[1] << 8 | field[2] << 16 | std::uint32_t{field[3]} << 24;
  if (length > 1 << 20) file.wrong(8, fmt::format("the head is said to have {} bytes, the most is 1048576", length));
  std::uint64_t const first = file.at;
  std::string text(length, '\0');
  file.exactly(text.data(), length, "its head");

  head_reader in{file, text, first};
  in.expect('{', "'{'");
  bool have_type = false, have_order = false, have_shape = false;
  while (in.peek() != '}') {
    std::size_t const place = in.at;
    std::string const key = in.string();
    in.expect(':', "':'");
    bool* const have = key == "descr"           ? &have_type
                       : key == "fortran_order" ? &have_order
                       : key == "shape"         ? &have_shape
                                                : nullptr;
    if (have == nullptr) in.wrong(place, fmt::format("the key '{}' is none of descr, fortran_order, shape", key));
    if (*have) in.wrong(place, fmt::format("the key '{}' comes twice", key));
    *have = true;
    if (have == &have_type) read_type(in, head);
    if (have == &have_order) head.fortran_order = in.boolean();
    if (have == &have_shape) head.shape = in.shape();
    if (in.peek() != '}') in.expect(',', "',' or '}'");
  }
  for (auto const& [have, key] :
       {std::pair{have_type, "descr"}, {have_order, "fortran_order"}, {have_shape, "shape"}}) {
    if (!have) in.wrong(in.at, fmt::format("the head has no '{}'", key));
  }
  ++in.at;
  if (in.peek() != '\0') in.expected("only blanks behind '}'");
}

/// The number of bytes that the head promises. As in numpy, the extents that are not 0 are multiplied too.
std::size_t bytes_of(source const& file, npy_head const& head) {
  std::int64_t bytes = head.value_bytes;
  for (std::int64_t const extent : head.shape) {
    if (extent != 0 && __builtin_mul_overflow(bytes, extent, &bytes)) {
      file.wrong(file.at, "the shape has more bytes than 64 bits can count");
    }
  }
  return head.bytes();
}

}  // namespace

npy_array read_npy(std::string const& path) {
  source file(path);
  npy_array array;
  read_head(file, array);
  std::size_t const wanted = bytes_of(file, array);
  std::uint64_t const first = file.at;
  auto const too_short = [&](std::uint64_t end) {
    file.wrong(end, fmt::format("the file ends here, but its {} elements of {} bytes end at byte {}", array.count(),
                                array.value_bytes, first + wanted));
  };
  if (file.length >= 0 && static_cast<std::uint64_t>(file.length) < first + wanted) {
    too_short(static_cast<std::uint64_t>(file.length));
  }
  // From a pipe, memory grows with the data that arrive.
  constexpr std::size_t piece = std::size_t{1} << 26;
  while (array.data.size() < wanted) {
    std::size_t const have = array.data.size();
    std::size_t const next = file.length >= 0 ? wanted : std::min(wanted, have + piece);
    array.data.resize(next);
    if (file.some(array.data.data() + have, next - have) != next - have) too_short(file.at);
  }
  char more = 0;
  if (file.some(&more, 1) != 0) {
    file.wrong(first + wanted, fmt::format("the {} elements of {} bytes end here, but the file goes on", array.count(),
                                           array.value_bytes));
  }
  return array;
}

namespace {

std::string head_text(npy_head const& head) {
  std::string shape;
  for (std::int64_t const extent : head.shape) shape += fmt::format("{}{}", shape.empty() ? "" : ", ", extent);
  if (head.shape.size() == 1) shape += ',';
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", head.descr,
                                       head.fortran_order ? "True" : "False", shape);
  // The data begins at a multiple of 64.
  dictionary.append(63 - (magic.size() + 4 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string text(magic);
  text += {'\1', '\0', static_cast<char>(dictionary.size() & 255), static_cast<char>(dictionary.size() >> 8)};
  return text + dictionary;
}

}  // namespace

void write_npy(std::string const& path, npy_head const& head, std::vector<std::byte> const& data) {
  std::string const text = head_text(head);
  whole_file out(path);
  out.write(text.data(), text.size());
  out.write(data.data(), data.size());
  out.keep();
}

}  // namespace cosmati::cli
