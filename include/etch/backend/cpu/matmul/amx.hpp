// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/tile_operands.hpp>

#if defined(__AMX_TILE__) && defined(__AMX_INT8__) && defined(__AMX_BF16__) && defined(__AVX512F__) && defined(__linux__) && \
    !defined(__CUDACC__)
#include <sys/syscall.h>
#include <unistd.h>
#define ETCH_CPU_HAS_AMX
#endif

/// Products of words by AMX (Advanced Matrix Extensions): registers of 16 rows of 16 words, of which an instruction multiplies two in 16 cycles.
/// Rows of words, and panels of them, are packed as for other registers.
namespace etch::cpu::matmul_detail {

#if defined(ETCH_CPU_HAS_AMX)
inline constexpr bool has_amx = true;

/// Whether Linux lets the process use these registers, which it has to be asked once.
inline bool may_use_amx() noexcept {
  constexpr long request_permission = 0x1023, tile_data = 18;
  static const bool may = syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
  return may;
}

/// While it lives, all eight registers of the thread have 16 rows of 64 bytes, where they are wanted. Given back behind, since a switch to another
/// thread saves 8 KiB otherwise. For each panel anew that took 0.12 of 256 x 256 x 256 bytes (Granite Rapids): one for a block.
class amx_registers {
 public:
  explicit amx_registers(bool wanted) noexcept : wanted_(wanted) {
    if (wanted) asm volatile("ldtilecfg %0" : : "m"(layout));
  }
  amx_registers(const amx_registers&) = delete;
  amx_registers& operator=(const amx_registers&) = delete;
  ~amx_registers() {
    if (wanted_) asm volatile("tilerelease");
  }

 private:
  struct tile_configuration {
    alignas(64) unsigned char bytes[64];
  };
  static constexpr tile_configuration layout = [] {
    tile_configuration c = {{1}};
    for (int t = 0; t < 8; ++t) {
      c.bytes[16 + 2 * t] = 64;
      c.bytes[48 + t] = 16;
    }
    return c;
  }();
  const bool wanted_;
};

// By name, since an instruction's registers are part of it. Memory is said to be read and written, which the compilers' own functions do not.
#define ETCH_AMX_LOAD(TILE, FROM, BYTES) asm volatile("tileloadd (%0,%1,1), %%tmm" #TILE : : "r"(FROM), "r"(BYTES) : "memory")
#define ETCH_AMX_STORE(TILE, TO, BYTES) asm volatile("tilestored %%tmm" #TILE ", (%0,%1,1)" : : "r"(TO), "r"(BYTES) : "memory")
#define ETCH_AMX_ZERO(TILE) asm volatile("tilezero %tmm" #TILE)
#define ETCH_AMX_DOT(NAME, TO, A, B) asm volatile(NAME " %tmm" #B ", %tmm" #A ", %tmm" #TO)

enum class amx_dot { unsigned_signed, signed_unsigned, pairs };

/// Registers 0 to 3 are sums, of two rows of two, 4 and 5 of a, 6 and 7 of b.
template <amx_dot Dot, bool TwoRows, bool TwoColumns>
ETCH_INLINE void amx_step(const void* a, index a_bytes, const void* b, index b_bytes) noexcept {
  ETCH_AMX_LOAD(4, a, a_bytes);
  ETCH_AMX_LOAD(6, b, b_bytes);
  if constexpr (TwoRows) ETCH_AMX_LOAD(5, static_cast<const char*>(a) + 16 * a_bytes, a_bytes);
  if constexpr (TwoColumns) ETCH_AMX_LOAD(7, static_cast<const char*>(b) + 64, b_bytes);
#define ETCH_AMX_DOTS(NAME)                              \
  ETCH_AMX_DOT(NAME, 0, 4, 6);                           \
  if constexpr (TwoColumns) ETCH_AMX_DOT(NAME, 1, 4, 7); \
  if constexpr (TwoRows) ETCH_AMX_DOT(NAME, 2, 5, 6);    \
  if constexpr (TwoRows && TwoColumns) ETCH_AMX_DOT(NAME, 3, 5, 7);
  if constexpr (Dot == amx_dot::unsigned_signed) {
    ETCH_AMX_DOTS("tdpbusd")
  } else if constexpr (Dot == amx_dot::signed_unsigned) {
    ETCH_AMX_DOTS("tdpbsud")
  } else {
    ETCH_AMX_DOTS("tdpbf16ps")
  }
#undef ETCH_AMX_DOTS
}

/// The sums of 16 or 32 rows and as many columns to `out`, whole registers, `out_row` elements apart.
template <amx_dot Dot, bool TwoRows, bool TwoColumns, class T>
ETCH_NOINLINE void amx_tile(const tile_task<T>& task, T* out, index out_row) noexcept {
  static_assert(sizeof(T) == 4);
  constexpr index step = 16, rows = TwoRows ? 32 : 16;
  const index a_bytes = task.a_row * 4, b_bytes = task.b_row * 4, start_bytes = task.start_row * 4, out_bytes = out_row * 4;
  if (task.start == nullptr) {
    ETCH_AMX_ZERO(0);
    ETCH_AMX_ZERO(1);
    ETCH_AMX_ZERO(2);
    ETCH_AMX_ZERO(3);
  } else {
    ETCH_AMX_LOAD(0, task.start, start_bytes);
    if constexpr (TwoColumns) ETCH_AMX_LOAD(1, task.start + step, start_bytes);
    if constexpr (TwoRows) ETCH_AMX_LOAD(2, task.start + step * task.start_row, start_bytes);
    if constexpr (TwoRows && TwoColumns) ETCH_AMX_LOAD(3, task.start + step * task.start_row + step, start_bytes);
  }
  const T *a = task.a, *b = task.b;
  index left = task.depth;
  for (; left >= step; left -= step, a += step, b += step * task.b_row) amx_step<Dot, TwoRows, TwoColumns>(a, a_bytes, b, b_bytes);
  if (left > 0) {
    // What is left is less deep than the registers: words of 0 behind it, in both, since 0 times what is there by chance may be NaN.
    alignas(64) T last_a[rows][step] = {}, last_b[step][2 * step] = {};
    for (index i = 0; i < rows; ++i) std::memcpy(last_a[i], a + i * task.a_row, static_cast<std::size_t>(left) * sizeof(T));
    for (index p = 0; p < left; ++p)
      std::memcpy(last_b[p], b + p * task.b_row, static_cast<std::size_t>(TwoColumns ? 2 * step : step) * sizeof(T));
    amx_step<Dot, TwoRows, TwoColumns>(last_a, index{sizeof last_a[0]}, last_b, index{sizeof last_b[0]});
  }
  ETCH_AMX_STORE(0, out, out_bytes);
  if constexpr (TwoColumns) ETCH_AMX_STORE(1, out + step, out_bytes);
  if constexpr (TwoRows) ETCH_AMX_STORE(2, out + step * out_row, out_bytes);
  if constexpr (TwoRows && TwoColumns) ETCH_AMX_STORE(3, out + step * out_row + step, out_bytes);
}
#undef ETCH_AMX_LOAD
#undef ETCH_AMX_STORE
#undef ETCH_AMX_ZERO
#undef ETCH_AMX_DOT
#else
inline constexpr bool has_amx = false;
#endif

/// Rows that are multiplied together where the machine has AMX, so that a share of a product begins with a multiple of them.
inline constexpr index amx_rows = 32;

}  // namespace etch::cpu::matmul_detail
