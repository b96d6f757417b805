// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>
#include <tuple>

#include <etch/core/strided.hpp>
#include <etch/host/output.hpp>
#include <etch/ops/effects.hpp>

/// Printing from graphs: what a run prints, when it computes it.
namespace etch {

namespace detail {

template <fixed_string Text>
inline constexpr int places_in = [] {
  int n = 0;
  for (std::size_t i = 0; i + 1 < Text.size; ++i) n += Text.text[i] == '{' && Text.text[i + 1] == '}' ? 1 : 0;
  return n;
}();

/// The elements of an operand of a print, as text; `<etch/strings.hpp>` says those of strings.
template <bool IsString>
struct printed_elements {
  template <class T>
  static std::string text(const strided<const T>& x) {
    return elements_text(x);
  }
};

/// Writes one line: the text, with the elements of an operand at each `{}`. Its value, which is that of its first operand, orders what the
/// host does. Where there are strings, the flags say which operands are some.
template <fixed_string Text, bool... AreStrings>
struct printing : opaque<printing<Text, AreStrings...>, -1> {
  static constexpr auto flags = [] {
    if constexpr (sizeof...(AreStrings) == 0)
      return fixed_string("");
    else
      return fixed_string<sizeof...(AreStrings) + 2>({(AreStrings ? 's' : '_')..., ' ', '\0'});
  }();
  static constexpr auto whole_name = "print " + flags + "\"" + text_in_a_name<Text>() + "\"";
  static constexpr const char* name = whole_name.text;
  static constexpr bool stateful = true;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }

  /// Operands: what orders it, what is printed; then attributes, of which it has none.
  template <class... A>
  static void run(strided<bool> y, strided<const bool> order, const A&... a) {
    constexpr bool are_strings[sizeof...(A)] = {AreStrings...};
    const auto write = [&]<std::size_t... K>(std::index_sequence<K...>, const auto& all) {
      const std::string texts[] = {printed_elements<are_strings[K]>::text(std::get<K>(all))..., {}};
      write_line(std::string_view(Text.text, Text.size), texts);
    };
    // Steps that print run in any thread, and do not throw: bound steps of them are noexcept.
    try {
      write(std::make_index_sequence<sizeof...(A) - 1>{}, std::forward_as_tuple(a...));
    } catch (...) {
    }
    y.data[0] = order.data[0];
  }
};
template <fixed_string Text, class... A>
using printing_of = std::conditional_t<(planned_host_value<A> || ...), printing<Text, planned_host_value<A>...>, printing<Text>>;

/// What a session's prints and calls of the host follow one another by: a variable that programs do not see. Its name is spelt as nvcc
/// takes it at namespace scope.
inline constexpr auto host_order =
    make_variable<etch::name<'(', 'h', 'o', 's', 't', ')'>, variable_use::host_order>(literal<false>.node());

/// Extents and strides of an eager tensor.
struct row_major_layout {
  std::int64_t extents[max_rank + 1] = {}, strides[max_rank + 1] = {};
  template <class A>
  row_major_layout(const A& a, int rank) {
    std::int64_t stride = 1;
    for (int i = rank; i-- > 0; stride *= extents[i]) {
      extents[i] = a.extent(i);
      strides[i] = stride;
    }
  }
};
/// An operand of a print that is computed already, as text: a tensor or a variable; `<etch/strings.hpp>` has others.
template <class A>
struct printed_now;
template <evaluated A>
struct printed_now<A> {
  static std::string text(const A& a) {
    if constexpr (requires { a.read(); }) {
      return printed_now<std::remove_cvref_t<decltype(a.read())>>::text(a.read());
    } else {
      const int rank = a.described().rank;
      const row_major_layout layout(a, rank);
      return elements_text(strided<const typename A::value_type>{a.data(), rank, layout.extents, layout.strides});
    }
  }
};

/// An error about what is printed: symbols beside values, or something that is neither.
template <class... A>
constexpr auto refuse_print(const A&... a) {
  if constexpr ((expression<A> || ...) && (evaluated<A> || ...))
    return refuse_function<a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session, "print", "print<\"{}\">(x)">(
        a...);
  else if constexpr ((expression<A> || ...))
    return refuse_function<a_run_time_value_cannot_stand_in_an_expression_write_2_c_or_feed_a_placeholder, "print",
                           "print<\"{} {}\">($, 2_c)">(a...);
  else
    return refuse_function<this_call_has_the_wrong_arguments, "print", "print<\"{}\">(x)">(a...);
}

/// Whether a text has a place for each operand.
template <fixed_string Text, int Operands>
constexpr bool has_places() {
  if constexpr (places_in<Text> != Operands)
    raise<there_is_not_one_place_for_each_operand, in_function<"print">, expected<number_of_operands<places_in<Text>>>,
          got<number_of_operands<Operands>>>();
  return places_in<Text> == Operands;
}

template <std::size_t Count>
constexpr auto places_with_spaces() {
  if constexpr (Count == 1)
    return fixed_string("{}");
  else
    return "{} " + places_with_spaces<Count - 1>();
}

template <class A>
concept printed_in_graph = expression<A> || planned_host_value<A>;
template <class A>
concept printed_at_once = requires(const A& a) { printed_now<A>::text(a); };

}  // namespace detail

