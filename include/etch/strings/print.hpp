// SPDX-License-Identifier: MIT
#pragma once
#include <etch/host/print.hpp>
#include <etch/strings/eager.hpp>
#include <etch/strings/ops.hpp>

/// `print` of strings: in graphs when they run, of tensors at once.
namespace etch {

namespace detail {

/// One of an array, in quotes.
inline std::string element_text(const string_handle& handle) { return '"' + handle.text() + '"'; }

/// As a print shows strings: one alone as it is, elements of an array in quotes.
inline std::string strings_text(const strided<const string_handle>& x) { return x.rank == 0 ? x.data->text() : elements_text(x); }

/// An operand of a print that is computed at once, as text.
template <class A>
std::string printed_now(const A& a) {
  if constexpr (is_string_constant<A> || strings::detail::text_like<A>) {
    return std::string(std::string_view(a));
  } else if constexpr (is_string_tensor<A>) {
    std::vector<string_handle> handles;
    for (std::int64_t i = 0; i < a.size(); ++i) handles.emplace_back(a.data()[i]);
    const row_major_layout layout(a, A::rank);
    return strings_text({handles.data(), A::rank, layout.extents, layout.strides});
  } else {
    return tensor_elements_text(a);
  }
}

/// Like `printing`, where the operands of these places are strings.
template <fixed_string Text, bool... AreStrings>
struct printing_strings : opaque<printing_strings<Text, AreStrings...>, -1> {
  static constexpr auto whole_name = "print " + fixed_string<sizeof...(AreStrings) + 1>({(AreStrings ? 's' : '_')..., '\0'}) +
                                     " \"" + strings::detail::text_in_a_name<Text>() + "\"";
  static constexpr const char* name = whole_name.text;
  static constexpr bool stateful = true;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type* in, int, const words&) { return in[0]; }

  template <class... A>
  static void run(strided<bool> y, strided<const bool> order, const A&... a) {
    constexpr bool are_strings[] = {AreStrings..., false};
    std::string texts[sizeof...(A)];
    std::size_t count = 0;
    const auto add = [&](const auto& x) {
      if constexpr (!std::is_pointer_v<std::remove_cvref_t<decltype(x)>>) {
        if (are_strings[count])
          texts[count] = strings_text({reinterpret_cast<const string_handle*>(x.data), x.rank, x.extents, x.strides});
        else
          texts[count] = elements_text(x);
        ++count;
      }
    };
    (add(a), ...);
    write_line(Text.text, texts);
    y.data[0] = order.data[0];
  }
};

/// An operand of a print: of a string the numbers that stand for it.
template <class A>
constexpr auto printed_node(const A& a) {
  if constexpr (symbolic_string<A>)
    return strings::detail::node_of(a);
  else
    return converted<typename A::value_type>(a);
}

template <class A>
concept printed_in_graph = expression<A> || symbolic_string<A>;
template <class A>
concept printed_at_once = evaluated<A> || strings::detail::is_eager_text<A>;

}  // namespace detail

/// Of strings: they print as they are, elements of arrays in quotes: `print<"{}: {}">(name, loss)`. The value is the first operand.
template <fixed_string Text, detail::printed_in_graph First, detail::printed_in_graph... Rest>
  requires((symbolic_string<First> || ... || symbolic_string<Rest>) &&
           !(detail::printed_at_once<First> && ... && detail::printed_at_once<Rest>))
constexpr auto print(First first, Rest... rest) {
  if constexpr (!detail::has_places<Text, 1 + static_cast<int>(sizeof...(Rest))>()) {
    return detail::refused(first, rest...);
  } else {
    const auto x = detail::printed_node(first);
    const auto printed =
        after(x, assign(detail::host_order,
                        call<detail::printing_strings<Text, symbolic_string<First>, symbolic_string<Rest>...>, attributes<>>(
                            detail::host_order, x, detail::printed_node(rest)...)));
    if constexpr (symbolic_string<First>)
      return strings::detail::strings_at(printed);
    else
      return printed;
  }
}
/// Of tensors and constants, at once; numeric tensors may stand beside them.
template <fixed_string Text, detail::printed_at_once First, detail::printed_at_once... Rest>
  requires(host_value<First> || ... || host_value<Rest>)
auto print(const First& first, const Rest&... rest) {
  if constexpr (detail::has_places<Text, 1 + static_cast<int>(sizeof...(Rest))>()) {
    const std::string texts[] = {detail::printed_now(first), detail::printed_now(rest)...};
    detail::write_line(Text.text, texts);
  }
  return first;
}
/// Operands with a space between them.
template <class First, class... Rest>
  requires(host_value<First> || ... || host_value<Rest>)
constexpr auto print(const First& first, const Rest&... rest) {
  return print<detail::places_with_spaces<1 + sizeof...(Rest)>()>(first, rest...);
}

}  // namespace etch
