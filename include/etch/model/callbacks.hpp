// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <etch/model/history.hpp>

/// What `fit` calls after each epoch: anything that is called with the model and the history so far. Where it returns true, training
/// stops.
namespace etch {

/// Stops when a value has not become better for `patience` epochs, and gives the model the variables that it had when it was best. Of what is
/// called `accuracy` or ends so higher is better, of others lower. Keras's EarlyStopping with `restore_best_weights`.
class early_stopping {
 public:
  struct options {
    std::string monitor = "val_loss";
    int patience = 3;
    double min_delta = 0;  ///< a smaller change is none
  };
  explicit early_stopping(options o) : options_(std::move(o)) {}
  early_stopping() : early_stopping(options{}) {}

  template <class Model>
  bool operator()(Model& model, const history& h) {
    const double value = h[options_.monitor].back() * (is_higher_better() ? -1 : 1);
    if (h.epochs() == 1) best_ = std::numeric_limits<double>::infinity();
    if (value < best_ - options_.min_delta) {
      best_ = value;
      best_epoch_ = h.epochs();
      kept_.clear();
      for (auto v : model.session().variables()) {
        kept_.emplace_back(static_cast<std::size_t>(v.bytes()));
        v.copy_to(kept_.back().data());
      }
      return false;
    }
    if (h.epochs() < best_epoch_ + static_cast<std::size_t>(options_.patience)) return false;
    if (!kept_.empty()) {
      std::size_t i = 0;
      for (auto v : model.session().variables()) v.copy_from(kept_[i++].data());
    }
    return true;
  }
  /// Counted from 1; 0 before any.
  std::size_t best_epoch() const { return best_epoch_; }

 private:
  bool is_higher_better() const {
    const std::string& name = options_.monitor;
    constexpr std::string_view higher = "accuracy";
    return name.size() >= higher.size() && std::string_view(name).substr(name.size() - higher.size()) == higher;
  }
  options options_;
  double best_ = std::numeric_limits<double>::infinity();
  std::size_t best_epoch_ = 0;
  std::vector<std::vector<std::byte>> kept_;
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
    for (const std::string& n : h.names()) {
      char number[32];
      std::snprintf(number, sizeof number, ",%.9g", h[n].back());
      line += number;
    }
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

/// Exchanges the weights with the moving averages that the optimizer keeps of them (`adam(1e-3_c).moving_average()`): before what validates, and again
/// behind it. `fit(batches, options, swap_averages{}, validation, swap_averages{})`. Throws `etch::error` where there are none.
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
      auto variable = all.at(name.substr(0, optimizer).c_str());
      std::vector<std::byte> of_average(static_cast<std::size_t>(average.bytes())), of_variable(of_average.size());
      average.copy_to(of_average.data());
      variable.copy_to(of_variable.data());
      average.copy_from(of_variable.data());
      variable.copy_from(of_average.data());
      found = true;
    }
    if (!found) fail("swap_averages: the optimizer keeps no moving averages");
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
    std::fprintf(to, "epoch %zu", h.epochs());
    for (const std::string& n : h.names()) std::fprintf(to, "  %s %.4f", n.c_str(), h[n].back());
    std::fputc('\n', to);
  }
};

}  // namespace etch