/// `print<"step {}: loss {}">(step, loss)` is `step`, and prints one line, with the elements of each operand at its `{}`, in each
/// run that computes it (in a loop: in each step): `step 3: loss 0.25`. Elements of arrays are written as TensorFlow's `tf.print`
/// does: `[1 2 3]`, of more than six along an axis the first and the last three. To the stream of `print_to`, which is std::cerr
/// unless told. What no fetch depends on is not printed; the same call is the same node, and prints once in a run. Prints come in
/// the order in which a run needs them; to have one after another whatever is fetched, use `after`.
/// Strings print as they are, elements of arrays of them in quotes. A line that cannot be written, as where the stream throws, is lost,
/// and the run goes on.
template <fixed_string Text, detail::printed_in_graph First, detail::printed_in_graph... Rest>
  requires(!(detail::printed_at_once<First> && ... && detail::printed_at_once<Rest>))
constexpr auto print(First first, Rest... rest) {
  if constexpr (!detail::has_places<Text, 1 + static_cast<int>(sizeof...(Rest))>()) {
    return detail::refused(first, rest...);
  } else {
    using op = detail::printing_of<Text, First, Rest...>;
    const auto node = [](auto a) { return detail::converted<typename decltype(a)::value_type>(a); };
    const auto x = node(typename plan_value<First>::node{});
    return plan_value<First>::like(after(
        x, assign(detail::host_order, call<op, attributes<>>(detail::host_order, x, node(typename plan_value<Rest>::node{})...))));
  }
}
/// A line without places, as an operation that has no value.
template <fixed_string Text>
constexpr auto print() {
  static_assert(detail::places_in<Text> == 0, "print: there is no operand for a place of the text");
  return group(assign(detail::host_order, call<detail::printing<Text>, attributes<>>(detail::host_order)));
}
/// Of what is computed already, at once.
template <fixed_string Text, detail::printed_at_once First, detail::printed_at_once... Rest>
auto print(const First& first, const Rest&... rest) {
  if constexpr (detail::has_places<Text, 1 + static_cast<int>(sizeof...(Rest))>()) {
    const std::string texts[] = {detail::printed_now<First>::text(first), detail::printed_now<Rest>::text(rest)...};
    detail::write_line(std::string_view(Text.text, Text.size), texts);
  }
  return first;
}
/// Operands with a space between them.
template <class First, class... Rest>
  requires((detail::printed_in_graph<First> && ... && detail::printed_in_graph<Rest>) ||
           (detail::printed_at_once<First> && ... && detail::printed_at_once<Rest>))
constexpr auto print(const First& first, const Rest&... rest) {
  return print<detail::places_with_spaces<1 + sizeof...(Rest)>()>(first, rest...);
}
template <class... A>
constexpr auto print(const A&... a) {
  return detail::refuse_print(a...);
}
template <fixed_string, class... A>
constexpr auto print(const A&... a) {
  return detail::refuse_print(a...);
}

}  // namespace etch
