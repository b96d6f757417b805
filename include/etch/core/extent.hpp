// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <type_traits>

#include <etch/base/hash.hpp>
#include <etch/base/name.hpp>
#include <etch/config.hpp>

/// Extents of axes: numbers, names that are bound when data is fed, and sums and products of both.
namespace etch {

/// Base of named extents. `any<"batch">` makes one from a text; a user's own tag
/// `inline constexpr struct batch : etch::extent {} batch;` prints better in errors.
struct extent {
  friend constexpr bool operator==(const extent&, const extent&) = default;
};

/// The extent of an axis of a traced function's argument: its own, but taken for another where an op needs it to be.
template <int Argument, int Axis>
struct argument_extent : extent {
  friend constexpr bool operator==(const argument_extent&, const argument_extent&) = default;
};

template <char... Characters>
struct extent_name : extent {
  friend constexpr bool operator==(const extent_name&, const extent_name&) = default;
};

namespace detail {
template <fixed_string Text, std::size_t... I>
constexpr auto make_extent_name(std::index_sequence<I...>) {
  return extent_name<Text.text[I]...>{};
}
}  // namespace detail

/// An extent that is known by this name only, until an array is fed: `placeholder<"x", float, any<"batch">, 784>`. An object,
/// since clang refuses an overloaded function as a template argument where it depends on others.
template <fixed_string Text>
inline constexpr auto any = detail::make_extent_name<Text>(std::make_index_sequence<Text.size>{});

/// In a target shape: the one extent that follows from the others.
inline constexpr int inferred = -1;

/// An extent or a stride in a graph: a number, `unknown_extent`, or a reference into an `extent_table`, which is a number
/// so far below zero that no extent or stride can be meant.
using extent_value = std::int64_t;
inline constexpr extent_value unknown_extent = INT64_MIN;

constexpr bool is_static(extent_value e) { return e > INT64_MIN / 2; }

/// Where a reference points, and the reference to there.
constexpr int polynomial_index(extent_value e) { return static_cast<int>(INT64_MIN / 2 - e); }
constexpr extent_value polynomial_reference(int index) { return INT64_MIN / 2 - index; }

/// A sum of products of named extents; the exponents of up to eight names, at most 255, are packed into one word, eight bits each.
/// Its members have no initialisers of their own: clang evaluates those for each element of an array, and zeros of all at once.
struct polynomial {
  static constexpr int max_terms = 4;
  int count;
  std::int64_t coefficient[max_terms];
  std::uint64_t powers[max_terms];

  constexpr bool operator==(const polynomial& other) const {
    if (count != other.count) return false;
    for (int i = 0; i < count; ++i)
      if (coefficient[i] != other.coefficient[i] || powers[i] != other.powers[i]) return false;
    return true;
  }
  /// Adds a term, keeping terms ordered by powers (highest first) and free of zeros; false where there is no room.
  constexpr bool add(std::int64_t c, std::uint64_t p) {
    if (c == 0) return true;
    int at = 0;
    while (at < count && powers[at] > p) ++at;
    if (at < count && powers[at] == p) {
      coefficient[at] += c;
      if (coefficient[at] == 0) {
        for (int i = at; i + 1 < count; ++i) {
          coefficient[i] = coefficient[i + 1];
          powers[i] = powers[i + 1];
        }
        --count;
      }
      return true;
    }
    if (count == max_terms) return false;
    for (int i = count; i > at; --i) {
      coefficient[i] = coefficient[i - 1];
      powers[i] = powers[i - 1];
    }
    coefficient[at] = c;
    powers[at] = p;
    ++count;
    return true;
  }
};

/// The named extents of one graph and the polynomials in them, each stored once, so that equal extents are equal numbers.
class extent_table {
 public:
  static constexpr int max_symbols = 8;
  static constexpr int max_polynomials = 48;

  struct symbol_entry {
    hash_t id;
    const char* name;
    bool is_open;  ///< of an argument: it may be taken for another
  };

