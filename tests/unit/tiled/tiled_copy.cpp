// SPDX-License-Identifier: Apache-2.0
// Tiled copies of atoms of 1 to 16 bytes, hierarchical thread and value layouts, ranks 1 to 3; static and run-time
// tensors. Every text is what CuTe prints.
#include <gtest/gtest.h>

#include "text_of.hpp"

using namespace cosmati;

namespace {

/// An address that is never accessed. It is volatile, so that the compiler looks for no object there.
void* volatile place = reinterpret_cast<void*>(0x10000);
template <class T>
T* memory() {
  return static_cast<T*>(place);
}

TEST(TiledCopy, Half16ByteColumns) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                  Layout<Shape<_8, _4>, Stride<_1, _8>>{}, Layout<_8>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_64,_4)
  TiledLayout_TV: (_32,_8):(_8,_1)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_8):(_0,_1)
  ValLayoutDst: (_1,_8):(_0,_1)
  ValLayoutRef: (_1,_8):(_0,_1)
  ValueType:    16b
(_32,(_8,_1)):(_8,(_1,_0))
(_32,(_8,_1)):(_8,(_1,_0))
_32
_64
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_smem_ptr(memory<half_t>()), Layout<Shape<_128, _32>>{}), 5),
            R"(((_8,_4),(_8,_1),(_2,_8)):((_8,_128),(_1,_0),(_64,_512))
((_8,_4),(_8,_1),(_2,_8)):((_8,_128),(_1,_0),(_64,_512))
((_8,_1),_2,_8):((_1,_0),_64,_512)
((_8,_1),_2,_8):((_1,_0),_64,_512)
40 40
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<half_t>()), Layout<Shape<_128, _32, _32>>{}), 5),
            R"(((_8,_4),(_8,_1),(_2,_8,_32)):((_8,_128),(_1,_0),(_64,_512,_4096))
((_8,_4),(_8,_1),(_2,_8,_32)):((_8,_128),(_1,_0),(_64,_512,_4096))
((_8,_1),_2,_8,_32):((_1,_0),_64,_512,_4096)
((_8,_1),_2,_8,_32):((_1,_0),_64,_512,_4096)
40 40
)");
  EXPECT_EQ(
      partitioned(
          tc, make_tensor(make_gmem_ptr(memory<half_t>()), make_layout(make_shape(128, 96), make_stride(_1{}, 128))),
          31),
      R"(((_8,_4),(_8,_1),(2,24)):((_8,128),(_1,_0),(_64,512))
((_8,_4),(_8,_1),(2,24)):((_8,128),(_1,_0),(_64,512))
((_8,_1),2,24):((_1,_0),_64,512)
((_8,_1),2,24):((_1,_0),_64,512)
440 440
)");
}

TEST(TiledCopy, DocumentsAtom8x16) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, uint32_t>{},
                                  Layout<Shape<_8, _16>, Stride<_16, _1>>{}, Layout<Shape<_2, _4>, Stride<_1, _2>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_16,_64)
  TiledLayout_TV: ((_16,_8),(_2,_4)):((_64,_2),(_1,_16))
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_1):(_0,_1)
  ValLayoutDst: (_1,_1):(_0,_1)
  ValLayoutRef: (_1,_1):(_0,_1)
  ValueType:    32b
((_16,_8),(_1,(_2,_4))):((_64,_2),(_0,(_1,_16)))
((_16,_8),(_1,(_2,_4))):((_64,_2),(_0,(_1,_16)))
_128
_16
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<uint32_t>()), Layout<Shape<_16, _64>>{}), 17),
            R"(((_16,_8),(_1,(_2,_4)),(_1,_1)):((_64,_2),(_0,(_1,_16)),(_0,_0))
((_16,_8),(_1,(_2,_4)),(_1,_1)):((_64,_2),(_0,(_1,_16)),(_0,_0))
((_1,(_2,_4)),_1,_1):((_0,(_1,_16)),_0,_0)
((_1,(_2,_4)),_1,_1):((_0,(_1,_16)),_0,_0)
66 66
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<uint32_t>()), Layout<Shape<_24, _16>>{}), 17),
            R"(((_16,_8),(_1,(_2,_4)),(_2,_1)):((_96,_2),(_0,(_1,_24)),(_16,_0))
