// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/product/grouped.hpp>
#include <etch/backend/cpu/map/map.hpp>
#include <etch/backend/cpu/product/narrow_matmul.hpp>
#include <etch/backend/cpu/product/packed_matmul.hpp>
#include <etch/backend/cpu/program/packed_program.hpp>
#include <etch/backend/cpu/product/tile_epilogue.hpp>

/// Matrix products whose epilogue (bias, activation, residual) is a program applied to each finished piece of a row.
namespace etch::cpu {

/// The axes of a product's nest, in this order: so many of stacked matrices, of rows, one of columns, and so many that it sums along.
/// Accesses 0 and 1 are the operands; all others walk the rows as one axis.
struct product_shape {
  int stack, rows, inner;
  int bounded = 0;  ///< as of `plan_step`: behind its program's accesses are two for each
  constexpr int last_row() const { return stack + rows - 1; }
  constexpr int column() const { return stack + rows; }
  constexpr int first_inner() const { return stack + rows + 1; }
  constexpr int rank() const { return stack + rows + 1 + inner; }
  constexpr bool is_plain() const { return rows == 1 && inner == 1; }
};

template <class P, product_shape Shape, int Slots>
struct contraction_epilogue {
  const nest<Shape.rank(), Slots>& n;
  const char* const* base;  ///< per access, of the current matrix
  /// Its slots for each element, and whether several of these are read and several written: an optimizer's update.
  static constexpr detail::own_slots<Slots> own = detail::own_slots_of<P, Slots>();
  struct uses {
    bool at[Slots]{};
  };
  static constexpr uses used = [] {
    uses u;
    for (int i = 0; i < P::size; ++i)
      if (P::at(i).has_slot() && P::at(i).section == 0) u.at[P::at(i).slot] = true;
    return u;
  }();
  static constexpr bool updates = [] {
    int loads = 0, stores = 0;
    for (int s = 2; s < Slots; ++s) {
      loads += own.read[s] ? 1 : 0;
      stores += own.written[s] ? 1 : 0;
    }
    return loads > 1 && stores > 1;
  }();

  /// One row after another. A copy of strides and addresses, since those in memory were read again after each store.
  struct walk {
    cursor<Slots> at;
    index next[Slots];  ///< bytes to the next row

    ETCH_INLINE void advance() {
      for (int s = 2; s < Slots; ++s) at.data[s] += next[s];
    }
    /// Takes a register of sums, or one, or the first lanes of a register.
    template <class V>
    ETCH_INLINE void whole(index j, const V& value) const {
      using L = std::conditional_t<std::is_arithmetic_v<V>, scalar_lanes, lanes_of<P>>;
      evaluate_all<L, false>(value, at, j, L::count);
    }
    template <class V>
    ETCH_INLINE void part(index j, const V& value, int count) const {
      evaluate_all<lanes_of<P>, true>(value, at, j, count);
    }
  };
  ETCH_INLINE walk rows_from(index i) const {
    walk w;
    for (int s = 2; s < Slots; ++s) {
      w.next[s] = n.stride[s][Shape.last_row()];
      w.at.data[s] = const_cast<char*>(base[s]) + i * w.next[s];
      w.at.stride[s] = n.stride[s][Shape.column()];
    }
    return w;
  }
  template <class V>
  ETCH_INLINE void operator()(index i, index j, const V& value, int count) const {
    if (std::is_arithmetic_v<V> || count == lanes_of<P>::count)
      rows_from(i).whole(j, value);
    else if constexpr (!std::is_arithmetic_v<V>)
      rows_from(i).part(j, value, count);
  }

