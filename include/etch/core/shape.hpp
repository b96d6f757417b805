// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <etch/base/name.hpp>
#include <etch/core/definition.hpp>
#include <etch/core/diagnostics.hpp>
#include <etch/core/dtype.hpp>
#include <etch/core/extent.hpp>

/// Shapes: as types, in expressions, and as values, in shape rules and graphs.
namespace etch {

/// The most axes that a tensor may have.
inline constexpr int max_rank = 8;
/// More bytes than any memory has; sums of as many buffers as a plan has still fit into 64 bits.
inline constexpr std::int64_t most_bytes = std::int64_t{1} << 48;

/// What flows along an edge of a graph: element type, number of axes, extents (outermost first).
struct tensor_type {
  dtype type = dtype::none;
  int rank = 0;
  extent_value extents[max_rank]{};

  constexpr bool same_shape(const tensor_type& other) const {
    if (rank != other.rank) return false;
    for (int i = 0; i < rank; ++i)
      if (extents[i] != other.extents[i]) return false;
    return true;
  }
  constexpr bool operator==(const tensor_type& other) const { return type == other.type && same_shape(other); }
  constexpr bool is_static() const {
    for (int i = 0; i < rank; ++i)
      if (!etch::is_static(extents[i])) return false;
    return true;
  }
  /// Whether it has so many elements, as far as the compiler knows: also where an extent has a name.
  constexpr bool may_have(std::int64_t elements) const {
    std::int64_t all = 1;
    for (int i = 0; i < rank; ++i) all *= etch::is_static(extents[i]) ? extents[i] : 1;
    return !is_static() || all >= elements;
  }
  constexpr tensor_type with(dtype d) const {
    tensor_type t = *this;
    t.type = d;
    return t;
  }
};

/// A product of extents, at least one of them named: `extent_product<2, batch{}>`.
template <auto... Factors>
struct extent_product : extent {
  friend constexpr bool operator==(const extent_product&, const extent_product&) = default;
};
/// A sum of extents, at least one of them named: `extent_sum<batch{}, 1>`.
template <auto... Terms>
struct extent_sum : extent {
  friend constexpr bool operator==(const extent_sum&, const extent_sum&) = default;
};

namespace detail {

/// The printed name of a user's extent class, without namespaces.
template <class T>
struct extent_text {
  static constexpr int size = [] {
    constexpr auto full = type_name<T>();
    int begin = 0;
    for (int i = 0; i < static_cast<int>(full.size); ++i)
      if (full.text[i] == ':') begin = i + 1;
    return static_cast<int>(full.size) - begin;
  }();
  struct storage {
    char text[size + 1]{};
  };
  static constexpr storage value = [] {
    constexpr auto full = type_name<T>();
    storage s;
    for (int i = 0; i < size; ++i) s.text[i] = full.text[static_cast<int>(full.size) - size + i];
    return s;
  }();
  static constexpr const char* text = value.text;
};
template <char... C>
struct extent_text<extent_name<C...>> {
  static constexpr const char* text = name<C...>::text;
};

template <int Argument, int Axis>
struct extent_text<argument_extent<Argument, Axis>> {
  static constexpr auto value = "argument_" + digits<Argument> + ".axis_" + digits<Axis>;
  static constexpr const char* text = value.text;
};

template <class T>
struct extent_to_value {
  static constexpr hash_t id = define<symbol_key, hash_of(extent_text<T>::text), T>::hash;
  static constexpr extent_value get(extent_table& table) { return table.symbol(id, extent_text<T>::text); }
};

template <int Argument, int Axis>
struct extent_to_value<argument_extent<Argument, Axis>> {
  using extent = argument_extent<Argument, Axis>;
  static constexpr hash_t id = define<symbol_key, hash_of(extent_text<extent>::text), extent>::hash;
  static constexpr extent_value get(extent_table& table) { return table.symbol(id, extent_text<extent>::text, true); }
};

template <auto E>
constexpr extent_value value_of(extent_table& table) {
  using type = std::remove_cvref_t<decltype(E)>;
  if constexpr (std::is_integral_v<type>)
    return static_cast<extent_value>(E);
  else
    return extent_to_value<type>::get(table);
}

template <auto... Factors>
struct extent_to_value<extent_product<Factors...>> {
  static constexpr extent_value get(extent_table& table) {
    extent_value product = 1;
    ((product = table.product(product, value_of<Factors>(table))), ...);
    return product;
  }
};
template <auto... Terms>
struct extent_to_value<extent_sum<Terms...>> {
  static constexpr extent_value get(extent_table& table) {
    extent_value sum = 0;
    ((sum = table.sum(sum, value_of<Terms>(table))), ...);
    return sum;
  }
};

/// Asked by conversions: g++ takes `any` without a name as a value whose type cannot be asked for.
template <auto E>
concept extent_like = requires { static_cast<std::int64_t>(E); } || requires { static_cast<const extent&>(E); };

/// One spelling per extent: an int where it fits, else a 64-bit count; the named extent's object.
template <auto E>
constexpr auto canonical_extent() {
  using type = std::remove_cvref_t<decltype(E)>;
  if constexpr (!extent_like<E>) {
    raise<std::enable_if_t<!extent_like<E>, an_extent_is_a_number_or_a_name_in_angle_brackets>, instead_write<"any<\"batch\">">>();
    return 1;
  } else if constexpr (std::is_integral_v<type>) {
    if constexpr (static_cast<std::int64_t>(E) >= -0x7fffffff - 1 && static_cast<std::int64_t>(E) <= 0x7fffffff)
      return static_cast<int>(E);
    else
      return static_cast<std::int64_t>(E);
  } else {
    return E;
  }
}

}  // namespace detail

/// A shape as a type: extents outermost first, each a number or a named extent's object.
template <auto... Extents>
struct shape {
  static constexpr int rank = sizeof...(Extents);
  static constexpr tensor_type value(extent_table& table, dtype type) {
    tensor_type t;
    t.type = type;
    t.rank = rank;
    [[maybe_unused]] int i = 0;
    ((t.extents[i++] = detail::value_of<Extents>(table)), ...);
    return t;
  }
  /// Whether every extent is a number.
  static constexpr bool is_static = (std::is_integral_v<std::remove_cvref_t<decltype(Extents)>> && ...);
  friend constexpr bool operator==(const shape&, const shape&) = default;
};

namespace detail {
template <auto... E>
constexpr auto make_canonical_shape() {
  return shape<canonical_extent<E>()...>{};
}
}  // namespace detail

template <auto... Extents>
using canonical_shape = decltype(detail::make_canonical_shape<Extents...>());

namespace detail {
template <auto E>
constexpr bool is_negative_extent() {
  if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(E)>>)
    return E < 0;
  else
    return false;
}
template <class Shape>
inline constexpr bool has_negative_extents = false;
template <auto... E>
inline constexpr bool has_negative_extents<shape<E...>> = (is_negative_extent<E>() || ...);

/// Whether an array may have that shape.
template <class Shape>
inline constexpr bool is_possible = Shape::rank <= max_rank && !has_negative_extents<Shape>;
/// Shape, or what is harmless where it has been refused.
template <class Shape>
using possible_shape = std::conditional_t<is_possible<Shape>, Shape, shape<>>;
}  // namespace detail

