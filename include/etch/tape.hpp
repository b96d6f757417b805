// SPDX-License-Identifier: MIT
#pragma once
#include <tuple>

#include <etch/eager.hpp>
#include <etch/tape/recording.hpp>

/// Gradients of what eager code computes: a tape records ops as they are evaluated, and runs their gradient rules backwards.
namespace etch {

/// A tape that gives gradients more than once, and keeps all that it has recorded: `etch::tape tape(etch::persistent);`.
inline constexpr struct persistent {
} persistent;

/// Records what its thread evaluates while it is there: every op that makes floats of floats, until something is watched, then only
/// what depends on that and on variables. Values that its ops have read stay in memory until `gradient` has passed them.
/// Tapes nest: an outer one records what an inner one computes, and gives the second derivative.
class tape : eager::recorder {
 public:
  tape() { begin(); }
  explicit tape(struct persistent) : is_persistent_(true) { begin(); }
  tape(const tape&) = delete;
  tape& operator=(const tape&) = delete;
  ~tape() { stop(); }

  /// From now on only what depends on watched tensors and on variables is recorded.
  template <evaluated... X>
  void watch(const X&... x) {
    if constexpr ((is_floating(X::type) && ...)) {
      narrows_ = true;
      (watched_.put(eager::as_operand<typename X::value_type>(x).identity(), 0), ...);
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
    if (is_stopped_) return;
    is_stopped_ = true;
    if (eager::recorder** const place = place_of_this(); place != nullptr) *place = outer_;
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
      const eager::source sources[] = {source_of(x)...};
      std::vector<eager::adjoint> gradients = compute(y, sources, sizeof...(X));
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        if constexpr (sizeof...(X) == 1)
          return taken(gradients[0], x...);
        else
          return std::tuple{taken(gradients[K], x)...};
      }(std::index_sequence_for<X...>{});
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

  void begin() {
    outer_ = eager::this_recorder;
    eager::this_recorder = this;
  }

  /// What points at this tape; null where it records no more. Not always the innermost: a tape may live longer than one that began
  /// later.
  eager::recorder** place_of_this() {
    eager::recorder** at = &eager::this_recorder;
    while (*at != nullptr && *at != this) at = &static_cast<tape*>(*at)->outer_;
    return *at == nullptr ? nullptr : at;
  }

  void record(const eager::op_facts& op, eager::gradient_function rule, const words& attributes, const eager::value* const* in,
              int count, const eager::value& result) override {
    if (is_wanted(in, count)) {
      if (narrows_) watched_.put(result.identity(), 0);
      recording_.add(op, rule, attributes, in, count, result);
    }
    if (outer_ != nullptr) static_cast<tape*>(outer_)->record(op, rule, attributes, in, count, result);
  }
  void read(std::uint64_t variable, const eager::value& v) override {
    if (narrows_) watched_.put(v.identity(), 0);
    bool is_known = false;
    for (const reading& r : readings_) is_known = is_known || (r.variable == variable && r.identity == v.identity());
    if (!is_known) readings_.push_back({variable, v.identity()});
    if (outer_ != nullptr) static_cast<tape*>(outer_)->read(variable, v);
  }
  bool is_wanted(const eager::value* const* in, int count) const {
    if (!narrows_) return true;
    for (int k = 0; k < count; ++k)
      if (watched_.find(in[k]->identity()) >= 0) return true;
    return false;
  }

  template <class T, int Rank>
  eager::source source_of(const tensor<T, Rank>& x) const {
    return {x.identity()};
  }
  template <class T, int Rank>
  eager::source source_of(const eager::variable<T, Rank>& x) const {
    eager::source s;
    for (const reading& r : readings_)
      if (r.variable == x.identity()) s.push_back(r.identity);
    return s;
  }
  std::vector<eager::adjoint> compute(const eager::value& y, const eager::source* sources, int count) {
    if (is_used_ && !is_persistent_)
      fail("tape: a tape that is not persistent gives gradients once; make it by etch::tape tape(etch::persistent)");
    is_used_ = true;
    // What the gradients compute is for the tapes outside. Where there is none, rules need not think of one.
    eager::recorder** const place = place_of_this();
    struct pause {
      eager::recorder** place;
      tape* paused;
      ~pause() {
        if (place != nullptr) *place = paused;
      }
    };
    std::vector<eager::adjoint> gradients;
    {
      const pause unrecorded{place, this};
      if (place != nullptr) *place = outer_;
      gradients = recording_.differentiate(y, sources, count, !is_persistent_);
    }
    if (!is_persistent_) {
      stop();
      recording_.clear();
    }
    return gradients;
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

  struct reading {
    std::uint64_t variable;
    std::uint64_t identity;
  };
  eager::recording recording_;
  eager::identity_table watched_;
  std::vector<reading> readings_;
  eager::recorder* outer_ = nullptr;
  bool is_persistent_ = false, narrows_ = false, is_used_ = false, is_stopped_ = false;
};

}  // namespace etch
