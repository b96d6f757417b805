// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/eager.hpp>
#include <etch/tape/open_tape.hpp>

/// Gradients of what eager code computes: a tape records ops as they are evaluated, and runs their gradient rules backwards.
namespace etch {

/// A tape that gives gradients more than once, and keeps all that it has recorded: `etch::tape tape(etch::persistent);`.
inline constexpr struct persistent {
} persistent;

/// Records what its thread evaluates while it is there: every op that makes floats of floats, until something is watched, then only
/// what depends on that and on variables. Values that its ops have read stay in memory until `gradient` has passed them.
/// Tapes nest: an outer one records what an inner one computes, and gives the second derivative.
/// Only the thread that has made it may call it: others get `etch::error`. Any thread may destroy it.
class tape {
 public:
  tape() : open_(new eager::open_tape(false)) {}
  explicit tape(struct persistent) : open_(new eager::open_tape(true)) {}
  tape(const tape&) = delete;
  tape& operator=(const tape&) = delete;
  ~tape() { open_->end(); }

  /// From now on only what depends on watched tensors and on variables is recorded, be it through what has been recorded before.
  template <evaluated... X>
  void watch(const X&... x) {
    if constexpr ((is_floating(X::type) && ...)) {
      open_->check_thread("watch");
      (open_->watch(eager::as_operand<typename X::value_type>(x)), ...);
      open_->narrow();
    } else {
      raise<only_floats_have_gradients_cast_first, in_function<"tape::watch">, shown<X>...>();
    }
  }
  template <class... A>
  void watch(const A&...) {
    refuse<"tape::watch", "tape.watch(x)", A...>();
  }
  /// Records no more. What is recorded stays.
  void stop() {
    open_->check_thread("stop");
    open_->close();
  }

  /// The gradient of the sum of y's elements with respect to x, in its shape; of several x a tuple, in their order. x: tensors, or
  /// variables, whose gradient is that of all the values that they were read as. Where y depends on x through ops only whose gradient
  /// is zero everywhere (`floor`, `stop_gradient`), it is zeros. Throws `etch::error` where it does not depend on x at all, and where
  /// a tape that is not persistent is asked twice.
  template <class T, int Rank, evaluated... X>
  auto gradient(const tensor<T, Rank>& y, const X&... x) {
    static_assert(sizeof...(X) > 0, "tape: name what the gradient is taken with respect to");
    if constexpr (!is_floating(dtype_of<T>) || !(is_floating(X::type) && ...)) {
      raise<only_floats_have_gradients_cast_first, in_function<"tape::gradient">, shown<tensor<T, Rank>>, shown<X>...>();
      return std::get<0>(std::tuple{x...});
    } else {
      open_->check_thread("gradient");
      const eager::source sources[] = {source_of(x)...};
      return open_->differentiate(y, sources, sizeof...(X), [&](const eager::gradients_of_values& gradients) {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
          if constexpr (sizeof...(X) == 1)
            return taken(sum_for(gradients, sources[0], x...), x...);
          else
            return std::tuple{taken(sum_for(gradients, sources[K], x), x)...};
        }(std::index_sequence_for<X...>{});
      });
    }
  }

  template <class... A>
  auto gradient(const A&... a) {
    refuse<"tape::gradient", "tape.gradient(loss, w)", A...>();
    return detail::refused(a...);
  }

 private:
  /// An error about arguments that are no tensors.
  template <fixed_string Function, fixed_string Instead, class... A>
  static constexpr void refuse() {
    using why = std::conditional_t<(expression<A> || ...), a_placeholder_has_no_value_in_eager_code_run_the_expression_in_a_session,
                                   this_call_has_the_wrong_arguments>;
    detail::refuse_as<why, in_function<Function>, Instead, A...>();
  }

  template <class T, int Rank>
  eager::source source_of(const tensor<T, Rank>& x) const {
    return {x.identity()};
  }
  template <class T, int Rank>
  eager::source source_of(const eager::variable<T, Rank>& x) const {
    return open_->readings_of(x.identity());
  }
  /// Of all the values that a source is.
  template <class T, int Rank>
  static eager::pending sum_for(const eager::gradients_of_values& gradients, const eager::source& of, const tensor<T, Rank>&) {
    return gradients.of(of[0]);
  }
  template <class T, int Rank>
  static eager::pending sum_for(const eager::gradients_of_values& gradients, const eager::source& of,
                                const eager::variable<T, Rank>&) {
    eager::pending total;
    for (const std::uint64_t identity : of)
      if (const eager::pending& part = gradients.of(identity); part.valid()) eager::detail::add_to<dtype_of<T>>(total, part);
    return total;
  }
  /// The gradient with respect to x.
  template <class X>
  auto taken(const eager::pending& gradient, const X& x) const {
    tensor<typename X::value_type, X::rank> r{eager::unmade{}};
    if (gradient.valid()) {
      static_cast<eager::value&>(r) = eager::forced<X::type>(gradient);
    } else {
      r.reset(x.described());
      std::memset(r.bytes(), 0, static_cast<std::size_t>(r.size()) * sizeof(typename X::value_type));
    }
    return r;
  }

  eager::open_tape* open_;
};

}  // namespace etch
