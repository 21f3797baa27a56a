// SPDX-License-Identifier: Apache-2.0
/// @file
/// A warp's boxes of results of `gemm_hopper` in shared memory: they receive results, and tensor copies store them.
///
/// A box is 16 rows of 128 bytes. Tensor copies store whole chunks of 16 bytes, so the threads store the columns behind
/// the last whole chunk of a row themselves.
#pragma once
#include <cosmati/core/macros_begin.hpp>

#include <cosmati/algorithm/copy.hpp>
#include <cosmati/arch/bulk_copy.hpp>
#include <cosmati/arch/convert.hpp>
#include <cosmati/arch/streaming.hpp>
#include <cosmati/arch/warp.hpp>
#include <cosmati/kernel/gemm/epilogue.hpp>
#include <cosmati/kernel/gemm/hopper_maps.hpp>
#include <cosmati/runtime/cuda_words.hpp>
#include <cosmati/tma/tma_partition.hpp>

namespace COSMATI_NAMESPACE::detail {

/// Converts values to T, two at once. @param to as many, contiguous; their number is even
template <class T, class From, class To>
COSMATI_HD void convert_pairs(From const& from, To& to) {
  using V = typename From::value_type;
  [[maybe_unused]] unseen_scope const unseen;
  COSMATI_UNROLL
  for (int i = 0; i < size(from); i += 2) {
    auto const two = convert_two<V, T>(*reinterpret_cast<register_words<2 * sizeof(V)> const*>(&from(i)));
    if constexpr (sizeof(T) == 1)
      words_to_memory<2>(&to(i), two);  // two bytes are a part of a register
    else
      *reinterpret_cast<register_words<2 * sizeof(T)>*>(&to(i)) = two;
  }
}

/// @tparam Problem gemm_problem
template <class Problem>
class hopper_boxes {
 public:
  using Parts = hopper_results_of<Problem>;
  using TC = typename Parts::TC;
  using Sum = typename Parts::Sum;
  using numbers = hopper_numbers<Problem, false>;
  static constexpr int values = Parts::result_columns / 2;  ///< of a thread in a box
  using Results = decltype(make_tensor<Sum>(Layout<C<values>>{}));

  /// By all threads of the warp. @param memory of the warp's boxes, @param loaded its mbarrier
  COSMATI_HD hopper_boxes(numbers const& arguments, TC* memory, std::uint64_t& loaded)
      : arguments_(arguments), memory_(memory), loaded_(loaded), leads_(elect_one_sync()) {}

  /// Whether this thread begins the tensor copies of the warp.
  COSMATI_HD bool leads() const { return leads_; }

  /// Fills box i with epilogue(results + beta C), by all threads of the warp.
  /// @param results alpha times the thread's sums, @param place of them in the tile, (m, n) for each
  /// @param row, column of C, where the box begins, @param first_row, first_column where the tile begins
  template <class Place, class Epilogue>
  COSMATI_HD void fill(int i, Results& results, Place const& place, int row, int column, int first_row,
                       int first_column, int batch, Epilogue const& epilogue) {
    if (arguments_.beta != static_cast<Sum>(0)) add_old(i, results, row, column, Parts::grouped ? 0 : batch);
    auto held = make_tensor<TC>(Layout<C<values>>{});
    finish(epilogue, results, place, first_row, first_column, batch, held);
    write(i, held);
  }
  /// By one thread: begins to store box i.
  COSMATI_HD void store(int i, int row, int column, int batch) const {
    if (column >= arguments_.of_c.columns) return;
    auto const shared = box(i);
    auto const coordinates = box_of_matrix(arguments_.of_c.store, row, column, batch);
    auto const [to, from] =
        tma_partition(arguments_.of_c.store, group_modes<0, 2>(shared), group_modes<0, 2>(coordinates));
    copy(arguments_.of_c.store, from, to);
  }
  /// Stores the results of box i behind the last whole chunk of each row, by all threads of the warp.
  COSMATI_HD void store_rest(int i, int row, int column, int batch) const {
    int const columns = arguments_.n - column < Parts::result_columns ? arguments_.n - column : Parts::result_columns;
    int const rows = arguments_.m - row < 16 ? arguments_.m - row : 16;
    int const whole = arguments_.of_c.columns > column ? arguments_.of_c.columns - column : 0;
    auto const shared = box(i);
    TC* const to = arguments_.c.data + (batch * arguments_.c.batch + row * arguments_.c.leading + column);
    COSMATI_NO_UNROLL
    for (int x = 0; x < rows; ++x) {
      COSMATI_NO_UNROLL
      for (int y = whole + static_cast<int>(threadIdx.x % 32); y < columns; y += 32)
        to[x * arguments_.c.leading + y] = shared(x, y);
    }
  }
  /// Waits until no copy reads the boxes.
  COSMATI_HD void wait() const {
    if (leads_) tma_store_wait<0>();
  }

