#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cosmati eval: answers, errors, and going on after a wrong line."""
import itertools
import json
import unittest

from support.command import lines, run

# MoYe's pages and tests, 0-based, and the rows of the documents on tiled copies.
DOCUMENTED = {
    "(2,(2,2)):(4,(1,2))": "(2,(2,2)):(4,(1,2))",
    "coalesce((2,(1,6)):(1,(6,2)))": "12:1",
    "((2,(2,2)):(4,(1,2)))(1,(0,1))": "6",
    "((2,(2,2)):(4,(1,2)))(1,2)": "6",
    "((2,(2,2)):(4,(1,2)))(5)": "6",
    "get<1>((2,(2,2)):(4,(1,2)))": "(2,2):(1,2)",
    "complement(4:2, 24)": "(2,3):(1,8)",
    "make_layout(4:2, complement(4:2, 24))": "(4,(2,3)):(2,(1,8))",
    "complement(4:1, 24)": "6:4",
    "complement(6:4, 24)": "4:1",
    "logical_product((2,2):(1,2), (3,4):(4,1))": "((2,2),(3,4)):((1,2),(16,4))",
    "blocked_product((2,2):(1,2), (3,4):(4,1))": "((2,3),(2,4)):((1,16),(2,4))",
    "raked_product((2,2):(1,2), (3,4):(4,1))": "((3,2),(4,2)):((16,1),(4,2))",
    "zipped_product((2,2):(1,2), (3,4):(4,1))": "((2,2),(3,4)):((1,2),(16,4))",
    "tiled_product((2,2):(1,2), (3,4):(4,1))": "((2,2),3,4):((1,2),16,4)",
    "coalesce(blocked_product((2,2):(1,2), (3,4):(4,1)), (1,1))": "((2,3),8):((1,16),2)",
    "logical_divide(((3,2),(4,2)):((16,1),(4,2)), (2:3,2:4))": "((2,3),(2,4)):((1,16),(2,4))",
    "zipped_divide(((3,2),(4,2)):((16,1),(4,2)), (2:3,2:4))": "((2,2),(3,4)):((1,2),(16,4))",
    "tiled_divide(((3,2),(4,2)):((16,1),(4,2)), (2:3,2:4))": "((2,2),3,4):((1,2),16,4)",
    "composition(20:2, (4,5):(1,4))": "(4,5):(2,8)",
    "composition(20:2, (4,5):(5,1))": "(4,5):(10,2)",
    "logical_divide(16:3, 4:1)": "(4,4):(3,12)",
    "logical_divide(16:3, 4:4)": "(4,4):(12,3)",
    "logical_divide(16:3, 4:2)": "(4,(2,2)):(6,(3,24))",
    "logical_divide(16:3, (2,2):(4,1))": "((2,2),(2,2)):((12,3),(6,24))",
    "flatten(((4,3),1):((3,1),0))": "(4,3,1):(3,1,0)",
    "make_ordered_layout((3,5),(2,6))": "(3,5):(1,3)",
    "make_ordered_layout((3,5),(10,2))": "(3,5):(5,1)",
    "crd2idx(4,(3,4),(2,8))": "10",
    "crd2idx((1,1),(3,4),(2,8))": "10",
    "crd2idx((1,2),(3,(2,2)),(2,(16,8)))": "10",
    "idx2crd(8,(3,4),(1,3))": "(2,2)",
    "compact_col_major((3,4,5))": "(1,3,12)",
    "compact_row_major((3,4,5))": "(20,5,1)",
    "shape_div((12,3),(2,3))": "(6,1)",
    "shape_div((12,3),3)": "(4,3)",
    "shape_div(12,(3,4))": "1",
    "slice((_,(1,_)),(3,(4,5)))": "(3,5)",
    "append<3>((2,3):(1,2))": "(2,3,1):(1,2,0)",
    "prepend<3>((2,3):(1,2))": "(1,2,3):(0,1,2)",
    "zipped_divide((4,9):(1,4),(2,3))": "((2,3),(2,3)):((1,4),(2,12))",
    "recast_layout<int32_t,int16_t>((2,3))": "(4,3):(1,4)",
    "recast_layout<int32_t,int64_t>((2,3))": "(1,3):(1,1)",
    "raked_product((8,4):(1,8), 8:1)": "((8,8),(1,4)):((32,1),(0,8))",
    "with_shape(right_inverse(raked_product((2,3):(3,1),(2,3):(1,2))), (6,6))": "((3,2),(2,3)):((12,2),(1,4))",
    "product_each(shape(raked_product((8,16):(16,1),(2,4):(4,1))))": "(16,64)",
    "zipped_divide((24,16),(16,64))": "((16,64),(2,1)):((1,24),(16,0))",
}

