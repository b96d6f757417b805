// SPDX-License-Identifier: MIT
#pragma once
#include <etch/host/print.hpp>
#include <etch/host/values.hpp>

/// Calls of functions of the program from graphs: where they stand in the order of what the host does, and how they see their operands.
namespace etch::detail {

/// How a function of the host sees an operand with that many axes: a scalar as a number, an array as a view.
template <int Rank>
struct number_seen {
  template <class T>
  static auto from(const strided<const T>& x) {
    if constexpr (Rank == 0)
      return T(x.data[0]);
    else
      return x;
  }
};
/// How a call of the host sees an expression A, and which node is its operand; `<etch/strings.hpp>` has another for strings.
template <class A>
struct host_operand {
  using seen = number_seen<A::rank>;
  static constexpr auto node() {
    if constexpr (is_literal<A>)
      return A::node();
    else
      return A{};
  }
};
/// Whether A is what a graph computes.
template <class A>
inline constexpr bool is_in_graph = expression<A>;

/// Whether a function of the host can be called with A at once, and how it sees that.
template <class A>
inline constexpr bool is_there_now = evaluated<A> || std::is_arithmetic_v<A>;
template <class A>
struct operand_now {
  const A& seen;
  explicit operand_now(const A& a) : seen(a) {}
  const A& get() const { return seen; }
};

/// How a plan holds a scalar that a function of the host gives, and what the call is in an expression.
template <class T>
struct host_result {
  using planned = T;
  static T put(T value) { return value; }
  template <class E>
  static constexpr E seen(E e) {
    return e;
  }
};

/// What a call of the host gives: nothing; a scalar; an array of that shape, which the function fills; one like the first operand.
struct gives_nothing {};
template <class T>
struct gives_scalar {
  using value_type = T;
};
template <class T, class Shape>
struct gives_array {
  static constexpr bool fills = true;
  using value_type = T;
};
template <class T>
struct gives_first {
  static constexpr bool fills = true;
  using value_type = T;
};

template <fixed_string Name, class F, class Result, class... Seen>
struct host_calling : opaque<host_calling<Name, F, Result, Seen...>, -1> {
  static constexpr auto whole_name = "host_call \"" + Name + "\"";
  static constexpr const char* name = whole_name.text;
  static constexpr bool stateful = true;
  static constexpr bool on_host = true;
  static constexpr bool differentiable = false;

  static constexpr tensor_type infer(inference& context, const tensor_type* in, int, const words&) {
    return result(Result{}, context, in);
  }
  /// Operands: what orders it, what the function is given; then attributes, of which there are none.
  template <class T, class... A>
  static void run(strided<T> y, strided<const bool> order, const A&... a) {
    for (std::int64_t i = 0, n = y.size(); i < n; ++i) y.data[i] = T{};
    {
      const host_values<true>::outside_arithmetic mode;
      call_function(std::index_sequence_for<Seen...>{}, y, std::forward_as_tuple(a...));
    }
    if constexpr (std::is_same_v<Result, gives_nothing>) y.data[0] = order.data[0];
  }

 private:
  static constexpr tensor_type result(gives_nothing, inference&, const tensor_type* in) { return in[0]; }
  template <class T>
  static constexpr tensor_type result(gives_scalar<T>, inference&, const tensor_type*) {
    tensor_type r;
    r.type = dtype_of<typename host_result<T>::planned>;
    return r;
  }
  template <class T, class Shape>
  static constexpr tensor_type result(gives_array<T, Shape>, inference& context, const tensor_type*) {
    return Shape::value(context.extents, dtype_of<T>);
  }
  template <class T>
  static constexpr tensor_type result(gives_first<T>, inference&, const tensor_type* in) {
    return in[1];
  }

  /// Not inlined, so that none of its arithmetic is moved to where the mode is the run's.
  template <std::size_t... K, class T, class All>
  ETCH_NOINLINE static void call_function(std::index_sequence<K...>, strided<T> y, const All& all) {
    give(Result{}, y, Seen::from(std::get<K>(all))...);
  }
  template <class T, class... X>
  static void give(gives_nothing, strided<T>, X&&... x) {
    F{}(x...);
  }
  template <class R, class T, class... X>
  static void give(gives_scalar<R>, strided<T> y, X&&... x) {
    y.data[0] = host_result<R>::put(F{}(x...));
  }
  template <class R, class Shape, class T, class... X>
  static void give(gives_array<R, Shape>, strided<T> y, X&&... x) {
    F{}(y, x...);
  }
  template <class R, class T, class... X>
  static void give(gives_first<R>, strided<T> y, X&&... x) {
    F{}(y, x...);
  }
};

/// What orders the host, after a call that has given x.
struct host_called : opaque<host_called, 2> {
  static constexpr const char* name = "host_called";
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }
  template <class X>
  static void run(strided<bool> y, strided<const bool> order, const X&, const std::int64_t*) {
    y.data[0] = order.data[0];
  }
};

/// Whether another op has this one's name: asked once for each, before it is defined.
template <class Op>
constexpr bool is_named_like_another() {
  if constexpr (requires { definition_of(definition_slot<op_key, hash_of(Op::name)>{}); })
    return !std::is_same_v<defined<op_key, hash_of(Op::name)>, Op>;
  else
    return false;
}
template <class Op>
inline constexpr bool has_name_of_another = is_named_like_another<Op>();

/// The result is deduced from the function.
struct deduced_result {};

/// What F gives for operands that it sees as X, of which the first has elements First; void where it cannot be called with them.
template <class F, class Result, class Shape, class First, class... X>
constexpr auto read_host_function() {
  if constexpr (!std::is_same_v<Result, deduced_result> && Shape::rank > 0) {
    if constexpr (std::is_invocable_v<F, strided<Result>, X...>) return gives_array<Result, Shape>{};
  } else if constexpr (!std::is_same_v<Result, deduced_result>) {
    if constexpr (std::is_invocable_r_v<Result, F, X...>) return gives_scalar<Result>{};
  } else if constexpr (std::is_invocable_v<F, X...>) {
    using R = std::remove_cvref_t<std::invoke_result_t<F, X...>>;
    if constexpr (std::is_void_v<R>)
      return gives_nothing{};
    else if constexpr (element<typename host_result<R>::planned>)
      return gives_scalar<R>{};
  } else if constexpr (element<First>) {
    if constexpr (std::is_invocable_v<F, strided<First>, X...>) return gives_first<First>{};
  }
}

}  // namespace etch::detail
