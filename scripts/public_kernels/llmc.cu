// SPDX-License-Identifier: Apache-2.0
// Calls the kernels of llm.c's dev/cuda with small sizes. FILE.cu of that folder is included as it is; its main
// function takes 50 million elements and a thousand repetitions. -D FILE names the file, and its own reference on the
// host checks it.
#define main main_of_llmc
#if defined(LAYERNORM_FORWARD)
#include "layernorm_forward.cu"
#elif defined(SOFTMAX_FORWARD)
#include "softmax_forward.cu"
#elif defined(GELU_FORWARD)
#include "gelu_forward.cu"
#elif defined(GELU_BACKWARD)
#include "gelu_backward.cu"
#elif defined(RESIDUAL_FORWARD)
#include "residual_forward.cu"
#elif defined(FUSED_RESIDUAL_FORWARD)
#include "fused_residual_forward.cu"
#elif defined(ENCODER_FORWARD)
#include "encoder_forward.cu"
#elif defined(ENCODER_BACKWARD)
#include "encoder_backward.cu"
#elif defined(ADAMW)
#include "adamw.cu"
#elif defined(CROSSENTROPY_FORWARD)
#include "crossentropy_forward.cu"
#elif defined(CROSSENTROPY_SOFTMAX_BACKWARD)
#include "crossentropy_softmax_backward.cu"
#elif defined(ATTENTION_FORWARD)
#include "attention_forward.cu"
#elif defined(MATMUL_FORWARD)
#include "matmul_forward.cu"
#elif defined(MATMUL_BACKWARD_BIAS)
#include "matmul_backward_bias.cu"
#elif defined(GLOBAL_NORM)
#include "global_norm.cu"
#elif defined(TRIMAT_FORWARD)
#include "trimat_forward.cu"
#elif defined(CLASSIFIER_FUSED)
#include "classifier_fused.cu"
#elif defined(LAYERNORM_BACKWARD)
#include "layernorm_backward.cu"
#endif
#undef main
#include <vector>
#if !defined(ATTENTION_FORWARD) && !defined(GLOBAL_NORM)
cudaDeviceProp deviceProp;  // common.h declares it
#endif

