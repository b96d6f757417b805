// SPDX-License-Identifier: MIT
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <etch/checkpoint.hpp>
#include <etch/model/monitor.hpp>

namespace etch {

struct model_checkpoint_options {
  std::string monitor = "val_loss";
  bool in_background = false;  ///< training goes on while it is written
  std::string extension = "";  ///< ".safetensors", ".npz"; none: TensorFlow's format
};

/// Saves a fitted model after each epoch: as `last` in a folder, and where the value is the best so far also as `best`. Variables of the
/// optimizer and the state of random draws are part of it, so that a run goes on from `last`; `load_best(model)` takes the model back to
/// `best`. Epochs and the best value go on over several fits of a model, and in the program that has loaded one of the two.
/// Keras's ModelCheckpoint and BackupAndRestore. The model must live and stay where it is.
class model_checkpoint {
 public:
  using options = model_checkpoint_options;

  explicit model_checkpoint(std::filesystem::path folder, options o = {})
      : folder_(std::move(folder)), options_(std::move(o)), monitor_(options_.monitor) {
    std::error_code cause;
    std::filesystem::create_directories(folder_, cause);
    if (cause) fail("model_checkpoint: %s: %s", folder_.string().c_str(), cause.message().c_str());
  }

  template <class Model>
  void operator()(Model& model, const history& h) {
    checkpoint& c = of(model);
    // One copy of the values for both: the second would wait until the first is on the disk.
    std::vector<std::filesystem::path> paths = {path_of("last")};
    if (monitor_.improves_on_all(h)) paths.push_back(path_of("best"));
    ++state_->epoch;
    state_->best = monitor_.best();
    if (options_.in_background)
      c.save_to_each_in_background(paths, [] {});
    else
      c.save_to_each(paths);
  }
  /// The model is as it was in the best epoch, or after the last one; false where nothing was saved.
  template <class Model>
  bool load_best(Model& model) {
    return load(model, "best");
  }
  template <class Model>
  bool load_last(Model& model) {
    return load(model, "last");
  }
  /// How many epochs had been made when it was saved, in all fits of the model.
  std::int64_t epoch() const { return state_->epoch; }

 private:
  struct state {
    std::int64_t epoch = 0;
    double best = 0;
    std::string monitored;  ///< what the best value is of
  };

  template <class Model>
  checkpoint& of(Model& model) {
    if (tracked_ != &model) {
      *state_ = {.monitored = options_.monitor};
      monitor_.forget();
      checkpoint_.emplace();
      checkpoint_->track("", model.session()).track("epoch", state_->epoch);
      checkpoint_->track("best", state_->best).track("monitor", state_->monitored);
      tracked_ = &model;
    }
    return *checkpoint_;
  }
  std::filesystem::path path_of(const char* name) const { return folder_ / (name + options_.extension); }
  template <class Model>
  bool load(Model& model, const char* name) {
    checkpoint& c = of(model);
    c.wait();
    const auto path = path_of(name);
    if (!detail::has_checkpoint(path)) return false;
    c.restore(path);
    if (std::exchange(state_->monitored, options_.monitor) == options_.monitor)
      monitor_.set_best(state_->best);
    else
      monitor_.forget();
    return true;
  }

  std::filesystem::path folder_;
  options options_;
  detail::monitor monitor_;
  /// The checkpoint refers to it, also where this class has been moved.
  std::unique_ptr<state> state_ = std::make_unique<state>();
  const void* tracked_ = nullptr;
  std::optional<checkpoint> checkpoint_;
};

}  // namespace etch
