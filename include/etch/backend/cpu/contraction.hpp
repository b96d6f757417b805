// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/map.hpp>
#include <etch/backend/cpu/matmul.hpp>

/// Matrix products whose epilogue (bias, activation, residual) is a program applied to each finished piece of a row.
namespace etch::cpu {

/// The nest's axes: stacked matrices first, then rows and columns of the result, then what is summed. Accesses 0 and 1 are the
/// operands.
template <class P, int Rank, int Slots>
struct contraction_epilogue {
  const nest<Rank, Slots>& n;
  const char* const* base;  ///< per access, of the current matrix

  template <class V>
  ETCH_INLINE void operator()(index i, index j, const V& value, int count) const {
    using L = std::conditional_t<std::is_arithmetic_v<V>, scalar_lanes, lanes_of<P>>;
    cursor<Slots> c;
    for (int s = 2; s < Slots; ++s) {
      c.data[s] = const_cast<char*>(base[s]) + i * n.stride[s][Rank - 3];
      c.stride[s] = n.stride[s][Rank - 2];
    }
    if (count == L::count)
      evaluate_all<L, false>(value, c, j, count);
    else
      evaluate_all<L, true>(value, c, j, count);
  }

  /// Whether rows of `columns` elements lie behind one another in every access, so that several can be given as one.
  ETCH_INLINE bool is_flat(index columns) const {
    bool flat = true;
    for (int s = 2; s < Slots; ++s) flat = flat && n.stride[s][Rank - 3] == columns * n.stride[s][Rank - 2];
    return flat;
  }

 private:
  template <class L, bool Partial, class V>
  ETCH_INLINE void evaluate_all(const V& value, const cursor<Slots>& c, index j, int count) const {
    registers<P, L> r;
    r.template get<0>() = value;
    evaluate_section<P, L, 0, true, Partial>(r, c, j, count);
    evaluate_section<P, L, 0, false, Partial>(r, c, j, count);
  }
};

template <class P, int Rank, class T>
struct contraction_kernel {
  static_assert(decoded<P>::at(0).code == opcode::accumulator);
  static constexpr int slots = P::slots() < 2 ? 2 : P::slots();

  template <product_cases Cases = product_cases{}>
  ETCH_KERNEL static void run(const nest<Rank, slots>& n, T* workspace) noexcept {
    if constexpr (is_host_pass)
      for_each_matrix(n, [&](const auto& epilogue, matrix<T> a, matrix<T> b) {
        matmul<Cases>(n.extents[Rank - 3], n.extents[Rank - 2], n.extents[Rank - 1], a, b, workspace, epilogue);
      });
  }
  /// Extents that the compiler knows, for small products; M is -1 where it does not know the rows.
  template <index M, index N, index K>
  ETCH_INLINE static void run_small(const nest<Rank, slots>& n) noexcept {
    // Inlined, or strides would not be constants: half the speed of a product of 16 x 16.
    if constexpr (is_host_pass)
      for_each_matrix(n, [&](const auto& epilogue, matrix<T> a, matrix<T> b) ETCH_INLINED {
        matmul_small<M, N, K>(n.extents[Rank - 3], a, b, epilogue);
      });
  }

 private:
  template <class Body>
  ETCH_INLINE static void for_each_matrix(const nest<Rank, slots>& n, const Body& body) {
    cursor<slots> c;
    for (int s = 0; s < slots; ++s) c.data[s] = n.data[s];
    const auto each = [&](const cursor<slots>& at) ETCH_INLINED {
      constexpr index size = sizeof(T);
      const contraction_epilogue<P, Rank, slots> epilogue{n, at.data};
      body(epilogue, matrix<T>{reinterpret_cast<const T*>(at.data[0]), n.stride[0][Rank - 3] / size, n.stride[0][Rank - 1] / size},
           matrix<T>{reinterpret_cast<const T*>(at.data[1]), n.stride[1][Rank - 1] / size, n.stride[1][Rank - 2] / size});
    };
    // Not as a part: a product of 4 x 4 in place takes 1.5 times as long where its strides are constants only when all is flattened.
    if constexpr (Rank == 3)
      each(c);
    else
      for_each_row<0, Rank - 3>(n, c, each);
  }
};

}  // namespace etch::cpu
