// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include <etch/data/copied.hpp>

namespace etch::data {

/// Elements are made on a thread of their own, up to `depth` ahead of the loop. A session's pool lends its threads for one run only, so
/// that it cannot work between two of them.
template <class Source>
struct prefetch_stage {
  using element = element_of<Source>;
  Source source;
  std::int64_t depth = 1;

  /// It changes nothing of what comes.
  std::string describe() const { return source.describe(); }

  class cursor {
   public:
    explicit cursor(const prefetch_stage& s) : source_(s.source), slots_(static_cast<std::size_t>(s.depth) + 1) {}
    /// Before its thread has begun.
    cursor(cursor&& other) noexcept : source_(std::move(other.source_)), slots_(std::move(other.slots_)) {}
    ~cursor() { stop(); }

    void begin(std::uint64_t round) {
      stop();
      source_.begin(round);
      made_ = taken_ = 0;
      has_ended_ = false;
      failure_ = nullptr;
      before_.clear();
      source_.save(before_);
    }
    bool next() {
      if (!worker_.joinable()) worker_ = std::thread([this] { make(); });
      std::unique_lock lock(mutex_);
      can_take_.wait(lock, [this] { return made_ > taken_ || has_ended_; });
      if (made_ > taken_) {
        ++taken_;
        // A thread that waits is woken when half of the slots are free: waking it costs the loop 5 us (futex, Zen 5 under a hypervisor).
        if (made_ - taken_ <= static_cast<std::int64_t>(slots_.size()) / 2) can_make_.notify_one();
        return true;
      }
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      return false;
    }
    element get() const { return current().value.get(); }
    void save(std::vector<std::int64_t>& state) const {
      const std::vector<std::int64_t>& s = taken_ == 0 ? before_ : current().state;
      state.insert(state.end(), s.begin(), s.end());
    }
    void restore(state_reader& state) {
      source_.restore(state);
      before_.clear();
      source_.save(before_);
    }

   private:
    struct slot {
      copied_element<element> value;
      std::vector<std::int64_t> state;  ///< of the source, behind the element
    };
    const slot& current() const { return slots_[static_cast<std::size_t>(taken_ - 1) % slots_.size()]; }

    /// The loop has the last one that it has taken.
    bool has_free_slot() const { return made_ - std::max(taken_ - 1, std::int64_t{0}) < static_cast<std::int64_t>(slots_.size()); }
    void make() {
      std::exception_ptr failure;
      try {
        while (make_one()) continue;
      } catch (...) {
        failure = std::current_exception();
      }
      // Behind the handler, so that this thread has let go of what it threw when the loop has it.
      const std::lock_guard lock(mutex_);
      failure_ = std::move(failure);
      has_ended_ = true;
      can_take_.notify_one();
    }
    /// Whether there may be another.
    bool make_one() {
      slot& to = slots_[static_cast<std::size_t>(made_) % slots_.size()];
      {
        std::unique_lock lock(mutex_);
        can_make_.wait(lock, [this] { return has_free_slot() || stops_; });
        if (stops_) return false;
      }
      if (!source_.next()) return false;
      take_element(source_, to.value);
      to.state.clear();
      source_.save(to.state);
      const std::lock_guard lock(mutex_);
      ++made_;
      can_take_.notify_one();
      return true;
    }
    void stop() {
      if (!worker_.joinable()) return;
      {
        const std::lock_guard lock(mutex_);
        stops_ = true;
        can_make_.notify_one();
      }
      worker_.join();
      stops_ = false;
    }

    sequence_of<Source> source_;
    std::vector<slot> slots_;
    std::vector<std::int64_t> before_;  ///< the source's state before the first element
    std::mutex mutex_;
    std::condition_variable can_make_, can_take_;
    std::int64_t made_ = 0, taken_ = 0;
    bool has_ended_ = false, stops_ = false;
    std::exception_ptr failure_;
    std::thread worker_;
  };
};

}  // namespace etch::data
