// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>

/// Loops, branches and what is computed again inside each other: a program of them for a list of kinds, and the same in plain C++ on values
/// with two derivatives. All are polynomials of integers, so that results are equal, not close.
namespace nested {

using namespace etch::literals;

enum kind { branch, counted, scanned, bounded, repeated, again };
constexpr const char* name_of[] = {" cond", " for_range", " scan", " while_loop", " repeat", " recompute"};

constexpr etch::placeholder<"a", double> a;
constexpr etch::placeholder<"es", double, 2> es;

/// A polynomial's value at one place, and its first two derivatives there by a.
struct jet {
  double value = 0, first = 0, second = 0;

  friend jet operator+(const jet& x, const jet& y) { return {x.value + y.value, x.first + y.first, x.second + y.second}; }
  friend jet operator-(const jet& x, const jet& y) { return {x.value - y.value, x.first - y.first, x.second - y.second}; }
  friend jet operator*(const jet& x, const jet& y) {
    return {x.value * y.value, x.first * y.value + x.value * y.first,
            x.second * y.value + 2 * x.first * y.first + x.value * y.second};
  }
};

/// f(in, state) in a region of that kind. Every body reads something of outside: `a`, and s where f does. `in` names repeated variables.
template <kind K, class In, class F, class S>
constexpr auto around(In in, const F& f, S s) {
  if constexpr (K == branch) {
    return etch::cond(s > 3_c, [=] { return f(in, s); }, [=] { return s * s - a; });
  } else if constexpr (K == counted) {
    return etch::for_range<2>([=](auto i, auto t) { return f(in, t) + a * etch::astype<double>(i); }, s);
  } else if constexpr (K == scanned) {
    const auto both = etch::scan(
        [=](auto t, auto e) {
          const auto next = f(in, t) + e;
          return std::pair{next, next * e};
        },
        s, es * a);
    return std::get<0>(both) + etch::sum(std::get<1>(both));
  } else if constexpr (K == bounded) {
    return etch::while_loop<3>([](auto t) { return t < 12_c; }, [=](auto t) { return f(in, t); }, s);
  } else if constexpr (K == repeated) {
    return etch::repeat<2, in / "block">(
        [=](auto block, auto t) { return f(block, t) * etch::variable<block / "w">(etch::literal<2.>); }, s);
  } else {
    return etch::recompute([=](auto t) { return f(in, t) * t; }, s);
  }
}
/// The same as C++ runs it, at x.
template <kind K, class F>
jet plainly(const F& f, jet s, const jet& x) {
  if constexpr (K == branch) {
    return s.value > 3 ? f(s) : s * s - x;
  } else if constexpr (K == counted) {
    for (int i = 0; i < 2; ++i) s = f(s) + x * jet{static_cast<double>(i)};
    return s;
  } else if constexpr (K == scanned) {
    jet sum;
    for (const double element : {1., -2.}) {
      const jet e = jet{element} * x;
      s = f(s) + e;
      sum = sum + s * e;
    }
    return s + sum;
  } else if constexpr (K == bounded) {
    for (int step = 0; step < 3 && s.value < 12; ++step) s = f(s);
    return s;
  } else if constexpr (K == repeated) {
    for (int block = 0; block < 2; ++block) s = f(s) * jet{2};
    return s;
  } else {
    return f(s) * s;
  }
}

/// Regions of these kinds in one another. The innermost body reads its own state, that of the body around it, and `a`.
template <kind First, kind... Rest, class In, class S>
constexpr auto nest(In in, S s) {
  return around<First>(
      in,
      [=](auto within, auto t) {
        if constexpr (sizeof...(Rest) == 0)
          return t * a + s;
        else
          return nest<Rest...>(within, t) + s;
      },
      s);
}
template <kind First, kind... Rest>
jet nest_plainly(const jet& s, const jet& x) {
  return plainly<First>(
      [&](const jet& t) {
        if constexpr (sizeof...(Rest) == 0)
          return t * x + s;
        else
          return nest_plainly<Rest...>(t, x) + s;
      },
      s, x);
}

/// The names of a program's variables are its own.
template <kind... K>
struct names_of {
  static constexpr int number = [] {
    int n = 0;
    ((n = 6 * n + K), ...);
    return n;
  }();
  template <std::size_t N>
  constexpr auto operator/(const char (&text)[N]) const {
    return "nest" / etch::digits<number> / text;
  }
};

/// The value and two derivatives of y at x.
struct derivatives {
  double value, first, second;
};
inline void check_equal(const derivatives& got, const jet& expected) {
  CHECK(got.value == expected.value);
  CHECK(got.first == expected.first);
  CHECK(got.second == expected.second);
}
/// Checks y, made of regions of these kinds, and its first and second derivative against the same in plain code: branches go either way, and
/// loops with conditions end after none, some and all of their steps.
template <kind... K, class Y, class Plain>
void check_derivatives(Y, const Plain& in_plain) {
  constexpr Y y;
  constexpr auto first = etch::gradient(y, a);
  constexpr auto second = etch::gradient(first, a);
  const std::string kinds = (std::string(name_of[K]) + ...);
  CAPTURE(kinds);
  etch::session s(y, first, second, etch::sum(es));  // the last for those that read no sequence
  s.initialize();
  for (const double at : {2., 4., -1., 12.}) {
    CAPTURE(at);
    const auto [value, slope, curve] = s.run(y, first, second, a = at, es = {1, -2});
    check_equal({value, slope, curve}, in_plain(jet{at, 1, 0}));
  }
}

template <kind... K>
void check_nest() {
  check_derivatives<K...>(nest<K...>(names_of<K...>{}, a), [](const jet& x) { return nest_plainly<K...>(x, x); });
}
template <kind Outer>
void check_nests_in() {
  check_nest<Outer, branch>();
  check_nest<Outer, counted>();
  check_nest<Outer, scanned>();
  check_nest<Outer, bounded>();
  check_nest<Outer, repeated>();
  check_nest<Outer, again>();
}

/// In the first region the third, and the second of what that gives.
template <kind Outer, kind Last, kind First>
void check_chain() {
  check_derivatives<Outer, Last, First>(
      around<Outer>(
          names_of<Outer, Last, First>{}, [](auto in, auto t) { return nest<Last>(in, nest<First>(in, t)); }, a),
      [](const jet& x) {
        return plainly<Outer>([&](const jet& t) { return nest_plainly<Last>(nest_plainly<First>(t, x), x); }, x, x);
      });
}
/// In the first region the second and the third, of which neither reads the other.
template <kind Outer, kind One, kind Other>
void check_siblings() {
  check_derivatives<Outer, One, Other>(
      around<Outer>(
          names_of<Outer, One, Other>{}, [](auto in, auto t) { return nest<One>(in, t) + nest<Other>(in, t - a); }, a),
      [](const jet& x) {
        return plainly<Outer>([&](const jet& t) { return nest_plainly<One>(t, x) + nest_plainly<Other>(t - x, x); }, x, x);
      });
}

}  // namespace nested