((_16,_8),(_1,(_2,_4)),(_2,_1)):((_96,_2),(_0,(_1,_24)),(_16,_0))
((_1,(_2,_4)),_2,_1):((_0,(_1,_24)),_16,_0)
((_1,(_2,_4)),_2,_1):((_0,(_1,_24)),_16,_0)
98 98
)");
  EXPECT_EQ(
      partitioned(tc, make_tensor(make_gmem_ptr(memory<uint32_t>()), Layout<Shape<_24, _16>, Stride<_16, _1>>{}), 100),
      R"(((_16,_8),(_1,(_2,_4)),(_2,_1)):((_4,_32),(_0,(_16,_1)),(_256,_0))
((_16,_8),(_1,(_2,_4)),(_2,_1)):((_4,_32),(_0,(_16,_1)),(_256,_0))
((_1,(_2,_4)),_2,_1):((_0,(_16,_1)),_256,_0)
((_1,(_2,_4)),_2,_1):((_0,(_16,_1)),_256,_0)
208 208
)");
}

TEST(TiledCopy, MoYe2x3) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<double>, double>{}, Layout<Shape<_2, _3>, Stride<_3, _1>>{},
                                  Layout<Shape<_2, _3>, Stride<_1, _2>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_4,_9)
  TiledLayout_TV: ((_3,_2),(_2,_3)):((_12,_2),(_1,_4))
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_1):(_0,_1)
  ValLayoutDst: (_1,_1):(_0,_1)
  ValLayoutRef: (_1,_1):(_0,_1)
  ValueType:    64b
((_3,_2),(_1,(_2,_3))):((_12,_2),(_0,(_1,_4)))
((_3,_2),(_1,(_2,_3))):((_12,_2),(_0,(_1,_4)))
_6
_4
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<double>()), Layout<Shape<_4, _9>>{}), 1),
            R"(((_3,_2),(_1,(_2,_3)),(_1,_1)):((_12,_2),(_0,(_1,_4)),(_0,_0))
((_3,_2),(_1,(_2,_3)),(_1,_1)):((_12,_2),(_0,(_1,_4)),(_0,_0))
((_1,(_2,_3)),_1,_1):((_0,(_1,_4)),_0,_0)
((_1,(_2,_3)),_1,_1):((_0,(_1,_4)),_0,_0)
12 12
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<double>()), Layout<Shape<_4, _9>>{}), 2),
            R"(((_3,_2),(_1,(_2,_3)),(_1,_1)):((_12,_2),(_0,(_1,_4)),(_0,_0))
((_3,_2),(_1,(_2,_3)),(_1,_1)):((_12,_2),(_0,(_1,_4)),(_0,_0))
((_1,(_2,_3)),_1,_1):((_0,(_1,_4)),_0,_0)
((_1,(_2,_3)),_1,_1):((_0,(_1,_4)),_0,_0)
24 24
)");
}

TEST(TiledCopy, Bytes) {
  auto const tc =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint8_t>, uint8_t>{}, Layout<Shape<_32>>{}, Layout<Shape<_4>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_128)
  TiledLayout_TV: (_32,_4):(_4,_1)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_1):(_0,_1)
  ValLayoutDst: (_1,_1):(_0,_1)
  ValLayoutRef: (_1,_1):(_0,_1)
  ValueType:    8b
(_32,(_1,_4)):(_4,(_0,_1))
(_32,(_1,_4)):(_4,(_0,_1))
_32
_128
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<uint8_t>()), make_layout(_128{})), 7),
            R"((_32,(_1,_4),(_1)):(_4,(_0,_1),(_0))
(_32,(_1,_4),(_1)):(_4,(_0,_1),(_0))
((_1,_4),(_1)):((_0,_1),(_0))
((_1,_4),(_1)):((_0,_1),(_0))
28 28
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<uint8_t>()), make_layout(make_shape(300))), 7),
            R"((_32,(_1,_4),(3)):(_4,(_0,_1),(_128))
(_32,(_1,_4),(3)):(_4,(_0,_1),(_128))
((_1,_4),(3)):((_0,_1),(_128))
((_1,_4),(3)):((_0,_1),(_128))
28 28
)");
}