  /// The extent of that name.
  constexpr extent_value symbol(hash_t id, const char* name, bool is_open = false) {
    int i = 0;
    while (i < symbol_count_ && symbols_[i].id != id) ++i;
    if (i == symbol_count_) {
      if (i == max_symbols) return exhaust();
      symbols_[symbol_count_++] = {id, name, is_open};
    }
    polynomial p{};
    p.add(1, std::uint64_t{1} << (8 * i));
    return intern(p);
  }
  /// Whether something had no room: names, polynomials, or terms of one. The shapes of such a graph are not known.
  constexpr bool exhausted() const { return exhausted_; }
  constexpr int symbol_count() const { return symbol_count_; }
  constexpr int polynomial_count() const { return polynomial_count_; }
  constexpr const symbol_entry& symbol_at(int i) const { return symbols_[i]; }

  constexpr polynomial at(extent_value e) const {
    if (!is_static(e)) return polynomials_[polynomial_index(e)];
    polynomial p{};
    p.add(e, 0);
    return p;
  }
  /// If `e` is one plain name, its index; else -1.
  ETCH_NOINLINE constexpr int symbol_index(extent_value e) const {
    if (is_static(e) || e == unknown_extent) return -1;
    const polynomial& p = polynomials_[polynomial_index(e)];
    if (p.count != 1 || p.coefficient[0] != 1) return -1;
    for (int i = 0; i < symbol_count_; ++i)
      if (p.powers[0] == std::uint64_t{1} << (8 * i)) return i;
    return -1;
  }

  /// Whether two extents that differ may be taken for one: one is open, and the other a name or a number.
  constexpr bool may_agree(extent_value a, extent_value b) const {
    const int s = symbol_index(a), t = symbol_index(b);
    return (s >= 0 && symbols_[s].is_open && (t >= 0 || is_static(b))) ||
           (t >= 0 && symbols_[t].is_open && (s >= 0 || is_static(a)));
  }

  constexpr extent_value sum(extent_value a, extent_value b) {
    if (is_static(a) && is_static(b)) return a + b;
    return combine(a, b, 1);
  }
  constexpr extent_value difference(extent_value a, extent_value b) {
    if (is_static(a) && is_static(b)) return a - b;
    return combine(a, b, -1);
  }
  constexpr extent_value product(extent_value a, extent_value b) {
    if (is_static(a) && is_static(b)) return a * b;
    if (a == unknown_extent || b == unknown_extent) return unknown_extent;
    if (a == 1) return b;
    if (b == 1) return a;
    const polynomial x = at(a), y = at(b);
    polynomial r{};
    for (int i = 0; i < x.count; ++i)
      for (int j = 0; j < y.count; ++j)
        if ((((x.powers[i] | y.powers[j]) & high_bits) != 0 && !exponents_fit(x.powers[i], y.powers[j])) ||
            !r.add(x.coefficient[i] * y.coefficient[j], x.powers[i] + y.powers[j]))
          return exhaust();
    return intern(r);
  }
  /// a / b where b divides a exactly; `unknown_extent` where it does not.
  constexpr extent_value quotient(extent_value a, extent_value b) {
    if (a == b) return 1;
    if (is_static(a) && is_static(b)) return b != 0 && a % b == 0 ? a / b : unknown_extent;
    if (a == unknown_extent || b == unknown_extent) return unknown_extent;
    const polynomial x = at(a), y = at(b);
    if (y.count != 1) return unknown_extent;
    polynomial r{};
    for (int i = 0; i < x.count; ++i) {
      if (x.coefficient[i] % y.coefficient[0] != 0) return unknown_extent;
      for (int s = 0; s < 8; ++s)
        if ((x.powers[i] >> (8 * s) & 255) < (y.powers[0] >> (8 * s) & 255)) return unknown_extent;
      r.add(x.coefficient[i] / y.coefficient[0], x.powers[i] - y.powers[0]);
    }
    return intern(r);
  }
  /// The count that `e` stands for when each symbol has its value.
  constexpr std::int64_t evaluate(extent_value e, const std::int64_t* values) const {
    return is_static(e) ? e : evaluate_polynomial(polynomials_[polynomial_index(e)], values);
  }
  /// The same; false where it does not fit into 64 bits.
  ETCH_NOINLINE constexpr bool evaluates(extent_value e, const std::int64_t* values, std::int64_t& result) const {
    result = e;
    if (is_static(e)) return true;
    const polynomial& p = polynomials_[polynomial_index(e)];
    result = 0;
    for (int i = 0; i < p.count; ++i) {
      std::int64_t term = p.coefficient[i];
      for (int s = 0; s < symbol_count_; ++s)
        for (std::uint64_t k = p.powers[i] >> (8 * s) & 255; k > 0; --k)
          if (!multiply(term, values[s])) return false;
      if (!add(result, term)) return false;
    }
    return true;
  }
  /// About how much that is, however much.
  ETCH_NOINLINE constexpr double estimate(extent_value e, const std::int64_t* values) const {
    if (is_static(e)) return static_cast<double>(e);
    const polynomial& p = polynomials_[polynomial_index(e)];
    double total = 0;
    for (int i = 0; i < p.count; ++i) {
      double term = static_cast<double>(p.coefficient[i]);
      for (int s = 0; s < symbol_count_; ++s)
        for (std::uint64_t k = p.powers[i] >> (8 * s) & 255; k > 0; --k) term *= static_cast<double>(values[s]);
      total += term;
    }
    return total;
  }
  constexpr extent_value scaled(extent_value e, std::int64_t factor) {
    if (is_static(e)) return e * factor;
    if (e == unknown_extent) return e;
    polynomial r = at(e);
    for (int i = 0; i < r.count; ++i) r.coefficient[i] *= factor;
    return intern(r);
  }

