# SPDX-License-Identifier: Apache-2.0
"""Checks the algebra as types. For each operation, 200 random layouts become C++ types, and the result's type is asserted.

The layouts are hierarchical (depth <= 3, size <= 4096). The expected result is the command's answer, which is computed with
run-time values. Before, this file checks that answer by brute force, only by evaluating layouts at integers. So static and
run-time forms agree with each other and with the definition.

Environment: COSMATI_BIN (the command), COSMATI_CXX (a compiler), COSMATI_INCLUDE.
"""
import os
import random
import subprocess
import tempfile
import unittest

CASES = 200
BIN = os.environ["COSMATI_BIN"]
CXX = os.environ["COSMATI_CXX"].split(";")
INCLUDE = os.environ["COSMATI_INCLUDE"]


# Layouts are (shape, stride), each an int or a tuple of such.
def text(x):
    return "(" + ",".join(text(y) for y in x) + ")" if isinstance(x, tuple) else str(x)


def layout_text(layout):
    return text(layout[0]) + ":" + text(layout[1])


def cpp(x):
    return "tuple<" + ",".join(cpp(y) for y in x) + ">" if isinstance(x, tuple) else f"C<{x}>"


def cpp_layout(layout):
    return f"Layout<{cpp(layout[0])},{cpp(layout[1])}>"


def parse(s):
    s = s.strip()

    def item(i):
        if s[i] == "(":
            out, i = [], i + 1
            while s[i] != ")":
                value, i = item(i)
                out.append(value)
                if s[i] == ",":
                    i += 1
            return tuple(out), i + 1
        j = i + 1
        while j < len(s) and (s[j].isdigit()):
            j += 1
        return int(s[i:j]), j

    shape, i = item(0)
    if i == len(s):
        return shape
    assert s[i] == ":", s
    stride, i = item(i + 1)
    assert i == len(s), s
    return shape, stride


def leaves(x):
    return [y for z in x for y in leaves(z)] if isinstance(x, tuple) else [x]


def size(shape):
    n = 1
    for s in leaves(shape):
        n *= s
    return n


def at(layout, i):
    """The definition: digits of i in the mixed radix of the extents, the last unlimited, times the strides."""
    extents, strides = leaves(layout[0]), leaves(layout[1])
    total = 0
    for k, (s, d) in enumerate(zip(extents, strides)):
        digit = i if k + 1 == len(extents) else i % s
        total += digit * d
        i //= s
    return total


def values(layout):
    return [at(layout, i) for i in range(size(layout[0]))]


class Layouts:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.powers_of_two = False

    def extents(self, budget, depth):
        """A nested shape of at most `budget` elements."""
        if depth == 0 or self.r.random() < 0.45:
            choices = (1, 2, 2, 4, 4, 8, 16) if self.powers_of_two else (1, 2, 2, 3, 4, 4, 5, 6, 8, 8, 12, 16)
            return self.r.choice([n for n in choices if n <= budget])
        out = []
        for _ in range(self.r.randint(1, 3)):
            part = self.extents(max(1, budget), depth - 1)
            budget //= max(1, size(part))
            out.append(part)
        return tuple(out)

    def nest(self, shape, numbers):
        return tuple(self.nest(s, numbers) for s in shape) if isinstance(shape, tuple) else numbers.pop(0)

    def compact(self, budget=4096, shuffled=True):
        shape = self.extents(self.r.choice([16, 64, 256, budget]), 3)
        extents = leaves(shape)
        order = list(range(len(extents)))
        if shuffled:
            self.r.shuffle(order)
        strides, step = [0] * len(extents), 1
        for k in order:
            strides[k] = step
            step *= extents[k]
        return shape, self.nest(shape, strides)

    def injective(self, budget=4096):
        """Compact with gaps."""
        shape, stride = self.compact(budget)
        scale = self.r.choice([1, 1, 2, 4] if self.powers_of_two else [1, 1, 2, 3, 4])
        return shape, self.nest(shape, [d * scale for d in leaves(stride)])

    def any(self, budget=4096):
        shape, stride = self.injective(budget)
        strides = leaves(stride)
        for k in range(len(strides)):
            if self.r.random() < 0.1:
                strides[k] = 0
        return shape, self.nest(shape, strides)

    def inside(self, n):
        """A layout whose values stay below n and mostly divide it."""
        divisors = [d for d in range(1, n + 1) if n % d == 0]
        d = self.r.choice(divisors)
        left = n // d
        shape = self.extents(max(1, left), 2)
        strides, step = [], d
        for s in leaves(shape):
            strides.append(step)
            step *= s
        return shape, self.nest(shape, strides)


def divides_in_chain(extents, numbers):
    """Of each number and each product of leading extents, one is a multiple of the other. No step ends inside a mode."""
    product = 1
    for s in [1] + extents:
        product *= s
        if any(n % product and product % n for n in numbers if n):
            return False
    return True


