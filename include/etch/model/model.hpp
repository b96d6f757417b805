// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include <etch/data/slices.hpp>
#include <etch/layers/sequential.hpp>
#include <etch/model/callbacks.hpp>
#include <etch/model/checked.hpp>
#include <etch/model/fit_batch.hpp>
#include <etch/model/history.hpp>
#include <etch/model/predictions.hpp>
#include <etch/model/rebound_step.hpp>
#include <etch/model/summary.hpp>
#include <etch/nn/optimizers.hpp>
#include <etch/session.hpp>

namespace etch {

/// What a model is given: `input<float, 28, 28, 1>` is arrays (batch, 28, 28, 1).
template <class T, auto... Extents>
struct input_type {
  static constexpr placeholder<"input", T, any<"batch">, Extents...> slot{};
};
template <class T, auto... Extents>
inline constexpr input_type<T, Extents...> input{};

/// A network with its optimizer, loss and metrics: Keras's compiled model. `model m(input<float, 10>, net, optimizers::adam(1e-3_c),
/// losses::mean_squared_error, metrics::mean_absolute_error)`. The network is called with an expression and `nn::training` or
/// `nn::evaluation`: a `sequential`, or a function. A training step with its metrics is one plan, and so is one of evaluation.
template <class Input, class Net, class Optimizer, class Loss, class... Metrics>
class model {
  static constexpr auto x_ = Input::slot;
  static constexpr auto output_ = Net{}(x_, nn::evaluation);
  static constexpr auto trained_ = Net{}(x_, nn::training);
  static constexpr auto loss_ = detail::checked_loss<Loss>();
  static constexpr auto target_ = decltype(loss_)::template target<decltype(output_)>;
  /// What a batch adds to the sums of the loss and the metrics.
  template <class Y, class Values>
  static constexpr auto adding([[maybe_unused]] Y y, Values losses) {
    return group(metrics::mean<"loss">(losses).update(), detail::checked_metric<Metrics>()(y, target_).update()...);
  }
  /// The loss of each sample or step. Steps that the network's mask hides have none, and the others' are scaled by all over those seen, so that
  /// their mean is that of what is seen, as in Keras.
  template <class Y, class Mode>
  static constexpr auto losses_of(Y y, Mode mode) {
    const auto mask = layers::detail::mask_behind(Net{}, x_, mode);
    if constexpr (std::is_same_v<decltype(mask), const layers::detail::no_mask>) {
      return loss_(y, target_);
    } else {
      const auto values = losses::detail::values_of_steps(loss_, y, target_);
      if constexpr (2 > decltype(values)::rank) {  // nvcc takes `rank <` for a template
        return values;
      } else {
        const auto seen = detail::with_rank<decltype(values)::rank>(mask);
        return where(seen, values / mean(astype<typename decltype(values)::value_type>(mask)), 0_c);
      }
    }
  }
  static constexpr auto losses_ = losses_of(trained_, nn::training);
  /// What an element of a dataset holds: an input, a target and, where the loss is `losses::weighted`, weights.
  static constexpr auto slots_ = [] {
    if constexpr (requires { decltype(loss_)::has_weights; })
      return std::tuple{x_, target_, decltype(loss_)::template weights<decltype(output_)>};
    else
      return std::tuple{x_, target_};
  }();
  /// Of a network that freezes none of its layers, all.
  static constexpr auto selection_ = [] {
    return layers::detail::trained_variables_in<layers::detail::path_alone<Net>(), Net>();
  }();
  static constexpr auto step_ = group(Optimizer{}.minimize(mean(losses_), selection_), adding(trained_, losses_));
  static constexpr auto evaluation_ = adding(output_, losses_of(output_, nn::evaluation));
  static constexpr auto results_ =
      std::tuple{metrics::mean<"loss">(losses_).result(), detail::checked_metric<Metrics>()(output_, target_).result()...};
  /// Not those of metrics that are arrays.
  static constexpr int totals_ =
      (1 + ... + (decltype(detail::checked_metric<Metrics>()(output_, target_).result())::rank == 0 ? 1 : 0));
  static constexpr bool is_trained(const variable_description& d) {
    return d.trainable && std::remove_const_t<decltype(selection_)>::has(d.name);
  }

 public:
  using input_value = typename decltype(x_)::value_type;
  using target_value = typename decltype(target_)::value_type;
  /// Of what the network computes, (batch, ...).
  using output_shape = typename decltype(output_)::shape_type;
  /// How many numbers are learnt or kept by the layers.
  static constexpr std::int64_t parameter_count = detail::count_parameters<decltype(output_)>([](const auto&) { return true; });
  static constexpr std::int64_t trainable_parameter_count = detail::count_parameters<decltype(output_)>(is_trained);