# Forms that an expression may take; the answers follow from the definitions.
FORMS = {
    "size((4,2))": "8",
    "composition((4,3):(1,10), 6:-2)": "(2,3):(-2,-10)",
    "composition((4,6):(3,10), (2,4):(-1,-2))": "(2,(2,2)):(-3,(-6,-10))",
    "composition((6,2):(1,7), (3,2):(2,6))": "(3,2):(2,7)",
    "composition((6,2):(1,7), (2,5):(3,6))": "(2,5):(3,7)",
    "composition((5,4):(0,1), 4:3)": "(2,2):(0,1)",
    "composition((4,2):(1,8), (2,2):(1,-1))": "(2,2):(1,-1)",
    "logical_divide((6,4):(1,7), 4:1)": "(4,(2,4)):(1,(4,7))",
    "upcast<4>((1,8):(6,1))": "(1,2):(2,1)",
    "size<1>((4,(2,3)):(1,(4,8)))": "6",
    "rank((4,(2,3)))": "2",
    "depth((4,(2,3)):(1,(4,8)))": "2",
    "cosize((4,2):(1,8))": "12",
    "shape((4,2):(1,8))": "(4,2)",
    "stride<1>((4,2):(1,8))": "8",
    "coalesce((4,(1,2)))": "8",
    "coalesce(((2,2),(1,6)):((1,2),(6,2)), (1,1))": "(4,6):(1,2)",
    "make_layout((4,2),(2,1))": "(4,2):(2,1)",
    "make_layout((4,2),LayoutRight)": "(4,2):(2,1)",
    "make_layout((4,2),GenRowMajor{})": "(4,2):(2,1)",
    "make_layout(make_shape(4,2), make_stride(_2{},_1{}))": "(4,2):(2,1)",
    "Layout<Shape<_4,_2>,Stride<_2,_1>>{}": "(4,2):(2,1)",
    "cute::Layout<cute::Shape<cute::_4,cute::_2>>{}": "(4,2):(1,4)",
    "Int<4>{}": "4",
    "4_c": "4",
    "make_tile(4:1,8)": "(4:1,8)",
    "(4:1,(2,2):(4,1),_)": "(4:1,(2,2):(4,1),_)",
    "take<0,1>((4,2):(1,4))": "(4):(1)",
    "select<1,0>((4,2):(1,4))": "(2,4):(4,1)",
    "group<0,2>((4,2,3):(1,4,8))": "((4,2),3):((1,4),8)",
    "get<1,0>((4,(2,3)):(1,(4,8)))": "2:4",
    "(8,4):(1,8)(3,2)": "19",
    "((8,4):(1,8))((3,2))": "19",
    "((8,4):(1,8))(_,2)": "(8):(1)",
    "((8,4):(1,8)).compose(4:2)": "4:2",
    "((8,8):(8,1)).compose(4,2)": "(4,2):(8,1)",
    "((8,8):(8,1)).with_shape(4,16)": "(4,(2,8)):(8,(32,1))",
    "((8,8):(8,1)).tile(4,2)": "((4,2),2,4):((8,1),32,2)",
    "((8,8):(8,1)).get_flat_coord(9)": "(1,1)",
    "upcast<2>((8,4):(1,8))": "(4,4):(1,4)",
    "downcast<2>((8,4):(1,8))": "(16,4):(1,16)",
    "dice((_,1),(4,2):(1,4))": "(2):(4)",
    "slice_and_offset((_,1),(4,2):(1,4))": "((4):(1),4)",
    "make_identity_layout((4,(2,3)))": "(4,(2,3)):(1@0,(1@0@1,1@1@1))",
    "((8,8):(1@0,1@1))(2,3)": "(2,3)",
    "E<0,1>{}": "1@1@0",
    "Sw<3,4,3>": "Sw<3,4,3>",
    "Swizzle<3,0,3>{}(9)": "8",
    "composition(Sw<3,0,3>, (8,8):(8,1))": "Sw<3,0,3> o 0 o (8,8):(8,1)",
    "(Sw<3,0,3> o 0 o (8,8):(8,1))(2,1)": "19",
    "composition(Sw<3,0,3>, 5, (8,8):(8,1))": "Sw<3,0,3> o 5 o (8,8):(8,1)",
    "composition(Sw<0,0,3>, 0, (8,8):(8,1))": "(8,8):(8,1)",
    "composition(16:2, 1, (2,4):(4,1))": "16:2 o 1 o (2,4):(4,1)",
    "upcast<2>(Sw<3,4,3> o 0 o (8,8):(8,1))": "Sw<3,3,3> o 0 o (8,4):(4,1)",
    "right_inverse(Sw<3,0,3>)": "Sw<3,0,3>",
    "left_inverse(Sw<2,0,3> o 2 o (3,(2,2,4)):(16,(1,2,4)))": "(16,3):(3,1) o -2 o Sw<2,0,3>",
    "left_inverse(Sw<2,0,3> o 2 o (3,(2,2,4)):(16,(1,2,4)))((Sw<2,0,3> o 2 o (3,(2,2,4)):(16,(1,2,4)))(7))": "7",
    "right_inverse(left_inverse(Sw<1,2,1> o 2 o 16:1))": "Sw<1,2,1> o 2 o 16:1",
    "nullspace(Sw<2,3,-2> o 0 o (4,4,2):(0,1,16))": "1:0",
    "congruent((4,2),(1,(2,3)))": "false",
    "compatible(8,(4,2))": "true",
    "elem_less((1,2),(2,3))": "true",
    "evenly_divides((12,6),5)": "false",
    "(4,2):(1,4) == (4,2):(1,4)": "true",
    "2+3*4": "14",
    "-7/2": "-3",
    "7%3": "1",
    "(1<<4)|3": "19",
    "ceil_div((10,20),(3,7))": "(4,3)",
    "round_up(10,4)": "12",
    "gcd(12,18)": "6",
    "lcm(4,6)": "12",
    "max(1,(2,5))": "5",
    "min(3,(2,5))": "2",
    "product((4,(2,3)))": "24",
}

