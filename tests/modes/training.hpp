// SPDX-License-Identifier: MIT
#pragma once
#include "modes/mode.hpp"

/// Modes that train: the loss after three steps of gradient descent with rate 0.1, and then the trained parameters in the place of
/// gradients.
namespace etch::modes {

using namespace etch::literals;

struct trained_in_a_session {
  static constexpr const char* name = "trained in a session";
  template <int Parameters, class F, class... Operand>
  static outcomes run(F, const Operand&... operands) {
    using operand_types = std::tuple<Operand...>;
    const std::tuple<const Operand&...> all(operands...);
    return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
      constexpr auto loss = F{}(std::tuple_element_t<I, operand_types>::variable()...,
                                typename std::tuple_element_t<Parameters + J, operand_types>::slot{}...);
      constexpr auto train = optimizers::sgd(0.1_c).minimize(loss);
      session s(loss, train);
      (s.set(std::tuple_element_t<I, operand_types>::variable(), std::get<I>(all).array), ...);
      for (int step = 0; step < 3; ++step)
        s.run(train, typename std::tuple_element_t<Parameters + J, operand_types>::slot{} = std::get<Parameters + J>(all).array...);
      const auto value = s.run(
          loss, typename std::tuple_element_t<Parameters + J, operand_types>::slot{} = std::get<Parameters + J>(all).array...);
      return outcomes{outcome_of(value), outcome_of(s.get(std::tuple_element_t<I, operand_types>::variable()))...};
    }(std::make_index_sequence<Parameters>{}, std::make_index_sequence<sizeof...(Operand) - Parameters>{});
  }
};

struct trained_by_a_tape {
  static constexpr const char* name = "trained by a tape";
  template <int Parameters, class F, class... Operand>
  static outcomes run(F f, const Operand&... operands) {
    const std::tuple<const Operand&...> all(operands...);
    return [&]<std::size_t... I, std::size_t... J>(std::index_sequence<I...>, std::index_sequence<J...>) {
      auto variables = std::tuple{eager::variable(std::get<I>(all).eager())...};
      const auto loss = [&] { return f(std::get<I>(variables)..., std::get<Parameters + J>(all).eager()...); };
      for (int step = 0; step < 3; ++step) {
        tape recorded;
        const auto gradients = recorded.gradient(loss(), std::get<I>(variables)...);
        (std::get<I>(variables).assign_sub(0.1_c * std::get<I>(gradients)), ...);
      }
      return outcomes{outcome_of(loss()), outcome_of(std::get<I>(variables).read())...};
    }(std::make_index_sequence<Parameters>{}, std::make_index_sequence<sizeof...(Operand) - Parameters>{});
  }
};

}  // namespace etch::modes