  model(Input, Net, Optimizer, Loss, Metrics...) : session_(output_, step_, evaluation_, results_) {
    detail::check_names<"loss", decltype(detail::checked_metric<Metrics>())::name...>();
    initialize();
  }

  /// Gives all variables their first values, those of the optimizer too.
  void initialize(std::uint64_t seed = 0) { session_.initialize(seed); }
  auto& session() { return session_; }
  /// The layers of a network that is a sequence, and what they are called: `net.layers()`, `net.layer_names()`. Not static: nvcc writes out the
  /// class of a static function where it is called, and not all that is in its name.
  constexpr auto layers() const
    requires requires { Net::layers(); }
  {
    return Net::layers();
  }
  constexpr auto layer_names() const
    requires requires { Net::layer_names(); }
  {
    return Net::layer_names();
  }
  /// The network's variables, from its first layer on: without the optimizer's.
  auto variables() {
    return variables_that([](const auto&) { return true; });
  }
  /// Those that `fit` changes.
  auto trainable_variables() { return variables_that(is_trained); }

  /// Trains on a dataset of (input, target) or, with `losses::weighted`, (input, target, weights) batches: each epoch is a round of it. Then come a dataset to evaluate with after each epoch, if there
  /// is one, and callbacks: what is called with the model and the history after each epoch, or at other places (`model/fit_batch.hpp`), and may
  /// return true, to stop. Throws `etch::error` where a dataset has no elements, or a label is out of range.
  template <data::detail::readable_dataset Batches, class... A>
  etch::history fit(Batches&& batches, const fit_options& options = {}, A&&... more) {
    detail::check_validation<A...>();
    (detail::check_places<std::remove_reference_t<A>, model, input_array, target_array,
                          (std::tuple_size_v<decltype(slots_)> > 2)>(),
     ...);
    if (options.epochs < 0) fail("fit: %d epochs", options.epochs);
    etch::history h;
    fit_batch at{.epochs = options.epochs};
    (detail::call_before_training(more, *this), ...);
    for (bool stops = false; at.epoch <= options.epochs && !stops; ++at.epoch) {
      (detail::call_before_epoch(more, *this, std::as_const(h)), ...);
      const auto values = run_round(batches, step_, "fit", stops, at, more...);
      if (at.samples == 0) continue;  // nothing was left of a round that goes on
      add(h, "", values);
      stops = after_epoch(h, more...) || stops;
    }
    (detail::call_after_training(more, *this, std::as_const(h)), ...);
    return h;
  }
  /// Trains on arrays, shuffled whole.
  template <data::detail::array_of_rows X, data::detail::array_of_rows T, class... A>
  etch::history fit(const X& x, const T& target, const fit_options& options = {}, A&&... more) {
    return fit_slices(data::slices(x, target), options, more...);
  }
  template <data::detail::array_of_rows X, data::detail::array_of_rows T, data::detail::array_of_rows W, class... A>
  etch::history fit(const X& x, const T& target, const W& weights, const fit_options& options = {}, A&&... more) {
    return fit_slices(data::slices(x, target, weights), options, more...);
  }

