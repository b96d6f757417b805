// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/optimizers.hpp>

/// Optimizers that programs ask for by `<etch/optimizers.hpp>`. Parsing them is 2 % of the functions of a small program.
namespace etch::optimizers {

/// m = b1 m + (1 - b1) g; u = max(b2 u, |g|); w -= rate / (1 - b1^t) * m / (u + epsilon) (Kingma, Ba 2015, section 7): Keras's. PyTorch adds
/// epsilon within the maximum.
template <fixed_string Name = "adamax", class Rate, class Beta1 = decltype(0.9_c), class Beta2 = decltype(0.999_c),
          class Epsilon = decltype(1e-7_c)>
constexpr auto adamax(Rate rate, Beta1 = {}, Beta2 = {}, Epsilon = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto m = state<"m">(s);
    const auto u = state<"u">(s);
    const auto m_next = detail::mixed(s, m, g, Beta1{});
    const auto u_next = maximum(s(Beta2{}) * u, abs(g));
    const auto corrected = s.in_double(r) / detail::correction(s, Beta1{});
    return s.changes(w - s(corrected) * m_next / (u_next + s(Epsilon{})), s.counted(), s.store(m, m_next), s.store(u, u_next));
  });
}
ETCH_REFUSE_WITHOUT_RATE(adamax)

/// adam with Nesterov's momentum (Dozat 2016): with u_t = b1 (1 - 0.96^t / 2) and p_t the product of u_1 to u_t, w -= rate * (u_{t+1} m / (1 - p_{t+1})
/// + (1 - u_t) g / (1 - p_t)) / (sqrt(v / (1 - b2^t)) + epsilon): Keras's. PyTorch has 0.96^(t / 250) and epsilon 1e-8.
template <fixed_string Name = "nadam", class Rate, class Beta1 = decltype(0.9_c), class Beta2 = decltype(0.999_c),
          class Epsilon = decltype(1e-7_c), class Decay = decltype(0.96_c)>
constexpr auto nadam(Rate rate, Beta1 = {}, Beta2 = {}, Epsilon = {}, Decay = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto m = state<"m">(s);
    const auto v = state<"v">(s);
    const auto product = s.template shared<"product">(1_c);
    const auto m_next = detail::mixed(s, m, g, Beta1{});
    const auto v_next = detail::mixed(s, v, g * g, Beta2{});
    const auto weight = [s](auto t) {
      return s.in_double(Beta1{}) * (1_c - 0.5_c * exp(t * log(detail::parameter<double>(Decay{}))));
    };
    const auto now = weight(s.steps() + 1_c);
    const auto then = weight(s.steps() + 2_c);
    const auto product_next = product * now;
    const auto rate_of = s.in_double(r);
    const auto m_hat =
        s(rate_of * then / (1_c - product_next * then)) * m_next + s(rate_of * (1_c - now) / (1_c - product_next)) * g;
    const auto v_hat = v_next / s(detail::correction(s, Beta2{}));
    return s.changes(w - m_hat / (sqrt(v_hat) + s(Epsilon{})), s.counted(), s.store(m, m_next), s.store(v, v_next),
                     s.store(product, product_next));
  });
}
ETCH_REFUSE_WITHOUT_RATE(nadam)

/// w -= rate * sign(b1 m + (1 - b1) g); m = b2 m + (1 - b2) g (Chen et al. 2023).
template <fixed_string Name = "lion", class Rate, class Beta1 = decltype(0.9_c), class Beta2 = decltype(0.99_c)>
constexpr auto lion(Rate rate, Beta1 = {}, Beta2 = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto m = state<"m">(s);
    return s.changes(w - s(r) * sign(detail::mixed(s, m, g, Beta1{})), s.store(m, detail::mixed(s, m, g, Beta2{})));
  });
}
ETCH_REFUSE_WITHOUT_RATE(lion)

/// adam's change d, (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + epsilon), of each variable made as long as that: w -= rate * |w| / |d| * d, without the
/// factor where a norm is 0 (You et al. 2020): Keras's. With `weight_decay` w has decayed before its norm is taken, as there.
template <fixed_string Name = "lamb", class Rate, class Beta1 = decltype(0.9_c), class Beta2 = decltype(0.999_c),
          class Epsilon = decltype(1e-7_c)>
