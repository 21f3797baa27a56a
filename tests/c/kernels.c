/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface of the compiled kernels, each result beside loops on the host. */
#include <cosmati/kernels.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, char const* what, int number) {
  if (holds) return;
  ++failures;
  printf("%s (%d) does not hold; the last error: %s\n", what, number, cosmati_last_error());
}
static void expect_error(int status, char const* part) {
  if (status == 1 && strstr(cosmati_last_error(), part) != NULL) return;
  ++failures;
  printf("status %d, \"%s\"; an error with \"%s\" is expected\n", status, cosmati_last_error(), part);
}

/* Bytes of device memory with this content. */
static void* on_device(void const* content, size_t bytes) {
  void* memory = NULL;
  expect(cosmati_allocate(&memory, bytes) == 0 && cosmati_write(memory, content, bytes) == 0, "there is memory", 0);
  return memory;
}

/* (3,5,7) to the reverse order, elements of every size, by a call, by a plan, and by a measured plan. */
static void permute(void) {
  static unsigned char from[105 * 16], got[105 * 16], wanted[105 * 16];
  int64_t const extents[] = {3, 5, 7}, source[] = {1, 3, 15}, target[] = {35, 7, 1};
  for (int i = 0; i < 105 * 16; ++i) from[i] = (unsigned char)(i * 37 + i / 251);
  for (int bytes = 1; bytes <= 16; bytes *= 2) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 7; ++k)
          memcpy(wanted + (i * 35 + j * 7 + k) * bytes, from + (i + j * 3 + k * 15) * bytes, (size_t)bytes);
    size_t const all = 105 * (size_t)bytes;
    for (int way = 0; way < 3; ++way) {
      memset(got, 0, sizeof got);
      void *a = on_device(from, all), *b = on_device(got, all);
      cosmati_tensor const src = {a, (cosmati_type)bytes, 3, extents, source};
      cosmati_tensor const dst = {b, (cosmati_type)bytes, 3, extents, target};
      if (way == 0) {
        expect(cosmati_copy(&src, &dst, NULL) == 0, "a copy succeeds", bytes);
      } else {
        cosmati_plan* plan = NULL;
        char text[300], start[8];
        expect(cosmati_plan_create(&plan, &src, &dst, way == 1 ? cosmati_estimate : cosmati_measure, NULL) == 0,
               "a plan is made", bytes);
        size_t const length = cosmati_plan_text(plan, text, sizeof text);
        expect(length > 20 && (length >= sizeof text || strlen(text) == length), "a plan has a text", bytes);
        expect((strstr(text, "measured") != NULL) == (way == 2), "the text says what the plan rests on", bytes);
        expect(cosmati_plan_text(plan, start, sizeof start) == length && strncmp(start, text, 7) == 0 && start[7] == 0,
               "a text is cut", bytes);
        expect(cosmati_write(b, got, all) == 0, "the target is cleared", bytes);
        expect(cosmati_plan_run(plan, a, b, NULL) == 0, "a plan runs", bytes);
        /* The same plan at addresses of other alignment. */
        void *c = on_device(got, 105 * 16), *d = on_device(got, 105 * 16);
        if (bytes < 16) {
          unsigned char* const odd = (unsigned char*)c + bytes;
          expect(cosmati_write(odd, from, all) == 0, "the source is written", bytes);
          expect(cosmati_plan_run(plan, odd, d, NULL) == 0, "a plan runs elsewhere", bytes);
          memset(got, 0, sizeof got);
          expect(cosmati_read(got, d, all) == 0 && memcmp(got, wanted, all) == 0, "what is elsewhere is right", bytes);
        }
        cosmati_free(c);
        cosmati_free(d);
        cosmati_plan_destroy(plan);
      }
      memset(got, 0, sizeof got);
      expect(cosmati_read(got, b, all) == 0 && memcmp(got, wanted, all) == 0, "what is copied is right", bytes);
      cosmati_free(a);
      cosmati_free(b);
    }
  }
}