  /// The loss and the metrics over a dataset of batches, as `fit` takes it.
  template <data::detail::readable_dataset Batches>
  std::array<double, totals_> evaluate(Batches&& batches) {
    bool stops = false;
    fit_batch at;
    const auto values = run_round(batches, evaluation_, "evaluate", stops, at);
    if (at.samples == 0) fail("evaluate: the dataset has no elements behind its position");
    return values;
  }
  template <data::detail::array_of_rows X, data::detail::array_of_rows T>
  std::array<double, totals_> evaluate(const X& x, const T& target, std::int64_t batch = 32) {
    return evaluate(data::slices(x, target).batch(batch));
  }
  template <data::detail::array_of_rows X, data::detail::array_of_rows T, data::detail::array_of_rows W>
  std::array<double, totals_> evaluate(const X& x, const T& target, const W& weights, std::int64_t batch = 32) {
    return evaluate(data::slices(x, target, weights).batch(batch));
  }
  /// A training step with one batch, an array or tensor of inputs, one of targets, and one of weights for `losses::weighted`: the loss before it
  /// and the metrics of this batch.
  template <class X, class T, class... W>
    requires(sizeof...(W) + 2 == std::tuple_size_v<std::remove_const_t<decltype(slots_)>>)
  std::array<double, totals_> train_on_batch(const X& x, const T& target, const W&... weights) {
    return run_once(step_, "train_on_batch", x, target, weights...);
  }
  /// The loss and the metrics of one batch.
  template <class X, class T, class... W>
    requires(sizeof...(W) + 2 == std::tuple_size_v<std::remove_const_t<decltype(slots_)>>)
  std::array<double, totals_> test_on_batch(const X& x, const T& target, const W&... weights) {
    return run_once(evaluation_, "test_on_batch", x, target, weights...);
  }
  /// The network's results over a dataset of batches of inputs, alone or with what else `fit` takes, which is not read: (samples, ...). Throws
  /// `etch::error` where the dataset has no elements.
  template <data::detail::readable_dataset Batches>
  auto predict(Batches&& batches) {
    return detail::predict<decltype(output_), decltype(x_)>(batches, [&](const auto& x) { return session_.bind(output_, x_ = x); });
  }
  /// Over an array of inputs, so many samples at a time; of none, and where the network gives no row for each, at once.
  template <class X>
  auto predict(const X& x, std::int64_t batch = 32) {
    if constexpr (detail::array_of_inputs<X, decltype(x_)> && detail::gives_rows<decltype(output_), decltype(x_)>())
      if (static_cast<std::int64_t>(std::begin(x.shape())[0]) > batch) return predict(detail::rows_of(x).batch(batch));
    return session_.run(output_, x_ = x);
  }
  /// "loss", and the metrics' names: what `evaluate` gives.
  static constexpr std::array<const char*, static_cast<std::size_t>(totals_)> names = [] {
    std::array<const char*, static_cast<std::size_t>(totals_)> all{"loss"};
    [[maybe_unused]] std::size_t n = 1;
    ((decltype(detail::checked_metric<Metrics>()(output_, target_).result())::rank == 0
          ? void(all[n++] = decltype(detail::checked_metric<Metrics>())::name.text)
          : void()),
     ...);
    return all;
  }();
  /// The loss and the metrics over what has been evaluated or trained with last, or so far.
  std::array<double, totals_> results() {
    std::array<double, totals_> values{};
    std::apply(
        [&, n = std::size_t{0}](const auto&... v) mutable {
          (
              [&] {
                if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, double>) values[n++] = v;
              }(),
              ...);
        },
        session_.run(results_));
    return values;
  }
  /// What one of the metrics is, over what has been evaluated or trained with last; one that is an array is in no history.
  template <class Metric>
  auto result(Metric m) {
    return session_.run(m(output_, target_).result());
  }

  /// A training step by an interpreter, in which `probe` (`<etch/debug.hpp>`) sees the value of every node.
  template <class Probe, class X, class T, class... W>
  void debug_step(Probe&& probe, const X& x, const T& target, const W&... weights) {
    fed([&](const auto&... feeds) { debug_run(session_, probe, step_, feeds...); }, x, target, weights...);
  }
  /// Keras's table: layers, the shapes of their results, and how many parameters they have.
  static std::string summary() { return detail::model_summary<Net, std::remove_const_t<decltype(x_)>>(is_trained); }

