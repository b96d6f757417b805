// SPDX-License-Identifier: MIT
#pragma once
#include <exception>
#include <memory>
#include <thread>
#include <utility>

namespace etch::detail {

/// One thing at a time that is done on a thread of its own. It is waited for before it goes.
class background {
  struct state {
    std::exception_ptr failure;
    std::thread thread;
    ~state() {
      if (thread.joinable()) thread.join();
    }
  };

 public:
  /// f must not refer to what is moved.
  template <class F>
  void start(F f) {
    wait();
    state_ = std::make_unique<state>();
    state_->thread = std::thread([f = std::move(f), s = state_.get()]() mutable {
      try {
        f();
      } catch (...) {
        s->failure = std::current_exception();
      }
    });
  }
  bool is_started() const { return state_ != nullptr; }
  /// Until it has ended; throws what it threw.
  void wait() {
    if (!state_) return;
    const std::unique_ptr<state> ended = std::move(state_);
    ended->thread.join();
    if (ended->failure) std::rethrow_exception(ended->failure);
  }

 private:
  std::unique_ptr<state> state_;
};

}  // namespace etch::detail