TEST(TiledCopy, TwoByteRows) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint16_t>, uint8_t>{},
                                  Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_16,_32)
  TiledLayout_TV: ((_8,_16),_4):((_64,_1),_16)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_2):(_0,_1)
  ValLayoutDst: (_1,_2):(_0,_1)
  ValLayoutRef: (_1,_2):(_0,_1)
  ValueType:    8b
((_8,_16),(_2,_2)):((_64,_1),(_16,_32))
((_8,_16),(_2,_2)):((_64,_1),(_16,_32))
_128
_16
)");
  EXPECT_EQ(partitioned(
                tc, make_tensor(make_gmem_ptr(memory<uint8_t>()), make_layout(make_shape(64, 64), LayoutRight{})), 99),
            R"(((_8,_16),(_2,_2),(4,2)):((_4,64),(_1,_2),(1024,_32))
((_8,_16),(_2,_2),(4,2)):((_4,64),(_1,_2),(1024,_32))
((_2,_2),4,2):((_1,_2),1024,_32)
((_2,_2),4,2):((_1,_2),1024,_32)
780 780
)");
}

TEST(TiledCopy, RowMajor16x8) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint16_t>, half_t>{},
                                  Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _4>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_16,_32)
  TiledLayout_TV: ((_8,_16),_4):((_64,_1),_16)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_1):(_0,_1)
  ValLayoutDst: (_1,_1):(_0,_1)
  ValLayoutRef: (_1,_1):(_0,_1)
  ValueType:    16b
((_8,_16),(_1,_4)):((_64,_1),(_0,_16))
((_8,_16),(_1,_4)):((_64,_1),(_0,_16))
_128
_16
)");
  EXPECT_EQ(partitioned(tc,
                        make_tensor(make_gmem_ptr(memory<half_t>()),
                                    make_layout(make_shape(Int<4096>{}, Int<4096>{}), LayoutRight{})),
                        99),
            R"(((_8,_16),(_1,_4),(_256,_128)):((_4,_4096),(_0,_1),(_65536,_32))
((_8,_16),(_1,_4),(_256,_128)):((_4,_4096),(_0,_1),(_65536,_32))
((_1,_4),_256,_128):((_0,_1),_65536,_32)
((_1,_4),_256,_128):((_0,_1),_65536,_32)
49164 49164
)");
}

TEST(TiledCopy, ColumnMajor8x16) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, half_t>{},
                                  Layout<Shape<_8, _16>, Stride<_16, _1>>{}, Layout<Shape<_4, _1>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_32,_16)
  TiledLayout_TV: ((_16,_8),_4):((_32,_4),_1)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_4):(_0,_1)
  ValLayoutDst: (_1,_4):(_0,_1)
  ValLayoutRef: (_1,_4):(_0,_1)
  ValueType:    16b
((_16,_8),(_4,_1)):((_32,_4),(_1,_0))
((_16,_8),(_4,_1)):((_32,_4),(_1,_0))
_128
_32
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<half_t>()), Layout<Shape<Int<4096>, Int<4096>>>{}), 99),
            R"(((_16,_8),(_4,_1),(_128,_256)):((_4096,_4),(_1,_0),(_32,_65536))
((_16,_8),(_4,_1),(_128,_256)):((_4096,_4),(_1,_0),(_32,_65536))
((_4,_1),_128,_256):((_1,_0),_32,_65536)
((_4,_1),_128,_256):((_1,_0),_32,_65536)
12312 12312
)");
}

TEST(TiledCopy, HalfALine) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                  Layout<Shape<_32, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _8>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_32,_32)
  TiledLayout_TV: ((_4,_32),_8):((_256,_1),_32)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_8):(_0,_1)
  ValLayoutDst: (_1,_8):(_0,_1)
  ValLayoutRef: (_1,_8):(_0,_1)
  ValueType:    16b
((_4,_32),(_8,_1)):((_256,_1),(_32,_0))
((_4,_32),(_8,_1)):((_256,_1),(_32,_0))
_128
_32
)");
  EXPECT_EQ(
      partitioned(
          tc, make_tensor(make_gmem_ptr(memory<half_t>()), make_layout(make_shape(4096, Int<4096>{}), LayoutRight{})),
          99),
      R"(((_4,_32),(_8,_1),(128,_128)):((_8,_4096),(_1,_0),(_131072,_32))
((_4,_32),(_8,_1),(128,_128)):((_8,_4096),(_1,_0),(_131072,_32))
((_8,_1),128,_128):((_1,_0),_131072,_32)
((_8,_1),128,_128):((_1,_0),_131072,_32)
98328 98328
)");
}

