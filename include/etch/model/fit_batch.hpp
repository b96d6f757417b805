// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <etch/data/dataset.hpp>
#include <etch/model/history.hpp>

/// The places of `fit` at which callbacks are called: any of these, as members of a class or, for one function, as an object of its own.
///
/// - `before_training(model)`, `after_training(model, history)`;
/// - `before_epoch(model, history)`, and behind it `callback(model, history)`;
/// - `before_batch(model, batch, x, target)`, `after_batch(model, batch, x, target)`, with `losses::weighted` also those with the weights behind.
///
/// What is called behind a batch or an epoch may return true, to stop.
namespace etch {

/// How a model is fitted.
struct fit_options {
  int epochs = 1;
  std::int64_t batch = 32;  ///< of arrays; a dataset has its own
  std::uint64_t seed = 0;   ///< of their shuffle
};

/// Which batch of a training it is.
struct fit_batch {
  int epoch = 1, epochs = 1;  ///< counted from 1
  std::int64_t number = 0;    ///< in its epoch, from 0
  std::int64_t rows = 0;      ///< samples of the batch
  std::int64_t samples = 0;   ///< of the epoch, those of the batch included
  std::int64_t total = 0;     ///< samples of an epoch; 0 where that is not known
};

/// f(model): Keras's `LambdaCallback(on_train_begin=f)`.
template <class F>
struct on_train_begin {
  F f;
  explicit on_train_begin(F call) : f(std::move(call)) {}
  template <class Model>
  void before_training(Model& m) {
    f(m);
  }
};
/// f(model, history).
template <class F>
struct on_train_end {
  F f;
  explicit on_train_end(F call) : f(std::move(call)) {}
  template <class Model>
  void after_training(Model& m, const history& h) {
    f(m, h);
  }
};
/// f(model, history).
template <class F>
struct on_epoch_begin {
  F f;
  explicit on_epoch_begin(F call) : f(std::move(call)) {}
  template <class Model>
  void before_epoch(Model& m, const history& h) {
    f(m, h);
  }
};
/// f(model, batch, x, target).
template <class F>
struct on_batch_begin {
  F f;
  explicit on_batch_begin(F call) : f(std::move(call)) {}
  template <class Model, class X, class T>
  void before_batch(Model& m, const fit_batch& b, const X& x, const T& target) {
    f(m, b, x, target);
  }
};
/// f(model, batch); true stops.
template <class F>
struct on_batch_end {
  F f;
  explicit on_batch_end(F call) : f(std::move(call)) {}
  template <class Model, class X, class T>
  auto after_batch(Model& m, const fit_batch& b, const X&, const T&) {
    return f(m, b);
  }
};

namespace detail {
/// What a call gives, or false where it gives nothing.
template <class Call>
bool is_true(const Call& call) {
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    return false;
  } else {
    return call();
  }
}

template <class C, class Model>
concept has_before_training = requires(C& c, Model& m) { c.before_training(m); };
template <class C, class Model>
concept has_after_training = requires(C& c, Model& m, const history& h) { c.after_training(m, h); };
template <class C, class Model>
concept has_before_epoch = requires(C& c, Model& m, const history& h) { c.before_epoch(m, h); };
template <class C, class Model, class X, class T>
concept has_before_batch =
    requires(C& c, Model& m, const fit_batch& b, const X& x, const T& target) { c.before_batch(m, b, x, target); };
template <class C, class Model, class X, class T>
concept has_after_batch =
    requires(C& c, Model& m, const fit_batch& b, const X& x, const T& target) { c.after_batch(m, b, x, target); };
/// Whether a class has a member of a place's name, whatever its arguments: then the name means two things in a class that adds another.
#define ETCH_HAS_PLACE(NAME)                                   \
  template <class C>                                           \
  constexpr bool has_member_##NAME() {                         \
    if constexpr (std::is_class_v<C> && !std::is_final_v<C>) { \
      struct names {                                           \
        int NAME;                                              \
      };                                                       \
      struct both : C, names {};                               \
      return !requires { &both::NAME; };                       \
    }                                                          \
    return false;                                              \
  }
ETCH_HAS_PLACE(before_training)
ETCH_HAS_PLACE(after_training)
ETCH_HAS_PLACE(before_epoch)
ETCH_HAS_PLACE(before_batch)
ETCH_HAS_PLACE(after_batch)
#undef ETCH_HAS_PLACE

/// What is called nowhere else must be called here, so that the compiler says why it cannot.
template <class C, class Model, class X, class T>
concept is_called_after_epoch = requires(C& c, Model& m, const history& h) { c(m, h); } ||
                                !(has_before_training<C, Model> || has_after_training<C, Model> || has_before_epoch<C, Model> ||
                                  has_before_batch<C, Model, X, T> || has_after_batch<C, Model, X, T>);

template <bool IsRight, class C, fixed_string Instead>
constexpr void check_place() {
  if constexpr (!IsRight)
    raise<this_member_of_a_callback_takes_other_arguments, in_function<"fit">, got<C>, instead_write<Instead>>();
}
/// A member of a place's name that cannot be called there would be left out in silence. `HasWeights`: batches hand them over, too.
template <class C, class Model, class X, class T, bool HasWeights>
constexpr void check_places() {
  if constexpr (!data::detail::is_dataset<C>) {
    check_place<!has_member_before_training<C>() || has_before_training<C, Model>, C, "before_training(model)">();
    check_place<!has_member_after_training<C>() || has_after_training<C, Model>, C, "after_training(model, history)">();
    check_place<!has_member_before_epoch<C>() || has_before_epoch<C, Model>, C, "before_epoch(model, history)">();
    check_place<HasWeights || !has_member_before_batch<C>() || has_before_batch<C, Model, X, T>, C,
                "before_batch(model, batch, x, target)">();
    check_place<HasWeights || !has_member_after_batch<C>() || has_after_batch<C, Model, X, T>, C,
                "after_batch(model, batch, x, target)">();
  }
}

template <class C, class Model>
void call_before_training(C& c, Model& m) {
  if constexpr (has_before_training<C, Model>) c.before_training(m);
}
template <class C, class Model>
void call_after_training(C& c, Model& m, const history& h) {
  if constexpr (has_after_training<C, Model>) c.after_training(m, h);
}
template <class C, class Model>
void call_before_epoch(C& c, Model& m, const history& h) {
  if constexpr (has_before_epoch<C, Model>) c.before_epoch(m, h);
}
template <class C, class Model, class X, class T, class... W>
void call_before_batch(C& c, Model& m, const fit_batch& b, const X& x, const T& target, const W&... weights) {
  if constexpr (requires { c.before_batch(m, b, x, target, weights...); })
    c.before_batch(m, b, x, target, weights...);
  else if constexpr (has_before_batch<C, Model, X, T>)
    c.before_batch(m, b, x, target);
}
template <class C, class Model, class X, class T, class... W>
bool call_after_batch(C& c, Model& m, const fit_batch& b, const X& x, const T& target, const W&... weights) {
  if constexpr (requires { c.after_batch(m, b, x, target, weights...); })
    return is_true([&] { return c.after_batch(m, b, x, target, weights...); });
  else if constexpr (has_after_batch<C, Model, X, T>)
    return is_true([&] { return c.after_batch(m, b, x, target); });
  else
    return false;
}

}  // namespace detail

}  // namespace etch
