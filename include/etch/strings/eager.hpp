// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/eager/evaluate.hpp>
#include <etch/strings/broadcast.hpp>
#include <etch/strings/functions.hpp>
#include <etch/strings/tensor.hpp>

/// Functions of strings on eager tensors.
namespace etch::strings::detail {

template <class A>
inline constexpr bool is_eager_text = etch::detail::is_string_tensor<A> || etch::detail::is_string_constant<A> || text_like<A>;

/// What may stand beside a tensor of strings, as one.
template <class A>
decltype(auto) as_string_tensor(const A& a) {
  if constexpr (etch::detail::is_string_tensor<A>)
    return a;
  else
    return tensor<std::string, 0>(a);
}

template <int Rank>
std::string shape_text(const tensor<std::string, Rank>& t) {
  std::string text = "string[";
  for (int i = 0; i < Rank; ++i) text += (i > 0 ? ", " : "") + std::to_string(t.extent(i));
  return text + "]";
}

/// The shape that all of them broadcast to; throws `etch::error`.
template <class... T>
tensor_type common_type(const char* function, const T&... t) {
  inference context{eager::no_names};
  tensor_type common;
  ((common = rules::broadcast(context, common, t.described())), ...);
  if (context.failure != reason::none) {
    std::string shapes;
    ((shapes += (shapes.empty() ? "" : ", ") + shape_text(t)), ...);
    fail("%s: the operands' shapes do not broadcast: %s", function, shapes.c_str());
  }
  return common;
}

template <int Rank>
element_steps steps_of(int result_rank, const tensor<std::string, Rank>& t) {
  std::int64_t strides[max_rank + 1] = {}, stride = 1;
  for (int i = Rank; i-- > 0; stride *= t.extent(i)) strides[i] = stride;
  return {result_rank, Rank, t.described().extents, strides};
}

/// Function, which errors call so, of each element of tensors of strings.
template <class Function, class... T>
auto evaluate_each(const char* called, const T&... t) {
  constexpr int rank = std::max({T::rank...});
  using result = decltype(Function::of(*t.data()...));
  tensor_type type = common_type(called, t...);
  const std::array<element_steps, sizeof...(T)> steps = {steps_of(rank, t)...};
  const auto each = [&](const auto& f) {
    for_each_element(rank, type.extents, steps, [&](const auto& at) {
      [&]<std::size_t... K>(std::index_sequence<K...>) { f(Function::of(t.data()[at[K]]...)); }(std::index_sequence_for<T...>{});
    });
  };
  if constexpr (std::is_same_v<result, std::string>) {
    std::vector<std::string> elements;
    each([&](std::string&& text) { elements.push_back(std::move(text)); });
    typename tensor<std::string, rank>::shape_type shape{};
    std::copy_n(type.extents, rank, shape.data());
    return tensor<std::string, rank>(shape, std::move(elements));
  } else {
    type.type = dtype_of<result>;
    tensor<result, rank> made{eager::unmade{}};
    made.reset(type);
    auto* to = reinterpret_cast<result*>(made.bytes());
    each([&](result x) { *to++ = x; });
    return made;
  }
}

/// Strings of the elements of a tensor of numbers.
template <class T, int Rank>
tensor<std::string, Rank> evaluate_as_strings(const tensor<T, Rank>& numbers) {
  std::vector<std::string> elements;
  for (std::int64_t i = 0; i < numbers.size(); ++i) elements.push_back(as_string_function::of(numbers.data()[i]));
  return {numbers.shape(), std::move(elements)};
}

/// Tensors one after another along an axis.
template <int Axis, class First, class... Rest>
tensor<std::string, First::rank> evaluate_concat(const First& first, const Rest&... rest) {
  constexpr int axis = Axis < 0 ? Axis + First::rank : Axis;
  auto shape = first.shape();
  const auto meet = [&](const auto& x) {
    for (int i = 0; i < First::rank; ++i)
      if (i != axis && x.extent(i) != first.extent(i))
        fail("strings::concat: extents that must agree differ: %s, %s", shape_text(first).c_str(), shape_text(x).c_str());
    shape[axis] += x.extent(axis);
  };
  (meet(rest), ...);
  std::int64_t outer = 1;
  for (int i = 0; i < axis; ++i) outer *= shape[static_cast<std::size_t>(i)];
  std::vector<std::string> elements;
  for (std::int64_t block = 0; block < outer; ++block) {
    const auto append = [&](const auto& x) {
      const std::int64_t size = x.size() / outer;
      elements.insert(elements.end(), x.data() + block * size, x.data() + (block + 1) * size);
    };
    append(first);
    (append(rest), ...);
  }
  return {shape, std::move(elements)};
}

}  // namespace etch::strings::detail

namespace etch {

/// As that of numbers, of strings: the outputs of a loop's steps along a new first axis; of steps that were not made empty ones.
template <int Rank>
tensor<std::string, Rank + 1> stack_steps(const std::vector<tensor<std::string, Rank>>& steps, std::int64_t length,
                                          const char* function) {
  const auto made = static_cast<std::int64_t>(steps.size());
  if (made == 0 && Rank != 0) fail("%s: no step is made, so that the shape of its outputs is not known", function);
  typename tensor<std::string, Rank + 1>::shape_type shape{};
  shape[0] = length < 0 ? made : length;
  std::int64_t size = shape[0];
  for (std::size_t i = 1; i < shape.size(); ++i) size *= shape[i] = steps[0].shape()[i - 1];
  std::vector<std::string> elements;
  for (const auto& step : steps) {
    if (step.shape() != steps[0].shape())
      fail("%s: the outputs of two steps differ in shape: %s and %s", function, strings::detail::shape_text(steps[0]).c_str(),
           strings::detail::shape_text(step).c_str());
    elements.insert(elements.end(), step.data(), step.data() + step.size());
  }
  elements.resize(static_cast<std::size_t>(size));
  return tensor<std::string, Rank + 1>(shape, std::move(elements));
}

}  // namespace etch
