// SPDX-License-Identifier: MIT
#pragma once

/// Constants in arrays whose size is known only when they have been made.
namespace etch::detail {

/// Named to ask whether a constant could be made.
template <bool>
struct made;

/// What `Maker::attempt<Capacity>()` gives, as a constant: first in arrays of `Maker::capacity`, which are probably large enough, since
/// most results cost more to make than to copy; else once more in arrays of its size. One that could not be made, because a compiler
/// allows no more steps, is one error, on whose first line g++ names its flag and clang this constant; it then counts as empty, so
/// that nothing else fails.
template <class Maker>
struct computed {
 private:
  using sizes = decltype(Maker::capacity);
  // Declared by auto: where an alias names their types, nvcc 13.0 aborts without a word.
  static constexpr auto made_within_the_limit_of_fconstexpr_steps = Maker::template attempt<Maker::capacity>();
  template <auto Size>
  static constexpr auto again = Maker::template attempt<Size>();
  static constexpr decltype(Maker::template attempt<sizes{}>()) nothing{};

  static constexpr sizes find_size() {
    if constexpr (is_made)
      return made_within_the_limit_of_fconstexpr_steps.size;
    else
      return sizes();
  }
  static constexpr const auto& find_value() {
    if constexpr (!is_made)
      return nothing;
    else if constexpr (size.fit(Maker::capacity))
      return made_within_the_limit_of_fconstexpr_steps;
    else
      return again<size>;
  }

 public:
  static constexpr bool is_made = requires {
    typename made<made_within_the_limit_of_fconstexpr_steps.size.fit(made_within_the_limit_of_fconstexpr_steps.size)>;
  };
  static constexpr sizes size = find_size();
  static constexpr const auto& value = find_value();
};

}  // namespace etch::detail