/* Rows of 16 bytes, whose plan has wide accesses, and then the same plan at odd addresses. */
static void run_elsewhere(void) {
  uint16_t from[6 * 16 + 1], got[6 * 8 + 1];
  for (int i = 0; i < 6 * 16 + 1; ++i) from[i] = (uint16_t)(i * 501);
  int64_t const extents[] = {8, 6}, source[] = {1, 16}, target[] = {1, 8};
  void *a = on_device(from, sizeof from), *b = on_device(from, sizeof got);
  cosmati_tensor const src = {a, cosmati_bits16, 2, extents, source}, dst = {b, cosmati_bits16, 2, extents, target};
  cosmati_plan* plan = NULL;
  expect(cosmati_plan_create(&plan, &src, &dst, cosmati_estimate, NULL) == 0, "a plan is made", 0);
  for (int way = 0; way < 4; ++way) {
    int const s = way % 2, t = way / 2;
    memset(got, 0, sizeof got);
    expect(cosmati_write(b, got, sizeof got) == 0, "the target is cleared", way);
    expect(cosmati_plan_run(plan, (uint16_t*)a + s, (uint16_t*)b + t, NULL) == 0, "a plan runs elsewhere", way);
    expect(cosmati_read(got, b, sizeof got) == 0, "the target is read", way);
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 8; ++i) expect(got[t + i + 8 * j] == from[s + i + 16 * j], "what is elsewhere is right", way);
  }
  cosmati_plan_destroy(plan);
  cosmati_free(a);
  cosmati_free(b);
}

/* Small integers, which all four types hold; bits by hand: 1, 2, 3, -4. */
static void convert(void) {
  float const singles[] = {1, 2, 3, -4};
  double const doubles[] = {1, 2, 3, -4};
  uint16_t const halves[] = {0x3c00, 0x4000, 0x4200, 0xc400}, brains[] = {0x3f80, 0x4000, 0x4040, 0xc080};
  struct {
    cosmati_type type;
    void const* content;
    size_t bytes;
  } const kind[] = {{cosmati_float16, halves, 8},
                    {cosmati_bfloat16, brains, 8},
                    {cosmati_float32, singles, 16},
                    {cosmati_float64, doubles, 32}};
  int64_t const extents[] = {4}, strides[] = {1};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      unsigned char got[32] = {0};
      void *a = on_device(kind[i].content, kind[i].bytes), *b = on_device(got, kind[j].bytes);
      cosmati_tensor const src = {a, kind[i].type, 1, extents, strides};
      cosmati_tensor const dst = {b, kind[j].type, 1, extents, strides};
      int const status = cosmati_copy(&src, &dst, NULL);
      if ((i == 3 && j < 2) || (j == 3 && i < 2)) {
        expect_error(status, "there is no conversion between them");
      } else {
        expect(status == 0 && cosmati_read(got, b, kind[j].bytes) == 0, "a conversion succeeds", 4 * i + j);
        expect(memcmp(got, kind[j].content, kind[j].bytes) == 0, "what is converted is right", 4 * i + j);
      }
      cosmati_free(a);
      cosmati_free(b);
    }
}

