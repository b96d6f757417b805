// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <tuple>
#include <vector>

#include <etch/control/structure.hpp>

/// What goes into a loop or branch of eager code and comes out of it. Nothing here needs eager mode's headers until it is called with a
/// tensor, so that programs which have graphs only do not compile them.
namespace etch {

template <class T, int Rank>
class tensor;

namespace detail {

/// A tensor of strings, which no graph has.
template <class A>
concept text_tensor = host_value<A> && !planned_host_value<A> && requires { A::rank; };
template <class A>
concept eager_value = evaluated<A> || text_tensor<A>;

template <class S>
struct tells_of_tensors : std::bool_constant<eager_value<S>> {};
template <class... E>
struct tells_of_tensors<std::tuple<E...>> : std::bool_constant<(eager_value<E> || ...)> {};
template <class A, class B>
struct tells_of_tensors<std::pair<A, B>> : std::bool_constant<eager_value<A> || eager_value<B>> {};
/// Whether a call with these arguments is evaluated at once: one of them is a tensor or a variable of eager code, or has some.
template <class... A>
inline constexpr bool any_tensor = (tells_of_tensors<A>::value || ...);

/// What an eager loop or branch takes and gives: as in graphs one value, or several as a tuple. Beside tensors stand literals and
/// expressions of constants.
template <class A>
concept eager_member = eager_value<A> || value_expression<A>;
template <class>
inline constexpr bool is_eager_tuple = false;
template <class... E>
inline constexpr bool is_eager_tuple<std::tuple<E...>> = (eager_member<E> && ...);
template <class A, class B>
inline constexpr bool is_eager_tuple<std::pair<A, B>> = eager_member<A> && eager_member<B>;
template <class S>
concept eager_structure = eager_member<S> || is_eager_tuple<S>;

template <class A, class B>
constexpr bool are_as_many_tensors() {
  if constexpr (eager_structure<A> && eager_structure<B>)
    return is_eager_tuple<A> == is_eager_tuple<B> && members_of_structure<A>::list::size == members_of_structure<B>::list::size;
  else
    return false;
}

template <class A>
tensor<typename A::value_type, A::rank> tensor_type_of();
/// The type of tensor that a member is.
template <class A>
using tensor_for = decltype(tensor_type_of<A>());

template <class... A>
std::tuple<tensor_for<A>...> tuple_for(type_list<A...>);
template <class S>
struct tensors_of_structure {
  using type = decltype(tuple_for(typename members_of_structure<S>::list{}));
};
/// The tensors that a structure is, as a tuple, also of one.
template <class S>
using tensors_for = typename tensors_of_structure<S>::type;

template <class Tensor, class A>
Tensor as_tensor_of(const A& a) {
  if constexpr (requires { a.read(); })
    return a.read();
  else if constexpr (is_literal<A>)
    return Tensor(A::template as<typename Tensor::value_type>());
  else
    return Tensor(a);
}
template <class A>
tensor_for<A> as_tensor(const A& a) {
  return as_tensor_of<tensor_for<A>>(a);
}
template <class A>
constexpr bool is_one_bool() {
  if constexpr (evaluated<A> || value_expression<A>)
    return std::is_same_v<typename A::value_type, bool> && A::rank <= 0;
  else
    return false;
}

template <std::size_t K, class S>
const auto& member_of_structure(const S& s) {
  if constexpr (is_eager_tuple<S>)
    return std::get<K>(s);
  else
    return s;
}
/// Values as the structure S has them.
template <class S, class... T>
auto given_as(const std::tuple<T...>& values) {
  if constexpr (is_eager_tuple<S>)
    return values;
  else
    return std::get<0>(values);
}

template <class Shape>
std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + ")";
}

/// A tensor of the shape of another, all of whose elements are one number.
template <class Tensor>
Tensor filled_like(const Tensor& like, typename Tensor::value_type number) {
  Tensor filled;
  filled.reset(like.described());
  auto* const elements = reinterpret_cast<typename Tensor::value_type*>(filled.bytes());
  for (std::int64_t i = 0; i < filled.size(); ++i) elements[i] = number;
  return filled;
}

}  // namespace detail

}  // namespace etch