 private:
  ETCH_NOINLINE constexpr std::int64_t evaluate_polynomial(const polynomial& p, const std::int64_t* values) const {
    std::int64_t total = 0;
    for (int i = 0; i < p.count; ++i) {
      std::int64_t term = p.coefficient[i];
      for (int s = 0; s < symbol_count_; ++s)
        for (std::uint64_t k = p.powers[i] >> (8 * s) & 255; k > 0; --k) term *= values[s];
      total += term;
    }
    return total;
  }
  // The builtins that say whether they overflow are no constant expressions to nvcc.
  static constexpr bool multiply(std::int64_t& a, std::int64_t b) {
    const auto product = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    const bool fits = b == 0 || b == -1 ? a != INT64_MIN : product / b == a;
    a = product;
    return fits;
  }
  static constexpr bool add(std::int64_t& a, std::int64_t b) {
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return false;
    a += b;
    return true;
  }

  /// Of exponents below 128 no sum is above 255.
  static constexpr std::uint64_t high_bits = 0x8080808080808080ull;
  /// Whether no exponent of the product is above 255: it would be another name's.
  static constexpr bool exponents_fit(std::uint64_t a, std::uint64_t b) {
    for (int s = 0; s < max_symbols; ++s)
      if ((a >> (8 * s) & 255) + (b >> (8 * s) & 255) > 255) return false;
    return true;
  }
  constexpr extent_value combine(extent_value a, extent_value b, int sign) {
    if (a == unknown_extent || b == unknown_extent) return unknown_extent;
    polynomial r = at(a);
    const polynomial y = at(b);
    for (int i = 0; i < y.count; ++i)
      if (!r.add(sign * y.coefficient[i], y.powers[i])) return exhaust();
    return intern(r);
  }
  constexpr extent_value intern(const polynomial& p) {
    if (p.count == 0) return 0;
    if (p.count == 1 && p.powers[0] == 0) return p.coefficient[0];
    for (int i = 0; i < polynomial_count_; ++i)
      if (polynomials_[i] == p) return polynomial_reference(i);
    if (polynomial_count_ == max_polynomials) return exhaust();
    polynomials_[polynomial_count_] = p;
    return polynomial_reference(polynomial_count_++);
  }

  constexpr extent_value exhaust() {
    exhausted_ = true;
    return unknown_extent;
  }

  bool exhausted_ = false;
  int symbol_count_ = 0;
  int polynomial_count_ = 0;
  symbol_entry symbols_[max_symbols]{};
  polynomial polynomials_[max_polynomials]{};
};

}  // namespace etch