namespace {

/// A copy on the device.
template <class T>
T* uploaded(T const* host, size_t n) {
  T* device;
  cudaCheck(cudaMalloc(&device, n * sizeof(T)));
  cudaCheck(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}
/// Memory of the device that nothing has written.
float* fresh(size_t n) {
  float* device;
  cudaCheck(cudaMalloc(&device, n * sizeof(float)));
  return device;
}
float* zeros(size_t n) {
  float* device = fresh(n);
  cudaCheck(cudaMemset(device, 0, n * sizeof(float)));
  return device;
}

/// The launchers take grids that fill a device of this many multiprocessors; setup_main of common.h needs cuBLAS.
void use_multiprocessors(int count) {
#if !defined(ATTENTION_FORWARD)
  cudaCheck(cudaGetDeviceProperties(&deviceProp, 0));
  deviceProp.multiProcessorCount = cuda_num_SMs = count;
  cuda_threads_per_SM = deviceProp.maxThreadsPerMultiProcessor;
#endif
}

/// A copy on the device in the file's type, such as __nv_bfloat16.
floatX* converted(float const* host, size_t n) {
  floatX* device;
  cudaCheck(cudaMalloc(&device, n * sizeof(floatX)));
  cudaCheck(memcpy_convert(device, const_cast<float*>(host), n));
  return device;
}

}  // namespace

int main(int argc, char** argv) {
  int const kernel = argc > 1 ? atoi(argv[1]) : 1, block = argc > 2 ? atoi(argv[2]) : 64;
  srand(0);
#if defined(ATTENTION_FORWARD)
  int const B = 1, T = 32, C = 64, N = B * T * C;  // kernel 2 has tiles of 32 rows
#else
  int const B = 2, T = 8, C = 128, N = B * T * C;
#endif
  [[maybe_unused]] int const V = 100;
  std::vector<float> out(4 * N), mean(B * T), rstd(B * T);
  float *a = make_random_float(4 * N), *b = make_random_float(4 * N);
  float *d_a = uploaded(a, 4 * N), *d_b = uploaded(b, 4 * N), *d_out = fresh(4 * N), *d_mean = fresh(B * T),
        *d_rstd = fresh(B * T);
  float const tolerance = sizeof(floatX) == 4 ? 1e-5f : 1e-2f;
  [[maybe_unused]] floatX *x_a = converted(a, 4 * N), *x_b = converted(b, 4 * N), *x_out = converted(a, 4 * N);
  [[maybe_unused]] int* targets = make_random_int(B * T, V);
  [[maybe_unused]] int* d_targets = uploaded(targets, B * T);
#if defined(LAYERNORM_FORWARD)
  layernorm_forward_cpu(out.data(), mean.data(), rstd.data(), a, b, b + C, B, T, C);
  layernorm_forward(kernel, d_out, d_mean, d_rstd, d_a, d_b, d_b + C, B, T, C, block);
  validate_result(d_out, out.data(), "out", N, 1e-5f);
  validate_result(d_mean, mean.data(), "mean", B * T, 1e-5f);
  validate_result(d_rstd, rstd.data(), "rstd", B * T, 1e-5f);
#elif defined(SOFTMAX_FORWARD)
  softmax_forward_cpu(out.data(), a, B * T, C);
  softmax_forward(kernel, d_out, d_a, B * T, C, block);
  validate_result(d_out, out.data(), "out", N, 1e-4f);
#elif defined(GELU_FORWARD)
  gelu_forward_cpu(out.data(), a, N);
  gelu_forward(kernel, x_out, x_a, B, T, C, block);
  validate_result(x_out, out.data(), "out", N, tolerance);
#elif defined(GELU_BACKWARD)
  gelu_backward_cpu(out.data(), a, b, N);
  gelu_backward(kernel, x_out, x_a, x_b, B, T, C, block);
  validate_result(x_out, out.data(), "dinp", N, tolerance);
#elif defined(RESIDUAL_FORWARD)
  residual_forward_cpu(out.data(), a, b, N);
  residual_forward(kernel, x_out, x_a, x_b, N, block);
  validate_result(x_out, out.data(), "out", N, tolerance);
#elif defined(FUSED_RESIDUAL_FORWARD)
  std::vector<float> normed(N);
  residual_forward_cpu(out.data(), a, b, N);
  layernorm_forward_cpu(normed.data(), mean.data(), rstd.data(), out.data(), a + N, b + N, B, T, C);
  floatX *x_normed = converted(a, N), *x_mean = converted(a, B * T), *x_rstd = converted(a, B * T);
  fused_residual_forward(kernel, x_out, x_normed, x_mean, x_rstd, x_a, x_b, x_a + N, x_b + N, B * T, C, block);
  validate_result(x_out, out.data(), "residual", N, tolerance);
  validate_result(x_mean, mean.data(), "mean", B * T, tolerance);
  validate_result(x_normed, normed.data(), "normed", N, 3 * tolerance);
#elif defined(ENCODER_FORWARD) || defined(ENCODER_BACKWARD)
  float *wte = make_random_float(V * C), *wpe = make_random_float(T * C);
#if defined(ENCODER_FORWARD)
  encoder_forward_cpu(out.data(), targets, wte, wpe, B, T, C);
  encoder_forward(kernel, x_out, d_targets, converted(wte, V * C), converted(wpe, T * C), B, T, C, block);
  validate_result(x_out, out.data(), "out", N, tolerance);
#else
  std::vector<float> dwte(V * C), dwpe(T * C);
  float *d_wte = zeros(V * C), *d_wpe = zeros(T * C);
  encoder_backward_cpu(dwte.data(), dwpe.data(), a, targets, B, T, C);
  encoder_backward(kernel, d_wte, d_wpe, d_a, d_targets, B, T, C, block);
  validate_result(d_wte, dwte.data(), "dwte", V * C, 1e-4f);
  validate_result(d_wpe, dwpe.data(), "dwpe", T * C, 1e-4f);
#endif
#elif defined(ADAMW)
  float *v = make_random_float_01(N), *d_v = uploaded(v, N);
  adamw(kernel, d_a, d_b, d_a + N, d_v, 10, N);
  adamw_cpu(a, b, a + N, v, 10, N);
  validate_result(d_a, a, "params", N, 1e-5f);
  validate_result(d_v, v, "v", N, 1e-5f);
#elif defined(CROSSENTROPY_FORWARD)
  float* probs = make_random_float_01(B * T * V);
  crossentropy_forward_cpu(out.data(), probs, targets, B, T, V);
  crossentropy_forward(kernel, d_out, uploaded(probs, B * T * V), d_targets, B, T, V, block);
  validate_result(d_out, out.data(), "losses", B * T, 1e-5f);
#elif defined(CROSSENTROPY_SOFTMAX_BACKWARD)
  float *probs = make_random_float_01(B * T * V), *d_logits = zeros(B * T * V);
  crossentropy_softmax_backward_cpu(out.data(), a, probs, targets, B, T, V);
  crossentropy_softmax_backward(kernel, d_logits, d_a, uploaded(probs, B * T * V), d_targets, B, T, V, block);
  validate_result(d_logits, out.data(), "dlogits", B * T * V, 1e-5f);
#elif defined(ATTENTION_FORWARD)
  int const heads = 2;
  std::vector<float> preatt(B * heads * T * T), att(B * heads * T * T);
  attention_forward_cpu(out.data(), preatt.data(), att.data(), a, B, T, C, heads);
  if (kernel == 2) {
    attention_forward2(d_out, d_a, B, T, C, heads, block);
  } else {
    float *d_preatt = fresh(B * heads * T * T), *d_att = fresh(B * heads * T * T);
    attention_forward1(d_out, d_preatt, d_att, d_a, B, T, C, heads, block);
    validate_result(d_att, att.data(), "att", B * heads * T * T, 1e-4f);
  }
  validate_result(d_out, out.data(), "out", N, 1e-4f);
#elif defined(MATMUL_FORWARD)
  // A multiple of the 128 x 128 tiles of kernel 4.
  int const rows = kernel == 4 ? 128 : B * T, outputs = 128, inner = 32;
  float *weight = make_random_float(outputs * inner), *bias = make_random_float(outputs),
        *in = make_random_float(rows * inner);
  std::vector<float> product(rows * outputs);
  float* d_product = fresh(rows * outputs);
  matmul_forward_cpu(product.data(), in, weight, bias, 1, rows, inner, outputs);
  matmul_forward(kernel, d_product, uploaded(in, rows * inner), uploaded(weight, outputs * inner),
                 uploaded(bias, outputs), 1, rows, inner, outputs, 16);
  validate_result(d_product, product.data(), "out", rows * outputs, 1e-4f);
#elif defined(MATMUL_BACKWARD_BIAS)
  use_multiprocessors(2);
  int const outputs = 2 * C;  // kernel 7 takes 256 at a time
  cudaCheck(cudaMalloc(&dbias_buffer, outputs * sizeof(float) * 32));
  matmul_backward_bias_cpu(nullptr, nullptr, out.data(), a, nullptr, nullptr, B, T, C, outputs);
  cudaCheck(cudaMemset(x_out, 0, outputs * sizeof(floatX)));
  matmul_backward_bias(kernel, x_out, x_a, B, T, outputs, block);
  validate_result(x_out, out.data(), "dbias", outputs, 10 * tolerance);
#elif defined(GLOBAL_NORM)
  use_multiprocessors(2);
  float const norm = global_norm_cpu(a, 4 * N);
  cudaCheck(cudaMemset(d_out, 0, sizeof(float)));
  global_norm(kernel, d_out, x_a, 4 * N, block);
  validate_result(d_out, &norm, "norm", 1, tolerance);
#elif defined(TRIMAT_FORWARD)
  int const rows = 128, channels = 32, heads = 1;  // the kernels have tiles of 128 x 128
  float *qkv = make_random_float(rows * 3 * channels), *d_scores = fresh(rows * rows);
  std::vector<float> scores(rows * rows);
  trimul_cpu(scores.data(), qkv, 1, rows, channels, heads);
  trimul_gpu(kernel, d_scores, uploaded(qkv, rows * 3 * channels), 1, rows, channels, heads);
  validate_result(d_scores, scores.data(), "out", rows * rows, 1e-4f);
#elif defined(CLASSIFIER_FUSED)
  // Without padding: row t of the logits has V = P = C numbers.
  int* classes = make_random_int(B * T, C);
  std::vector<float> probs(N), losses(B * T);
  float* d_losses = fresh(B * T);
  softmax_forward_cpu(probs.data(), a, B * T, C);
  crossentropy_forward_cpu(losses.data(), probs.data(), classes, B, T, C);
  crossentropy_softmax_backward_cpu(out.data(), b, probs.data(), classes, B, T, C);
  fused_classifier(kernel, d_out, d_losses, d_a, d_b, uploaded(classes, B * T), B, T, C, C, block);
  validate_result(d_losses, losses.data(), "losses", B * T, 1e-4f);
  validate_result(d_out, out.data(), "dlogits", N, 1e-4f);
#elif defined(LAYERNORM_BACKWARD)
  use_multiprocessors(2);
  int const channels = 256, elements = B * T * channels;  // kernel 9 takes 256 channels at a time
  std::vector<float> dinp(elements), dweight(channels), dbias(channels);
  layernorm_forward_cpu(out.data(), mean.data(), rstd.data(), a, b, b + channels, B, T, channels);
  layernorm_backward_cpu(dinp.data(), dweight.data(), dbias.data(), b + channels, a, b, mean.data(), rstd.data(), B, T, channels);
  std::vector<float> none(elements);
  floatX *x_dinp = converted(none.data(), elements), *x_dweight = converted(none.data(), channels),
         *x_dbias = converted(none.data(), channels);
  layernorm_backward(kernel, x_dinp, x_dweight, x_dbias, fresh(32 * cuda_num_SMs * (2 * channels + 1)), x_b + channels, x_a,
                     x_b, converted(mean.data(), B * T), converted(rstd.data(), B * T), B, T, channels, block);
  validate_result(x_dinp, dinp.data(), "dinp", elements, 1e-1f);  // the file's own tolerances for bfloat16
  validate_result(x_dweight, dweight.data(), "dweight", channels, 5e-1f);
  validate_result(x_dbias, dbias.data(), "dbias", channels, 5e-1f);
#endif
  printf("right\n");
  return 0;
}
