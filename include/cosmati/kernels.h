/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The ready kernels as a library with a C interface, for programs and languages that link instead of compiling: the
 * CMake target cosmati::kernels. Functions return 0, or 1 where they did nothing; cosmati_last_error() then says why.
 * All may be called by several threads at once.
 */
#ifndef COSMATI_KERNELS_H
#define COSMATI_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Element types. Copies of one type move bits: any type of the same size does. */
/* NOLINTBEGIN(modernize-use-using): a header of C */
typedef enum cosmati_type {
  cosmati_bits8 = 1,
  cosmati_bits16 = 2,
  cosmati_bits32 = 4,
  cosmati_bits64 = 8,
  cosmati_bits128 = 16,
  cosmati_float16 = 32, /**< these four are converted to each other, but for 16 bits to or from float64 */
  cosmati_bfloat16 = 33,
  cosmati_float32 = 34,
  cosmati_float64 = 35
} cosmati_type;

/** A tensor in device memory. Element (i, j, ...) lies i * strides[0] + j * strides[1] + ... elements from data. */
typedef struct cosmati_tensor {
  void* data;
  cosmati_type type;
  int rank; /**< at most 32 */
  int64_t const* extents;
  int64_t const* strides; /**< in elements; 0 and negative ones are allowed, in a target no 0 */
} cosmati_tensor;

/** How a plan is chosen. */
typedef enum cosmati_effort {
  cosmati_estimate = 0,
  cosmati_measure = 1 /**< the best eight are run on these tensors and timed; conversions are estimated all the same */
} cosmati_effort;

/** A copy that is planned. */
typedef struct cosmati_plan cosmati_plan;

/** Why this thread's last function that returned 1 did so; "" before. Lasts until the next one does. */
char const* cosmati_last_error(void);

/**
 * Copies src to dst, of equal extents: a transpose is a copy whose strides are permuted. Elements are converted where
 * the types differ. What C++'s cosmati::copy_tensor says of its arguments holds. Plans are kept.
 * @param stream a cudaStream_t, or null
 */
int cosmati_copy(cosmati_tensor const* src, cosmati_tensor const* dst, void* stream);

/** A plan for tensors of these extents, strides and types, which cosmati_plan_destroy ends. */
int cosmati_plan_create(cosmati_plan** plan, cosmati_tensor const* src, cosmati_tensor const* dst,
                        cosmati_effort effort, void* stream);
/** Copies as the plan's tensors lie, at these addresses. They are best aligned as those of the plan. */
int cosmati_plan_run(cosmati_plan const* plan, void const* src, void* dst, void* stream);
/** The plan in words: at most bytes - 1 of them and a 0. @return the bytes of all of it, without the 0 */
size_t cosmati_plan_text(cosmati_plan const* plan, char* text, size_t bytes);
/** Ends a plan; null is none. */
void cosmati_plan_destroy(cosmati_plan* plan);

/** Rows of a table and of a list; a pitch is the bytes from one row to the next, or 0 where they lie together. */
typedef struct cosmati_rows {
  int64_t row_bytes, table_rows, table_pitch, list_pitch, count;
  int index_bytes; /**< 4 or 8: the row numbers are signed integers of so many */
  int skips_wrong; /**< 0: a wrong number is an error, and the call waits for the stream; else it is skipped */
} cosmati_rows;
/** Row k of list becomes row index[k] of table. All lie in device memory. */
int cosmati_gather(void const* table, void const* index, void* list, cosmati_rows const* rows, void* stream);
/** Row index[k] of table becomes row k of list. No number occurs twice. */
int cosmati_scatter(void const* list, void const* index, void* table, cosmati_rows const* rows, void* stream);

/** Memory of the current device. cudaMalloc's does as well; on the simulated device only this one's. */
int cosmati_allocate(void** memory, size_t bytes);
/** Ends it; null is none. */
void cosmati_free(void* memory);
/** Copy to and from device memory. They wait for the device. */
int cosmati_write(void* to_device, void const* from, size_t bytes);
int cosmati_read(void* to, void const* from_device, size_t bytes);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-use-using) */
#endif
