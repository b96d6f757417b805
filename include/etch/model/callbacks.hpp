// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <etch/base/formatted.hpp>
#include <etch/model/kept_variables.hpp>
#include <etch/model/monitor.hpp>

/// What `fit` calls after each epoch: anything that is called with the model and the history so far. Where it returns true, training
/// stops.
namespace etch {

/// Stops when a value has not become better for `patience` epochs. Behind the last epoch, also where it has not stopped, the model has the
/// variables that it had when it was best. Of accuracies and the like higher is better (`detail::monitor`), of others lower. Keras's
/// EarlyStopping with `restore_best_weights`.
class early_stopping {
 public:
  struct options {
    std::string monitor = "val_loss";
    int patience = 3;
    double min_delta = 0;  ///< a smaller change is none
  };
  explicit early_stopping(options o) : options_(std::move(o)), monitor_(options_.monitor, options_.min_delta) {}
  early_stopping() : early_stopping(options{}) {}

  template <class Model>
  bool operator()(Model& model, const history& h) {
    if (h.epochs() == 1) {
      best_epoch_ = 0;
      kept_.forget();
    }
    if (monitor_.improves(h)) {
      best_epoch_ = h.epochs();
      kept_.keep(model.session());
      return false;
    }
    if (h.epochs() < best_epoch_ + static_cast<std::size_t>(options_.patience)) return false;
    if (kept_.are_there()) kept_.restore(model.session());
    return true;
  }
  template <class Model>
  void after_training(Model& model, const history& h) {
    // A training of no epochs has kept nothing: what is there is of one before it.
    if (h.epochs() > 0 && kept_.are_there()) kept_.restore(model.session());
  }
  /// Counted from 1; 0 before any.
  std::size_t best_epoch() const { return best_epoch_; }

 private:
  options options_;
  detail::monitor monitor_;
  std::size_t best_epoch_ = 0;
  detail::kept_variables kept_;
};

/// Writes a line for each epoch, under a line of names: `epoch,loss,accuracy`. Throws `etch::error` where the file cannot be written.
class csv_logger {
 public:
  explicit csv_logger(const std::filesystem::path& path) : name_(path.string()), file_(std::fopen(name_.c_str(), "w")) {
    if (!file_) fail("csv_logger: %s: it cannot be written", name_.c_str());
  }
  template <class Model>
  void operator()(Model&, const history& h) {
    std::string line;
    if (h.epochs() == 1) {
      line = "epoch";
      for (const std::string& n : h.names()) line += "," + n;
      line += "\n";
    }
    line += std::to_string(h.epochs());
    for (const std::string& n : h.names()) line += detail::formatted(",%.9g", h[n].back());
    line += "\n";
    if (std::fputs(line.c_str(), file_.get()) < 0 || std::fflush(file_.get()) != 0)
      fail("csv_logger: %s: it cannot be written", name_.c_str());
  }

 private:
  struct close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, close> file_;
};

/// Multiplies a learning rate by `factor` when a value has not become better for `patience` epochs, down to `min_rate`. The rate is a variable
/// of the program's, which its optimizer is made of: `variable<"rate">(full<float>(shape<>{}, 1e-3_c), not_trainable)`. Keras's
/// ReduceLROnPlateau.
template <class Rate>
class reduce_rate_on_plateau {
 public:
  struct options {
    std::string monitor = "val_loss";
    double factor = 0.1;
    int patience = 10;
    double min_delta = 1e-4;
    int cooldown = 0;  ///< epochs after a reduction that do not count
    double min_rate = 0;
  };
  explicit reduce_rate_on_plateau(Rate, options o = {}) : options_(std::move(o)), monitor_(options_.monitor, options_.min_delta) {}

  template <class Model>
  void operator()(Model& model, const history& h) {
    if (h.epochs() == 1) waited_ = cooling_ = 0;
    if (cooling_ > 0) {
      --cooling_;
      waited_ = 0;
    }
    if (monitor_.improves(h)) {
      waited_ = 0;
    } else if (cooling_ == 0 && ++waited_ >= options_.patience) {
      using value_type = typename Rate::value_type;
      const double rate = static_cast<double>(static_cast<value_type>(model.session().get(Rate{})));
      if (rate > options_.min_rate)
        model.session().set(Rate{}, static_cast<value_type>(std::max(rate * options_.factor, options_.min_rate)));
      cooling_ = options_.cooldown;
      waited_ = 0;
    }
  }

 private:
  options options_;
  detail::monitor monitor_;
  int waited_ = 0, cooling_ = 0;
};

/// Exchanges the weights with the moving averages that the optimizer keeps of them (`adam(1e-3_c).moving_average()`): before what validates, and again
/// behind it. `fit(batches, options, swap_averages{}, validation, swap_averages{})`. Before the optimizer's first step, as in an accumulation, the weights
/// stay as they are: there are no averages yet. Throws `etch::error` where the optimizer keeps none.
struct swap_averages {
  template <class Model>
  void operator()(Model& model, const history&) const {
    swap(model);
  }
  template <class Model>
  void swap(Model& model) const {
    bool found = false;
    const auto all = model.session().variables();
    for (auto average : all) {
      const std::string name = average.name();
      const std::size_t slot = name.rfind('/');
      if (slot == std::string::npos || name.substr(slot) != "/average") continue;
      const std::size_t optimizer = name.rfind('/', slot - 1);
      if (optimizer == std::string::npos) continue;
      found = true;
      if (!has_stepped(all, name.substr(optimizer, slot - optimizer))) continue;
      auto variable = all.at(name.substr(0, optimizer).c_str());
      std::vector<std::byte> of_average(static_cast<std::size_t>(average.bytes())), of_variable(of_average.size());
      average.copy_to(of_average.data());
      variable.copy_to(of_variable.data());
      average.copy_from(of_variable.data());
      variable.copy_from(of_average.data());
    }
    if (!found) fail("swap_averages: the optimizer keeps no moving averages");
  }

 private:
  /// Whether a count of steps `.../adam/step` is above 0; `optimizer`: "/adam".
  template <class Variables>
  static bool has_stepped(const Variables& all, const std::string& optimizer) {
    for (auto v : all)
      if (std::string_view(v.name()).ends_with(optimizer + "/step") && v.template get<double>()[0] > 0) return true;
    return false;
  }
};

/// Stops where the loss is NaN.
struct terminate_on_nan {
  template <class Model>
  bool operator()(Model&, const history& h) const {
    return std::isnan(h["loss"].back());
  }
};

/// Prints a line for each epoch.
struct print_epochs {
  std::FILE* to = stdout;
  template <class Model>
  void operator()(Model&, const history& h) const {
    std::string line = "epoch " + std::to_string(h.epochs());
    for (const std::string& n : h.names()) line += detail::formatted("  %s %.4f", n.c_str(), h[n].back());
    std::fputs((line + "\n").c_str(), to);
  }
};

}  // namespace etch
