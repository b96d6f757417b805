// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/kernel.hpp"
#include <etch/ops.hpp>

/// Reductions, running sums, positions of extremes, sums of products: one element after another. Sums and products of
/// floats are kept in the next wider type and rounded once, so that they are right to the last place however long.
namespace etch::reference {

template <class Op>
struct reduction_kernel {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    constexpr bool adds = std::is_same_v<Op, struct sum>, multiplies = std::is_same_v<Op, struct prod>;
    using A = std::conditional_t<adds || multiplies, accumulator<T>, T>;
    const value& x = in[0];
    std::vector<A> totals;
    for (std::int64_t i = 0; i < out.count(); ++i) totals.push_back(Op::template identity<A>());
    const std::int64_t n = x.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const auto to = static_cast<std::size_t>(number_of(out, target(in, out, position_of(x, i))));
      const A total = totals[to];
      const A element = static_cast<A>(x.data<T>()[i]);
      if constexpr (adds)
        totals[to] = total + element;
      else if constexpr (multiplies)
        totals[to] = total * element;
      else
        totals[to] = Op::combine(total, element);
    }
    for (std::size_t i = 0; i < totals.size(); ++i) out.data<T>()[i] = static_cast<T>(totals[i]);
  }

 private:
  /// Where the element at position p is counted: reduced axes are dropped, or kept with index 0.
  static position target(const arguments& in, const value&, const position& p) {
    position q;
    int axis = 0;
    for (int i = 0; i < in[0].rank; ++i) {
      const bool reduced = (in.attributes[0] >> i & 1) != 0;
      const bool kept = in.attributes[1] != 0;
      if (!reduced)
        q[axis++] = p[i];
      else if (kept)
        q[axis++] = 0;
    }
    return q;
  }
};

/// What `Op` makes of all elements up to each one (attribute 1: from the last on; 2: without the element itself).
template <class Op>
struct cumulative_kernel {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    constexpr bool multiplies = std::is_same_v<Op, struct cumprod>;
    const value& x = in[0];
    const int axis = static_cast<int>(in.attributes[0]);
    const bool from_the_end = in.attributes[1] % 2 != 0;
    const std::int64_t itself = in.attributes[1] / 2 == 0 ? 1 : 0;
    const std::int64_t n = x.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const position p = position_of(x, i);
      position q = p;
      accumulator<T> total = multiplies ? 1 : 0;
      const std::int64_t first = from_the_end ? p[axis] + 1 - itself : 0;
      const std::int64_t last = from_the_end ? x.extents[axis] - 1 : p[axis] - 1 + itself;
      for (q[axis] = first; q[axis] <= last; ++q[axis]) {
        const auto element = static_cast<accumulator<T>>(x.data<T>()[number_of(x, q)]);
        total = multiplies ? total * element : total + element;
      }
      out.data<T>()[i] = static_cast<T>(total);
    }
  }
};
template <>
struct kernel<struct cumsum> : cumulative_kernel<struct cumsum> {};
template <>
struct kernel<struct cumprod> : cumulative_kernel<struct cumprod> {};

/// By its definition, from the largest element on.
template <>
struct kernel<struct logcumsumexp> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const value& x = in[0];
    const int axis = static_cast<int>(in.attributes[0]);
    const bool from_the_end = in.attributes[1] % 2 != 0;
    const std::int64_t itself = in.attributes[1] / 2 == 0 ? 1 : 0;
    const std::int64_t n = x.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const position p = position_of(x, i);
      position q = p;
      const std::int64_t first = from_the_end ? p[axis] + 1 - itself : 0;
      const std::int64_t last = from_the_end ? x.extents[axis] - 1 : p[axis] - 1 + itself;
      T largest = -std::numeric_limits<T>::infinity();
      for (q[axis] = first; q[axis] <= last; ++q[axis]) {
        const T element = x.data<T>()[number_of(x, q)];
        if (element > largest || element != element) largest = element;
        if (largest != largest) break;
      }
      long double total = 0;
      for (q[axis] = first; q[axis] <= last; ++q[axis]) {
        const T element = x.data<T>()[number_of(x, q)];
        total += element == largest ? 1 : std::exp(static_cast<long double>(element) - static_cast<long double>(largest));
      }
      out.data<T>()[i] = total == 0 ? largest : static_cast<T>(static_cast<long double>(largest) + std::log(total));
    }
  }
};