TEST(TiledCopy, HierarchicalThreads) {
  auto const tc =
      make_tiled_copy(Copy_Atom<UniversalCopy<uint64_t>, float>{},
                      Layout<Shape<Shape<_2, _4>, _8>, Stride<Stride<_1, _16>, _2>>{}, Layout<Shape<_2, _2>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_16,_16)
  TiledLayout_TV: ((_2,_8,_4),(_2,_2)):((_2,_32,_4),(_1,_16))
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_2):(_0,_1)
  ValLayoutDst: (_1,_2):(_0,_1)
  ValLayoutRef: (_1,_2):(_0,_1)
  ValueType:    32b
((_2,_8,_4),(_2,_2)):((_2,_32,_4),(_1,_16))
((_2,_8,_4),(_2,_2)):((_2,_32,_4),(_1,_16))
_64
_16
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<float>()), Layout<Shape<_64, _64>>{}), 13),
            R"(((_2,_8,_4),(_2,_2),(_4,_4)):((_2,_128,_4),(_1,_64),(_16,_1024))
((_2,_8,_4),(_2,_2),(_4,_4)):((_2,_128,_4),(_1,_64),(_16,_1024))
((_2,_2),_4,_4):((_1,_64),_16,_1024)
((_2,_2),_4,_4):((_1,_64),_16,_1024)
770 770
)");
}

TEST(TiledCopy, HierarchicalValues) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{},
                                  Layout<Shape<_4, Shape<_2, _8>>, Stride<_16, Stride<_8, _1>>>{},
                                  Layout<Shape<_4, Shape<_2, _2>>, Stride<_1, Stride<_8, _4>>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_16,_64)
  TiledLayout_TV: ((_8,_2,_4),(_4,_2,_2)):((_128,_64,_4),(_1,_32,_16))
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_4):(_0,_1)
  ValLayoutDst: (_1,_4):(_0,_1)
  ValLayoutRef: (_1,_4):(_0,_1)
  ValueType:    32b
((_8,_2,_4),(_4,(_2,_2))):((_128,_64,_4),(_1,(_32,_16)))
((_8,_2,_4),(_4,(_2,_2))):((_128,_64,_4),(_1,(_32,_16)))
_64
_16
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<float>()), Layout<Shape<_64, _64>>{}), 13),
            R"(((_8,_2,_4),(_4,(_2,_2)),(_4,_1)):((_512,_256,_4),(_1,(_128,_64)),(_16,_0))
((_8,_2,_4),(_4,(_2,_2)),(_4,_1)):((_512,_256,_4),(_1,(_128,_64)),(_16,_0))
((_4,(_2,_2)),_4,_1):((_1,(_128,_64)),_16,_0)
((_4,(_2,_2)),_4,_1):((_1,(_128,_64)),_16,_0)
2816 2816
)");
}

TEST(TiledCopy, RankThree) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, half_t>{},
                                  Layout<Shape<_4, _4, _2>, Stride<_1, _4, _16>>{}, Layout<Shape<_2, _1, _2>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_8,_4,_4)
  TiledLayout_TV: ((_16,_2),(_2,_2)):((_2,_64),(_1,_32))
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_2):(_0,_1)
  ValLayoutDst: (_1,_2):(_0,_1)
  ValLayoutRef: (_1,_2):(_0,_1)
  ValueType:    16b
((_16,_2),(_2,_2)):((_2,_64),(_1,_32))
((_16,_2),(_2,_2)):((_2,_64),(_1,_32))
_32
_8
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<half_t>()), Layout<Shape<_16, _16, _8>>{}), 13),
            R"((((_4,_4),_2),(_2,_2),(_2,_4,_2)):(((_2,_16),_512),(_1,_256),(_8,_64,_1024))