constexpr auto lamb(Rate rate, Beta1 = {}, Beta2 = {}, Epsilon = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto m = state<"m">(s);
    const auto v = state<"v">(s);
    const auto m_next = detail::mixed(s, m, g, Beta1{});
    const auto v_next = detail::mixed(s, v, g * g, Beta2{});
    const auto change =
        m_next / s(detail::correction(s, Beta1{})) / (sqrt(v_next / s(detail::correction(s, Beta2{}))) + s(Epsilon{}));
    const auto w_norm = norm(w);
    const auto change_norm = norm(change);
    const auto ratio = where(logical_and(w_norm > 0_c, change_norm > 0_c), w_norm / change_norm, 1_c);
    return s.changes(w - s(r) * ratio * change, s.counted(), s.store(m, m_next), s.store(v, v_next));
  });
}
ETCH_REFUSE_WITHOUT_RATE(lamb)

/// v = rho v + (1 - rho) g^2; w -= rate * g / sqrt(v + epsilon) (Hinton 2012): Keras's. PyTorch adds epsilon behind the root, and has rho 0.99. With a
/// momentum: m = momentum m + rate * g / sqrt(v + epsilon); w -= m.
template <fixed_string Name = "rmsprop", class Rate, class Rho = decltype(0.9_c), class Momentum = decltype(0_c),
          class Epsilon = decltype(1e-7_c)>
constexpr auto rmsprop(Rate rate, Rho = {}, Momentum = {}, Epsilon = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto v = state<"v">(s);
    const auto v_next = detail::mixed(s, v, g * g, Rho{});
    const auto change = s(r) * g / sqrt(v_next + s(Epsilon{}));
    if constexpr (std::is_same_v<Momentum, decltype(0_c)>) {
      return s.changes(w - change, s.store(v, v_next));
    } else {
      const auto m = state<"m">(s);
      const auto m_next = s(Momentum{}) * m + change;
      return s.changes(w - m_next, s.store(v, v_next), s.store(m, m_next));
    }
  });
}
ETCH_REFUSE_WITHOUT_RATE(rmsprop)

/// a += g^2; w -= rate * g / sqrt(a + epsilon) (Duchi et al. 2011), a starting as a literal: Keras's. PyTorch adds epsilon (1e-10) behind the root
/// and starts at 0.
template <fixed_string Name = "adagrad", class Rate, class Start = decltype(0.1_c), class Epsilon = decltype(1e-7_c)>
constexpr auto adagrad(Rate rate, Start = {}, Epsilon = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto a = state<"accumulator">(s, Start{});
    const auto next = a + g * g;
    return s.changes(w - s(r) * g / sqrt(next + s(Epsilon{})), s.store(a, next));
  });
}
ETCH_REFUSE_WITHOUT_RATE(adagrad)

/// v = rho v + (1 - rho) g^2; d = g * sqrt(u + epsilon) / sqrt(v + epsilon); u = rho u + (1 - rho) d^2; w -= rate * d (Zeiler 2012). Keras's
/// rho; PyTorch has 0.9 and epsilon 1e-6.
template <fixed_string Name = "adadelta", class Rate, class Rho = decltype(0.95_c), class Epsilon = decltype(1e-7_c)>
constexpr auto adadelta(Rate rate, Rho = {}, Epsilon = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto v = state<"v">(s);
    const auto u = state<"u">(s);
    const auto v_next = detail::mixed(s, v, g * g, Rho{});
    const auto change = g * sqrt(u + s(Epsilon{})) / sqrt(v_next + s(Epsilon{}));
    return s.changes(w - s(r) * change, s.store(v, v_next), s.store(u, detail::mixed(s, u, change * change, Rho{})));
  });
}
ETCH_REFUSE_WITHOUT_RATE(adadelta)

/// a' = a + g^2; z += g - (sqrt(a') - sqrt(a)) / rate * w; w = (clip(z, -l1, l1) - z) / (sqrt(a') / rate + 2 l2) (McMahan et al. 2013): Keras's
/// with the power -0.5, and without its shrinkage. a starts as a literal.
template <fixed_string Name = "ftrl", class Rate, class L1 = decltype(0_c), class L2 = decltype(0_c), class Start = decltype(0.1_c)>
constexpr auto ftrl(Rate rate, L1 = {}, L2 = {}, Start = {}) {
  return rule<Name>(rate, [](auto s, auto w, auto g, auto r) {
    const auto a = state<"accumulator">(s, Start{});
    const auto z = state<"linear">(s);
    const auto next = a + g * g;
    const auto z_next = z + g - (sqrt(next) - sqrt(a)) / s(r) * w;
    const auto l1 = s(L1{});
    return s.changes((clip(z_next, -l1, l1) - z_next) / (sqrt(next) / s(r) + 2_c * s(L2{})), s.store(a, next), s.store(z, z_next));
  });
}
ETCH_REFUSE_WITHOUT_RATE(ftrl)

}  // namespace etch::optimizers
