// SPDX-License-Identifier: MIT
#pragma once
#include <string_view>

#include <etch/nn/initializers.hpp>
#include <etch/ops.hpp>

/// Metrics: sums over batches, kept in variables of the graph, and what follows from them.
namespace etch::metrics {

namespace detail {

/// What one batch adds to a sum: an array of doubles whose shape is known. `update<Measured>()` is how.
template <fixed_string Name, class X>
struct addend {
  static constexpr fixed_string name = Name;
  using type = X;
  template <class Measured>
  static constexpr auto update() {
    return assign_add(Measured::template sum<addend>(), X{});
  }
};
template <fixed_string Name, class X>
constexpr auto added(X) {
  return addend<Name, X>{};
}
template <class... A>
struct addends {};
template <class... A>
constexpr addends<A...> all(A...) {
  return {};
}

/// a / b, and 0 where b is.
template <class A, class B>
constexpr auto ratio(A a, B b) {
  return where(b == 0_c, 0_c, a / b);
}
/// An array as one axis.
template <class X>
constexpr auto line(X x) {
  return reshape(x, shape<-1>{});
}
template <class X>
constexpr auto count_of(X x) {
  return etch::detail::size_along(astype<double>(x));
}
template <class X>
constexpr auto total_of(X x) {
  return sum(astype<double>(x));
}

}  // namespace detail

/// A metric of two expressions, what was predicted and its target. Its sums are the variables `metrics/<name>/<sum>`, which begin as 0:
/// `session.run(m.update(), ...)` for each batch, then `session.run(m.result())`, and `session.run(m.reset())` before the next round.
template <fixed_string Name, class Metric, class... A>
struct measured {
  static constexpr fixed_string name = Name;
  template <class Addend>
  static constexpr auto sum_name = "metrics/" + Name + "/" + Addend::name;
  template <class Addend>
  static constexpr auto sum() {
    return variable<sum_name<Addend>>(zeros<double>(typename Addend::type::shape_type{}), not_trainable);
  }
  /// Whether that is the name of one of its sums.
  static constexpr bool has_sum(std::string_view variable) {
    return (... || (variable == std::string_view(sum_name<A>.text, sum_name<A>.size)));
  }
  /// Adds a batch.
  static constexpr auto update() { return group(A::template update<measured>()...); }
  /// Of what has been added before the run.
  static constexpr auto result() { return Metric::result(sum<A>()...); }
  static constexpr auto reset() { return group(assign(sum<A>(), 0_c)...); }
};

/// What a metric is made from: `name`, `sums(y, target)`, which gives what a batch adds, and `result(sums...)`.
template <class Metric>
struct metric {
  template <class Y, class T>
  constexpr auto operator()(Y y, T target) const {
    return of<Metric::name>(y, target);
  }
  /// Under another name, where there are two of a kind.
  template <fixed_string Name, class Y, class T>
  static constexpr auto of(Y y, T target) {
    return measured_by<Name>(Metric::sums(y, target));
  }

 private:
  template <fixed_string Name, class... A>
  static constexpr measured<Name, Metric, A...> measured_by(detail::addends<A...>) {
    return {};
  }
};

/// A metric whose name is another: `named<"sure">(precision(0.9_c))`.
template <fixed_string Name, class Metric>
struct renamed : metric<renamed<Name, Metric>> {
  static constexpr fixed_string name = Name;
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    return Metric::sums(y, target);
  }
  template <class... S>
  static constexpr auto result(S... sums) {
    return Metric::result(sums...);
  }
};
template <fixed_string Name, class Metric>
constexpr renamed<Name, Metric> named(Metric) {
  return {};
}

/// A metric of probabilities for a model that gives logits: of their sigmoid.
template <class Metric>
struct of_logits : metric<of_logits<Metric>> {
  static constexpr auto name = Metric::name;
  template <class Y, class T>
  static constexpr auto sums(Y y, T target) {
    return Metric::sums(sigmoid(y), target);
  }
  template <class... S>
  static constexpr auto result(S... sums) {
    return Metric::result(sums...);
  }
};
template <class Metric>
constexpr of_logits<Metric> from_logits(Metric) {
  return {};
}

}  // namespace etch::metrics
