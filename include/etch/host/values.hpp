// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <forward_list>
#include <string>
#include <utility>

#include <etch/backend/cpu/denormals.hpp>
#include <etch/session/state.hpp>

/// What a run keeps for the host: the strings that its steps have made. Programs whose plans have no such step do not read this.
namespace etch::detail {

/// A string as plans have it: where it lies, or 0, which is the empty one (a loop's outputs of steps that are not made are 0). What it
/// stands for lives as long as the run.
struct string_handle {
  std::int64_t address = 0;

  string_handle() = default;
  explicit string_handle(const std::string& text) : address(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(&text))) {}
  const std::string& text() const { return text_at(address); }
  static const std::string& text_at(std::int64_t address) {
    static const std::string empty;
    return address == 0 ? empty : *reinterpret_cast<const std::string*>(static_cast<std::intptr_t>(address));
  }
};
static_assert(sizeof(string_handle) == sizeof(std::int64_t), "plans hold one as an int64");

/// What a run keeps for the host.
template <>
class host_values<true> {
 public:
  /// While it lives, what the thread's steps make on the host is kept there, and all that was there is gone. Runs nest, where a
  /// call of the host runs a session or another bound step. It is there before the run sets the thread's arithmetic.
  class scope {
   public:
    explicit scope(host_values& values) : values_(values), outer_(std::exchange(current(), &values)) {
      values.is_running_ = true;
      values.thread_mode_ = cpu::arithmetic_mode::current();
      values.kept_.clear();
    }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() {
      current() = outer_;
      values_.is_running_ = false;
    }

   private:
    host_values& values_;
    host_values* outer_;
  };

  /// While it lives, within a run, the thread computes as it did before that: with subnormal numbers, unless it was told else.
  class outside_arithmetic {
   public:
    outside_arithmetic() : run_mode_(cpu::arithmetic_mode::current()), changes_(is_changed(run_mode_)) {
      if (changes_) current()->thread_mode_.set();
    }
    outside_arithmetic(const outside_arithmetic&) = delete;
    outside_arithmetic& operator=(const outside_arithmetic&) = delete;
    ~outside_arithmetic() {
      if (changes_) run_mode_.set();
    }

   private:
    static bool is_changed(const cpu::arithmetic_mode& now) { return current() != nullptr && !(now == current()->thread_mode_); }
    cpu::arithmetic_mode run_mode_;
    bool changes_;
  };

  /// Throws `etch::error` where a run that keeps its values there is going on: of a bound step, whose feeds and results it reads and
  /// writes.
  void check_idle() const {
    if (is_running_) fail("step: a function of the host calls the step that has called it; have it call session.run instead");
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
  bool is_running_ = false;
  cpu::arithmetic_mode thread_mode_ = cpu::arithmetic_mode::current();
};

}  // namespace etch::detail
