// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops.hpp>

/// How variables start. An initializer is an object with `make<Name, T>(shape)`; random ones draw under the variable's name.
namespace etch {

namespace detail {
/// The whole number N as a constant of dtype T.
template <class T, std::int64_t N>
constexpr auto number() {
  return decltype(literal<static_cast<double>(N)>)::template node<T>();
}
template <class Name, class T, auto... E>
constexpr auto uniform_named(shape<E...>) {
  return make_node_of<uniform_draw, T, canonical_shape<E...>, attributes<static_cast<std::int64_t>(Name::hash)>>();
}
template <class Name, class T, auto... E>
constexpr auto normal_named(shape<E...>) {
  return make_node_of<normal_draw, T, canonical_shape<E...>, attributes<static_cast<std::int64_t>(Name::hash)>>();
}

/// Inputs and outputs of one unit of a kernel: its last two extents; the extents before them multiply both. An array of one axis has one input, where
/// Keras counts its extent.
struct fans {
  std::int64_t in = 1, out = 1;
};
template <auto... E>
constexpr fans fans_of(shape<E...>) {
  const std::int64_t e[] = {1, 1, static_cast<std::int64_t>(E)...};
  constexpr int n = sizeof...(E) + 2;
  std::int64_t receptive = 1;
  for (int i = 2; i < n - 2; ++i) receptive *= e[i];
  return {e[n - 2] * receptive, e[n - 1] * receptive};
}
}  // namespace detail

namespace initializers {

inline constexpr struct zeros {
  template <class Name, class T, class Shape>
  static constexpr auto make(Shape s) {
    return etch::zeros<T>(s);
  }
} zeros;

inline constexpr struct ones {
  template <class Name, class T, class Shape>
  static constexpr auto make(Shape s) {
    return etch::ones<T>(s);
  }
} ones;

/// Every element the same: `initializers::constant(0.1_c)`.
template <class Value>
struct constant_value {
  template <class Name, class T, class Shape>
  static constexpr auto make(Shape s) {
    return full<T>(s, Value{});
  }
};
template <class Value>
constexpr auto constant(Value value) {
  return constant_value<decltype(detail::symbolic_number<"initializers::constant">(value))>{};
}

/// Uniform in [low, high); rounding can give high itself where it is much larger than high - low.
template <class Low, class High>
struct uniform_between {
  template <class Name, class T, class Shape>
  static constexpr auto make(Shape s) {
    const auto low = Low::template node<T>();
    const auto high = High::template node<T>();
    return low + (high - low) * detail::uniform_named<Name, T>(s);
  }
};
template <class Low, class High>
constexpr auto uniform(Low low, High high) {
  return uniform_between<decltype(detail::symbolic_number<"initializers::uniform">(low)),
                         decltype(detail::symbolic_number<"initializers::uniform">(high))>{};
}

/// Normal with the given standard deviation and mean 0.
template <class Deviation>
struct normal_with {
  template <class Name, class T, class Shape>
  static constexpr auto make(Shape s) {
    return Deviation::template node<T>() * detail::normal_named<Name, T>(s);
  }
};
template <class Deviation>
constexpr auto normal(Deviation deviation) {
  return normal_with<decltype(detail::symbolic_number<"initializers::normal">(deviation))>{};
}

/// What keeps the variance of what a layer passes on: 2 / fan, uniform or normal.
enum class fan { in, in_and_out };
enum class distribution { uniform, normal };
template <distribution Distribution, fan Fan>
struct scaled_by_fan {
  template <class Name, class T, class Shape>
  static constexpr auto make(Shape s) {
    constexpr detail::fans f = detail::fans_of(Shape{});
    constexpr std::int64_t fan = f.in + (Fan == fan::in ? 0 : f.out);
    if constexpr (Distribution == distribution::uniform) {
      const auto limit = sqrt(detail::number<T, 6>() / detail::number<T, fan>());
      return limit * (detail::number<T, 2>() * detail::uniform_named<Name, T>(s) - detail::number<T, 1>());
    } else {
      return sqrt(detail::number<T, 2>() / detail::number<T, fan>()) * detail::normal_named<Name, T>(s);
    }
  }
};
/// Uniform in +-sqrt(6 / (in + out)) (Glorot, Bengio 2010).
inline constexpr struct glorot_uniform : scaled_by_fan<distribution::uniform, fan::in_and_out> {
} glorot_uniform;
/// Normal with variance 2 / (in + out) (Glorot, Bengio 2010).
inline constexpr struct glorot_normal : scaled_by_fan<distribution::normal, fan::in_and_out> {
} glorot_normal;
/// Uniform in +-sqrt(6 / in): for relu (He, Zhang, Ren, Sun 2015).
inline constexpr struct he_uniform : scaled_by_fan<distribution::uniform, fan::in> {
} he_uniform;
/// Normal with variance 2 / in: for relu (He, Zhang, Ren, Sun 2015).
inline constexpr struct he_normal : scaled_by_fan<distribution::normal, fan::in> {
} he_normal;

}  // namespace initializers

/// A variable of that shape, float unless told, that begins as an initializer says; random ones draw under its name:
/// `variable<"w">(shape<16, 4>{}, initializers::glorot_uniform)`. Behind the initializer may stand `not_trainable`.
template <fixed_string Name, class T = float, auto... E, class Initializer, class... Use>
  requires requires(shape<1, 1> s) { Initializer::template make<name_of<Name>, T>(s); } &&
           (std::is_same_v<Use, struct not_trainable> && ...)
constexpr auto variable(shape<E...> s, Initializer, Use... use) {
  if constexpr (!canonical_shape<E...>::is_static)
    return variable<Name>(zeros<T>(s), use...);
  else
    return variable<Name>(Initializer::template make<name_of<Name>, T>(s), use...);
}

namespace nn::detail {
/// The names of layers' variables. Not in the functions: nvcc loses literals that stand inside a nested `if constexpr`.
template <fixed_string Name>
struct product_names {
  using kernel = join<name_of<Name>, name_of<"/kernel">>;
  using bias = join<name_of<Name>, name_of<"/bias">>;
};
template <fixed_string Name>
struct norm_names {
  using scale = join<name_of<Name>, name_of<"/scale">>;
  using offset = join<name_of<Name>, name_of<"/offset">>;
};

/// A variable of that name, shape and dtype T, which starts as an initializer says.
template <class Name, class T, class Initializer, etch::detail::variable_use Use = etch::detail::variable_use::trained, auto... E>
constexpr auto layer_variable(shape<E...> s) {
  return etch::detail::make_variable<Name, Use>(Initializer::template make<Name, T>(s));
}
}  // namespace nn::detail

}  // namespace etch
