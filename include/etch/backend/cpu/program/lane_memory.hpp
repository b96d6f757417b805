// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/program/lane_values.hpp>

/// Between memory and a program's registers: contiguous elements, elements at a stride, one element for all lanes (broadcast); in
/// part (masked), non-temporal, and of another dtype than the register's.
namespace etch::cpu::detail {

template <class L, dtype D, lane Mode, bool Partial>
ETCH_INLINE typename L::template value<D> load_lanes(const char* at, std::int64_t stride, int count) {
  using T = value_type_of<D>;
  const T* const from = reinterpret_cast<const T*>(at);
  if constexpr (std::is_same_v<L, scalar_lanes> || Mode == lane::same) {
    return broadcast<L, D>(*from);
  } else if constexpr (D == dtype::boolean) {
    using real = typename L::real;
    if constexpr (Mode == lane::strided) {
      bool gathered[64] = {};
      for (int i = 0; i < (Partial ? count : L::count); ++i) gathered[i] = *reinterpret_cast<const bool*>(at + i * stride);
      return load_mask<real>(gathered);
    } else if constexpr (Partial) {
      return load_mask_partial<real>(from, count);
    } else {
      return load_mask<real>(from);
    }
  } else if constexpr (is_storage(D)) {
    if constexpr (Mode == lane::strided) {
      T gathered[L::count] = {};
      for (int i = 0; i < (Partial ? count : L::count); ++i) gathered[i] = *reinterpret_cast<const T*>(at + i * stride);
      return load_widened<float>(gathered);
    } else if constexpr (Partial) {
      return load_widened<float>(from, count);
    } else {
      return load_widened<float>(from);
    }
  } else if constexpr (Mode == lane::next) {
    if constexpr (Partial)
      return load_partial(from, count);
    else
      return load(from);
  } else {
    const std::int64_t elements = stride / static_cast<std::int64_t>(sizeof(T));
    if constexpr (Partial)
      return load_strided_partial(from, elements, count);
    else
      return load_strided(from, elements);
  }
}

/// A non-temporal (streaming) store; the address is a multiple of the vector's size.
template <class L, dtype D, lane Mode, bool Partial, bool Streamed>
ETCH_INLINE void store_lanes(char* at, std::int64_t stride, const typename L::template value<D>& x, int count) {
  using T = value_type_of<D>;
  T* const to = reinterpret_cast<T*>(at);
  if constexpr (std::is_same_v<L, scalar_lanes>) {
    *to = x;
  } else if constexpr (D == dtype::boolean) {
    if constexpr (Mode == lane::next) {
      if constexpr (Partial)
        store_mask_partial(to, x, count);
      else
        store_mask(to, x);
    } else {
      bool scattered[64];
      store_mask(scattered, x);
      const int n = Mode == lane::same ? 1 : Partial ? count : L::count;
      for (int i = 0; i < n; ++i) *reinterpret_cast<bool*>(at + i * stride) = scattered[i];
    }
  } else if constexpr (is_storage(D)) {
    if constexpr (Mode != lane::next) {
      T scattered[L::count];
      store_narrowed(scattered, x);
      const int n = Mode == lane::same ? 1 : Partial ? count : L::count;
      for (int i = 0; i < n; ++i) *reinterpret_cast<T*>(at + i * stride) = scattered[i];
    } else if constexpr (Partial) {
      store_narrowed(to, x, count);
    } else if constexpr (Streamed) {
      store_narrowed_streamed(to, x);
    } else {
      store_narrowed(to, x);
    }
  } else if constexpr (Mode == lane::same) {
    *to = x.get(0);
  } else if constexpr (Mode == lane::next) {
    if constexpr (Partial)
      store_partial(to, x, count);
    else if constexpr (Streamed)
      store_streamed(to, x);
    else
      store(to, x);
  } else {
    const std::int64_t elements = stride / static_cast<std::int64_t>(sizeof(T));
    if constexpr (Partial)
      store_strided_partial(to, elements, x, count);
    else
      store_strided(to, elements, x);
  }
}

/// Elements of dtype Memory as a register of D. Those that have no vector in lanes of this width go through an array.
template <class L, dtype D, dtype Memory, lane Mode, bool Partial>
ETCH_INLINE typename L::template value<D> load_as(const char* at, std::int64_t stride, int count) {
  using T = value_type_of<D>;
  if constexpr (D == Memory) {
    return load_lanes<L, D, Mode, Partial>(at, stride, count);
  } else if constexpr (std::is_same_v<L, scalar_lanes> || Mode == lane::same) {
    const auto element = *reinterpret_cast<const value_type_of<Memory>*>(at);
    return broadcast<L, D>(convert<scalar_lanes, D, Memory>(element));
  } else if constexpr (is_storage(D)) {
    return convert<L, D, dtype::float32>(load_as<L, dtype::float32, Memory, Mode, Partial>(at, stride, count));
  } else if constexpr (has_vectors<L, Memory>) {
    return convert<L, D, Memory>(load_lanes<L, Memory, Mode, Partial>(at, stride, count));
  } else if constexpr ((Memory == dtype::uint8 || Memory == dtype::int8) && Mode == lane::next) {
    const auto* const bytes = reinterpret_cast<const value_type_of<Memory>*>(at);
    if constexpr (Partial)
      return load_widened<T>(bytes, count);
    else
      return load_widened<T>(bytes);
  } else {
    using M = value_type_of<Memory>;
    alignas(batch<T>) T elements[L::count] = {};
    const std::int64_t step = Mode == lane::next ? static_cast<std::int64_t>(sizeof(M)) : stride;
    for (int i = 0; i < (Partial ? count : L::count); ++i) elements[i] = static_cast<T>(*reinterpret_cast<const M*>(at + i * step));
    return batch<T>::load_aligned(elements);
  }
}

/// A register of D as elements of dtype Memory.
template <class L, dtype D, dtype Memory, lane Mode, bool Partial, bool Streamed>
ETCH_INLINE void store_as(char* at, std::int64_t stride, const typename L::template value<D>& x, int count) {
  if constexpr (D == Memory) {
    store_lanes<L, D, Mode, Partial, Streamed>(at, stride, x, count);
  } else if constexpr (has_vectors<L, Memory>) {
    store_lanes<L, Memory, Mode, Partial, Streamed>(at, stride, convert<L, Memory, D>(x), count);
  } else {
    using T = lane_type_of<D>;
    using M = value_type_of<Memory>;
    alignas(batch<T>) T elements[L::count];
    x.store_aligned(elements);
    const std::int64_t step = Mode == lane::next ? static_cast<std::int64_t>(sizeof(M)) : stride;
    const int n = Mode == lane::same ? 1 : Partial ? count : L::count;
    for (int i = 0; i < n; ++i) *reinterpret_cast<M*>(at + i * step) = static_cast<M>(elements[i]);
  }
}

}  // namespace etch::cpu::detail
