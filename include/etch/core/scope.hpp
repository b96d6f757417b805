// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/core/named.hpp>

/// Scopes: a path before names. What a scope's function makes is printed under the path; variables are named by the path that the
/// function is handed, so that they are what they are called wherever they are used.
namespace etch {

/// What a scope hands to its function: `in / "hidden"` is the name "hidden" in it, of a variable, a layer, an expression, a scope.
template <class Path>
struct scope_path;
template <char... Characters>
struct scope_path<name<Characters...>> {
  template <std::size_t N>
  constexpr auto operator/(const char (&text)[N]) const {
    return detail::text_of<Characters...> / text;
  }
};

namespace detail {

/// What stands behind a result of a scope. `Call`: the same for all results of one call.
template <class Path, reuse Policy, hash_t Call, hash_t Hash, hash_t Of, hash_t... Arguments>
struct scoped_definition {
  using shape_type = typename defined<expression_key, Of>::shape_type;
  using value_type = typename defined<expression_key, Of>::value_type;
  using path_type = Path;
  static constexpr hash_t arguments[] = {Arguments..., 0};
  static constexpr scope_call call = {Call, Policy, arguments, sizeof...(Arguments)};
  static constexpr naming name = {Path::text, record_address<Of>, unnamed(record_address<Of>), nullptr, &call};
  static constexpr record value = renamed(*record_address<Of>, Hash, name);
};

/// The content of what a graph has as a node that may be named; 0 of anything else.
template <class E>
inline constexpr hash_t nameable_content = [] {
  if constexpr (expression<E> && !is_literal<E> && !is_slot<E>)
    return content_with<E::hash>;
  else
    return hash_t{0};
}();
template <class... E>
inline constexpr hash_t nameable_content<std::tuple<E...>> = combine(sizeof...(E), nameable_content<E>...);

/// The content of an argument of a scope's function; 0 where it is none of a graph.
template <class E>
inline constexpr hash_t argument_content = [] {
  if constexpr (expression<E> && !is_literal<E>)
    return content_with<E::hash>;
  else
    return hash_t{0};
}();

template <class Path, reuse Policy, hash_t Call, hash_t... Arguments, class E>
constexpr auto scope_result(const E& e) {
  if constexpr (nameable_content<E> == 0 || ((nameable_content<E> == Arguments) || ...)) {
    return e;
  } else {
    constexpr hash_t hash = combine(hash_of("scope"), Path::hash, static_cast<hash_t>(Policy), Call, E::hash, Arguments...);
    constexpr hash_t h = define<expression_key, hash, scoped_definition<Path, Policy, Call, hash, E::hash, Arguments...>>::hash;
    return expr<typename E::op, typename E::value_type, typename E::shape_type, h>{};
  }
}
template <class Path, reuse Policy, hash_t Call, hash_t... Arguments, class... E>
constexpr auto scope_result(const std::tuple<E...>& results) {
  return std::apply([](const E&... e) { return std::make_tuple(scope_result<Path, Policy, Call, Arguments...>(e)...); }, results);
}

/// What a function has made of its arguments, under a path.
template <class Path, reuse Policy = reuse::inherited, class R, class... X>
constexpr auto in_scope(const R& results, const X&...) {
  constexpr hash_t call = nameable_content<R>;
  return scope_result<Path, Policy, call, argument_content<X>...>(results);
}

/// Op(operands...), of this type, as what a layer has made of x. The same as `in_scope` of the op's call, and costs the compiler neither
/// that nor the expression without a scope.
template <class Path, class Op, class T, class Shape, class X, class... E>
constexpr auto node_in_scope(X, E...) {
  constexpr hash_t node = combine(node_hash<Op, T, Shape, attributes<>>, E::hash...);
  constexpr hash_t of = define<expression_key, node, definition<Op, T, Shape, attributes<>, node, E::hash...>>::hash;
  constexpr hash_t call = content_with<of>;
  constexpr hash_t hash = combine(hash_of("scope"), Path::hash, hash_t{}, call, of, content_with<X::hash>);
  constexpr hash_t h =
      define<expression_key, hash, scoped_definition<Path, reuse::inherited, call, hash, of, content_with<X::hash>>>::hash;
  return expr<Op, T, Shape, h>{};
}

}  // namespace detail

/// `f(in, x...)`, with everything between its result (an expression, or a tuple of them) and x under a path:
/// `scope<"block1">([](auto in, auto x) { return relu(nn::dense<in / "hidden", 100>(x)); }, x)`. Its nodes print as `block1/add`, those
/// of a second call with other arguments as `block1_1/add`; its variables are `block1/hidden/kernel` and are shared by all calls,
/// unless that is forbidden (`reuse`). What the function takes from elsewhere than its arguments counts as made in it.
template <fixed_string Path, reuse Policy = reuse::inherited, class F, class... X>
constexpr auto scope(F&& f, const X&... x) {
  using path = name_of<Path>;
  if constexpr (requires { f(scope_path<path>{}, x...); }) {
    return detail::in_scope<path, Policy>(f(scope_path<path>{}, x...), x...);
  } else {
    raise<a_scope_takes_a_function_of_the_scope_and_the_arguments, in_function<"scope">,
          typename detail::shown_argument<X>::type..., instead_write<"[](auto in, auto x) { return x; }">>();
    return detail::refused(x...);
  }
}
ETCH_REFUSE_CALLS(scope, write_the_name_in_angle_brackets, "scope<\"a\">(f, $)")

}  // namespace etch
