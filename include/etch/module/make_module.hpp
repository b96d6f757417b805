// SPDX-License-Identifier: MIT
#pragma once
#include <etch/module/module.hpp>

namespace etch {

/// A module of members that are given to it, TensorFlow's `module = tf.Module(); module.x = x`. It has no name, and so its variables have
/// the members' names.
template <class Names, class... M>
class module_of : public module<module_of<Names, M...>> {
 public:
  explicit module_of(M... members) : module<module_of>(std::string()), members_(std::move(members)...) {}

  /// The member of that name.
  template <fixed_string Name>
  auto& get() {
    constexpr std::size_t place = Names::place(name_of<Name>::hash);
    static_assert(place < sizeof...(M), "module: it has no member of this name");
    return std::get<place>(members_);
  }
  auto etch_members() {
    return std::apply([](auto&... m) { return std::tie(m...); }, members_);
  }
  static std::string_view etch_member_names() { return Names::text; }

 private:
  std::tuple<M...> members_;
};

namespace detail {
template <fixed_string First, fixed_string... More>
struct module_member_names {
  static constexpr auto joined = (First + ... + ("," + More));
  static constexpr const char* text = joined.text;
  static constexpr std::size_t place(hash_t name) {
    constexpr hash_t all[] = {name_of<First>::hash, name_of<More>::hash...};
    std::size_t i = 0;
    while (i < sizeof...(More) + 1 && all[i] != name) ++i;
    return i;
  }
};
}  // namespace detail

/// `auto m = make_module<"x", "add">(x, [x](float a) mutable { ... });`, then `m.get<"add">()(1.f)`. Copies of an eager variable are the same
/// variable.
template <fixed_string... Names, class... M>
  requires(sizeof...(Names) == sizeof...(M) && sizeof...(M) > 0)
auto make_module(M... members) {
  return module_of<detail::module_member_names<Names...>, M...>(std::move(members)...);
}

}  // namespace etch
