// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <etch/debug.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/tape.hpp>

#include "modes/outcome.hpp"
#include "reference/run.hpp"

/// The modes in which one generic function can be computed. Each has a name and
///
///   template <int Gradients, class F, class... Operand>
///   static outcomes run(F f, const Operand&... operands);
///
/// which gives the value of f of the operands, and then the gradients of the sum of its elements with respect to the first `Gradients`
/// of them. A further mode is one more such struct and its place in a test's list.
namespace etch::modes {

/// An array, and the placeholder in whose place it may stand.
template <class Slot>
struct operand {
  using slot = Slot;
  using value_type = typename Slot::value_type;
  static constexpr int rank = static_cast<int>(Slot::rank);
  xt::xtensor<value_type, static_cast<std::size_t>(rank)> array;

  tensor<value_type, rank> eager() const { return array; }
  /// A variable of that name, dtype and shape.
  static constexpr auto variable() {
    constexpr auto name = name_of(Slot{});
    return etch::variable<name>(zeros<value_type>(typename Slot::shape_type{}));
  }
  static constexpr auto extents() { return extents_of(Slot{}); }

 private:
  template <fixed_string Name, class T, auto... Extents>
  static constexpr auto name_of(placeholder<Name, T, Extents...>) {
    return Name;
  }
  template <fixed_string Name, class T, auto... Extents>
  static constexpr auto extents_of(placeholder<Name, T, Extents...>) {
    return std::array<std::size_t, sizeof...(Extents)>{static_cast<std::size_t>(Extents)...};
  }
};

namespace detail {
template <int N, class F>
auto with_first(F f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return f(std::integral_constant<std::size_t, I>{}...);
  }(std::make_index_sequence<N>{});
}
template <class... R>
outcomes outcomes_of(const std::tuple<R...>& results) {
  return std::apply([](const auto&... r) { return outcomes{outcome_of(r)...}; }, results);
}
template <class R>
outcomes outcomes_of(const R& result) {
  return {outcome_of(result)};
}
/// What `run(session, fetches..., feeds...)` gives of an op and its gradients.
template <int Gradients, class Run, class F, class... Operand>
outcomes run_session(const Run& run, F, const Operand&... operands) {
  constexpr auto y = F{}(typename Operand::slot{}...);
  using slots = std::tuple<typename Operand::slot...>;
  return with_first<Gradients>([&](auto... i) {
    session s(y, gradient(sum(y), std::tuple_element_t<i, slots>{})..., typename Operand::slot{}...);
    return outcomes_of(
        run(s, y, gradient(sum(y), std::tuple_element_t<i, slots>{})..., typename Operand::slot{} = operands.array...));
  });
}
}  // namespace detail

/// A session, every operand fed.
struct in_a_session {
  static constexpr const char* name = "in a session";
  template <int Gradients, class F, class... Operand>
  static outcomes run(F f, const Operand&... operands) {
    return detail::run_session<Gradients>([](auto& s, const auto&... arguments) { return s.run(arguments...); }, f, operands...);
  }
};

/// The interpreter that a probe looks into.
struct probed {
  static constexpr const char* name = "probed";
  template <int Gradients, class F, class... Operand>
  static outcomes run(F f, const Operand&... operands) {
    return detail::run_session<Gradients>(
        [](auto& s, const auto&... arguments) { return debug_run(s, [](const probed_node&) {}, arguments...); }, f, operands...);
  }
};

/// The reference, which knows no pass.
struct by_the_reference {
  static constexpr const char* name = "by the reference";
  template <int Gradients, class F, class... Operand>
  static outcomes run(F, const Operand&... operands) {
    constexpr auto y = F{}(typename Operand::slot{}...);
    using slots = std::tuple<typename Operand::slot...>;
    return detail::with_first<Gradients>([&](auto... i) {
      return detail::outcomes_of(
          reference::run(y, gradient(sum(y), std::tuple_element_t<i, slots>{})..., typename Operand::slot{} = operands.array...));
    });
  }
};

/// Eager tensors, and a tape for gradients.
struct at_once {
  static constexpr const char* name = "at once";
  template <int Gradients, class F, class... Operand>
  static outcomes run(F f, const Operand&... operands) {
    const auto tensors = std::tuple{operands.eager()...};
    if constexpr (Gradients == 0) {
      return {outcome_of(std::apply(f, tensors))};
    } else {
      tape recorded;
      const auto y = std::apply(f, tensors);
      outcomes all = {outcome_of(y)};
      for (outcome& o : detail::with_first<Gradients>(
               [&](auto... i) { return detail::outcomes_of(recorded.gradient(y, std::get<i>(tensors)...)); }))
        all.push_back(std::move(o));
      return all;
    }
  }
};

template <fixed_string Name, class T, auto... Extents>
tensor_spec<T, Extents...> spec_of(placeholder<Name, T, Extents...>);

/// A traced function of all operands. It is called with arrays, since with tensors its gradient for a tape outside would be compiled, too.
struct as_a_function {
  static constexpr const char* name = "as a function";
  template <int Gradients, class F, class... Operand>
  static outcomes run(F f, const Operand&... operands) {
    function traced(
        [f](auto... x) {
          const auto y = f(x...);
          const std::tuple all(x...);
          return detail::with_first<Gradients>([&](auto... i) {
            if constexpr (Gradients == 0)
              return y;
            else
              return std::tuple{y, gradient(sum(y), std::get<i>(all))...};
          });
        },
        input_signature<decltype(spec_of(typename Operand::slot{}))...>);
    return detail::outcomes_of(traced(operands.array...));
  }
};

/// The modes give what the first one gives: dtypes, shapes and elements, values to 4e-6 and gradients to 3e-5 of 1 + the element's size.
template <int Gradients, class First, class... Mode, class F, class... Operand>
void check_modes(const std::string& what, F f, const Operand&... operands) {
  const outcomes wanted = First::template run<Gradients>(f, operands...);
  (check_outcomes(Mode::template run<Gradients>(f, operands...), wanted, what + " " + Mode::name + ", not " + First::name), ...);
}

}  // namespace etch::modes