  static constexpr tile_epilogue finished = detail::tile_epilogue_of<P>();
  /// Tells tiles what they can do themselves.
  template <class T>
  ETCH_INLINE void finish(matmul_detail::sink<T>& to) const
    requires(finished.store >= 0)
  {
    const auto row_of = [&](int slot) ETCH_INLINED { return n.stride[slot][Shape.last_row()] / static_cast<index>(sizeof(T)); };
    to.direct = reinterpret_cast<T*>(const_cast<char*>(base[finished.store]));
    to.direct_row = row_of(finished.store);
    to.relu = finished.relu;
    to.high = static_cast<T>(finished.high);
    if constexpr (finished.added >= 0) {
      to.added = reinterpret_cast<const T*>(base[finished.added]);
      to.added_row = row_of(finished.added);
    }
  }

  /// How many values it reads and writes for each element.
  ETCH_INLINE index streams() const
    requires(updates)
  {
    index count = 0;
    for (int s = 2; s < Slots; ++s) count += (own.read[s] || own.written[s]) && n.stride[s][Shape.last_row()] != 0 ? 1 : 0;
    return count;
  }
  /// What it reads for each element: how many values, and where one of them lies at (i, j).
  static constexpr index reads = [] {
    index count = 0;
    for (int s = 2; s < Slots; ++s) count += own.read[s] ? 1 : 0;
    return count;
  }();
  matmul_detail::stream read(index which, index i, index j) const
    requires(updates)
  {
    int s = 1;
    for (index left = which; left >= 0; left -= own.read[s] ? 1 : 0) ++s;
    return {base[s] + i * n.stride[s][Shape.last_row()] + j * n.stride[s][Shape.column()], n.stride[s][Shape.last_row()]};
  }

  /// Whether rows of `columns` elements lie behind one another in every access, so that several can be given as one.
  ETCH_INLINE bool is_flat(index columns) const {
    bool flat = true;
    for (int s = 2; s < Slots; ++s)
      flat = flat && (!used.at[s] || n.stride[s][Shape.last_row()] == columns * n.stride[s][Shape.column()]);
    return flat;
  }

 private:
  template <class L, bool Partial, class V>
  ETCH_INLINE static void evaluate_all(const V& value, const cursor<Slots>& c, index j, int count) {
    registers<P, L> r;
    r.template get<0>() = value;
    evaluate_section<P, L, 0, true, Partial>(r, c, j, count);
    evaluate_section<P, L, 0, false, Partial>(r, c, j, count);
  }
};

/// Operand K, where a section of the program computes it.
template <class P, product_shape Shape, int Slots, class T, int K>
struct computed_operand {
  const nest<Shape.rank(), Slots>& n;
  const char* const* base;  ///< per access, of the current matrix
  static constexpr int section = operand_section(K);
  static constexpr int row_axis = K == 0 ? Shape.last_row() : Shape.first_inner();
  static constexpr int column_axis = K == 0 ? Shape.first_inner() : Shape.column();
  /// The instruction that gives the element; -1 where there are none.
  static constexpr int result = [] {
    int last = -1;
    for (int i = 0; i < P::size; ++i)
      if (P::at(i).section == section) last = i;
    return last;
  }();

  packed_operand<T> packed() const {
    if constexpr (result >= 0)
      return {this, &compute};
    else
      return {};
  }

 private:
  using L = lanes_of<P>;

