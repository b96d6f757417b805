// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/matmul/part.hpp>

namespace etch::cpu {

/// The plain epilogue: c[i * row_stride + j] = value. Each epilogue can be called for one piece of a row, and walk from one row to the next,
/// which keeps in registers what it would otherwise read for each piece: the first convolution of a network for images of one channel
/// takes 0.91 of the time, a training step of 784-100-10 0.94 (Zen 3).
template <class T>
struct store_rows {
  T* c;
  index row_stride;

  /// One row after another.
  struct walk {
    T* row;
    index next;

    ETCH_INLINE void advance() noexcept { row += next; }
    /// Takes a register of sums, or the first of its lanes.
    template <class V>
    ETCH_INLINE void whole(index j, V value) const noexcept {
      value.store_unaligned(row + j);
    }
    template <class V>
    ETCH_INLINE void part(index j, V value, int count) const noexcept {
      matmul_detail::part<V>(count).store(row + j, value);
    }
  };
  ETCH_INLINE walk rows_from(index i) const noexcept { return {c + i * row_stride, row_stride}; }
  template <class V>
  ETCH_INLINE void operator()(index i, index j, V value, [[maybe_unused]] int count) const noexcept {
    if constexpr (std::is_same_v<V, T>)
      c[i * row_stride + j] = value;
    else
      rows_from(i).part(j, value, count);
  }
};

namespace matmul_detail {

/// Rows in memory: where one lies, and how far behind it the next, in bytes.
struct stream {
  const char* at;
  index row;
};

/// Where finished sums go. The epilogue's type ends here: everything else is compiled once per T, not once per
/// epilogue.
template <class T>
struct sink {
  /// Takes sums[r * row + c] as element (i + r, j + c) for r < rows, c < columns. Whole registers of sums are
  /// readable.
  using function = void (*)(const void* epilogue, index i, index j, index rows, index columns, const T* sums, index row) noexcept;
  const void* epilogue;
  function give;
  /// Where tiles can store the results straight from their registers; otherwise nullptr.
  T* direct;
  index direct_row;
  /// What they do to sums before: add these rows (nullptr: none), then apply relu, then, where that is not 0, let nothing be above `high`.
  const T* added = nullptr;
  index added_row = 0;
  bool relu = false;
  T high = 0;
  bool stores_alone() const noexcept { return direct != nullptr && added == nullptr && !relu; }
  /// How many values of its own the epilogue reads and writes for each element; where these are several, how many it reads, and where.
  index streams = 0, reads = 0;
  stream (*read)(const void* epilogue, index which, index i, index j) noexcept = nullptr;
};

/// Kept in registers where that is possible; read through a reference, a field is loaded anew after every store.
template <class Epilogue>
using local_copy =
    std::conditional_t<std::is_trivially_copyable_v<Epilogue> && sizeof(Epilogue) <= 128, const Epilogue, const Epilogue&>;

template <class T, class Epilogue>
ETCH_KERNEL void give_rows(const void* to, index i, index j, index rows, index columns, const T* sums, index row) noexcept {
  using V = vector<T>;
  constexpr index L = lanes<T>;
  auto walk = static_cast<const Epilogue*>(to)->rows_from(i);
  for (index r = 0; r < rows; ++r, sums += row, walk.advance()) {
    index c = 0;
    for (; c + L <= columns; c += L) walk.whole(j + c, V::load_unaligned(sums + c));
    if (c < columns) walk.part(j + c, V::load_unaligned(sums + c), static_cast<int>(columns - c));
  }
}

/// For sums of the transposed product: element (j + c, i + r).
template <class T, class Epilogue>
ETCH_KERNEL void give_columns(const void* to, index i, index j, index rows, index columns, const T* sums, index row) noexcept {
  local_copy<Epilogue> epilogue = *static_cast<const Epilogue*>(to);
  if (rows == 1) {
    for (index c = 0; c < columns; ++c) epilogue.template operator()<T>(j + c, i, sums[c], 1);
    return;
  }
  for (index c = 0; c < columns; ++c) {
    for (index r = 0; r < rows; ++r) epilogue.template operator()<T>(j + c, i + r, sums[r * row + c], 1);
  }
}

template <class T, class Epilogue>
ETCH_INLINE sink<T> sink_of(const Epilogue& epilogue) noexcept {
  sink<T> made{&epilogue, &give_rows<T, Epilogue>, nullptr, 0};
  if constexpr (std::is_same_v<Epilogue, store_rows<T>>) {
    made.direct = epilogue.c;
    made.direct_row = epilogue.row_stride;
  } else if constexpr (requires { epilogue.finish(made); }) {
    epilogue.finish(made);
  } else if constexpr (requires { epilogue.streams(); }) {
    made.streams = epilogue.streams();
    made.reads = Epilogue::reads;
    made.read = [](const void* to, index which, index i, index j) noexcept {
      return static_cast<const Epilogue*>(to)->read(which, i, j);
    };
  }
  return made;
}

}  // namespace matmul_detail
}  // namespace etch::cpu
