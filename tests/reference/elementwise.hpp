// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/random.hpp>
#include "reference/kernel.hpp"
#include <etch/ops.hpp>

/// One result element from one element of each operand, and from none.
namespace etch::reference {

/// The op's own kernel on numbers.
template <class Op>
struct elementwise_kernel {
  template <class T, class X0, class X1>
  static void run(const arguments& in, value& out) {
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const position p = position_of(out, i);
      if constexpr (Op::arity == 1)
        out.data<T>()[i] = Op::kernel(element<X0>(in, 0, out, p));
      else if constexpr (Op::arity == 2)
        out.data<T>()[i] = Op::kernel(element<X0>(in, 0, out, p), element<X0>(in, 1, out, p));
      else
        out.data<T>()[i] = Op::kernel(element<X0>(in, 0, out, p), element<X1>(in, 1, out, p), element<X1>(in, 2, out, p));
    }
  }

 private:
  template <class X>
  static X element(const arguments& in, int k, const value& out, const position& p) {
    return in[k].data<X>()[broadcast_number(in[k], out, p)];
  }
};

template <>
struct kernel<cast> {
  template <class T, class X0, class>
  static void run(const arguments& in, value& out) {
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      if constexpr (std::is_same_v<T, bool>)
        out.data<T>()[i] = in[0].data<X0>()[i] != X0(0);
      else
        out.data<T>()[i] = static_cast<T>(in[0].data<X0>()[i]);
    }
  }
};

template <>
struct kernel<struct constant> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    *out.data<T>() = constant.decode(dtype_of<T>, in.attributes[0]).template as<T>();
  }
};

template <>
struct kernel<iota> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) out.data<T>()[i] = static_cast<T>(position_of(out, i)[static_cast<int>(in.attributes[0])]);
  }
};

template <>
struct kernel<uniform_draw> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const draw_key key = draw_key::of(in.numbers.seed, in.numbers.run, static_cast<std::uint64_t>(in.attributes[0]));
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) out.data<T>()[i] = uniform_at<T>(key, static_cast<std::uint64_t>(i));
  }
};

template <>
struct kernel<normal_draw> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const draw_key key = draw_key::of(in.numbers.seed, in.numbers.run, static_cast<std::uint64_t>(in.attributes[0]));
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) out.data<T>()[i] = normal_at<T>(key, static_cast<std::uint64_t>(i));
  }
};

/// How many elements lie along the axes of the mask.
template <>
struct kernel<size_of> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    std::int64_t n = 1;
    for (int axis = 0; axis < in[0].rank; ++axis)
      if ((in.attributes[0] >> axis & 1) != 0) n *= in[0].extents[axis];
    *out.data<T>() = static_cast<T>(n);
  }
};

}  // namespace etch::reference
