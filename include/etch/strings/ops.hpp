// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/joining.hpp>
#include <etch/strings/broadcast.hpp>
#include <etch/strings/expression.hpp>

/// Functions of strings in graphs: ops with kernels of their own, on the numbers that stand for strings.
namespace etch::strings::detail {

/// The element type of a plan for values of type T.
template <class T>
using planned = std::conditional_t<std::is_same_v<T, std::string>, std::int64_t, T>;

/// An element as Function takes it.
template <class Function, class T>
decltype(auto) element_for(const T& element) {
  if constexpr (requires { Function::takes_numbers; })
    return (element);
  else
    return etch::detail::string_handle::text_at(element);
}

/// Function of each element of operands that broadcast. Result: the element type of what it gives.
template <class Function, class Result>
struct each_element : opaque<each_element<Function, Result>, -1> {
  static constexpr const char* name = Function::name;
  static constexpr bool differentiable = false;
  static constexpr bool on_host = true;
  static constexpr tensor_type infer(inference& context, const tensor_type* in, int count, const words&) {
    tensor_type r = in[0];
    for (int i = 1; i < count; ++i) r = rules::broadcast(context, r, in[i]);
    return r.with(dtype_of<planned<Result>>);
  }

  template <class... A>
  static void run(strided<planned<Result>> y, const A&... a) {
    std::int64_t i = 0;
    const auto operands = [&]<std::size_t... K>(std::index_sequence<K...>, const auto& all) {
      const std::array<element_steps, sizeof...(K)> steps = {
          element_steps(y.rank, std::get<K>(all).rank, std::get<K>(all).extents, std::get<K>(all).strides)...};
      for_each_element(y.rank, y.extents, steps, [&](const auto& at) {
        y.data[i++] = put(Function::of(element_for<Function>(std::get<K>(all).data[at[K]])...));
      });
    };
    // The last of all is the attributes, of which there are none.
    operands(std::make_index_sequence<sizeof...(A) - 1>{}, std::forward_as_tuple(a...));
  }

 private:
  static auto put(Result result) {
    if constexpr (std::is_same_v<Result, std::string>)
      return etch::detail::host_values<true>::keep(std::move(result)).address;
    else
      return result;
  }
};

/// Function in a graph, on strings.
template <class Function, class... A>
constexpr auto apply_each(const A&... a) {
  using result = decltype(Function::of(std::declval<std::conditional_t<true, const std::string&, A>>()...));
  const auto node = call<each_element<Function, result>, attributes<>>(node_of(a)...);
  if constexpr (std::is_same_v<result, std::string>)
    return strings_at(node);
  else
    return node;
}

}  // namespace etch::strings::detail
