// SPDX-License-Identifier: MIT
#pragma once
#include <charconv>
#include <chrono>

#include <etch/checkpoint/checkpoint.hpp>
#include <etch/checkpoint/state_file.hpp>

namespace etch {

struct checkpoint_manager_options {
  int max_to_keep = 5;          ///< the newest ones; 0: all
  double keep_every_hours = 0;  ///< of those that would be deleted, one of each so many hours is kept for good; 0: none
  std::string name = "ckpt";    ///< before the number
  std::string extension = "";   ///< behind it: ".safetensors"
  bool in_background = false;   ///< `save` waits for a copy in memory only; what the thread throws, the next call throws
};

/// Checkpoints of a folder, numbered: `saved/ckpt-1`, `saved/ckpt-2` and so on. The file `checkpoint`, written last, says which there are, so
/// that a program that is killed at any moment finds the last whole one. One manager at a time for a folder. As TensorFlow's
/// `CheckpointManager`.
class checkpoint_manager {
 public:
  using options = checkpoint_manager_options;

  /// Goes on with the checkpoints that the folder has; it is made where it is missing. `of` must live.
  checkpoint_manager(checkpoint& of, std::filesystem::path folder, options o = {})
      : checkpoint_(&of), folder_(std::move(folder)), options_(std::move(o)) {
    if (options_.max_to_keep < 0) fail("checkpoint_manager: max_to_keep is %d", options_.max_to_keep);
    if (options_.name.empty() || options_.name.find('/') != std::string::npos)
      fail("checkpoint_manager: \"%s\" is no name of files", options_.name.c_str());
    std::error_code cause;
    std::filesystem::create_directories(folder_, cause);
    if (cause) fail("%s: %s", folder_.string().c_str(), cause.message().c_str());
    remove_unfinished();
    if (auto found = detail::read_state(folder_)) {
      state_ = std::move(*found);
      // A program that was killed while it deleted had noted what is to go.
      std::erase_if(state_.all, [&](const auto& e) {
        const bool is_gone = !detail::has_checkpoint(folder_ / e.path);
        if (is_gone) detail::remove_checkpoint(folder_ / e.path);
        return is_gone;
      });
      state_.latest = state_.all.empty() ? "" : state_.all.back().path;
    } else {
      state_.last_preserved = now();
    }
  }
  checkpoint_manager(const checkpoint_manager&) = delete;
  checkpoint_manager& operator=(const checkpoint_manager&) = delete;
  ~checkpoint_manager() {
    try {
      wait();
    } catch (...) {  // who has to know it calls `wait`
    }
  }

  /// Writes the next one, whose number is that of the newest and 1. Its path. Throws `etch::error` as `checkpoint::save` does; what was
  /// there before is there then.
  std::filesystem::path save() {
    wait();
    return save(number_of(state_.latest) + 1);
  }
  /// A number of the program's: of the step.
  std::filesystem::path save(std::int64_t number) {
    const std::string name = options_.name + "-" + std::to_string(number) + options_.extension;
    if (options_.in_background) {
      checkpoint_->save_in_background(folder_ / name, [this, name] { note(name); });
    } else {
      checkpoint_->save(folder_ / name);
      note(name);
    }
    return folder_ / name;
  }
  /// Until what is written in the background is on the disk. Throws `etch::error` where it could not be written.
  void wait() const { checkpoint_->wait(); }

  /// Restores the newest one, strictly; nothing where there is none. Its path.
  std::optional<std::filesystem::path> restore_latest() {
    const auto path = latest();
    if (path) checkpoint_->restore(*path);
    return path;
  }
  std::optional<std::filesystem::path> latest() const {
    wait();
    if (state_.latest.empty()) return std::nullopt;
    return folder_ / state_.latest;
  }
  /// From the oldest to the newest, without those that are kept for good.
  std::vector<std::filesystem::path> checkpoints() const {
    wait();
    std::vector<std::filesystem::path> paths;
    for (const auto& e : state_.all) paths.push_back(folder_ / e.path);
    return paths;
  }

 private:
  static double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }
  /// 7 of "ckpt-7.safetensors"; 0 where a name has no number.
  static std::int64_t number_of(const std::string& path) {
    std::int64_t number = 0;
    const std::size_t at = path.rfind('-');
    if (at != path.npos) std::from_chars(path.data() + at + 1, path.data() + path.size(), number);
    return number;
  }
  /// That a checkpoint is on the disk.
  void note(const std::string& name) {
    std::erase_if(state_.all, [&](const auto& e) { return e.path == name; });
    state_.all.push_back({name, now()});
    state_.latest = name;
    detail::write_state(folder_, state_);
    delete_old();
  }
  void delete_old() {
    std::vector<std::string> old;
    const std::size_t before = state_.all.size();
    while (options_.max_to_keep > 0 && state_.all.size() > static_cast<std::size_t>(options_.max_to_keep)) {
      const auto& e = state_.all.front();
      if (options_.keep_every_hours > 0 && e.time - options_.keep_every_hours * 3600 >= state_.last_preserved)
        state_.last_preserved = e.time;
      else
        old.push_back(e.path);
      state_.all.erase(state_.all.begin());
    }
    for (const std::string& path : old) detail::remove_checkpoint(folder_ / path);
    // Behind the deletions: one that was begun is finished by the next program.
    if (state_.all.size() < before) detail::write_state(folder_, state_);
  }
  void remove_unfinished() const {
    std::error_code ignored;
    std::vector<std::filesystem::path> found;
    for (const auto& file : std::filesystem::directory_iterator(folder_, ignored)) {
      const std::string name = file.path().filename().string();
      if (name.starts_with(options_.name + "-") && name.ends_with(format::output_file::unfinished("")))
        found.push_back(file.path());
    }
    for (const auto& file : found) std::filesystem::remove(file, ignored);
  }

  checkpoint* checkpoint_;
  std::filesystem::path folder_;
  options options_;
  detail::checkpoint_state state_;
};

}  // namespace etch