static void rows(void) {
  int32_t table[10][5], list[3][5] = {{0}}, back[10][5] = {{0}};
  for (int i = 0; i < 50; ++i) table[i / 5][i % 5] = i;
  int64_t const numbers[] = {9, 0, 4}, wrong[] = {9, 10, 4};
  void *a = on_device(table, sizeof table), *b = on_device(list, sizeof list), *c = on_device(back, sizeof back);
  void *index = on_device(numbers, sizeof numbers), *other = on_device(wrong, sizeof wrong);
  cosmati_rows moves = {20, 10, 0, 0, 3, 8, 0};
  expect(cosmati_gather(a, index, b, &moves, NULL) == 0 && cosmati_read(list, b, sizeof list) == 0, "rows are read", 0);
  expect(cosmati_scatter(b, index, c, &moves, NULL) == 0 && cosmati_read(back, c, sizeof back) == 0, "and written", 0);
  for (int k = 0; k < 3; ++k) {
    expect(memcmp(list[k], table[numbers[k]], 20) == 0, "a row is right", k);
    expect(memcmp(back[numbers[k]], table[numbers[k]], 20) == 0, "a row is back", k);
  }
  expect(back[1][0] == 0, "other rows stay", 1);
  expect_error(cosmati_gather(a, other, b, &moves, NULL), "index[1] is 10, which is no row of the table");
  moves.skips_wrong = 1;
  expect(cosmati_gather(a, other, b, &moves, NULL) == 0, "a wrong number is skipped", 0);
  moves.index_bytes = 2;
  expect_error(cosmati_gather(a, index, b, &moves, NULL), "rows.index_bytes is 2");
  expect_error(cosmati_scatter(b, index, c, NULL, NULL), "rows is null");
  cosmati_free(a), cosmati_free(b), cosmati_free(c), cosmati_free(index), cosmati_free(other);
}

static void errors(void) {
  int32_t const content[4] = {1, 2, 3, 4};
  void *a = on_device(content, 16), *b = on_device(content, 16);
  int64_t const four[] = {4}, three[] = {3}, negative[] = {-4}, one[] = {1}, none[] = {0}, huge[] = {INT64_MAX, 9};
  int64_t const pair[] = {1, 1};
  cosmati_tensor const good = {a, cosmati_bits32, 1, four, one};
  cosmati_tensor const short_one = {b, cosmati_bits32, 1, three, one}, below = {b, cosmati_bits32, 1, negative, one};
  cosmati_tensor const on_itself = {b, cosmati_bits32, 1, four, none}, deep = {b, cosmati_bits32, 33, four, one};
  cosmati_tensor const typeless = {b, (cosmati_type)7, 1, four, one}, nowhere = {NULL, cosmati_bits32, 1, four, one};
  cosmati_tensor const vast = {a, cosmati_bits32, 2, huge, pair}, bare = {b, cosmati_bits32, 1, NULL, NULL};
  expect_error(cosmati_copy(&good, &short_one, NULL), "mode 0 of src has extent 4, that of dst 3");
  expect_error(cosmati_copy(&below, &below, NULL), "extent -4");
  expect_error(cosmati_copy(&good, &on_itself, NULL), "one place");
  expect_error(cosmati_copy(&good, &deep, NULL), "src has rank 1 and dst rank 33");
  expect_error(cosmati_copy(&good, &typeless, NULL), "type 7");
  expect_error(cosmati_copy(&good, &nowhere, NULL), "dst is null");
  expect_error(cosmati_copy(&vast, &vast, NULL), "more than 2^56 elements");
  expect_error(cosmati_copy(&good, &bare, NULL), "extents or strides are null");
  expect_error(cosmati_plan_create(NULL, &good, &good, cosmati_estimate, NULL), "plan is null");
  expect_error(cosmati_plan_run(NULL, a, b, NULL), "plan is null");
  expect(cosmati_plan_text(NULL, NULL, 0) == 0, "no plan has no text", 0);
  cosmati_tensor const empty_from = {NULL, cosmati_bits32, 1, none, one}, empty_to = empty_from;
  expect(cosmati_copy(&empty_from, &empty_to, NULL) == 0, "nothing is copied", 0);
  cosmati_plan_destroy(NULL);
  cosmati_free(NULL);
  cosmati_free(a), cosmati_free(b);
}

int main(void) {
  expect(strcmp(cosmati_last_error(), "") == 0, "no error is no text", 0);
  permute();
  run_elsewhere();
  convert();
  rows();
  errors();
  printf("%d failures\n", failures);
  return failures != 0;
}
