/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled kernels from plain C: a transpose by a plan, a conversion and a gather. Linked with cosmati::kernels. */
#include <cosmati/kernels.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 48, columns = 64 };

/* Ends the program with the library's own words. */
static void must(int status) {
  if (status == 0) return;
  fprintf(stderr, "%s\n", cosmati_last_error());
  exit(1);
}

int main(void) {
  static float host[rows * columns], got[rows * columns];
  static double wide[rows * columns];
  for (int i = 0; i < rows * columns; ++i) host[i] = (float)i;
  void *a, *b, *c;
  must(cosmati_allocate(&a, sizeof host));
  must(cosmati_allocate(&b, sizeof host));
  must(cosmati_allocate(&c, sizeof wide));
  must(cosmati_write(a, host, sizeof host));

  /* Coordinates are (row, column); b has them the other way round in memory. */
  int64_t const extents[] = {rows, columns}, by_rows[] = {columns, 1}, by_columns[] = {1, rows};
  cosmati_tensor const source = {a, cosmati_float32, 2, extents, by_rows};
  cosmati_tensor const target = {b, cosmati_float32, 2, extents, by_columns};
  cosmati_plan* plan;
  must(cosmati_plan_create(&plan, &source, &target, cosmati_estimate, NULL));
  char text[400];
  cosmati_plan_text(plan, text, sizeof text);
  printf("%s\n", text);
  must(cosmati_plan_run(plan, a, b, NULL));
  cosmati_plan_destroy(plan);
  must(cosmati_read(got, b, sizeof got));
  int wrong = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) wrong += got[i + j * rows] != host[i * columns + j];

  /* Elements of other types are converted. */
  cosmati_tensor const doubles = {c, cosmati_float64, 2, extents, by_rows};
  must(cosmati_copy(&source, &doubles, NULL));
  must(cosmati_read(wide, c, sizeof wide));
  for (int i = 0; i < rows * columns; ++i) wrong += wide[i] != host[i];

  /* Three rows of a, by their numbers. */
  int32_t const numbers[] = {40, 0, 17};
  void* index;
  must(cosmati_allocate(&index, sizeof numbers));
  must(cosmati_write(index, numbers, sizeof numbers));
  cosmati_rows const moved = {columns * sizeof(float), rows, 0, 0, 3, sizeof numbers[0], 0};
  must(cosmati_gather(a, index, b, &moved, NULL));
  must(cosmati_read(got, b, 3 * columns * sizeof(float)));
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < columns; ++j) wrong += got[k * columns + j] != host[numbers[k] * columns + j];

  cosmati_free(index);
  cosmati_free(c);
  cosmati_free(b);
  cosmati_free(a);
  printf("%d elements are wrong\n", wrong);
  return wrong != 0;
}
