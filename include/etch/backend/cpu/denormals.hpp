// SPDX-License-Identifier: MIT
#pragma once
#include <etch/config.hpp>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace etch::cpu {

/// Sets FTZ (flush to zero) and DAZ (denormals are zero) while it lives: subnormal results become 0, subnormal operands count as 0. Arithmetic
/// with them costs 100 cycles and more, and the moments of weights that no longer change decay into them: training then runs at a third of its speed.
/// Of a run that does not flush, it clears both where the run keeps subnormal numbers whatever its thread has set.
class flush_denormals {
 public:
#if defined(__SSE2__)
  /// The usual states are compared with and set as constants: writing a state that was just read waits for it, 5 ns instead of 2
  /// in all (Sapphire Rapids). Of a thread that has rounded nothing yet, a run says that it has, as all arithmetic does: to take that
  /// back costs each of its calls 3 ns, and in some programs 40 (Zen 5).
  /// To read the state waits, too, 8 ns (Zen 3): only runs that may change it do.
  ETCH_INLINE explicit flush_denormals(bool flushes, bool keeps) noexcept {
    if (flushes || keeps) change(flushes);
  }
  ETCH_INLINE ~flush_denormals() {
    if (restores_ == to_inexact) [[likely]]
      _mm_setcsr(inexact);
    else if (restores_ == to_before)
      _mm_setcsr(before_);
  }

 private:
  static constexpr unsigned bits = 0x8040;  ///< FTZ and DAZ
  static constexpr unsigned rounded = 0x20;
  static constexpr unsigned inexact = 0x1fa0;  ///< all exceptions masked, some result has been rounded
  ETCH_NOINLINE void change(bool flushes) noexcept {
    before_ = _mm_getcsr();
    if (!flushes) {
      if ((before_ & bits) == 0) return;
      _mm_setcsr(before_ & ~bits);
      restores_ = to_before;
    } else if ((before_ & bits) == bits) {
      return;
    } else if ((before_ | rounded) == inexact) [[likely]] {
      _mm_setcsr(inexact | bits);
      restores_ = to_inexact;
    } else {
      _mm_setcsr(before_ | bits);
      restores_ = to_before;
    }
  }
  enum { none, to_inexact, to_before } restores_ = none;
  unsigned before_ = 0;
#elif defined(__aarch64__)
  ETCH_INLINE explicit flush_denormals(bool flushes, bool keeps) noexcept {
    asm volatile("mrs %0, fpcr" : "=r"(before_));
    changed_ = (before_ & bits) == 0 ? flushes : !flushes && keeps;
    if (changed_) asm volatile("msr fpcr, %0" : : "r"(before_ ^ bits));
  }
  ETCH_INLINE ~flush_denormals() {
    if (changed_) asm volatile("msr fpcr, %0" : : "r"(before_));
  }

 private:
  static constexpr unsigned long bits = 1ul << 24;  ///< flush to zero
  unsigned long before_;
  bool changed_;
#else
  ETCH_INLINE explicit flush_denormals(bool, bool) noexcept {}
#endif

 public:
  flush_denormals(const flush_denormals&) = delete;
  flush_denormals& operator=(const flush_denormals&) = delete;
};

/// A thread's floating-point environment: FTZ, DAZ and rounding (MXCSR, FPCR). Another thread that works for it takes that over.
class arithmetic_mode {
 public:
#if defined(__SSE2__)
  /// Of the calling thread.
  static arithmetic_mode current() noexcept { return arithmetic_mode(_mm_getcsr()); }
  void set() const noexcept { _mm_setcsr(state_); }

 private:
  using word = unsigned;
  static constexpr word raised = 0x3f;  ///< what results have met, which changes none
#elif defined(__aarch64__)
  static arithmetic_mode current() noexcept {
    unsigned long state;
    asm volatile("mrs %0, fpcr" : "=r"(state));
    return arithmetic_mode(state);
  }
  void set() const noexcept { asm volatile("msr fpcr, %0" : : "r"(state_)); }

 private:
  using word = unsigned long;
  static constexpr word raised = 0;
#else
  static arithmetic_mode current() noexcept { return arithmetic_mode(0); }
  void set() const noexcept {}

 private:
  using word = unsigned;
  static constexpr word raised = 0;
#endif
 public:
  /// Whether all results are the same in both.
  friend bool operator==(const arithmetic_mode& a, const arithmetic_mode& b) noexcept {
    return ((a.state_ ^ b.state_) & ~raised) == 0;
  }

 private:
  explicit arithmetic_mode(word state) noexcept : state_(state) {}
  word state_;
};

}  // namespace etch::cpu
