// SPDX-License-Identifier: Apache-2.0
// Calls functions of public files with textures that have no main function, or one that needs a window or takes hours.
// FILE_NAME is the file, and a macro the function to call. ITERATIONS is the number of passes of the box filter. The result is compared with loops, or an image of one colour
// stays that image.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#if defined(FILE_NAME)
#define main main_of_the_file
#include FILE_NAME
#undef main
#endif
#if defined(FLOW)
namespace on_host {
#include "flowGold.cpp"
}
#endif

namespace {

int const width = 48, height = 32;

int clamped(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }
template <class T>
T* of_device(size_t count) {
  T* device = nullptr;
  cudaMalloc(&device, count * sizeof(T));
  return device;
}
template <class T>
std::vector<T> downloaded(T* device, size_t count) {
  std::vector<T> host(count);
  if (cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) std::exit(3);
  cudaFree(device);
  return host;
}
[[maybe_unused]] cudaTextureObject_t texture_of(cudaResourceDesc const& resource, cudaTextureAddressMode mode, bool normalized) {
  cudaTextureDesc how = {};
  for (cudaTextureAddressMode& m : how.addressMode) m = mode;
  how.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  return texture;
}
template <class T>
cudaResourceDesc array_of(std::vector<T> const& image) {
  cudaChannelFormatDesc const format = cudaCreateChannelDesc<T>();
  cudaResourceDesc r = {};
  r.resType = cudaResourceTypeArray;
  cudaMallocArray(&r.res.array.array, &format, width, height);
  cudaMemcpy2DToArray(r.res.array.array, 0, 0, image.data(), width * sizeof(T), width * sizeof(T), height,
                      cudaMemcpyHostToDevice);
  return r;
}
/// Bytes that differ from neighbour to neighbour.
int value_at(int x, int y) { return (x * 37 + y * 101 + x * y) % 251; }

#if defined(CONVOLUTION)
bool is_right() {
  std::vector<float> image(width * height), weights(KERNEL_LENGTH);
  for (int i = 0; i < width * height; ++i) image[i] = value_at(i % width, i / width);
  for (int i = 0; i < KERNEL_LENGTH; ++i) weights[i] = (i + 1) / 64.f;
  setConvolutionKernel(weights.data());
  cudaResourceDesc const r = array_of(image);
  cudaTextureObject_t const t = texture_of(r, cudaAddressModeClamp, false);
  float *rows = of_device<float>(width * height), *columns = of_device<float>(width * height);
  convolutionRowsGPU(rows, r.res.array.array, width, height, t);
  convolutionColumnsGPU(columns, r.res.array.array, width, height, t);
  std::vector<float> const got[2] = {downloaded(rows, width * height), downloaded(columns, width * height)};
  for (int i = 0; i < 2 * width * height; ++i) {
    int const of_columns = i % 2, x = i / 2 % width, y = i / 2 / width;
    float want = 0;
    for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; ++k) {
      int const at_x = clamped(of_columns ? x : x + k, width), at_y = clamped(of_columns ? y + k : y, height);
      want += image[at_y * width + at_x] * weights[KERNEL_RADIUS - k];
    }
    if (std::fabs(got[of_columns][y * width + x] - want) > 1e-3f * want) return false;
  }
  cudaDestroyTextureObject(t);
  return cudaFreeArray(r.res.array.array) == cudaSuccess;
}
#elif defined(SHIFTS)
bool is_right() {
  std::vector<float> image(width * height);
  for (int i = 0; i < width * height; ++i) image[i] = value_at(i % width, i / width);
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  auto& p = pitched.res.pitch2D;
  cudaMallocPitch(&p.devPtr, &p.pitchInBytes, width * sizeof(float), height);
  cudaMemcpy2D(p.devPtr, p.pitchInBytes, image.data(), width * sizeof(float), width * sizeof(float), height,
               cudaMemcpyHostToDevice);
  p.desc = cudaCreateChannelDesc<float>();
  p.width = width;
  p.height = height;
  cudaResourceDesc const array = array_of(image);
  cudaTextureObject_t const t = texture_of(pitched, cudaAddressModeWrap, true), u = texture_of(array, cudaAddressModeWrap, true);
  float *a = of_device<float>(width * height), *b = of_device<float>(width * height);
  dim3 const grid(width / TILE_DIM, height / TILE_DIM), block(TILE_DIM, TILE_DIM);
  shiftPitchLinear<<<grid, block>>>(a, width, width, height, 13, 29, t);
  shiftArray<<<grid, block>>>(b, width, width, height, 13, 29, u);
  std::vector<float> const got_a = downloaded(a, width * height), got_b = downloaded(b, width * height);
  bool right = true;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      float const want = image[(y + 29) % height * width + (x + 13) % width];
      right = right && got_a[y * width + x] == want && got_b[y * width + x] == want;
    }
  }
  cudaDestroyTextureObject(t);
  cudaDestroyTextureObject(u);
  cudaFreeArray(array.res.array.array);
  cudaFree(p.devPtr);
  return right;
}
#elif defined(SOBEL)
bool is_right() {
  std::vector<Pixel> image(width * height);
  for (int i = 0; i < width * height; ++i) image[i] = static_cast<Pixel>(value_at(i % width, i / width));
  setupTexture(width, height, image.data(), 1);
  std::vector<Pixel> got[3];
  for (int mode = 0; mode < 3; ++mode) {
    Pixel* const out = of_device<Pixel>(width * height);
    sobelFilter(out, width, height, static_cast<SobelDisplayMode>(mode), 0.25f);
    got[mode] = downloaded(out, width * height);
  }
  deleteTexture();
  for (int i = 0; i < width * height; ++i) {
    int const x = i % width, y = i / width;
    auto const at = [&](int dx, int dy) { return int{image[clamped(y + dy, height) * width + clamped(x + dx, width)]}; };
    int const across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    int const along = at(-1, -1) + 2 * at(0, -1) + at(1, -1) - at(-1, 1) - 2 * at(0, 1) - at(1, 1);
    int const sum = static_cast<int>(0.25f * (std::abs(across) + std::abs(along))), want = sum > 255 ? 255 : sum;
    if (got[0][i] != static_cast<int>(image[i] * 0.25f) || got[1][i] != want || got[2][i] != want) return false;
  }
  return true;
}
#elif defined(BILATERAL)
bool is_right() {
  int const radius = 2;
  float const range = 0.3f, delta = 1.5f;
  std::vector<unsigned> image(width * height);
  for (int i = 0; i < width * height; ++i) image[i] = 0xff000000u | value_at(i % width, i / width) * 0x10101u;
  initTexture(width, height, image.data());
  updateGaussian(delta, radius);
  unsigned* const out = of_device<unsigned>(width * height);
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  bilateralFilterRGBA(out, width, height, range, radius, 1, timer);
  std::vector<unsigned> const got = downloaded(out, width * height);
  freeTextures();
  for (int i = 0; i < width * height; ++i) {
    int const x = i % width, y = i / width;
    auto const at = [&](int dx, int dy) {
      return (image[clamped(y + dy, height) * width + clamped(x + dx, width)] & 255) / 255.f;
    };
    float total = 0, sum = 0;
    for (int dy = -radius; dy <= radius; ++dy) {
      for (int dx = -radius; dx <= radius; ++dx) {
        float const d = at(dx, dy) - at(0, 0);
        float const weight = std::exp(-(dx * dx + dy * dy) / (2 * delta * delta)) * std::exp(-3 * d * d / (2 * range * range));
        total += weight * at(dx, dy);
        sum += weight;
      }
    }
    if (std::abs(static_cast<int>(got[i] & 255) - static_cast<int>(total / sum * 255)) > 1) return false;
  }
  return true;
}
#elif defined(BOX)
bool is_right() {
  std::vector<unsigned> const image(width * height, 0x80604020u);
  initTexture(width, height, const_cast<unsigned*>(image.data()), true);
  unsigned *between = of_device<unsigned>(width * height), *out = of_device<unsigned>(width * height);
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  boxFilterRGBA(between, out, width, height, 3, ITERATIONS, 16, timer);
  std::vector<unsigned> const got = downloaded(out, width * height);
  cudaFree(between);
  freeTextures();
  for (int i = 0; i < width * height; ++i) {
    for (int shift = 0; shift < 32; shift += 8) {
      int const difference = static_cast<int>(got[i] >> shift & 255) - static_cast<int>(image[i] >> shift & 255);
      if (std::abs(difference) > 4) return false;  // each of four passes truncates
    }
  }
  return true;
}
#elif defined(VOLUME)
bool is_right() {
  int const n = 8;
  std::vector<unsigned char> volume(n * n * n);
  for (int i = 0; i < n * n * n; ++i) volume[i] = static_cast<unsigned char>(value_at(i % n, i / n));
  initCuda(volume.data(), make_cudaExtent(n, n, n));
  setTextureFilterMode(false);
  unsigned* const out = of_device<unsigned>(32 * 32);
  render_kernel(dim3(2, 2), dim3(16, 16), out, 32, 32, 0.4f);
  std::vector<unsigned> const got = downloaded(out, 32 * 32);
  for (int i = 0; i < 32 * 32; ++i) {
    int const want = volume[(3 * n + i / 32 / 4) * n + i % 32 / 4];  // w = 0.4 is slice 3 of 8
    if (std::abs(static_cast<int>(got[i]) - want) > 1) return false;
  }
  return true;
}
#elif defined(BICUBIC)
bool is_right() {
  std::vector<unsigned char> image(width * height, 100);
  initTexture(width, height, image.data());
  for (int mode = 0; mode < 5; ++mode) {
    uchar4* const out = of_device<uchar4>(width * height);
    render(width, height, 1.25f, -0.5f, 0.75f, width / 2, height / 2, dim3(16, 16), dim3(width / 16, height / 16), mode, out);
    for (uchar4 const& v : downloaded(out, width * height)) {
      if (std::abs(v.x - 100) > 1) return false;
    }
  }
  freeTexture();
  return true;
}
#elif defined(RAYS)
// Each ray through a volume without density adds nothing.
bool is_right() {
  int const n = 8;
  std::vector<VolumeType> volume(n * n * n, 0);
  initCuda(volume.data(), make_cudaExtent(n, n, n));
  float view[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 4};
  copyInvViewMatrix(view, sizeof view);
  unsigned* const out = of_device<unsigned>(32 * 32);
  cudaMemset(out, 0, 32 * 32 * sizeof(unsigned));
  render_kernel(dim3(2, 2), dim3(16, 16), out, 32, 32, 0.05f, 1.f, 0.f, 1.f);
  bool right = true;
  for (unsigned const v : downloaded(out, 32 * 32)) right = right && v == 0;
  freeCudaBuffers();
  return right;
}
#elif defined(STEREO)
// The right image is the left one, moved by 5 pixels. A function of the file computes the disparities on the host.
bool is_right() {
  std::vector<unsigned> left(width * height), right(width * height), want(width * height);
  for (int i = 0; i < width * height; ++i) {
    left[i] = value_at(i % width, i / width) * 0x10305u;
    right[i] = value_at(clamped(i % width + 5, width), i / width) * 0x10305u;
  }
  cudaResourceDesc const a = array_of(left), b = array_of(right);
  cudaTextureObject_t const t = texture_of(a, cudaAddressModeClamp, false), u = texture_of(b, cudaAddressModeClamp, false);
  unsigned* const out = of_device<unsigned>(width * height);
  stereoDisparityKernel<<<dim3((width + blockSize_x - 1) / blockSize_x, height / blockSize_y), dim3(blockSize_x, blockSize_y)>>>(
      nullptr, nullptr, out, width, height, -8, 0, t, u);
  std::vector<unsigned> const got = downloaded(out, width * height);
  cpu_gold_stereo(left.data(), right.data(), want.data(), width, height, -8, 0);
  return got == want && got[height / 2 * width + width / 2] == 3;  // it stores the disparity, -5, plus 8
}
#elif defined(FLOW)
// The flow of the host and of the device.
bool is_right() {
  int const levels = 2, stride = width;
  std::vector<float> from(width * height), to(width * height), u(width * height), v(width * height), want_u = u, want_v = v;
  for (int i = 0; i < width * height; ++i) {
    float const x = i % width, y = i / width;
    from[i] = 0.5f + 0.5f * std::sin(0.3f * x) * std::cos(0.2f * y);
    to[i] = 0.5f + 0.5f * std::sin(0.3f * (x - 1)) * std::cos(0.2f * y);
  }
  ComputeFlowCUDA(from.data(), to.data(), width, height, stride, 0.2f, levels, 1, 8, u.data(), v.data());
  on_host::ComputeFlowGold(from.data(), to.data(), width, height, stride, 0.2f, levels, 1, 8, want_u.data(), want_v.data());
  float difference = 0, most = 0;
  for (int i = 0; i < width * height; ++i) {
    difference = std::max({difference, std::fabs(u[i] - want_u[i]), std::fabs(v[i] - want_v[i])});
    most = std::max(most, std::fabs(want_u[i]));
  }
  std::printf("largest flow %f, largest difference %f\n", most, difference);
  return most > 0.2f && difference < 0.1f;  // the weights of a filter have 8 bits
}
#else
bool is_right() {
  std::printf("give one of CONVOLUTION, SHIFTS, SOBEL, BILATERAL, BOX, VOLUME, BICUBIC, RAYS, STEREO, FLOW\n");
  return false;
}
#endif

}  // namespace

int main() {
  bool const right = is_right() && cudaDeviceSynchronize() == cudaSuccess;
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