/// Element after element, as the op says.
template <class Op>
struct scan_kernel {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const int axis = static_cast<int>(in.attributes[0]);
    const bool backwards = (in.attributes[1] & 1) != 0, others = (in.attributes[1] & 2) != 0;
    const std::int64_t length = out.extents[axis];
    for (std::int64_t i = 0; i < out.count(); ++i) {
      position p = position_of(out, i);
      if (p[axis] != 0) continue;
      T state = Op::template identity<T>();
      for (std::int64_t k = 0; k < length; ++k) {
        p[axis] = backwards ? length - 1 - k : k;
        const std::int64_t at = number_of(out, p);
        const T after = Op::combine(state, in[0].data<T>()[at]);
        out.data<T>()[at] = others ? state : after;
        state = after;
      }
    }
  }
};

/// y[i] is the sum of each b[k] before it, times every a between the two.
template <>
struct kernel<struct linear_recurrence> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const int axis = static_cast<int>(in.attributes[0]);
    const std::int64_t step = in.attributes[1] != 0 ? -1 : 1;
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const position p = position_of(out, i);
      position q = p;
      accumulator<T> total = 0, between = 1;
      for (q[axis] -= step; q[axis] >= 0 && q[axis] < out.extents[axis]; q[axis] -= step) {
        const std::int64_t at = number_of(out, q);
        total += between * static_cast<accumulator<T>>(in[1].data<T>()[at]);
        between *= static_cast<accumulator<T>>(in[0].data<T>()[at]);
      }
      out.data<T>()[i] = static_cast<T>(total);
    }
  }
};

/// The first of equal extremes; the first NaN if there is one; 0 of nothing.
template <class Op>
struct arg_kernel {
  template <class, class X, class>
  static void run(const arguments& in, value& out) {
    const value& x = in[0];
    int axis = 0;
    while ((in.attributes[0] >> axis & 1) == 0) ++axis;
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const position p = position_of(out, i);
      position q;
      for (int k = 0; k < out.rank; ++k) q[k < axis ? k : k + 1] = p[k];
      std::int64_t best = 0;
      X best_value{};
      for (std::int64_t k = 0; k < x.extents[axis]; ++k) {
        q[axis] = k;
        const X element = x.data<X>()[number_of(x, q)];
        const bool best_is_nan = best_value != best_value;
        const bool is_nan = element != element;
        if (k == 0 || (!best_is_nan && (is_nan || Op::better(element, best_value)))) {
          best = k;
          best_value = element;
        }
      }
      out.data<std::int64_t>()[i] = best;
    }
  }
};
template <>
struct kernel<struct argmax> : arg_kernel<struct argmax> {};
template <>
struct kernel<struct argmin> : arg_kernel<struct argmin> {};

template <>
struct kernel<struct matmul> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    const value& a = in[0];
    const value& b = in[1];
    const int row = out.rank - 2, column = out.rank - 1;
    const std::int64_t inner = a.extents[a.rank - 1];
    const std::int64_t n = out.count();
    for (std::int64_t i = 0; i < n; ++i) {
      const position p = position_of(out, i);
      accumulator<T> total = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        position of_a = p, of_b = p;
        of_a[column] = k;
        of_b[row] = k;
        total += static_cast<accumulator<T>>(a.data<T>()[broadcast_number(a, out, of_a)]) *
                 static_cast<accumulator<T>>(b.data<T>()[broadcast_number(b, out, of_b)]);
      }
      out.data<T>()[i] = static_cast<T>(total);
    }
  }
};

/// Over all places of the result and, within each, of the letters that are summed.
template <>
struct kernel<struct tensor_contraction> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    constexpr int letters = 2 * max_rank;  // of the result, and of what is summed
    std::int64_t extents[letters], at[letters] = {}, inner = 1;
    std::fill_n(extents, letters, 1);
    for (int k = 0; k < 2; ++k)
      for (int i = 0; i < in[k].rank; ++i) extents[letter(in, k, i)] = in[k].extents[i];
    for (int l = max_rank; l < letters; ++l) inner *= extents[l];
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const position p = position_of(out, i);
      std::copy_n(p.at, max_rank, at);
      accumulator<T> total = 0;
      for (std::int64_t n = 0; n < inner; ++n) {
        std::int64_t rest = n;
        for (int l = max_rank; l < letters; rest /= extents[l++]) at[l] = rest % extents[l];
        total += element<T>(in, 0, at) * element<T>(in, 1, at);
      }
      out.data<T>()[i] = static_cast<T>(total);
    }
  }

 private:
  static int letter(const arguments& in, int operand, int axis) {
    return static_cast<int>(in.attributes[operand] >> 8 * axis & 255) - 'a';
  }
  template <class T>
  static accumulator<T> element(const arguments& in, int operand, const std::int64_t* at) {
    position p;
    for (int i = 0; i < in[operand].rank; ++i) p[i] = at[letter(in, operand, i)];
    return static_cast<accumulator<T>>(in[operand].data<T>()[number_of(in[operand], p)]);
  }
};

}  // namespace etch::reference
