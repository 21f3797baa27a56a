// SPDX-License-Identifier: Apache-2.0
// A precondition that fails in constant evaluation stops the compiler at the call of `fail`, and the message has the
// numbers of the case: here they are arguments of the class template whose member is computed.
// expect 1: tile<3, 4>|rows=3, columns=4
// expect 2: tile<10, 8>|rows=10, columns=8
// expect: cosmati::fail|fail<int, int>
#include <cosmati/core/error.hpp>

#if COSMATI_FAIL == 0
#define ROWS 8
#define COLUMNS 4
#elif COSMATI_FAIL == 1
#define ROWS 3
#define COLUMNS 4
#elif COSMATI_FAIL == 2
#define ROWS 10
#define COLUMNS 8
#endif

constexpr int check_divides(int rows, int columns) {
  if (rows % columns != 0) cosmati::fail("%d columns do not divide %d rows", columns, rows);
  return rows / columns;
}

template <int rows, int columns>
struct tile {
  static constexpr int parts = check_divides(rows, columns);
};

int main() { return tile<ROWS, COLUMNS>::parts == 2 ? 0 : 1; }
