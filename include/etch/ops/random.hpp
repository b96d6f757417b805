// SPDX-License-Identifier: MIT
#pragma once
#include <etch/core/families.hpp>

/// Random draws from a counter-based generator: element i of a draw is a function of the session's seed, the draw's name,
/// the number of the run, and i. So the stream is the same on every backend and thread count, and no state is shared.
namespace etch {

namespace detail {
template <class Op>
struct random_draw : source_defaults {
  static constexpr attribute_names names = {{"name", attribute_kind::hash}};
  static constexpr bool stateful = true;
  static constexpr int cost = 20;
  /// An element is a function of its number.
  static constexpr unsigned batch(const words&, int rank) { return rank > 0 ? batch_of_all : 0; }
};

template <class Op, class T, auto... Extents>
constexpr void check_draw(shape<Extents...>) {
  if constexpr (!std::is_floating_point_v<T>)
    raise<dtype_not_accepted, in_op<Op>, operand<T, etch::shown_shape<canonical_shape<Extents...>>>>();
  if constexpr (!is_possible<canonical_shape<Extents...>>)
    refuse_shape<canonical_shape<Extents...>, in_op<Op>, operand<T, etch::shown_shape<canonical_shape<Extents...>>>>();
}
}  // namespace detail

/// Uniform in [0, 1): called as `random_uniform<"noise">(shape<3>{})`. Attribute: the hash of the draw's name.
struct uniform_draw : detail::random_draw<uniform_draw> {
  static constexpr const char* name = "random_uniform";
};
/// Normal with mean 0 and standard deviation 1, up to 9.42 deviations: called as `random_normal<"noise">(shape<3>{})`. Attribute: the hash of
/// the draw's name.
struct normal_draw : detail::random_draw<normal_draw> {
  static constexpr const char* name = "random_normal";
};

#define ETCH_RANDOM_DRAW(NAME, OP)                                                                                      \
  template <fixed_string Name, class T = float, auto... Extents>                                                        \
  constexpr auto NAME(shape<Extents...>) {                                                                              \
    detail::check_draw<OP, T>(shape<Extents...>{});                                                                     \
    return make_node_of<OP, T, detail::possible_shape<canonical_shape<Extents...>>,                                     \
                        attributes<static_cast<std::int64_t>(name_of<Name>::hash)>>();                                  \
  }                                                                                                                     \
  ETCH_REFUSE_BRACES(NAME, name_the_shape_in_angle_brackets, #NAME "<\"" + Name + "\">(shape<3>{})", fixed_string Name, \
                     class T = float)                                                                                   \
  ETCH_REFUSE_CALLS(NAME, name_the_shape_in_angle_brackets, #NAME "<\"" + Name + "\">(shape<3>{})", fixed_string Name)  \
  ETCH_REFUSE_CALLS(NAME, name_the_draw_in_angle_brackets, #NAME "<\"noise\">(shape<3>{})")

/// Uniform in [0, 1). An expression is its content, so two draws need two names: `random_uniform<"noise">(shape<3>{})`;
/// the same name, shape and dtype is the same draw. Another run gives other numbers.
ETCH_RANDOM_DRAW(random_uniform, uniform_draw)

/// Normal with mean 0 and standard deviation 1 (Box and Muller, 1958). No draw is beyond 9.42 deviations, as none would be of 10^20; from
/// 4.7 on numbers are as dense as 64 random bits make them.
ETCH_RANDOM_DRAW(random_normal, normal_draw)
#undef ETCH_RANDOM_DRAW

}  // namespace etch