(((_4,_4),_2),(_2,_2),(_2,_4,_2)):(((_2,_16),_512),(_1,_256),(_8,_64,_1024))
((_2,_2),_2,_4,_2):((_1,_256),_8,_64,_1024)
((_2,_2),_2,_4,_2):((_1,_256),_8,_64,_1024)
50 50
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<half_t>()), make_layout(make_shape(17, 5, 9))), 13),
            R"((((_4,_4),_2),(_2,_2),(3,2,3)):(((_2,17),170),(_1,85),(_8,68,340))
(((_4,_4),_2),(_2,_2),(3,2,3)):(((_2,17),170),(_1,85),(_8,68,340))
((_2,_2),3,2,3):((_1,85),_8,68,340)
((_2,_2),3,2,3):((_1,85),_8,68,340)
53 53
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<half_t>()), make_layout(make_shape(16, 16, 8, 3))), 31),
            R"((((_4,_4),_2),(_2,_2),(2,4,2,3)):(((_2,16),512),(_1,256),(_8,64,1024,2048))
(((_4,_4),_2),(_2,_2),(2,4,2,3)):(((_2,16),512),(_1,256),(_8,64,1024,2048))
((_2,_2),2,4,2,3):((_1,256),_8,64,1024,2048)
((_2,_2),2,4,2,3):((_1,256),_8,64,1024,2048)
566 566
)");
}

TEST(TiledCopy, AutoVectorizing) {
  auto const tc =
      make_tiled_copy(Copy_Atom<AutoVectorizingCopy, float>{}, Layout<Shape<_32, _8>>{}, Layout<Shape<_4, _1>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_128,_8)
  TiledLayout_TV: (_256,_4):(_4,_1)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_1):(_0,_0)
  ValLayoutDst: (_1,_1):(_0,_0)
  ValLayoutRef: (_1,_1):(_0,_0)
  ValueType:    32b
(_256,(_1,_4)):(_4,(_0,_1))
(_256,(_1,_4)):(_4,(_0,_1))
_256
_128
)");
  EXPECT_EQ(partitioned(tc, make_tensor(make_gmem_ptr(memory<float>()), Layout<Shape<_128, _64>>{}), 40),
            R"((_256,(_1,_4),(_1,_8)):(_4,(_0,_1),(_0,_1024))
(_256,(_1,_4),(_1,_8)):(_4,(_0,_1),(_0,_1024))
((_1,_4),_1,_8):((_0,_1),_0,_1024)
((_1,_4),_1,_8):((_0,_1),_0,_1024)
160 160
)");
  EXPECT_EQ(partitioned(tc,
                        make_tensor(make_gmem_ptr(memory<float>()),
                                    Layout<Shape<Shape<_16, _8>, _64>, Stride<Stride<_1, Int<1024>>, _16>>{}),
                        40),
            R"(((_4,_8,_8),(_1,_4),(_1,_8)):((_4,_1024,_16),(_0,_1),(_0,_128))
((_4,_8,_8),(_1,_4),(_1,_8)):((_4,_1024,_16),(_0,_1),(_0,_128))
((_1,_4),_1,_8):((_0,_1),_0,_128)
((_1,_4),_1,_8):((_0,_1),_0,_128)
2064 2064
)");
}

TEST(TiledCopy, HierarchicalTensor) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, uint8_t>{},
                                  Layout<Shape<_8, _4>, Stride<_4, _1>>{}, Layout<Shape<_1, _16>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_8,_64)
  TiledLayout_TV: ((_4,_8),_16):((_128,_1),_8)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_16):(_0,_1)
  ValLayoutDst: (_1,_16):(_0,_1)
  ValLayoutRef: (_1,_16):(_0,_1)
  ValueType:    8b
((_4,_8),(_16,_1)):((_128,_1),(_8,_0))
((_4,_8),(_16,_1)):((_128,_1),(_8,_0))
_32
_8
)");
  EXPECT_EQ(partitioned(tc,
                        make_tensor(make_gmem_ptr(memory<uint8_t>()),
                                    Layout<Shape<_16, Shape<_16, _8>>, Stride<_16, Stride<_1, _256>>>{}),
                        30),
            R"(((_4,_8),(_16,_1),(_2,_2)):((_256,_16),(_1,_0),(_128,_1024))
((_4,_8),(_16,_1),(_2,_2)):((_256,_16),(_1,_0),(_128,_1024))
((_16,_1),_2,_2):((_1,_0),_128,_1024)
((_16,_1),_2,_2):((_1,_0),_128,_1024)
624 624
)");
}

