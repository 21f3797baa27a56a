// SPDX-License-Identifier: Apache-2.0
#include "cublas_gemm.hpp"

#include <algorithm>
#include <cstdint>

#include "matrix_elements.hpp"

namespace cosmati_sim {
namespace {

/// Gets a scalar of the kind, now or when the work begins. @return empty after a hazard
scalar_reader reader_of(gemm_call const& g, char const* name, void const* at) {
  return reader_of_scalar(g.function, g.scalars, name, at, g.handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE,
                          host_pointer_mode);
}

/// A matrix of the operand as it is stored, with `rows` x `columns` elements.
struct stored_matrix {
  char const* name;
  gemm_operand const& of;
  int rows, columns;

  library_operand one(void const* at, bool reads, bool writes) const {
    return matrix_operand(name, at, bytes_of(of.kind), rows, columns, of.leading, reads, writes);
  }
  void const* at(int batch) const {
    return static_cast<char const*>(of.at) +
           static_cast<std::ptrdiff_t>(of.stride) * batch * static_cast<std::ptrdiff_t>(bytes_of(of.kind));
  }
};

class gemm_work {
 public:
  explicit gemm_work(gemm_call const& g) : g_(g) {}

  /// @return false after a hazard
  bool make(library_task& task, double alpha, double beta) {
    bool const reads_factors = alpha != 0 && g_.k != 0, reads_c = beta != 0;
    stored_matrix const a = {"A", g_.a, is_a_transposed() ? g_.k : g_.m, is_a_transposed() ? g_.m : g_.k};
    stored_matrix const b = {"B", g_.b, is_b_transposed() ? g_.n : g_.k, is_b_transposed() ? g_.k : g_.n};
    stored_matrix const c = {"C", g_.c, g_.m, g_.n};
    if (g_.has_pointers) {
      for (stored_matrix const* const s : {&a, &b, &c}) {
        if (!device_may_access(g_.function, {names_of_arrays[*s->name - 'A'], s->of.at, sizeof(void*),
                                             static_cast<std::size_t>(g_.batches), 1, 1, true, false}))
          return false;
      }
    }
    if (reads_factors) {
      add(task, a, true, false);
      add(task, b, true, false);
    }
    add(task, c, reads_c, true);
    std::vector<matrix_product> products;
    products.reserve(static_cast<std::size_t>(g_.batches));
    for (int i = 0; i < g_.batches; ++i) products.push_back(product(i, a, b, c, alpha, beta));
    task.compute = [products = std::move(products), sums = g_.sums] { multiply(products, sums); };
    return true;
  }

 private:
  static constexpr char const* names_of_arrays[] = {"the array of A's pointers", "the array of B's pointers",
                                                    "the array of C's pointers"};
  bool is_a_transposed() const { return g_.transa != CUBLAS_OP_N; }
  bool is_b_transposed() const { return g_.transb != CUBLAS_OP_N; }
  void const* at(stored_matrix const& s, int batch) const {
    return g_.has_pointers ? static_cast<void const* const*>(s.of.at)[batch] : s.at(batch);
  }
  matrix_product product(int i, stored_matrix const& a, stored_matrix const& b, stored_matrix const& c, double alpha,
                         double beta) const {
    return {static_cast<std::size_t>(g_.m),
            static_cast<std::size_t>(g_.n),
            static_cast<std::size_t>(g_.k),
            {at(a, i), a.of.kind, static_cast<std::size_t>(a.of.leading), is_a_transposed()},
            {at(b, i), b.of.kind, static_cast<std::size_t>(b.of.leading), is_b_transposed()},
            const_cast<void*>(at(c, i)),
            c.of.kind,
            static_cast<std::size_t>(c.of.leading),
            alpha,
            beta};
  }
  /// Adds the operand's matrices. Those that follow one another are one matrix with more columns.
  void add(library_task& task, stored_matrix const& s, bool reads, bool writes) const {
    bool const is_one = !g_.has_pointers && (g_.batches == 1 || s.of.stride == 0);
    bool const is_dense =
        !g_.has_pointers && s.of.stride == static_cast<long long>(s.of.leading) * static_cast<long long>(s.columns);
    if (is_one || is_dense) {
      library_operand o = s.one(s.of.at, reads, writes);
      if (is_dense) o.columns *= static_cast<std::size_t>(g_.batches);
      task.operands.push_back(o);
      return;
    }
    for (int i = 0; i < g_.batches; ++i) task.operands.push_back(s.one(at(s, i), reads, writes));
  }

