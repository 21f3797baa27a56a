// SPDX-License-Identifier: Apache-2.0
#include "cublas_lt_epilogue.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "matrix_elements.hpp"

namespace cosmati_sim {
namespace {

element_kind kind_of(sum_kind sums) {
  return sums == sum_kind::f32 ? element_kind::f32 : sums == sum_kind::f64 ? element_kind::f64 : element_kind::i32;
}

// GELU is cuBLASLt's approximation by tanh.
constexpr double gelu_scale = 0.7978845608028654, gelu_cube = 0.044715;  // sqrt(2 / pi)
double gelu(double x) { return 0.5 * x * (1 + std::tanh(gelu_scale * (x + gelu_cube * x * x * x))); }
double gelu_slope(double x) {
  double const t = std::tanh(gelu_scale * (x + gelu_cube * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * gelu_scale * (1 + 3 * gelu_cube * x * x);
}

class epilogue {
 public:
  epilogue(lt_product const& p, lt_arguments const& args, void* sums) : p_(p), args_(args), sums_(sums) {
    if (p.op.scale_c != nullptr) scale_c_ = *static_cast<float const*>(p.op.scale_c);
    if (p.op.scale_d != nullptr) scale_d_ = *static_cast<float const*>(p.op.scale_d);
    if (p.op.aux_scale != nullptr) scale_aux_ = *static_cast<float const*>(p.op.aux_scale);
  }
  bool has_reduction() const { return p_.has(lt_bias_gradient) || p_.op.largest_d != nullptr; }

  /// @param line a column of D, counted over all batches
  void column(std::size_t line) const {
    std::size_t const batch = line / p_.n, j = line % p_.n;
    double const of_b = factor_scale(p_.op.scale_b, p_.op.mode_b, j);
    for (std::size_t i = 0; i < p_.m; ++i) {
      double v = load_element(kind_of(p_.sums), sums_, line * p_.m + i);
      v *= scalar(args_.alphas, args_.alpha, batch, i) * factor_scale(p_.op.scale_a, p_.op.mode_a, i) * of_b;
      double const beta = scalar(args_.betas, args_.beta, batch, i);
      if (beta != 0) v += beta * scale_c_ * load_element(p_.c_kind, args_.c, place(p_.c, batch, i, j));
      if (p_.has(lt_bias)) v += load_element(p_.bias_kind, p_.op.bias, at_bias(batch, i));
      v = activated(v, batch, i, j);
      if (has_reduction()) store_element(kind_of(p_.sums), sums_, line * p_.m + i, v);
      store_element(p_.d_kind, args_.d, place(p_.d, batch, i, j), v * scale_d_);
    }
  }
  /// The sums of D's rows, and the largest magnitude.
  void reduce() const {
    double largest = 0;
    for (std::size_t batch = 0; batch < p_.batches; ++batch) {
      for (std::size_t i = 0; i < p_.m; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < p_.n; ++j) {
          double const v = load_element(kind_of(p_.sums), sums_, (batch * p_.n + j) * p_.m + i);
          sum += v;
          largest = std::fmax(largest, std::fabs(v));
        }
        if (p_.has(lt_bias_gradient)) store_element(p_.bias_kind, p_.op.bias, at_bias(batch, i), sum);
      }
    }
    if (p_.op.largest_d != nullptr) *static_cast<float*>(p_.op.largest_d) = static_cast<float>(largest);
  }
  /// The sums over k of op(A)'s rows, or of op(B)'s columns.
  void factor_gradient() const {
    bool const of_a = p_.op.epilogue == CUBLASLT_EPILOGUE_BGRADA;
    lt_layout const& l = of_a ? p_.a : p_.b;
    bool const k_is_row = of_a ? p_.op.transa != CUBLAS_OP_N : p_.op.transb == CUBLAS_OP_N;
    for (std::size_t batch = 0; batch < p_.batches; ++batch) {
      for (std::size_t i = 0; i < (of_a ? p_.m : p_.n); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < p_.k; ++k) {
          std::size_t const at = k_is_row ? place(l, batch, k, i) : place(l, batch, i, k);
          sum += load_element(of_a ? p_.a_kind : p_.b_kind, of_a ? args_.a : args_.b, at);
        }
        store_element(p_.bias_kind, p_.op.bias, at_bias(batch, i), sum);
      }
    }
  }

 private:
  static std::size_t place(lt_layout const& l, std::size_t batch, std::size_t row, std::size_t column) {
    return batch * static_cast<std::size_t>(l.stride) + lt_offset(l, row, column);
  }
  std::size_t at_bias(std::size_t batch, std::size_t i) const {
    return batch * static_cast<std::size_t>(p_.op.bias_stride) + i;
  }
  double scalar(void const* vector, double one, std::size_t batch, std::size_t i) const {
    if (vector == nullptr) return one;
    return load_element(p_.scalar_kind, vector, batch * static_cast<std::size_t>(p_.op.alpha_stride) + i);
  }
  static double factor_scale(void const* scales, std::int32_t mode, std::size_t i) {
    if (scales == nullptr) return 1;
    return static_cast<float const*>(scales)[mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F ? i : 0];
  }
  /// Applies the activation or its gradient, and writes or reads the auxiliary matrix.
  double activated(double v, std::size_t batch, std::size_t i, std::size_t j) const {
    std::size_t const at =
        batch * static_cast<std::size_t>(p_.op.aux_stride) + j * static_cast<std::size_t>(p_.op.aux_leading) + i;
    if (p_.has(lt_relu_gradient)) return is_positive(at) ? v : 0;
    if (p_.has(lt_gelu_gradient)) return v * gelu_slope(load_element(p_.aux_kind, p_.op.aux, at));
    if (p_.has(lt_relu)) {
      if (p_.has(lt_aux)) set_positive(at, v > 0);
      return v > 0 ? v : v == v ? 0 : v;
    }
    if (!p_.has(lt_gelu)) return v;
    if (p_.has(lt_aux)) store_element(p_.aux_kind, p_.op.aux, at, v * scale_aux_);
    return gelu(v);
  }
  // A mask of bits, whose columns begin with a byte.
  bool is_positive(std::size_t at) const {
    return (static_cast<std::uint8_t const*>(p_.op.aux)[at / 8] >> (at % 8) & 1) != 0;
  }
  void set_positive(std::size_t at, bool value) const {
    std::uint8_t& byte = static_cast<std::uint8_t*>(p_.op.aux)[at / 8];
    if (at % 8 == 0) byte = 0;
    byte = static_cast<std::uint8_t>(byte | static_cast<unsigned>(value) << (at % 8));
  }

  lt_product const& p_;
  lt_arguments const& args_;
  void* sums_;
  double scale_c_ = 1, scale_d_ = 1, scale_aux_ = 1;
};

}  // namespace

void lt_finish(lt_product const& p, lt_arguments const& args, void* sums) {
  epilogue const e(p, args, sums);
  std::size_t const columns = p.n * p.batches;
  for_each_on_host(
      columns, p.m * columns > 100000,
      [](void const* context, std::size_t line) { static_cast<epilogue const*>(context)->column(line); }, &e);
  if (e.has_reduction()) e.reduce();
  if (p.has(CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB)) e.factor_gradient();
}

}  // namespace cosmati_sim