TEST(TiledCopy, PackedNibbles) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, int4_t>{}, Layout<Shape<_8, _4>, Stride<_4, _1>>{},
                                  Layout<Shape<_1, _8>>{});
  EXPECT_EQ(described(tc), R"(TiledCopy
  Tiler_MN:       (_8,_32)
  TiledLayout_TV: ((_4,_8),_8):((_64,_1),_8)
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_8):(_0,_1)
  ValLayoutDst: (_1,_8):(_0,_1)
  ValLayoutRef: (_1,_8):(_0,_1)
  ValueType:    4b
((_4,_8),(_8,_1)):((_64,_1),(_8,_0))
((_4,_8),(_8,_1)):((_64,_1),(_8,_0))
_32
_8
)");
}

TEST(TiledCopy, OfAnAtomOnAnothersSide) {
  auto const wide = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                    Layout<Shape<_8, _4>, Stride<_1, _8>>{}, Layout<_8>{});
  using Narrow = Copy_Atom<UniversalCopy<uint32_t>, half_t>;
  std::string const expected = R"(TiledCopy
  Tiler_MN:       (_64,_4)
  TiledLayout_TV: (_32,(_8,_1)):(_8,(_1,_0))
Copy_Atom
  ThrID:        _1:_0
  ValLayoutSrc: (_1,_2):(_0,_1)
  ValLayoutDst: (_1,_2):(_0,_1)
  ValLayoutRef: (_1,_2):(_0,_1)
  ValueType:    16b
(_32,(_2,_4)):(_8,(_1,_2))
(_32,(_2,_4)):(_8,(_1,_2))
_32
_64
)";
  auto const narrow = make_tiled_copy_S(Narrow{}, wide);
  EXPECT_EQ(described(narrow), expected);
  EXPECT_EQ(described(make_tiled_copy_D(Narrow{}, wide)), expected);
  auto fragment = make_tensor<half_t>(Layout<Shape<Shape<_8, _1>, _2, _8>>{});
  EXPECT_EQ(text_of(narrow.get_slice(0).retile_S(fragment).layout()), "((_2,_4),_2,_8):((_1,_2),_8,_16)");
  EXPECT_EQ(text_of(narrow.get_slice(0).retile_D(fragment).layout()), "((_2,_4),_2,_8):((_1,_2),_8,_16)");
  EXPECT_EQ(text_of(wide.get_slice(3).retile_D(fragment).layout()), "((_8,_1),_2,_8):((_1,_0),_8,_16)");
  auto const cut = zipped_divide(Layout<Shape<_128, _32>>{}, Shape<_64, _4>{});
  EXPECT_EQ(text_of(wide.tile2thrfrg(cut, Layout<Shape<_1, _8>, Stride<_0, _1>>{})),
            "((_8,_4),(_8,_1),(_2,_8)):((_8,_128),(_1,_0),(_64,_512))");
}

TEST(TiledCopy, OfCoordinates) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                  Layout<Shape<_8, _4>, Stride<_1, _8>>{}, Layout<_8>{});
  auto const mine = tc.get_slice(9).partition_S(make_identity_tensor(make_shape(130, 33)));
  EXPECT_EQ(text_of(mine.layout()), "((_8,_1),3,9):((_1@0,_0),_64@0,_4@1)");
  EXPECT_EQ(text_of(mine(0)), "(8,1)");
  EXPECT_EQ(text_of(mine(_7{}, 0, 0)), "(15,1)");
  EXPECT_EQ(text_of(mine(3, 1, 2)), "(75,9)");
  EXPECT_EQ(text_of(mine.data()), "ArithTuple(8,1)");
}