/// The extent of one axis, as it stands in the type; negative axes count from the last.
template <int Axis, auto First, auto... Rest>
constexpr auto extent_along(shape<First, Rest...>) {
  constexpr int at = Axis < 0 ? Axis + 1 + static_cast<int>(sizeof...(Rest)) : Axis;
  static_assert(at >= 0 && at <= static_cast<int>(sizeof...(Rest)), "shape: there is no such axis");
  if constexpr (at == 0)
    return First;
  else
    return extent_along<at - 1>(shape<Rest...>{});
}

/// The value of a shape type, with the table that its named extents refer to.
struct typed_shape {
  extent_table table;
  tensor_type type;
};

namespace detail {

/// The symbol of the Nth factor of a product, whose exponents are packed in `powers`; -1 past the last.
constexpr int nth_factor(std::uint64_t powers, int nth) {
  int seen = 0;
  for (int s = 0; s < 8; ++s) {
    seen += static_cast<int>(powers >> (8 * s) & 255);
    if (nth < seen) return s;
  }
  return -1;
}
constexpr int degree(std::uint64_t powers) {
  int d = 0;
  for (int s = 0; s < 8; ++s) d += static_cast<int>(powers >> (8 * s) & 255);
  return d;
}

/// As canonical_extent, of a number that may be negative.
template <std::int64_t Value>
constexpr auto canonical_number() {
  if constexpr (Value >= -0x7fffffff - 1 && Value <= 0x7fffffff)
    return static_cast<int>(Value);
  else
    return Value;
}

/// One term of an axis's extent: a number, a name, or their product.
template <class Source, int Axis, int Term>
struct term_at {
  static constexpr polynomial extent = Source::value.table.at(Source::value.type.extents[Axis]);
  static constexpr std::uint64_t powers = extent.powers[Term];
  static constexpr auto coefficient = canonical_number<extent.coefficient[Term]>();
  template <int Nth>
  using factor = defined<symbol_key, Source::value.table.symbol_at(nth_factor(powers, Nth)).id>;

  template <int... Nth>
  static constexpr auto product(std::integer_sequence<int, Nth...>) {
    if constexpr (sizeof...(Nth) == 0)
      return coefficient;
    else if constexpr (coefficient != 1)
      return extent_product<coefficient, factor<Nth>{}...>{};
    else if constexpr (sizeof...(Nth) == 1)
      return factor<0>{};
    else
      return extent_product<factor<Nth>{}...>{};
  }
  static constexpr auto value = product(std::make_integer_sequence<int, degree(powers)>{});
};

template <class Source, int Axis, int... Term>
constexpr auto sum_at(std::integer_sequence<int, Term...>) {
  if constexpr (sizeof...(Term) == 1)
    return term_at<Source, Axis, 0>::value;
  else
    return extent_sum<term_at<Source, Axis, Term>::value...>{};
}

template <class Source, int Axis>
constexpr auto extent_at() {
  constexpr extent_value e = Source::value.type.extents[Axis];
  if constexpr (is_static(e))
    return canonical_number<e>();
  else
    return sum_at<Source, Axis>(std::make_integer_sequence<int, Source::value.table.at(e).count>{});
}

template <class Source, int... Axis>
constexpr auto make_shape(std::integer_sequence<int, Axis...>) {
  return shape<extent_at<Source, Axis>()...>{};
}

}  // namespace detail

/// The shape type of `Source::value`, a static constexpr `typed_shape`.
template <class Source>
using shape_from = decltype(detail::make_shape<Source>(std::make_integer_sequence<int, Source::value.type.rank>{}));

}  // namespace etch