 private:
  template <class F>
  auto variables_that(const F& f) {
    using root = detail::root_graph<decltype(output_)::hash>;
    std::vector<decltype(session_.variables().at(""))> all;
    for (int v = root::size.variables; v-- > 0;)
      if (const variable_description& d = variables_of<root>::value.at[v]; f(d)) all.push_back(session_.variables().at(d.name));
    return all;
  }
  static void add(etch::history& h, const char* prefix, const std::array<double, totals_>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) h.add(std::string(prefix) + names[i], values[i]);
  }
  /// Whether a callback stops.
  bool after_epoch(const etch::history&) { return false; }
  template <class Stage, class... Callbacks>
  bool after_epoch(etch::history& h, data::dataset<Stage>& validation, Callbacks&... callbacks) {
    add(h, "val_", evaluate(validation));
    return after_epoch(h, callbacks...);
  }
  template <class Callback, class... Callbacks>
  bool after_epoch(etch::history& h, Callback& callback, Callbacks&... callbacks) {
    bool stops = false;
    if constexpr (detail::is_called_after_epoch<Callback, model, input_array, target_array>)
      stops = detail::is_true([&] { return callback(*this, std::as_const(h)); });
    // All are called.
    return after_epoch(h, callbacks...) || stops;
  }
  using input_array = xt::xtensor<input_value, decltype(x_)::rank>;
  using target_array = xt::xtensor<target_value, decltype(target_)::rank>;
  template <class Slices, class... A>
  etch::history fit_slices(const Slices& slices, const fit_options& options, A&... more) {
    return fit(slices.shuffle(std::max(slices.size(), std::int64_t{1}), options.seed).batch(options.batch), options, more...);
  }
  /// call(feeds...) of components, one for each slot.
  template <class Call, class... C>
  static decltype(auto) fed(const Call& call, const C&... components) {
    return std::apply([&](const auto&... slot) -> decltype(auto) { return call((slot = components)...); }, slots_);
  }
  template <class Fetch, class X, class T, class... W>
  std::array<double, totals_> run_once(Fetch fetch, const char* function, const X& x, const T& target, const W&... weights) {
    if (std::size(x) == 0) fail("%s: the batch is empty", function);
    detail::check_labels<decltype(loss_), decltype(output_)>(target, 0, function);
    reset_metrics();
    fed([&](const auto&... feeds) { session_.run(fetch, feeds...); }, x, target, weights...);
    return results();
  }
  /// Runs a plan for each batch.
  template <class Stage, class Fetch, class... Callbacks>
  std::array<double, totals_> run_round(data::dataset<Stage>& batches, Fetch fetch, const char* function, bool& stops,
                                        fit_batch& at, Callbacks&... callbacks) {
    using element = data::element_of<Stage>;
    using batch = decltype(std::apply(
        [](auto... slot) { return std::tuple<data::component<typename decltype(slot)::value_type, decltype(slot)::rank>...>{}; },
        slots_));
    if constexpr (!std::is_same_v<element, batch>) {
      raise<the_elements_of_this_dataset_are_no_inputs_and_targets_of_the_model, in_function<"model">, expected<batch>,
            got<element>>();
      return std::array<double, totals_>{};
    } else {
      return run_batches(batches, fetch, function, stops, at, callbacks...);
    }
  }
  template <class Stage, class Fetch, class... Callbacks>
  std::array<double, totals_> run_batches(data::dataset<Stage>& batches, Fetch fetch, const char* function, bool& stops,
                                          fit_batch& at, Callbacks&... callbacks) {
    reset_metrics();
    const bool goes_on = batches.goes_on();
    auto step = detail::rebound<std::remove_cvref_t<decltype(*batches.begin())>>([&](const auto&... components) {
      return fed([&](const auto&... feeds) { return session_.bind(fetch, feeds...); }, components...);
    });
    at.number = at.samples = 0;
    for (auto i = batches.begin(); i != batches.end(); ++i) {
      const auto components = *i;
      const auto& x = std::get<0>(components);
      const auto& target = std::get<1>(components);
      const auto count = static_cast<std::int64_t>(x.shape()[0]);
      detail::check_labels<decltype(loss_), decltype(output_)>(target, at.samples, function);
      if (count == 0) fail("%s: batch %lld of the epoch is empty", function, static_cast<long long>(at.number));
      at.rows = count;
      std::apply([&](const auto&... c) { (detail::call_before_batch(callbacks, *this, std::as_const(at), c...), ...); },
                 components);
      std::apply(step, components);
      at.samples += count;
      // All are called, in order.
      std::apply(
          [&](const auto&... c) { ((stops = detail::call_after_batch(callbacks, *this, std::as_const(at), c...) || stops), ...); },
          components);
      ++at.number;
      if (stops) break;
    }
    if (at.samples == 0 && !goes_on) fail("%s: the dataset has no elements", function);
    if (!stops && !goes_on) at.total = at.samples;
    return results();
  }
  /// Whether a variable is a sum of the loss or of a metric: a layer may be called `metrics`, too.
  static bool is_sum(std::string_view variable) {
    return decltype(metrics::mean<"loss">(losses_))::has_sum(variable) ||
           (decltype(detail::checked_metric<Metrics>()(output_, target_))::has_sum(variable) || ...);
  }
  /// All sums of metrics begin as 0.
  void reset_metrics() {
    std::vector<std::byte> zeros;
    for (auto v : session_.variables())
      if (is_sum(v.name())) {
        zeros.resize(std::max(zeros.size(), static_cast<std::size_t>(v.bytes())));
        v.copy_from(zeros.data());
      }
  }
  etch::session<std::remove_const_t<decltype(output_)>, std::remove_const_t<decltype(step_)>,
                std::remove_const_t<decltype(evaluation_)>, std::remove_const_t<decltype(results_)>>
      session_;
};

}  // namespace etch