def in_chain(left, right):
    steps = [d for d in leaves(right[1])] + [d * s for s, d in zip(leaves(right[0]), leaves(right[1]))]
    return divides_in_chain(leaves(left[0]), steps)


def pair(g):
    """Mostly a right layout whose steps the left one's extents divide: there the laws hold. CuTe accepts others too and rounds up:
    for those only the two forms of the algebra must agree."""
    strict = g.r.random() < 0.8
    while True:
        left = g.injective()
        right = g.inside(size(left[0]))
        if not strict or in_chain(left, right):
            return left, right


def answers(expressions):
    done = subprocess.run([BIN, "eval", "-"], input="\n".join(expressions) + "\n", capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == len(expressions)
    return lines


class StaticTypes(unittest.TestCase):
    def run_operation(self, name, make, expression, call, check):
        """make(g) -> arguments; expression and call: their text for the command and in C++; check(arguments, result)."""
        self.run_operations(name, make, [(name, expression, call, check)])

    def run_operations(self, seed, make, operations):
        """Several (name, expression, call, check) of the same arguments, so that the compiler finds what they share once."""
        g = Layouts(seed)
        tried = [make(g) for _ in range(CASES * 2)]
        lines = ["#include <cosmati/layout/operations.hpp>", "using namespace cosmati;",
                 "template <class A, class B> inline constexpr bool same_type = std::is_same_v<std::remove_cvref_t<A>, B>;"]
        for name, expression, call, check in operations:
            accepted = 0
            for arguments, line in zip(tried, answers([expression(*a) for a in tried])):
                if line.startswith("error") or accepted == CASES:
                    continue
                result = parse(line)
                try:
                    check(arguments, result)
                except AssertionError as e:
                    raise AssertionError(f"{expression(*arguments)} = {line}: {str(e)[:300]}") from None
                accepted += 1
                wanted = cpp_layout(result) if isinstance(result, tuple) and len(result) == 2 and self.is_layout else cpp(result)
                lines.append(f"static_assert(same_type<decltype({call(*arguments)}), {wanted}>);")
            self.assertEqual(accepted, CASES, f"{name}: fewer than half of the layouts are accepted")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, seed + ".cpp")
            with open(path, "w") as f:
                f.write("\n".join(lines) + "\n")
            done = subprocess.run([*CXX, "-std=c++20", "-fsyntax-only", "-I" + INCLUDE, path], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr[:3000])

    is_layout = True

    def same_function(self, result, reference):
        self.assertEqual(values(result), reference)

    def test_coalesce(self):
        def check(a, r):
            self.same_function(r, values(a[0]))
            extents, strides = leaves(r[0]), leaves(r[1])
            for k in range(len(extents) - 1):
                self.assertNotEqual(extents[k] * strides[k], strides[k + 1])
            self.assertTrue(extents == [1] or 1 not in extents)
        self.run_operation("coalesce", lambda g: (g.any(),), lambda a: f"coalesce({layout_text(a)})",
                           lambda a: f"coalesce({cpp_layout(a)}{{}})", check)

    def test_filter(self):
        def check(a, r):
            self.assertEqual(set(values(r)), set(values(a[0])))
            self.assertEqual(len(set(values(r))), size(r[0]))
        self.run_operation("filter", lambda g: (g.any(),), lambda a: f"filter({layout_text(a)})", lambda a: f"filter({cpp_layout(a)}{{}})", check)

    def test_composition(self):
        def check(a, r):
            if in_chain(*a):
                self.same_function(r, [at(a[0], v) for v in values(a[1])])
        self.run_operation("composition", pair, lambda a, b: f"composition({layout_text(a)}, {layout_text(b)})",
                           lambda a, b: f"composition({cpp_layout(a)}{{}},{cpp_layout(b)}{{}})", check)

    def test_complement(self):
        def check(a, r):
            taken = set(values(a[0]))
            places = values(r)
            self.assertEqual(places, sorted(places))
            for p in places[1:]:
                self.assertNotIn(p, taken)
            covered = {p + t for p in places for t in taken}
            self.assertGreaterEqual(len(covered), a[1])
            self.assertTrue(set(range(a[1])) <= covered)
        self.run_operation("complement", lambda g: (g.injective(256), g.r.choice([64, 256, 1000, 4096])),
                           lambda a, n: f"complement({layout_text(a)}, {n})", lambda a, n: f"complement({cpp_layout(a)}{{}},C<{n}>{{}})", check)

    def test_right_inverse(self):
        def check(a, r):
            for i, v in enumerate(values(r)):
                self.assertEqual(at(a[0], v), i)
            reached = set(values(a[0]))
            self.assertTrue(len(reached) == 1 or size(r[0]) == size(a[0][0]) or not all(i in reached for i in range(size(a[0][0]))))
        self.run_operation("right_inverse", lambda g: (g.injective(),), lambda a: f"right_inverse({layout_text(a)})",
                           lambda a: f"right_inverse({cpp_layout(a)}{{}})", check)

    def test_left_inverse(self):
        def check(a, r):
            for i in range(size(a[0][0])):
                self.assertEqual(at(r, at(a[0], i)), i)
        self.run_operation("left_inverse", lambda g: (g.injective(),), lambda a: f"left_inverse({layout_text(a)})",
                           lambda a: f"left_inverse({cpp_layout(a)}{{}})", check)

    def of_two(self, name, check):
        return (name, lambda a, b: f"{name}({layout_text(a)}, {layout_text(b)})",
                lambda a, b: f"{name}({cpp_layout(a)}{{}},{cpp_layout(b)}{{}})", check)

    def test_divides(self):
        def check(a, r):
            layout, tile = a
            if in_chain(*a):
                self.assertEqual(sorted(values(r)), sorted(values(layout)))
                self.assertEqual(values(r)[:size(tile[0])], [at(layout, v) for v in values(tile)])
        self.run_operations("divides", pair, [self.of_two(n, check) for n in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide")])

    def check_product(self, first_block):
        def check(a, r):
            block, tiler = a
            self.assertEqual(size(r[0]), size(block[0]) * size(tiler[0]))
            if first_block:
                self.assertEqual(values(r)[:size(block[0])], values(block))
            self.assertTrue(set(values(block)) <= set(values(r)))
            self.assertEqual(len(set(values(r))), size(r[0]))
        return check

    def test_products(self):
        def make(g):
            g.powers_of_two = True
            return g.injective(64), g.compact(64)
        self.run_operations("products", make, [self.of_two(n, self.check_product(n != "flat_product")) for n in
                                               ("logical_product", "zipped_product", "tiled_product", "flat_product")])

    def test_products_by_modes(self):
        def make(g):
            r = g.r.randint(1, 3)
            flat = lambda: tuple(g.r.choice([1, 2, 4, 8]) for _ in range(r))
            def compact(shape):
                order, strides, step = list(range(r)), [0] * r, 1
                g.r.shuffle(order)
                for k in order:
                    strides[k], step = step, step * shape[k]
                return shape, tuple(strides)
            return compact(flat()), compact(flat())
        self.run_operations("products_by_modes", make, [self.of_two(n, self.check_product(False)) for n in ("blocked_product", "raked_product")])

    def test_zip(self):
        def make(g):
            return g.injective(64), g.injective(64)
        def check(a, r):
            self.assertEqual(sorted(leaves(r[0])), sorted(leaves(a[0][0]) + leaves(a[1][0])))
        def same_rank(g):
            while True:
                a, b = make(g)
                if isinstance(a[0], tuple) == isinstance(b[0], tuple) and (not isinstance(a[0], tuple) or len(a[0]) == len(b[0])):
                    return a, b
        self.run_operation("zip", same_rank, lambda a, b: f"zip({layout_text(a)}, {layout_text(b)})",
                           lambda a, b: f"zip({cpp_layout(a)}{{}},{cpp_layout(b)}{{}})", check)

    def test_with_shape(self):
        def make(g):
            a = g.injective(256)
            n = size(a[0])
            divisors = [k for k in range(1, n + 1) if n % k == 0]
            chained = [k for k in divisors if divides_in_chain(leaves(a[0]), [k])]
            d = g.r.choice(chained if g.r.random() < 0.8 else divisors)
            return a, (d, n // d)
        def check(a, r):
            if divides_in_chain(leaves(a[0][0]), [a[1][0]]):
                self.same_function(r, values(a[0]))
        self.run_operation("with_shape", make, lambda a, s: f"with_shape({layout_text(a)}, {text(s)})",
                           lambda a, s: f"{cpp_layout(a)}{{}}.with_shape({cpp(s)}{{}})", check)

    def test_flatten(self):
        self.run_operation("flatten", lambda g: (g.any(),), lambda a: f"flatten({layout_text(a)})", lambda a: f"flatten({cpp_layout(a)}{{}})",
                           lambda a, r: self.same_function(r, values(a[0])))

    def test_max_common_vector(self):
        self.is_layout = False
        def make(g):
            a = g.injective(256)
            g.powers_of_two = True
            while True:
                b = a if g.r.random() < 0.3 else g.injective(256)
                if size(a[0]) == size(b[0]):
                    return a, b
        def check(a, n):
            reached = {at(a[0], i): i for i in range(size(a[0][0]))}
            for v in range(n):
                self.assertIn(v, reached)
                self.assertEqual(at(a[1], reached[v]), v)
        self.run_operation("max_common_vector", make, lambda a, b: f"max_common_vector({layout_text(a)}, {layout_text(b)})",
                           lambda a, b: f"max_common_vector({cpp_layout(a)}{{}},{cpp_layout(b)}{{}})", check)


if __name__ == "__main__":
    unittest.main()