 private:
  /// The warp's box number i, (16, COLUMNS).
  COSMATI_HD auto box(int i) const {
    return make_tensor(make_smem_ptr(memory_ + i * (16 * Parts::result_columns)), typename Parts::LayoutBox{});
  }
  /// The box of C at (row, column), as coordinates.
  template <class Atom>
  COSMATI_HD static auto box_of_matrix(Atom const& atom, int row, int column, int batch) {
    return domain_offset(make_coord(row, column, batch),
                         atom.get_tma_tensor(Shape<_16, C<Parts::result_columns>, _1>{}))(_, _, _0{});
  }
  /// Adds beta C to the results, through box i.
  COSMATI_HD void add_old(int i, Results& results, int row, int column, int batch) {
    auto const shared = box(i);
    if (leads_) {
      auto const coordinates = box_of_matrix(arguments_.of_c.load, row, column, batch);
      auto const [from, to] =
          tma_partition(arguments_.of_c.load, group_modes<0, 2>(shared), group_modes<0, 2>(coordinates));
      arrive_and_expect_bytes(loaded_, 16 * 128);
      copy(arguments_.of_c.load.with(loaded_), from, to);
    }
    wait_barrier(loaded_, parity_);
    parity_ ^= 1;
    auto const old = Parts::warp_mma().get_slice(threadIdx.x % 32).partition_C(shared);
    COSMATI_UNROLL
    for (int v = 0; v < values; ++v)
      results(v) = results(v) + arguments_.beta * static_cast<Sum>(static_cast<TC>(old(v)));
    sync_warp();
  }
  /// Applies the epilogue and converts. @param place, first_row, first_column as for `fill`
  template <class Epilogue, class Place, class Held>
  COSMATI_HD void finish(Epilogue const& epilogue, Results& results, [[maybe_unused]] Place const& place,
                         [[maybe_unused]] int first_row, [[maybe_unused]] int first_column, [[maybe_unused]] int batch,
                         Held& held) const {
    if constexpr (epilogue_of_place<Epilogue, Sum>) {
      COSMATI_UNROLL
      for (int i = 0; i < values; ++i) {
        auto const at = place(i);
        int const x = first_row + static_cast<int>(get<0>(at)), y = first_column + static_cast<int>(get<1>(at));
        held(i) = TC{};  // an epilogue may read what exists within the matrix only
        if (x < arguments_.m && y < arguments_.n) held(i) = finished<TC>(epilogue, results(i), make_coord(x, y), batch);
      }
    } else if constexpr (std::is_same_v<decltype(epilogue(results(0))), Sum> &&
                         (!std::is_integral_v<TC> || std::is_same_v<TC, Sum>)) {
      COSMATI_UNROLL
      for (int i = 0; i < values; ++i) results(i) = epilogue(results(i));
      convert_pairs<TC>(results, held);
    } else {
      COSMATI_UNROLL
      for (int i = 0; i < values; ++i) held(i) = finished<TC>(epilogue, results(i), i, batch);
    }
  }
  /// Writes results to box i.
  template <class Held>
  COSMATI_HD void write(int i, Held const& held) const {
    auto shared = box(i);
    auto const mma = Parts::warp_mma();
    auto const to_shared = make_tiled_copy_C(typename Parts::store_atom{}, mma).get_slice(threadIdx.x % 32);
    auto fragment = partition_fragment_C(mma, shape(shared));
    auto const results = make_tensor(held.data(), make_layout(shape(fragment.layout())));
    copy(make_tiled_copy_C(typename Parts::store_atom{}, mma), to_shared.retile_S(results),
         to_shared.partition_D(shared));
  }

  numbers const& arguments_;
  TC* memory_;
  std::uint64_t& loaded_;
  bool leads_;
  int parity_ = 0;  ///< of the mbarrier
};

}  // namespace COSMATI_NAMESPACE::detail

#include <cosmati/core/macros_end.hpp>
