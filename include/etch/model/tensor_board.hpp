// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <optional>
#include <utility>

#include <etch/model/history.hpp>
#include <etch/summary/file_writer.hpp>

namespace etch {

struct tensor_board_options {
  int histograms_every = 0;  ///< epochs between histograms of the model's variables; 0: none
  bool graph = true;         ///< the session's: training and evaluation
};

/// Writes what `fit` measures to TensorBoard: a run `train` and, where there is data to validate with, a run `validation` in a folder, under the
/// tags `epoch_loss`, `epoch_accuracy` and so on, as Keras's TensorBoard; steps are epochs from 0 on.
class tensor_board {
 public:
  using options = tensor_board_options;

  explicit tensor_board(std::filesystem::path folder, options o = {})
      : folder_(std::move(folder)), options_(o), train_(folder_ / "train") {}

  template <class Model>
  void operator()(Model& model, const history& h) {
    const auto step = static_cast<std::int64_t>(h.epochs()) - 1;
    if (std::exchange(options_.graph, false)) train_.graph(model.session());
    for (const std::string& name : h.names()) {
      const bool is_validation = name.starts_with("val_");
      if (is_validation && !validation_) validation_.emplace(folder_ / "validation");
      (is_validation ? *validation_ : train_).scalar("epoch_" + name.substr(is_validation ? 4 : 0), h[name].back(), step);
    }
    if (options_.histograms_every > 0 && step % options_.histograms_every == 0)
      for (auto variable : model.variables())
        if (variable.type() == dtype::float32) train_.histogram(variable.name(), variable.template get<float>(), step);
    train_.flush();
    if (validation_) validation_->flush();
  }

 private:
  std::filesystem::path folder_;
  options options_;
  summary::file_writer train_;
  std::optional<summary::file_writer> validation_;
};

}  // namespace etch
