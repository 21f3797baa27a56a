// SPDX-License-Identifier: Apache-2.0
/// @file
/// Names the first macro of the program that is a single letter, in a one-line error. The headers use such names
/// themselves.
///
/// The error is the include of a file that does not exist. tests/style/macros.py compares the letters with those that
/// the headers use.

// clang-format off
#if defined(_)
#error "cosmati: _ is a macro here, and the headers use this name: put #define _ below the includes of cosmati (instead of -D_=..., too)"
#elif defined(A)
#error "cosmati: A is a macro here, and the headers use this name: put #define A below the includes of cosmati (instead of -DA=..., too)"
#elif defined(a)
#error "cosmati: a is a macro here, and the headers use this name: put #define a below the includes of cosmati (instead of -Da=..., too)"
#elif defined(B)
#error "cosmati: B is a macro here, and the headers use this name: put #define B below the includes of cosmati (instead of -DB=..., too)"
#elif defined(b)
#error "cosmati: b is a macro here, and the headers use this name: put #define b below the includes of cosmati (instead of -Db=..., too)"
#elif defined(C)
#error "cosmati: C is a macro here, and the headers use this name: put #define C below the includes of cosmati (instead of -DC=..., too)"
#elif defined(c)
#error "cosmati: c is a macro here, and the headers use this name: put #define c below the includes of cosmati (instead of -Dc=..., too)"
#elif defined(D)
#error "cosmati: D is a macro here, and the headers use this name: put #define D below the includes of cosmati (instead of -DD=..., too)"
#elif defined(d)
#error "cosmati: d is a macro here, and the headers use this name: put #define d below the includes of cosmati (instead of -Dd=..., too)"
#elif defined(E)
#error "cosmati: E is a macro here, and the headers use this name: put #define E below the includes of cosmati (instead of -DE=..., too)"
#elif defined(e)
#error "cosmati: e is a macro here, and the headers use this name: put #define e below the includes of cosmati (instead of -De=..., too)"
#elif defined(F)
#error "cosmati: F is a macro here, and the headers use this name: put #define F below the includes of cosmati (instead of -DF=..., too)"
#elif defined(f)
#error "cosmati: f is a macro here, and the headers use this name: put #define f below the includes of cosmati (instead of -Df=..., too)"
#elif defined(G)
#error "cosmati: G is a macro here, and the headers use this name: put #define G below the includes of cosmati (instead of -DG=..., too)"
#elif defined(g)
#error "cosmati: g is a macro here, and the headers use this name: put #define g below the includes of cosmati (instead of -Dg=..., too)"
#elif defined(H)
#error "cosmati: H is a macro here, and the headers use this name: put #define H below the includes of cosmati (instead of -DH=..., too)"
#elif defined(h)
#error "cosmati: h is a macro here, and the headers use this name: put #define h below the includes of cosmati (instead of -Dh=..., too)"
#elif defined(i)
#error "cosmati: i is a macro here, and the headers use this name: put #define i below the includes of cosmati (instead of -Di=..., too)"
#elif defined(J)
#error "cosmati: J is a macro here, and the headers use this name: put #define J below the includes of cosmati (instead of -DJ=..., too)"
#elif defined(j)
#error "cosmati: j is a macro here, and the headers use this name: put #define j below the includes of cosmati (instead of -Dj=..., too)"
#elif defined(K)
#error "cosmati: K is a macro here, and the headers use this name: put #define K below the includes of cosmati (instead of -DK=..., too)"
#elif defined(k)
#error "cosmati: k is a macro here, and the headers use this name: put #define k below the includes of cosmati (instead of -Dk=..., too)"
#elif defined(L)
#error "cosmati: L is a macro here, and the headers use this name: put #define L below the includes of cosmati (instead of -DL=..., too)"
#elif defined(l)
#error "cosmati: l is a macro here, and the headers use this name: put #define l below the includes of cosmati (instead of -Dl=..., too)"
#elif defined(M)
#error "cosmati: M is a macro here, and the headers use this name: put #define M below the includes of cosmati (instead of -DM=..., too)"
#elif defined(m)
#error "cosmati: m is a macro here, and the headers use this name: put #define m below the includes of cosmati (instead of -Dm=..., too)"
#elif defined(N)
#error "cosmati: N is a macro here, and the headers use this name: put #define N below the includes of cosmati (instead of -DN=..., too)"
#elif defined(n)
#error "cosmati: n is a macro here, and the headers use this name: put #define n below the includes of cosmati (instead of -Dn=..., too)"
#elif defined(O)
#error "cosmati: O is a macro here, and the headers use this name: put #define O below the includes of cosmati (instead of -DO=..., too)"
#elif defined(o)
#error "cosmati: o is a macro here, and the headers use this name: put #define o below the includes of cosmati (instead of -Do=..., too)"
#elif defined(P)
#error "cosmati: P is a macro here, and the headers use this name: put #define P below the includes of cosmati (instead of -DP=..., too)"
#elif defined(p)
#error "cosmati: p is a macro here, and the headers use this name: put #define p below the includes of cosmati (instead of -Dp=..., too)"
#elif defined(Q)
#error "cosmati: Q is a macro here, and the headers use this name: put #define Q below the includes of cosmati (instead of -DQ=..., too)"
#elif defined(q)
#error "cosmati: q is a macro here, and the headers use this name: put #define q below the includes of cosmati (instead of -Dq=..., too)"
#elif defined(R)
#error "cosmati: R is a macro here, and the headers use this name: put #define R below the includes of cosmati (instead of -DR=..., too)"
#elif defined(r)
#error "cosmati: r is a macro here, and the headers use this name: put #define r below the includes of cosmati (instead of -Dr=..., too)"
#elif defined(S)
#error "cosmati: S is a macro here, and the headers use this name: put #define S below the includes of cosmati (instead of -DS=..., too)"
#elif defined(s)
#error "cosmati: s is a macro here, and the headers use this name: put #define s below the includes of cosmati (instead of -Ds=..., too)"
#elif defined(T)
#error "cosmati: T is a macro here, and the headers use this name: put #define T below the includes of cosmati (instead of -DT=..., too)"
#elif defined(t)
#error "cosmati: t is a macro here, and the headers use this name: put #define t below the includes of cosmati (instead of -Dt=..., too)"
#elif defined(U)
#error "cosmati: U is a macro here, and the headers use this name: put #define U below the includes of cosmati (instead of -DU=..., too)"
#elif defined(u)
#error "cosmati: u is a macro here, and the headers use this name: put #define u below the includes of cosmati (instead of -Du=..., too)"
#elif defined(V)
#error "cosmati: V is a macro here, and the headers use this name: put #define V below the includes of cosmati (instead of -DV=..., too)"
#elif defined(v)
#error "cosmati: v is a macro here, and the headers use this name: put #define v below the includes of cosmati (instead of -Dv=..., too)"
#elif defined(w)
#error "cosmati: w is a macro here, and the headers use this name: put #define w below the includes of cosmati (instead of -Dw=..., too)"
#elif defined(X)
#error "cosmati: X is a macro here, and the headers use this name: put #define X below the includes of cosmati (instead of -DX=..., too)"
#elif defined(x)
#error "cosmati: x is a macro here, and the headers use this name: put #define x below the includes of cosmati (instead of -Dx=..., too)"
#elif defined(Y)
#error "cosmati: Y is a macro here, and the headers use this name: put #define Y below the includes of cosmati (instead of -DY=..., too)"
#elif defined(y)
#error "cosmati: y is a macro here, and the headers use this name: put #define y below the includes of cosmati (instead of -Dy=..., too)"
#elif defined(Z)
#error "cosmati: Z is a macro here, and the headers use this name: put #define Z below the includes of cosmati (instead of -DZ=..., too)"
#elif defined(z)
#error "cosmati: z is a macro here, and the headers use this name: put #define z below the includes of cosmati (instead of -Dz=..., too)"
#else
#define COSMATI_LETTERS_ARE_FREE
#endif
// clang-format on
#if !defined(COSMATI_LETTERS_ARE_FREE)
#include <stopped: see the line above>
#endif
#undef COSMATI_LETTERS_ARE_FREE