# Swizzled layouts, and tiles that are layouts of one element: what CuTe's headers answer.
SWIZZLED = {
    "coalesce(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "16:1",
    "filter_zeros(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "flatten(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,2,2):(1,4,8)",
    "zip(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4,(2,2))):((1,(4,8)))",
    "layout(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,(2,2)):(1,(4,8))",
    "right_inverse(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "16:1",
    "left_inverse(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "16:1",
    "make_fragment_like(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,((2,2))):(1,((4,8)))",
    "nullspace(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "1:0",
    "complement(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "1:0",
    "max_alignment(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "2",
    "shape(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,(2,2))",
    "cosize(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "16",
    "take<0,1>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4):(1)",
    "take<0,2>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,(2,2)):(1,(4,8))",
    "select<1>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((2,2):(4,8))",
    "group<0,1>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4),(2,2)):((1),(4,8))",
    "group<0,2>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4,(2,2))):((1,(4,8)))",
    "upcast<2>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<0,0,2> o 0 o (2,(2,2)):(1,(2,4))",
    "upcast<1>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "downcast<2>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<0,2,2> o 0 o (8,(2,2)):(1,(8,16))",
    "downcast<1>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "recast_layout<half_t,float>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<0,0,2> o 0 o (2,(2,2)):(1,(2,4))",
    "recast_layout<float,half_t>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<0,2,2> o 0 o (8,(2,2)):(1,(8,16))",
    "recast_layout<float,float>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "layout<1>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(2,2):(4,8)",
    "layout<0>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "4:1",
    "get<1>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(2,2):(4,8)",
    "get<0>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "4:1",
    "slice((_,1),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4):(1)",
    "(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))(_,0)": "(4):(1)",
    "slice_and_offset((_,1),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4):(1),4)",
    "slice_and_offset((_,0),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4):(1),0)",
    "domain_offset((1,1),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(Sw<0,1,2> o 5 o (4,(2,2)):(1,(4,8)),0)",
    "(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8))).with_shape(16)": "16:1",
    "(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8))).compose(4)": "4:1",
    "(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8))).tile(4)": "(4,4):(1,4)",
    "append(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)",
    "prepend(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "replace<0>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "2:1",
    "composition(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,(2,2)):(1,(4,8))",
    "filter(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)),(1,1))": "(4,4):(1,4)",
    "tile_unzip(logical_divide(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)),(2,2)),(2,2))": "((2,2),(2,2)):((1,4),(2,8))",
    "coalesce(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o 16:1",
    "filter_zeros(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "flatten(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,2,2):(1,4,8)",
    "zip(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o ((4,(2,2))):((1,(4,8)))",
    "layout(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "right_inverse(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o 16:1",
    "left_inverse(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o 16:1",
    "make_fragment_like(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,((2,2))):(1,((4,8)))",
    "nullspace(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "1:0",
    "complement(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "1:0",
    "max_alignment(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "2",
    "shape(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,(2,2))",
    "cosize(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "16",
    "take<0,1>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4):(1)",
    "take<0,2>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "select<1>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 0 o (2,2):(4,8))",
    "group<0,1>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o ((4),(2,2)):((1),(4,8))",
    "group<0,2>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o ((4,(2,2))):((1,(4,8)))",
    "upcast<2>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,0,2> o 0 o (2,(2,2)):(1,(2,4))",
    "upcast<1>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "downcast<2>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,2,2> o 0 o (8,(2,2)):(1,(8,16))",
    "downcast<1>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "recast_layout<half_t,float>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,0,2> o 0 o (2,(2,2)):(1,(2,4))",
    "recast_layout<float,half_t>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,2,2> o 0 o (8,(2,2)):(1,(8,16))",
    "recast_layout<float,float>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "layout<1>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (2,2):(4,8)",
    "layout<0>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o 4:1",
    "get<1>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (2,2):(4,8)",
    "get<0>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o 4:1",
    "slice((_,1),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4):(1)",
    "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))(_,0)": "(4):(1)",
    "slice_and_offset((_,1),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4):(1),4)",
    "slice_and_offset((_,0),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4):(1),0)",
    "domain_offset((1,1),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 5 o (4,(2,2)):(1,(4,8)),0)",
    "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))).with_shape(16)": "Sw<1,1,2> o 0 o 16:1",
    "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))).compose(4)": "Sw<1,1,2> o 0 o 4:1",
    "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))).tile(4)": "Sw<1,1,2> o 0 o (4,4):(1,4)",
    "append(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)",
    "prepend(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "replace<0>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "2:1",
    "composition(4:2,Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,2,2> o 0 o (4,(2,2)):(2,(8,16))",
    "filter(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),(1,1))": "Sw<1,1,2> o 0 o (4,4):(1,4)",
    "tile_unzip(logical_divide(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),(2,2)),(2,2))": "Sw<1,1,2> o 0 o ((2,2),(2,2)):((1,4),(2,8))",
    "append<2>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "append<3>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<1,1,2> o 0 o (4,(2,2),2):(1,(4,8),1)",
    "append<4>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<1,1,2> o 0 o (4,(2,2),2,2):(1,(4,8),1,1)",
    "append(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),(2,2):(1,2))": "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),(2,2):(1,2))",
    "prepend<2>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "prepend<3>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,2:1,Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "prepend<4>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,2:1,2:1,Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "prepend(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),(2,2):(1,2))": "((2,2):(1,2),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "replace_front(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)": "2:1",
    "select<1,0>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 0 o (2,2):(4,8),Sw<1,1,2> o 0 o 4:1)",
    "take<1,2>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o ((2,2)):((4,8))",
    "wrap(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "unwrap(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "reverse(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "front(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "repeat<2>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "dice(_,Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "()",
    "slice((1,_),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((2,2)):((4,10))",
    "slice(_,Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8))",
    "slice_and_offset((_,_),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),0)",
    "slice_and_offset((_,(1,_)),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 0 o (4,2):(1,8),4)",
    "max_common_vector(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "16",
    "is_tuple(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "false",
    "append<2>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "append<3>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<1,1,2> o 8 o (4,(2,2),2):(1,(4,8),1)",
    "append<4>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<1,1,2> o 8 o (4,(2,2),2,2):(1,(4,8),1,1)",
    "append(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),(2,2):(1,2))": "(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),(2,2):(1,2))",
    "prepend<2>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "prepend<3>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,2:1,Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "prepend<4>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,2:1,2:1,Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "prepend(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),(2,2):(1,2))": "((2,2):(1,2),Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "replace<0>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "2:1",
    "replace_front(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "2:1",
    "select<1,0>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 8 o (2,2):(4,8),Sw<1,1,2> o 8 o 4:1)",
    "take<1,2>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 8 o ((2,2)):((4,8))",
    "group<0,2>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 8 o ((4,(2,2))):((1,(4,8)))",
    "flatten(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 8 o (4,2,2):(1,4,8)",
    "wrap(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "unwrap(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "reverse(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "front(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "repeat<2>(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "dice(_,Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "()",
    "slice((_,1),Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "((2,2)):((1,-2))",
    "slice((1,_),Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "((2,2)):((4,10))",
    "slice(_,Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "slice_and_offset((_,_),Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),0)",
    "slice_and_offset((_,(1,_)),Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 8 o (4,2):(1,8),4)",
    "domain_offset(1,Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<1,1,2> o 9 o (4,(2,2)):(1,(4,8)),0)",
    "(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))(_,_)": "Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "max_common_vector(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "16",
    "composition(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),Sw<0,1,2>)": "Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "filter(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),1)": "Sw<1,1,2> o 8 o 16:1",
    "coalesce(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)),1)": "Sw<1,1,2> o 8 o 16:1",
    "is_tuple(Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "false",
    "append<2>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "append<3>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<0,1,2> o 8 o (4,(2,2),2):(1,(4,8),1)",
    "append<4>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "Sw<0,1,2> o 8 o (4,(2,2),2,2):(1,(4,8),1,1)",
    "prepend<2>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "prepend<3>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,2:1,Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "prepend<4>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "(2:1,2:1,2:1,Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "replace_front(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),2:1)": "2:1",
    "select<1,0>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<0,1,2> o 8 o (2,2):(4,8),Sw<0,1,2> o 8 o 4:1)",
    "take<1,2>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 8 o ((2,2)):((4,8))",
    "wrap(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "unwrap(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "reverse(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "front(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "repeat<2>(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))",
    "dice(_,Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "()",
    "slice((_,1),Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(4):(1)",
    "slice((1,_),Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "((2,2)):((4,8))",
    "slice(_,Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "slice_and_offset((_,_),Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),0)",
    "slice_and_offset((_,(1,_)),Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "((4,2):(1,8),12)",
    "(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))(_,_)": "Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8))",
    "max_common_vector(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)),Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "16",
    "is_tuple(Sw<0,1,2> o 8 o (4,(2,2)):(1,(4,8)))": "false",
    "slice((1,_),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((2,2)):((4,8))",
    "slice(_,Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "(4,(2,2)):(1,(4,8))",
    "slice_and_offset((_,_),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4,(2,2)):(1,(4,8)),0)",
    "slice_and_offset((_,(1,_)),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))": "((4,2):(1,8),4)",
    "take<0,0>((2,2,3))": "()",
    "take<1,1>((2,2,3))": "()",
    "slice_and_offset((_,(_,_,0)), Sw<2,0,3> o 5 o (4,(2,4,8)):(2,(32,8,64)))": "(Sw<2,0,3> o 5 o (4,2,4):(2,32,8),0)",
    "slice((0,(2,_)), Sw<2,2,2> o 0 o (2,(4,4)):(4,(1,8)))": "((2,2)):((8,20))",
    "logical_divide(24:12, 1:1)": "(1,24):(12,12)",
    "logical_divide((1,2):(4,3), (1:1,1))": "((1,1),(1,2)):((4,0),(0,3))",
    "blocked_product(16:16, 1:1)": "((16,1)):((16,1))",
    "composition((1,2):(4,3), (1:1,1))": "(1,1):(4,3)",
    "logical_divide(Sw<0,0,2> o 0 o (2,6,8):(8,16,1), (1:0,2,4:0))": "((1,2),(2,3),(4,8)):((0,8),(16,32),(0,1))",
    "tile_to_shape(Sw<0,3,-1> o 0 o (6,4):(1,12), (12,12))": "((6,2),(4,3)):((1,6),(12,48))",
    "raked_product(Sw<0,1,-2> o 0 o (3,4,4):(1,3,24), 2:1)": "((2,3),(1,4),(1,4)):((12,1),(0,3),(0,24))",
    "max_common_vector((8,4,4):(16,12,1), Sw<0,2,1> o 0 o (4,6,2):(1,4,24))": "1",
    "slice_and_offset((2,_,_,_), Sw<3,1,5> o 5 o (4,4,4,2):(2,32,8,1))": "(((2,2),4,2):((32,66),8,1),1)",
    "slice((1,(3,_)), Sw<3,0,3> o 3 o (2,(4,3)):(4,(1,8)))": "(3):(9)",
    "slice_and_offset((3,_), Sw<2,3,4> o 64 o (4,(8,2,2)):(64,(4,2,32)))": "((((2,2,2),2,2)):(((4,-8,16),2,32)),264)",
    "get<1>(slice_and_offset((_,(1,_)), Sw<1,1,2> o 8 o (4,(2,2)):(1,(4,8))))": "4",
    "get<0>(select<1,0>(Sw<1,1,2> o 8 o (4,2):(1,4)))": "Sw<1,1,2> o 8 o 2:4",
    # A swizzle on a swizzle.
    "composition(Sw<2,0,3> o 0 o 32:1, Sw<1,0,3>)": "Sw<2,0,3> o 0 o Sw<1,0,3> o 0 o 32:1",
    "composition(Sw<2,0,3> o 0 o (8,4):(1,8), Sw<2,0,3> o 0 o 32:1)": "Sw<2,0,3> o 0 o Sw<2,0,3> o 0 o 32:1",
    "composition(Sw<2,0,3> o 0 o (4,8):(8,1), Sw<2,0,3>)": "Sw<2,0,3> o 0 o Sw<2,1,-2> o 0 o (4,8):(8,1)",
    "composition(Sw<2,0,3> o 8 o 32:1, Sw<2,0,3>)": "Sw<2,0,3> o 8 o Sw<2,0,3> o 0 o 32:1",
    "make_composed_layout(Sw<2,0,3>, 0, Sw<2,0,3> o 0 o 32:1)": "Sw<2,0,3> o 0 o Sw<2,0,3> o 0 o 32:1",
    "(Sw<2,0,3> o 8 o Sw<1,0,3> o 4 o 32:1)(9)": "22",
    "size(Sw<2,0,3> o 0 o Sw<1,0,3> o 0 o (8,4):(1,8))": "32",
    "layout_b(Sw<2,0,3> o 0 o Sw<1,0,3> o 4 o (8,4):(1,8))": "Sw<1,0,3> o 4 o (8,4):(1,8)",
    "layout_a(Sw<2,0,3> o 0 o Sw<1,0,3> o 4 o (8,4):(1,8))": "Sw<2,0,3>",
    "offset(Sw<2,0,3> o 8 o Sw<1,0,3> o 4 o (8,4):(1,8))": "8",
    "logical_product(4:1, Sw<1,0,2> o 0 o 8:1)": "Sw<1,2,2> o 0 o (4,8):(1,4)",
    "logical_product(4:1, Sw<1,0,2> o 0 o (2,4):(4,1))": "Sw<1,2,-1> o 0 o (4,(2,4)):(1,(16,4))",
    "make_layout(Swizzle<2,0,3>{})": "Sw<2,0,3> o 0 o 5:1",
    "yyy_msk(Swizzle<2,0,3>{})": "24",
    "zzz_msk(Swizzle<2,0,3>{})": "3",
    # Tuples and integers.
    "zip((1,2),(3,4),(5,6))": "((1,3,5),(2,4,6))",
    "find((1,2,3),2)": "1",
    "find((1,(2,3)),4)": "2",
    "conditional_return(true,1,(2,3))": "1",
    "conditional_return(false,1,(2,3))": "(2,3)",
    "tuple_size((1,(2,3),4))": "3",
    "is_underscore(_)": "true",
    "is_underscore((_,1))": "false",
    "ceil_div((8,4):(1,8), (2,2):(1,2))": "8",
    "static_value(4)": "4",
}

# What they refuse.
REFUSED = [
    "filter(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "make_layout(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "make_layout_like(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "stride(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "coshape(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "coprofile(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "append<3>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "prepend<3>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "append<2>(Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "dice((_,1),Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "composition(Sw<1,1,2>,Sw<0,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "replace<1>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)",
    "unflatten(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),(2,2))",
    "insert<0>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),2:1)",
    "remove<0>(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "slice(3,Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "slice_and_offset((1,1),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "domain_offset((_,1),Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)))",
    "max_common_layout(Sw<1,1,2> o 0 o (4,(2,2)):(1,(4,8)),Sw<1,0,1> o 0 o 16:1)",
    "take<1,1>((2,2,3):(1,2,4))",
    "slice((1,_,0,_), Sw<1,2,1> o 5 o (3,2,2,2):(8,4,24,2))",
    "domain_distribute((3,3), (4))",
    "max_common_layout(Sw<1,2,2> o 0 o (8,4):(1,8), Sw<1,2,2> o 0 o (8,4):(1,8))",
    "slice_and_offset((_,2,_,1), Sw<3,2,3> o 16 o (3,4,8,2):(64,2,8,192))",
    "slice((0,_), Sw<3,0,5> o 8 o (4,(3,4,2)):(6,(1,24,3)))",
    "Sw<1,0,3> o 0 o Sw<1,0,3> o 0 o Sw<1,0,3> o 0 o (8,4):(1,8)",
    "logical_product(4:1, Sw<1,0,2> o 1 o 8:1)",
]

# (expression, column of the caret, a part of the message)
WRONG = [
    ("foo(4)", 1, "no function has the name 'foo'"),
    ("size((4,2)", 11, "expected ',' or ')'"),
    ("size(4))", 8, "expected an operator or the end"),
    ("", 1, "expected an integer"),
    ("(4,2):(1,2,3)", 6, "nested like the shape"),
    ("size(4,2)", 1, "size takes 1 arguments, here are 2"),
    ("take<0>((4,2))", 1, "takes 2 template arguments"),
    ("composition((4,3):(3,1), 5:1)", 1, "composition"),
    ("1 + size(4) + shape_div(12,5)", 15, "shape_div"),
    ("Swizzle<3,0,2>{}", 1, "Swizzle<3,0,2>"),
    ("9223372036854775807 + 1", 21, "integer overflow"),
    ("99999999999999999999", 1, "64 bits"),
    ("1/0", 2, "division by zero"),
    ("get<2>((4,2))", 1, "mode 2"),
    ("(4,2) $ 3", 7, "expected an operator or the end"),
]


class Eval(unittest.TestCase):
    def test_documents(self):
        for (expression, wanted), answer in zip(DOCUMENTED.items(), lines(list(DOCUMENTED)), strict=True):
            self.assertEqual(answer, wanted, expression)

    def test_forms(self):
        for (expression, wanted), answer in zip(FORMS.items(), lines(list(FORMS)), strict=True):
            self.assertEqual(answer, wanted, expression)

    def test_swizzled_layouts(self):
        for (expression, wanted), answer in zip(SWIZZLED.items(), lines(list(SWIZZLED)), strict=True):
            self.assertEqual(answer, wanted, expression)

    def test_refused(self):
        for expression, answer in zip(REFUSED, lines(REFUSED), strict=True):
            self.assertTrue(answer.startswith("error: "), f"{expression}: {answer}")

    def test_compositions_that_break_their_law(self):
        wanted = {
            "composition((6,2):(1,7), (3,2):(2,3))": "add up to 7 in a mode of extent 6",
            "composition((4,4,4):(16,4,1), (2,2,2):(1,4,12))": "add up to 4 in a mode of extent 4",
            "composition((6,4):(1,7), 4:4)": "leaves 4 to step over a mode of extent 6",
            "composition((4,6):(3,10), (2,4):(1,-2))": "run both ways (1 and -2)",
            "composition(((6,2),8):((1,7),64), ((3,2):(2,3), 4))": "add up to 7 in a mode of extent 6",
            "composition((5,4):(0,1), 6:3)": "add up to 5 in a mode of extent 5",
            "logical_divide((6,2):(1,7), (2,2):(1,5))": "add up to 6 in a mode of extent 6",
            "logical_product((2,2):(1,8), (2,2):(1,3))": "add up to 4 in a mode of extent 4",
        }
        for (expression, text), answer in zip(wanted.items(), lines(list(wanted)), strict=True):
            self.assertIn(text, answer, expression)

    def test_one_expression(self):
        done = run("eval", "logical_divide(16:3, 4:2)")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "(4,(2,2)):(6,(3,24))\n", ""))
        self.assertEqual(run("eval", "-7/2").stdout, "-3\n")
        self.assertEqual(run("eval", "--", "-(3)").stdout, "-3\n")

    def test_wrong_ends_with_2_and_a_caret(self):
        for expression, column, part in WRONG:
            done = run("eval", expression)
            self.assertEqual(done.returncode, 2, expression)
            self.assertEqual(done.stdout, "", expression)
            self.assertIn(part, done.stderr, expression)
            text, caret = done.stderr.splitlines()[-2:]
            self.assertEqual(text, "  " + expression)
            self.assertEqual(caret, " " * (1 + column) + "^", done.stderr)

    def test_a_wrong_line_is_answered_and_the_next_follows(self):
        for expression, column, part in WRONG:
            before, answer, after = lines(["size(4)", expression, "size(5)"])
            self.assertEqual((before, after), ("4", "5"))
            self.assertTrue(answer.startswith(f"error: column {column}: "), answer)
            self.assertIn(part, answer)

    def test_lines(self):
        self.assertEqual(run("eval", "-", text="").stdout, "")
        self.assertEqual(run("eval", "-", text="size(4)").stdout, "4\n")
        self.assertEqual(run("eval", "-", text="size(4)\r\nsize(5)\n").stdout, "4\n5\n")
        self.assertEqual(run("eval", "-", text="\n\n").stdout.count("error"), 2)
        long = "(" + ",".join(["1"] * 20) + ")"
        self.assertEqual(lines([f"size({long})"] * 20000), ["1"] * 20000)

    def test_any_bytes(self):
        done = run("eval", "-", text=bytes(range(256)) * 20 + b"\n" + b"(" * 100000 + b"\n" + b"-" * 100000 + b"\nsize(3)\n")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.splitlines()[-1], b"3")

    def test_json(self):
        done = run("eval", "--json", "size((4,2))")
        self.assertEqual(json.loads(done.stdout), {"expression": "size((4,2))", "result": "8"})
        good, bad = map(json.loads, run("eval", "--json", "-", text="4:1\n4:\n").stdout.splitlines())
        self.assertEqual(good["result"], "4:1")
        self.assertIn("column 3", bad["error"])
        self.assertEqual(run("eval", "--json", "4:").stdout, "")

    def test_layouts_by_brute_force(self):
        """Every layout of some shapes: composition, inverse, complement and divide as functions."""
        for shape, strides in (((4, 3), (3, 1)), ((2, 3, 4), (12, 1, 3)), ((6, 4), (4, 1))):
            text = f"({','.join(map(str, shape))}):({','.join(map(str, strides))})"
            size = 1
            for extent in shape:
                size *= extent
            offsets = [sum(c * d for c, d in zip(reversed(coordinate), strides))
                       for coordinate in itertools.product(*(range(e) for e in reversed(shape)))]
            self.assertEqual(lines([f"({text})({i})" for i in range(size)]), [str(o) for o in offsets])
            inverse = [int(x) for x in lines([f"(right_inverse({text}))({i})" for i in range(size)])]
            self.assertEqual([offsets[i] for i in inverse], list(range(size)))
            half = size // 2
            self.assertEqual(lines([f"(composition({text}, {half}:2))({i})" for i in range(half)]),
                             [str(offsets[2 * i]) for i in range(half)])
            divided = [int(x) for x in lines([f"(logical_divide({text}, 2:1))({i})" for i in range(size)])]
            self.assertEqual(sorted(divided), sorted(offsets))


if __name__ == "__main__":
    unittest.main()
