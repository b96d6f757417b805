// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <exception>
#include <forward_list>
#include <string>
#include <utility>

#include <etch/session/state.hpp>

/// What a run keeps for the host: the strings that its steps have made, and the first exception. Programs whose plans have no such step
/// do not read this.
namespace etch::detail {

/// A string as plans have it: where it lies, or 0, which is the empty one (a loop's outputs of steps that are not made are 0). What it
/// stands for lives as long as the run.
struct string_handle {
  std::int64_t address = 0;

  string_handle() = default;
  explicit string_handle(const std::string& text) : address(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&text))) {}
  const std::string& text() const {
    static const std::string empty;
    return address == 0 ? empty : *reinterpret_cast<const std::string*>(static_cast<std::intptr_t>(address));
  }
};
static_assert(sizeof(string_handle) == sizeof(std::int64_t), "plans hold one as an int64");

/// What a run keeps for the host.
template <>
class host_values<true> {
 public:
  /// While it lives, what the thread's steps make on the host is kept there, and all that was there is gone. Runs nest, where a call of
  /// the host runs a session.
  class scope {
   public:
    explicit scope(host_values& values)
        : outer_(std::exchange(current(), &values)), outer_has_thrown_(std::exchange(host_has_thrown, false)) {
      values.kept_.clear();
      values.failure_ = nullptr;
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() {
      current() = outer_;
      host_has_thrown = outer_has_thrown_;
    }

   private:
    host_values* outer_;
    bool outer_has_thrown_;
  };

  /// Throws what a step has thrown.
  void check() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  /// Calls f unless a step before has thrown: the run goes on without the host's steps. Whether f has come to its end.
  template <class F>
  static bool run(const F& f) {
    host_values* const values = current();
    if (values == nullptr) return f(), true;
    if (host_has_thrown) return false;
    try {
      f();
    } catch (...) {
      values->failure_ = std::current_exception();
      host_has_thrown = true;
    }
    return !host_has_thrown;
  }
  /// A string that lives as long as the run; outside of one, as on the reference backend, as long as the thread.
  static string_handle keep(std::string text) {
    static thread_local std::forward_list<std::string> outside;
    std::forward_list<std::string>& kept = current() != nullptr ? current()->kept_ : outside;
    return string_handle(kept.emplace_front(std::move(text)));
  }

 private:
  static host_values*& current() {
    static thread_local host_values* values = nullptr;
    return values;
  }

  std::forward_list<std::string> kept_;  // which takes no memory while it is empty
  std::exception_ptr failure_;
};

}  // namespace etch::detail