TEST(TiledCopy, OfTheDataAnAtomShouldRead) {
  auto const first_lines = [](auto const& tc) {
    std::string const all = described(tc);
    return all.substr(0, all.find("Copy_Atom"));
  };
  EXPECT_EQ(first_lines(make_cotiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                          Layout<Shape<_32, _8>, Stride<_8, _1>>{}, Layout<Shape<_64, _32>>{})),
            "TiledCopy\n  Tiler_MN:       ((_8,_8):(_8,_1),_4:_1)\n  TiledLayout_TV: ((_8,_4),_8):((_1,_64),_8)\n");
  EXPECT_EQ(first_lines(make_cotiled_copy(Copy_Atom<UniversalCopy<uint64_t>, float>{},
                                          Layout<Shape<_32, _2>, Stride<_2, _1>>{},
                                          Layout<Shape<_16, _16>, Stride<_16, _1>>{})),
            "TiledCopy\n  Tiler_MN:       (_4:_1,(_8,_2):(_2,_1))\n  TiledLayout_TV: ((_8,_4),_2):((_4,_1),_32)\n");
  auto const nested =
      make_cotiled_copy(Copy_Atom<UniversalCopy<uint32_t>, float>{}, Layout<Shape<_32, _4>, Stride<_1, _32>>{},
                        Layout<Shape<_16, Shape<_4, _4>>, Stride<_4, Stride<_1, _64>>>{});
  EXPECT_EQ(first_lines(nested),
            "TiledCopy\n  Tiler_MN:       (_16:_1,_8:_1)\n  TiledLayout_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n");
  EXPECT_EQ(text_of(nested.get_layoutS_TV()), "((_4,_8),(_1,(_2,_2))):((_16,_1),(_0,(_8,_64)))");
  EXPECT_EQ(text_of(size(nested)) + " " + text_of(tile_size<0>(nested)) + " " + text_of(tile_size<1>(nested)),
            "_32 _16 _8");
}

TEST(TiledCopy, OfNoElements) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_4, _4>>{});
  auto const none = make_tensor(make_gmem_ptr(memory<float>()), make_shape(0, 8));
  EXPECT_EQ(text_of(tc.get_slice(3).partition_S(none).layout()), "((_1,_1),0,2):((_0,_0),_4,0)");
}

TEST(TiledCopy, OffsetsBeyond32Bits) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<uint32_t>, float>{}, Layout<Shape<_1, _32>>{}, Layout<_1>{});
  auto const at = [&](auto const& layout) {
    auto const t = make_tensor(make_gmem_ptr(memory<float>()), layout);
    auto const p = tc.get_slice(31).partition_S(t);
    return static_cast<std::int64_t>(p.layout()(0, 70000 - 1, 1)) +
           (raw_pointer_cast(p.data()) - raw_pointer_cast(t.data()));
  };
  std::int64_t const expected = 69999ll * 65536 + 63;
  EXPECT_EQ(at(make_layout(make_shape(70000, 64), make_stride(65536, _1{}))), expected);
  EXPECT_EQ(at(Layout<Shape<Int<70000>, _64>, Stride<Int<65536>, _1>>{}), expected);
  auto const t = make_tensor(make_gmem_ptr(memory<float>()), make_layout(make_shape(70000, 65536), LayoutRight{}));
  auto const tile = local_tile(t, Shape<_1, _64>{}, make_coord(69999, 1));
  EXPECT_EQ(raw_pointer_cast(tile.data()) - raw_pointer_cast(t.data()), 69999ll * 65536 + 64);
}

TEST(TiledCopy, Theorems) {
  // Every value belongs to its thread, and the values of a thread are in the order of the value layout.
  Layout<Shape<_4, Shape<_2, _2>>, Stride<_2, Stride<_8, _1>>> const thr{};
  Layout<Shape<_2, Shape<_2, _2>>, Stride<_2, Stride<_1, _4>>> const val{};
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, thr, val);
  using TC = std::remove_const_t<decltype(tc)>;
  auto const tile = raked_product(thr, val);  // (m, n) -> (thread, value), as one index
  for (int t = 0; t < 16; ++t) {
    for (int v = 0; v < 8; ++v)
      EXPECT_EQ(static_cast<int>(tile(static_cast<int>(TC::TiledLayout_TV{}(t, v)))), t + 16 * v);
  }
}

TEST(ThrCopy, AThreadTooManyIsAnError) {
  auto const tc = make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_8, _8>>{});
  try {
    (void)tc.get_slice(100);
    FAIL() << "no error";
  } catch (error const& e) {
    EXPECT_NE(std::string(e.what()).find("thread 100"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("64 threads"), std::string::npos) << e.what();
  }
}

}  // namespace
