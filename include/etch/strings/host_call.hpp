// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <etch/host/call.hpp>
#include <etch/strings/eager.hpp>
#include <etch/strings/expression.hpp>

/// Strings that functions of the host are given, and give: a scalar is a std::string, an array a tensor of strings.
namespace etch::detail {

template <int Rank>
struct string_seen {
  static decltype(auto) from(const strided<const std::int64_t>& x) {
    if constexpr (Rank == 0)
      return string_handle::text_at(x.data[0]);
    else
      return strings_of<Rank>(x.extents, x.size(), x);
  }
};

template <symbolic_string A>
struct host_operand<A> {
  using seen = string_seen<A::rank>;
  static constexpr auto node() { return typename plan_value<A>::node{}; }
};
template <symbolic_string A>
inline constexpr bool is_in_graph<A> = true;

template <class A>
  requires strings::detail::is_eager_text<A>
inline constexpr bool is_there_now<A> = true;
template <class A>
  requires(strings::detail::is_eager_text<A> && !is_string_tensor<A>)
struct operand_now<A> {
  std::string seen;
  explicit operand_now(const A& a) : seen(std::string_view(a)) {}
  const std::string& get() const { return seen; }
};
template <int Rank>
struct operand_now<tensor<std::string, Rank>> {
  const tensor<std::string, Rank>& seen;
  explicit operand_now(const tensor<std::string, Rank>& a) : seen(a) {}
  decltype(auto) get() const {
    if constexpr (Rank == 0)
      return seen.item();
    else
      return (seen);
  }
};

template <>
struct host_result<std::string> {
  using planned = std::int64_t;
  static std::int64_t put(std::string text) { return host_values<true>::keep(std::move(text)).address; }
  template <class E>
  static constexpr string_expression<E> seen(E) {
    return {};
  }
};

}  // namespace etch::detail