  ETCH_KERNEL static void compute(const void* from, index i, index rows, index j, index columns, index width, T* to) noexcept {
    const auto& [n, base] = *static_cast<const computed_operand*>(from);
    for (index r = 0; r < rows; ++r, to += width) {
      cursor<Slots> c;
      for (int s = 0; s < Slots; ++s) {
        c.data[s] = const_cast<char*>(base[s]) + (i + r) * n.stride[s][row_axis] + j * n.stride[s][column_axis];
        c.stride[s] = n.stride[s][column_axis];
      }
      registers<P, L> values;
      evaluate_section<P, L, section, true, false>(values, c, 0, L::count);
      T* panel = to;
      for (index first = 0; first < columns; first += width, panel += rows * width)
        compute_row(values, c, first, matmul_detail::minimum(columns - first, width), panel);
    }
  }
  ETCH_INLINE static void compute_row(registers<P, L>& values, const cursor<Slots>& c, index first, index columns, T* to) noexcept {
    index j = 0;
    for (; j + L::count <= columns; j += L::count) {
      evaluate_section<P, L, section, false, false>(values, c, first + j, L::count);
      values.template get<result>().store_unaligned(to + j);
    }
    if (j == columns) return;
    evaluate_section<P, L, section, false, true>(values, c, first + j, static_cast<int>(columns - j));
    values.template get<result>().store_unaligned(to + j);
  }
};

/// Calls body(epilogue, first operand, second operand) for each matrix of a stack.
template <class P, product_shape Shape, int Slots, class Body>
ETCH_INLINE void for_each_matrix(const nest<Shape.rank(), Slots>& n, const Body& body) {
  cursor<Slots> c;
  for (int s = 0; s < Slots; ++s) c.data[s] = n.data[s];
  const auto each = [&](const cursor<Slots>& at) ETCH_INLINED {
    body(contraction_epilogue<P, Shape, Slots>{n, at.data}, at.data[0], at.data[1]);
  };
  // Not as a part: a product of 4 x 4 in place takes 1.5 times as long where its strides are constants only when all is flattened.
  if constexpr (Shape.stack == 0)
    each(c);
  else
    for_each_row<0, Shape.stack>(n, c, each);
}

/// Left, Right, T: the types of the operands' elements in memory, and of sums.
template <class P, product_shape Shape, class Left, class Right, class T>
struct contraction_kernel {
  static constexpr bool is_narrow = !std::is_same_v<Left, T>;
  static_assert(decoded<P>::at(0).code == opcode::accumulator && (!is_narrow || (Shape.inner == 1 && Shape.bounded == 0)));
  static constexpr int own_slots = P::slots() < 2 ? 2 : P::slots(), slots = own_slots + 2 * Shape.bounded;
  using loops = nest<Shape.rank(), slots>;

  template <product_cases Cases = product_cases{}>
  ETCH_KERNEL static void run(const loops& n, const product_team<T>& team) noexcept {
    if constexpr (is_host_pass)
      for_each_matrix<P, Shape, slots>(n, [&](const epilogue& behind, const char* a, const char* b) {
        const index rows = n.extents[Shape.last_row()], columns = n.extents[Shape.column()], inner = n.extents[Shape.first_inner()];
        const auto to = outcome(behind);
        if constexpr (is_narrow) {
          const grouped_matrix<Left> all = grouped_left(n, a);
          narrow_matmul<typename detail::dot_of<Left, Right, T>::type>(all.rows.size(), columns, inner, all, right(n, b), team,
                                                                       behind);
        } else if constexpr (has_computed)
          packed_matmul<Cases.few_columns>(rows, columns, inner, left(n, a), right(n, b),
                                           computed_operands{n, behind.base}.packed(), team, to);
        else if constexpr (Shape.is_plain())
          matmul<Cases>(rows, columns, inner, left(n, a), right(n, b), team, to);
        else
          grouped_matmul(grouped_left(n, a), grouped_right(n, b), team, to);
      });
  }
  /// Of columns that both operands have, at a stride of 1, or of bounded places.
  template <bool IsColumnwise>
  ETCH_KERNEL static void run_bounded(const loops& n, const product_team<T>& team) noexcept {
    if constexpr (is_host_pass)
      for_each_matrix<P, Shape, slots>(n, [&](const epilogue& behind, const char* a, const char* b) {
        place_bounds bounds;
        for (int k = 0; k < Shape.bounded; ++k) add_bound(n, behind.base + own_slots + 2 * k, own_slots + 2 * k, bounds);
        const auto to = outcome(behind);
        if constexpr (IsColumnwise)
          columnwise_product(grouped_left(n, a), grouped_right(n, b), bounds, team, to);
        else
          bounded_matmul(grouped_left(n, a), grouped_right(n, b), bounds, team, to);
      });
  }
  /// Extents that the compiler knows, for small products; M is -1 where it does not know the rows.
  template <index M, index N, index K>
  ETCH_INLINE static void run_small(const loops& n, [[maybe_unused]] const product_team<T>& team) noexcept {
    // Inlined, or strides would not be constants: half the speed of a product of 16 x 16.
    if constexpr (is_host_pass)
      for_each_matrix<P, Shape, slots>(n, [&](const epilogue& behind, const char* a, const char* b) ETCH_INLINED {
        const index rows = n.extents[Shape.last_row()];
        if constexpr (has_computed)
          packed_matmul_small<M, N, K>(rows, left(n, a), right(n, b), computed_operands{n, behind.base}.packed(), team, behind);
        else
          matmul_small<M, N, K>(rows, left(n, a), right(n, b), behind, team.threads);
      });
  }

