// SPDX-License-Identifier: Apache-2.0
// Arguments of classes with constructors: the host copies and destroys them, and the lanes get their bytes. A function
// of the host may have a kernel's name.
#include <cstdio>
#include <cstring>
#include <new>

class Text {
 public:
  Text(char const* s) : length_(static_cast<int>(strlen(s))) {
    cudaMallocManaged(&characters_, length_ + 1);
    strcpy(characters_, s);
    ++alive;
  }
  Text(Text const& other) : Text(other.characters_) { ++copies; }
  ~Text() {
    cudaDeviceSynchronize();
    cudaFree(characters_);
    --alive;
  }
  __host__ __device__ char& operator[](int i) { return characters_[i]; }
  __host__ __device__ int length() const { return length_; }
  __device__ void shorten() { --length_; }
  static int alive, copies;

 private:
  int length_;
  char* characters_ = nullptr;
};
int Text::alive = 0;
int Text::copies = 0;

__global__ void count(Text text, int* sum, Text& same, int factor) {
  atomicAdd(&sum[text[threadIdx.x] - 'a'], factor);
  text.shorten();
  if (text.length() + 1 != same.length()) atomicAdd(&sum[5], 1);
}

__global__ void twice(int* sum, int n) {
  if (threadIdx.x < n) sum[threadIdx.x] *= 2;
}
// The host's function of this name.
void twice(int* sum) { twice<<<1, 32>>>(sum, 6); }

int count_letters(int* sum) {
  Text text("abca");
  Text* same = nullptr;
  cudaMallocManaged(&same, sizeof(Text));
  new (same) Text("abca");
  count<<<1, 4>>>(text, sum, *same, 2);
  cudaDeviceSynchronize();
  same->~Text();
  cudaFree(same);
  return Text::copies;
}

// The host's copy for a launch frees the memory, behind the kernel. No other copy does: neither one of a lane nor one
// for the search of the kernel, of a template or of a name that others have.
struct Counter {
  int* value;
  Counter() {
    cudaMalloc(&value, sizeof(int));
    cudaMemset(value, 0, sizeof(int));
  }
  Counter(Counter const&) = default;
  ~Counter() { cudaFree(value); }
};
template <class T>
__global__ void increase(Counter counter, int* sum, T by) {
  if (atomicAdd(counter.value, 1) < 8) atomicAdd(sum, static_cast<int>(by));
}
__global__ void dot(Counter counter, int* sum) {
  if (atomicAdd(counter.value, 1) < 8) atomicAdd(sum, 1);
}
void increase_all(int* sum) {
  Counter* const never_destroyed = new Counter[3];
  increase<<<2, 4>>>(never_destroyed[0], sum, 3);
  increase<float><<<2, 4>>>(never_destroyed[1], sum, 2);
  dot<<<2, 4>>>(never_destroyed[2], sum);
}

// A function that returns a class in memory, and accesses nothing else.
struct Eight {
  float v[8];
};
__device__ __noinline__ Eight line(float first, float step) {
  Eight c;
  c.v[0] = first;
  for (int i = 1; i < 8; ++i) c.v[i] = c.v[0] + step * static_cast<float>(i);
  return c;
}
__global__ void ends(int* sum) {
  Eight const b = line(3.0f, 2.0f);
  if (threadIdx.x == 0) sum[4] = static_cast<int>(b.v[1] + b.v[7]);
}

int main() {
  int* sum = nullptr;
  cudaMallocManaged(&sum, 6 * sizeof(int));
  for (int i = 0; i < 6; ++i) sum[i] = 0;
  int const copies = count_letters(sum);
  twice(sum);
  ends<<<1, 32>>>(sum);
  increase_all(sum + 3);
  cudaDeviceSynchronize();
  bool const counted = sum[0] == 8 && sum[1] == 4 && sum[2] == 4 && sum[5] == 0;
  bool const right = copies == 1 && Text::alive == 0 && counted && sum[4] == 22 && sum[3] == 48;
  if (!right)
    printf("copies %d, alive %d: %d %d %d %d %d %d\n", copies, Text::alive, sum[0], sum[1], sum[2], sum[3], sum[4],
           sum[5]);
  cudaFree(sum);
  return !right;
}
