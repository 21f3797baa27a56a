// SPDX-License-Identifier: Apache-2.0
// Examples: those of the documents on tiled copies, with what the library says of them.

const half = {view: 'copy', type: 'half'};
const matrix = {'row-major': '(4096,4096):(4096,1)', 'column-major': '(4096,4096):(1,4096)'};
const scalar = 'UniversalCopy<uint16_t>', eight = 'UniversalCopy<uint64_t>', cpAsync = 'SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>';

/** A column of a matrix of floats by each warp: 32 words of one bank at once. */
export const columns = {atom: 'UniversalCopy<float>', type: 'float', thr: '(32,8)', val: '1:0', src: '(32,32):(32,1)', space: 'shared'};

/** One line of the table on coalescing. */
function coalescing(name, order, atom, thr, val) {
  return {name, state: {...half, atom, thr, val, src: matrix[order]}};
}

export const presets = [
  {name: 'Start here', all: [
    {name: '992 bank conflicts, and how to lose them', state: {view: 'copy', ...columns}},
    {name: 'ldmatrix of a swizzled stage', state: {...half, atom: 'SM75_U32x4_LDSM_N', operand: 'A', mma: 'SM80_16x8x16_F32F16F16F32_TN', layout: '(2,2,1)',
      permutation: '(32,32,16)', src: 'Sw<3,3,3> o 0 o (32,64):(64,1)', space: 'shared'}},
  ]},
  {name: 'Thread-value layouts', all: [
    {name: 'The product (m,n) → (thr,val)', state: {view: 'algebra', expression: 'raked_product((8,4):(1,8), 8:1)'}},
    {name: 'Its inverse, (thr,val) → (m,n)', state: {view: 'algebra', expression: 'composition(right_inverse(raked_product((8,4):(1,8), 8:1)), (32,8))'}},
    {name: 'Partition of a shared tile', state: {...half, atom: 'UniversalCopy<uint128_t>', thr: '(8,4):(1,8)', val: '8:1', dst: '(128,32)', space: 'shared'}},
    {name: 'Partition of a global tensor', state: {...half, atom: 'UniversalCopy<uint128_t>', thr: '(8,4):(1,8)', val: '8:1', src: '(128,32,32)'}},
    {name: 'A thread layout that is no bijection', state: {...half, atom: 'UniversalCopy<uint128_t>', thr: '(4,2):(1,8)', val: '8:1'}},
    {name: 'Another that is none', state: {...half, atom: 'UniversalCopy<uint128_t>', thr: '(4,2):(1,0)', val: '8:1'}},
  ]},
  {name: 'Tiled copy, step by step', all: [
    {name: 'A partition of (24,16)', state: {view: 'copy', atom: 'UniversalCopy<uint32_t>', type: 'float', thr: '(8,16)', val: '(2,4)', dst: '(24,16)', bounds: '(24,16)'}},
    {name: 'The tiles of (24,16)', state: {view: 'algebra', expression: 'zipped_divide((24,16), (16,64))'}},
  ]},
  {name: 'Coalescing', all: [
    coalescing('Row-major, 2 bytes at once', 'row-major', scalar, '(16,8):(8,1)', '(1,4)'),
    coalescing('Row-major, 8 bytes at once', 'row-major', eight, '(16,8):(8,1)', '(1,4)'),
    coalescing('Column-major, the same', 'column-major', scalar, '(16,8):(8,1)', '(1,4)'),
    coalescing('Column-major, the same with 8 bytes', 'column-major', eight, '(16,8):(8,1)', '(1,4)'),
    coalescing('Column-major, the usual remedy', 'column-major', scalar, '(8,16):(16,1)', '(4,1)'),
    coalescing('The usual remedy with 8 bytes', 'column-major', eight, '(8,16):(16,1)', '(4,1)'),
    coalescing('Column-major, a true remedy', 'column-major', scalar, '(8,16):(1,8)', '(4,1)'),
    coalescing('The true remedy with 8 bytes', 'column-major', eight, '(8,16):(1,8)', '(4,1)'),
    coalescing('cp.async, row-major', 'row-major', cpAsync, '(16,8):(8,1)', '(1,8)'),
    coalescing('cp.async, column-major', 'column-major', cpAsync, '(8,16):(16,1)', '(8,1)'),
    coalescing('cp.async, half a line a row', 'row-major', cpAsync, '(32,4):(4,1)', '(1,8)'),
  ]},
  {name: 'Local tiles', all: [
    {name: 'A (M,K), tile (32,4) at x = 1', state: {view: 'algebra', expression: 'zipped_divide((96,20):(1,96), dice((1,_,1), (32,64,4)))((_,_),(1,_))'}},
    {name: 'B (N,K), tile (64,4) at y = 1', state: {view: 'algebra', expression: 'zipped_divide((128,20):(1,128), dice((_,1,1), (32,64,4)))((_,_),(1,_))'}},
    {name: 'C (M,N), tile (32,64) at (1,1)', state: {view: 'algebra', expression: 'zipped_divide((96,128):(1,96), dice((1,1,_), (32,64,4)))((_,_),(1,1))'}},
    {name: 'A thread’s elements: local_partition', state: {view: 'algebra', expression: 'zipped_divide((32,16):(1,32), (8,4))((3,2),(_,_))'}},
  ]},
  {name: 'Tiled MMA', all: [
    {name: 'One tensor-core instruction, TF32', state: {view: 'mma', atom: 'SM80_16x8x8_F32TF32TF32F32_TN'}},
    {name: 'Four warps, tile 32 x 32 x 8', state: {view: 'mma', atom: 'SM80_16x8x8_F32TF32TF32F32_TN', layout: '(2,2,1):(2,1,1)', permutation: '(32,32,8)',
      a: '(128,16):(1,128)', b: '(128,16):(16,1)', c: '(128,128)'}},
    {name: 'Half, float sums, four warps', state: {view: 'mma', atom: 'SM80_16x8x16_F32F16F16F32_TN', layout: '(2,2,1)', permutation: '(32,32,16)'}},
    {name: 'Quad pairs, permuted', state: {view: 'mma', atom: 'SM70_8x8x4_F32F16F16F32_NT', layout: '(2,2):(2,1)', permutation: '((4,4,2):(1,8,4),32,4)'}},
    {name: 'Multiply-adds of 16 x 16 threads', state: {view: 'mma', atom: 'UniversalFMA<float>', layout: '(16,16)', a: '(128,8)', b: '(128,8)', c: '(128,128)'}},
    {name: '15 warps, tile 48 x 40 x 8', state: {view: 'mma', atom: 'SM80_16x8x8_F16F16F16F16_TN', layout: '(3,5)', a: '(336,8)', b: '(360,8)', c: '(336,360)'}},
    {name: 'Bytes to integers', state: {view: 'mma', atom: 'SM80_16x8x32_S32S8S8S32_TN'}},
    {name: 'Single bits', state: {view: 'mma', atom: 'SM80_16x8x256_S32U1U1S32_TN_XORPOPC'}},
  ]},
  {name: 'Pictures', all: [
    {name: 'Both tables of ldmatrix', state: {...half, atom: 'SM75_U32x4_LDSM_N', operand: 'A', mma: 'SM80_16x8x16_F32F16F16F32_TN', src: '(16,64):(64,1)', space: 'shared'}},
    {name: 'Threads and values of a copy', state: {view: 'copy', atom: 'UniversalCopy<uint32_t>', type: 'float', thr: '(4,8):(8,1)', val: '(2,2)'}},
    {name: 'A nested layout', state: {view: 'algebra', expression: '((2,2),(4,2)):((1,8),(2,16))'}},
    {name: 'A swizzle and its banks', state: {view: 'algebra', expression: 'Sw<3,3,3> o 0 o (8,64):(64,1)'}},
    {name: 'A swizzle against bank conflicts', state: {...half, atom: 'UniversalCopy<uint128_t>', thr: '(4,8):(8,1)', val: '(1,8)', src: '(64,64):(64,1)', dst: 'Sw<3,3,3> o 0 o (64,64):(64,1)'}},
    {name: 'A tile of 128 x 128', state: {...half, atom: 'UniversalCopy<uint128_t>', thr: '(16,16):(16,1)', val: '(8,8):(8,1)', src: '(128,128):(128,1)', dst: 'Sw<3,3,4> o 0 o (128,128):(128,1)'}},
  ]},
  {name: 'Vectorized and coalesced', all: [
    {name: 'Float64 at once, values (4,1)', state: {view: 'copy', atom: 'UniversalCopy<double>', type: 'float', thr: '(32,8)', val: '(4,1)', src: '(256,32)'}},
    {name: 'Float64 at once, values (2,1)', state: {view: 'copy', atom: 'UniversalCopy<double>', type: 'float', thr: '(32,8)', val: '(2,1)', src: '(256,32)'}},
    {name: 'UInt128 at once, values (4,1)', state: {view: 'copy', atom: 'UniversalCopy<uint128_t>', type: 'float', thr: '(32,8)', val: '(4,1)', src: '(256,32)'}},
  ]},
  {name: 'Plans', all: [
    {name: 'A matrix transposed', state: {view: 'plan', src: '(4096,4096):(4096,1)', dst: '(4096,4096):(1,4096)', bytes: '4'}},
    {name: 'A permutation of three modes', state: {view: 'plan', shape: '512,768,384', permute: '2,0,1', bytes: '4'}},
    {name: 'A transpose of your own', state: {view: 'plan', src: '(4096,4096):(4096,1)', dst: '(4096,4096):(1,4096)', bytes: '2', threads: '128'}},
    {name: 'A copy of rows', state: {view: 'plan', src: '(16384,4096):(4096,1)', dst: '(16384,4096):(4160,1)', bytes: '2'}},
  ]},
];