  gemm_call const& g_;
};

bool is_valid(gemm_call const& g) {
  int const rows_of_a = g.transa == CUBLAS_OP_N ? g.m : g.k, rows_of_b = g.transb == CUBLAS_OP_N ? g.k : g.n;
  return is_operation(g.transa) && is_operation(g.transb) && g.m >= 0 && g.n >= 0 && g.k >= 0 && g.batches >= 0 &&
         g.a.leading >= std::max(1, rows_of_a) && g.b.leading >= std::max(1, rows_of_b) &&
         g.c.leading >= std::max(1, g.m) && g.alpha != nullptr && g.beta != nullptr;
}
/// cuBLAS multiplies bytes four at a time.
bool is_multiple_of_four(gemm_operand const& o) {
  return o.leading % 4 == 0 && reinterpret_cast<std::uintptr_t>(o.at) % 4 == 0;
}

}  // namespace

scalar_reader reader_of_scalar(char const* function, element_kind kind, char const* name, void const* at,
                               bool of_device, char const* reason) {
  return with_element(kind, [&]<class Element>(Element) -> scalar_reader {
    library_scalar<typename Element::stored> const scalar = {function, name, at, of_device, reason};
    if (!scalar.is_right()) return {};
    return [scalar, function](double& out) {
      return scalar.read(function, [&](typename Element::stored v) { out = static_cast<double>(Element::load(v)); });
    };
  });
}

cublasStatus_t run_gemm(gemm_call const& g) {
  if (!cublas_handle_exists(g.handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_valid(g)) return CUBLAS_STATUS_INVALID_VALUE;
  if (g.sums == sum_kind::i32 && !(is_multiple_of_four(g.a) && is_multiple_of_four(g.b)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (g.m == 0 || g.n == 0 || g.batches == 0) return CUBLAS_STATUS_SUCCESS;
  scalar_reader const alpha = reader_of(g, "alpha", g.alpha), beta = reader_of(g, "beta", g.beta);
  if (!alpha || !beta) return CUBLAS_STATUS_EXECUTION_FAILED;
  return cublas_enqueue(g.function, g.handle, [=](library_task& task) {
    double scale = 0, keep = 0;
    return alpha(scale) && beta(keep) && gemm_work(g).make(task, scale, keep);
  });
}

cublasComputeType_t without_pedantic(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUBLAS_COMPUTE_32I;
    default:
      return compute;
  }
}
std::optional<element_kind> element_kind_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
      return element_kind::f16;
    case CUDA_R_16BF:
      return element_kind::bf16;
    case CUDA_R_32F:
      return element_kind::f32;
    case CUDA_R_64F:
      return element_kind::f64;
    case CUDA_R_8I:
      return element_kind::i8;
    case CUDA_R_32I:
      return element_kind::i32;
    case CUDA_R_8F_E4M3:
      return element_kind::e4m3;
    case CUDA_R_8F_E5M2:
      return element_kind::e5m2;
    default:
      return std::nullopt;
  }
}

namespace {

struct compute_row {
  cublasComputeType_t compute;
  cudaDataType factors, result, scalars;
  sum_kind sums;
};
// The table of real types in the documentation of cublasGemmEx. Halves are summed as floats here.
constexpr compute_row rows[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, sum_kind::f32},
    {CUBLAS_COMPUTE_32I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, sum_kind::i32},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F_FAST_16F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_32F_EMULATED_16BFX9, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, sum_kind::f32},
    {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, sum_kind::f64},
    {CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, sum_kind::f64},
};
}  // namespace

std::optional<gemm_types> gemm_types_of(cudaDataType a, cudaDataType b, cudaDataType c, cublasComputeType_t compute) {
  cublasComputeType_t const plain = without_pedantic(compute);
  for (compute_row const& r : rows) {
    if (r.compute == plain && r.factors == a && r.factors == b && r.result == c)
      return gemm_types{*element_kind_of(a), *element_kind_of(b), *element_kind_of(c), *element_kind_of(r.scalars),
                        r.sums};
  }
  return std::nullopt;
}

}  // namespace cosmati_sim