 private:
  template <class M>
  static constexpr index size = sizeof(M);
  using epilogue = contraction_epilogue<P, Shape, slots>;
  /// What sums are given to: where they are stored alone tiles do that straight from their registers, and 64 x 64 x 64 takes 0.92 of the
  /// time (Zen 4).
  ETCH_INLINE static auto outcome(const epilogue& behind) {
    constexpr tile_epilogue finished = epilogue::finished;
    if constexpr (finished.store >= 0 && finished.added < 0 && !finished.relu)
      return store_rows<T>{reinterpret_cast<T*>(const_cast<char*>(behind.base[finished.store])),
                           behind.n.stride[finished.store][Shape.last_row()] / size<T>};
    else
      return behind;
  }
  struct computed_operands {
    const loops& n;
    const char* const* base;
    computed_operand<P, Shape, slots, T, 0> left{n, base};
    computed_operand<P, Shape, slots, T, 1> right{n, base};
    packed_operands<T> packed() const { return {left.packed(), right.packed()}; }
  };
  static constexpr bool has_computed =
      decltype(computed_operands::left)::result >= 0 || decltype(computed_operands::right)::result >= 0;
  static_assert(!has_computed || Shape.is_plain());

  ETCH_INLINE static matrix<Left> left(const loops& n, const char* a) {
    return {reinterpret_cast<const Left*>(a), n.stride[0][Shape.last_row()] / size<Left>,
            n.stride[0][Shape.first_inner()] / size<Left>};
  }
  ETCH_INLINE static matrix<Right> right(const loops& n, const char* b) {
    return {reinterpret_cast<const Right*>(b), n.stride[1][Shape.first_inner()] / size<Right>,
            n.stride[1][Shape.column()] / size<Right>};
  }
  static grouped_matrix<Left> grouped_left(const loops& n, const char* a) {
    grouped_matrix<Left> m{reinterpret_cast<const Left*>(a), {}, {}};
    for (int d = Shape.stack; d <= Shape.last_row(); ++d) m.rows.add(n.extents[d], n.stride[0][d] / size<Left>);
    for (int d = Shape.first_inner(); d < Shape.rank(); ++d) m.columns.add(n.extents[d], n.stride[0][d] / size<Left>);
    return m;
  }
  static grouped_matrix<Right> grouped_right(const loops& n, const char* b) {
    grouped_matrix<Right> m{reinterpret_cast<const Right*>(b), {}, {}};
    for (int d = Shape.first_inner(); d < Shape.rank(); ++d) m.rows.add(n.extents[d], n.stride[1][d] / size<Right>);
    m.columns.add(n.extents[Shape.column()], n.stride[1][Shape.column()] / size<Right>);
    return m;
  }
  static void add_bound(const loops& n, const char* const* base, int slot, place_bounds& to) {
    place_bounds::axis& axis = to.at[to.count++];
    axis.first = count_at(base[0]);
    axis.last = count_at(base[1]);
    for (int d = Shape.stack; d <= Shape.last_row(); ++d) axis.rows.add(n.extents[d], n.stride[slot][d]);
    for (int d = Shape.first_inner(); d < Shape.rank(); ++d) axis.inner.add(n.extents[d], n.stride[slot][d]);
  }
};

}  // namespace etch::cpu
