// SPDX-License-Identifier: Apache-2.0
/// @file
/// What CUB's cub/device provides of runs of equal keys: scans and reductions of each run, and the first of each. One
/// thread does the work.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#if defined(COSMATI_CUDA_FILE)  // in CUDA files that `cosmati sim` compiles
#include <concepts>
#include <cosmati/cuda/cub_two_calls.hpp>

namespace cub::detail {

/// Scans that begin anew with each run of equal keys. The output may be the input.
struct scans_by_key {
  template <class Keys, class In, class Out, class Operation, class T, std::integral Count, class Equal = Equality>
  static cudaError_t ExclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out,
                                        Operation operation, T initial, Count count, Equal equal = Equal(),
                                        cudaStream_t stream = nullptr) {
    return two_calls(storage, bytes, least_storage, stream, [=](unsigned char*) mutable {
      sum_of<Operation, In, T> sum = initial;
      for (Count i = 0; i < count; ++i) {
        if (i != 0 && !equal(keys[i - 1], keys[i])) sum = initial;
        auto const next = static_cast<sum_of<Operation, In, T>>(operation(sum, in[i]));
        out[i] = sum;
        sum = next;
      }
    });
  }
  template <class Keys, class In, class Out, class Operation, std::integral Count, class Equal = Equality>
  static cudaError_t InclusiveScanByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out,
                                        Operation operation, Count count, Equal equal = Equal(),
                                        cudaStream_t stream = nullptr) {
    return two_calls(storage, bytes, least_storage, stream, [=](unsigned char*) mutable {
      sum_of<Operation, In> sum{};
      for (Count i = 0; i < count; ++i) {
        bool const goes_on = i != 0 && equal(keys[i - 1], keys[i]);
        sum_of<Operation, In> const element = in[i];
        sum = goes_on ? static_cast<sum_of<Operation, In>>(operation(sum, element)) : element;
        out[i] = sum;
      }
    });
  }
  template <class Keys, class In, class Out, std::integral Count, class Equal = Equality>
  static cudaError_t ExclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, Count count,
                                       Equal equal = Equal(), cudaStream_t stream = nullptr) {
    return ExclusiveScanByKey(storage, bytes, keys, in, out, Sum{}, value_of<In>{}, count, equal, stream);
  }
  template <class Keys, class In, class Out, std::integral Count, class Equal = Equality>
  static cudaError_t InclusiveSumByKey(void* storage, std::size_t& bytes, Keys keys, In in, Out out, Count count,
                                       Equal equal = Equal(), cudaStream_t stream = nullptr) {
    return InclusiveScanByKey(storage, bytes, keys, in, out, Sum{}, count, equal, stream);
  }
};

/// The key and the reduction of each run of equal keys, and the number of runs.
struct reductions_by_key {
  template <class Keys, class Unique, class In, class Out, class Runs, class Operation, std::integral Count>
  static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys, Unique unique, In in, Out out, Runs runs,
                                 Operation operation, Count count, cudaStream_t stream = nullptr) {
    return two_calls(storage, bytes, least_storage, stream, [=](unsigned char*) mutable {
      Count found = 0;
      sum_of<Operation, In> sum{};
      for (Count i = 0; i < count; ++i) {
        bool const goes_on = i != 0 && keys[i - 1] == keys[i];
        sum_of<Operation, In> const element = in[i];
        sum = goes_on ? static_cast<sum_of<Operation, In>>(operation(sum, element)) : element;
        if (!goes_on) unique[found++] = keys[i];
        if (i + 1 == count || !(keys[i] == keys[i + 1])) out[found - 1] = sum;
      }
      *runs = static_cast<value_of<Runs>>(found);
    });
  }
};

/// The first key of each run of equal keys, with its value, and the number of runs.
struct unique_by_key {
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Runs, std::integral Count>
  static cudaError_t UniqueByKey(void* storage, std::size_t& bytes, Keys keys, Values values, KeysOut keys_out,
                                 ValuesOut values_out, Runs runs, Count count, cudaStream_t stream = nullptr) {
    return UniqueByKey(storage, bytes, keys, values, keys_out, values_out, runs, count, Equality{}, stream);
  }
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Runs, std::integral Count, class Equal>
  requires(!std::is_convertible_v<Equal, cudaStream_t>) static cudaError_t
      UniqueByKey(void* storage, std::size_t& bytes, Keys keys, Values values, KeysOut keys_out, ValuesOut values_out,
                  Runs runs, Count count, Equal equal, cudaStream_t stream = nullptr) {
    return two_calls(storage, bytes, least_storage, stream, [=](unsigned char*) mutable {
      Count found = 0;
      for (Count i = 0; i < count; ++i) {
        if (i != 0 && equal(keys[i - 1], keys[i])) continue;
        keys_out[found] = keys[i];
        values_out[found++] = values[i];
      }
      *runs = static_cast<value_of<Runs>>(found);
    });
  }
};

}  // namespace cub::detail

#endif

#include <cosmati/core/macros_end.hpp>
