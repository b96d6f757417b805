// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/thread_list.hpp>
#include <etch/tape/recording.hpp>

/// What a tape has recorded, in the list of its thread's open tapes.
namespace etch::eager {

/// It is kept by the tape and, until that is closed, by its thread.
class open_tape final : public recorder, public thread_listed<open_tape> {
 public:
  static recorder*& innermost() { return this_recorder; }
  recorder* outer;

  /// The innermost of this thread from now on.
  explicit open_tape(bool is_persistent) : is_persistent_(is_persistent) {
    unlink_closed();
    outer = std::exchange(this_recorder, this);
  }
  ~open_tape() = default;

  /// Throws `etch::error` where the calling thread is another than the tape's.
  void check_thread(const char* call) const {
    if (!is_of_this_thread())
      fail("tape: %s is called by another thread than the one that has made the tape, whose ops it records", call);
  }
  void watch(const value& v) { watched_.put(v.identity(), 0); }
  /// From now on only what depends on something watched is recorded, be it through what has been recorded before.
  void narrow() {
    if (!narrows_)
      for (const reading& r : readings_) watched_.put(r.identity, 0);
    narrows_ = true;
    recording_.add_dependents(watched_);
  }
  /// The identities of what a variable was read as.
  source readings_of(std::uint64_t variable) const {
    source s;
    for (const reading& r : readings_)
      if (r.variable == variable) s.push_back(r.identity);
    return s;
  }
  /// What `take` makes of the gradients. It is called while this tape records nothing, since what is pending is computed there.
  template <class F>
  auto differentiate(const value& y, const source* sources, int count, const F& take) {
    if (is_used_ && !is_persistent_)
      fail("tape: a tape that is not persistent gives gradients once; make it by etch::tape tape(etch::persistent)");
    is_used_ = true;
    auto taken = [&] {
      const pause unrecorded(*this);
      return take(recording_.differentiate(y, sources, count, !is_persistent_));
    }();
    if (!is_persistent_) {
      close();
      recording_.clear();
    }
    return taken;
  }

  void record(const op_facts& op, gradient_function rule, const words& attributes, const value* const* in, int count,
              const value& result) override {
    tell_all([&](open_tape& t) {
      if (!t.is_wanted(in, count)) return;
      if (t.narrows_) t.watched_.put(result.identity(), 0);
      t.recording_.add(op, rule, attributes, in, count, result);
    });
  }
  void read(std::uint64_t variable, const value& v) override {
    tell_all([&](open_tape& t) {
      if (t.narrows_) t.watched_.put(v.identity(), 0);
      for (const reading& r : t.readings_)
        if (r.variable == variable && r.identity == v.identity()) return;
      t.readings_.push_back({variable, v.identity()});
    });
  }

 private:
  struct reading {
    std::uint64_t variable;
    std::uint64_t identity;
  };
  /// What a tape's gradients compute is for the others. Where there are none, rules need not think of one.
  class pause {
   public:
    explicit pause(open_tape& t) : paused_(t) {
      t.is_paused_ = true;
      for (recorder* r = this_recorder; r != nullptr; r = of(r).outer)
        if (of(r).is_recording()) return;
      hidden_ = std::exchange(this_recorder, nullptr);
    }
    pause(const pause&) = delete;
    pause& operator=(const pause&) = delete;
    ~pause() {
      paused_.is_paused_ = false;
      recorder** end = &this_recorder;
      while (*end != nullptr && hidden_ != nullptr) end = &of(*end).outer;
      if (hidden_ != nullptr) *end = hidden_;
    }

   private:
    open_tape& paused_;
    recorder* hidden_ = nullptr;
  };

  static open_tape& of(recorder* r) { return static_cast<open_tape&>(*r); }
  bool is_recording() const { return !is_paused_ && !is_closed(); }

  /// Calls f for this tape, the innermost, and for those outside of it. Where another thread has closed one, it is gone then.
  template <class F>
  void tell_all(const F& f) {
    bool found_closed = false;
    for (recorder* r = this; r != nullptr; r = of(r).outer) {
      if (of(r).is_recording()) f(of(r));
      found_closed = found_closed || of(r).is_closed();
    }
    if (found_closed) unlink_closed();
  }
  bool is_wanted(const value* const* in, int count) const {
    if (!narrows_) return true;
    for (int k = 0; k < count; ++k)
      if (watched_.find(in[k]->identity()) >= 0) return true;
    return false;
  }

  recording recording_;
  identity_table watched_;
  std::vector<reading> readings_;
  bool is_persistent_, is_paused_ = false, narrows_ = false, is_used_ = false;
};

}  // namespace etch::eager
