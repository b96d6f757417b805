// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/graph/reachable.hpp>

/// Which extents of a traced function's arguments its ops take for equal: a + b makes one of theirs, and matmul(x, w) makes x's last
/// that of w, which may be a number.
namespace etch::detail {

/// Axis `axis` of argument k is at k * max_rank + axis.
constexpr int axis_number(int argument, int axis) { return argument * max_rank + axis; }

/// An extent that the body names, by its symbol.
struct named_axis {
  hash_t symbol = 0;
};
/// The extent of an axis: a number, or, as -1 - i, that of axis i, or a named one.
struct axis_extent {
  std::int64_t value = 0;
  hash_t symbol = 0;

  constexpr axis_extent() = default;
  constexpr axis_extent(std::int64_t v) : value(v) {}
  constexpr axis_extent(named_axis n) : symbol(n.symbol) {}
  constexpr bool is_known() const { return value >= 0; }
  constexpr bool operator==(const axis_extent&) const = default;
};

/// What each axis of all arguments is, an int64 or a named_axis.
template <auto... Axes>
struct argument_extents {
  static constexpr axis_extent at[sizeof...(Axes) + 1] = {axis_extent(Axes)..., axis_extent(0)};
};

template <int Arguments>
struct unified_axes {
  axis_extent at[Arguments * max_rank + 1]{};
  int conflict = -1;  ///< an axis that would be two numbers, or a number and a named extent
};

/// Unites what ops take for equal.
template <int Arguments>
class axis_unifier {
 public:
  constexpr explicit axis_unifier(const axis_extent* axes) {
    for (int i = 0; i < size; ++i) result_.at[i] = axes[i];
  }
  constexpr void unite(int a, int b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    if (a > b) std::swap(a, b);
    if (result_.at[a].is_known()) std::swap(a, b);
    if (result_.at[b].is_known())
      fix(a, result_.at[b]);
    else
      result_.at[b] = -1 - a;
  }
  constexpr void fix(int a, axis_extent known) {
    a = root(a);
    if (result_.at[a].is_known() && result_.at[a] != known) result_.conflict = a;
    result_.at[a] = known;
  }
  constexpr unified_axes<Arguments> take() {
    for (int i = 0; i < size; ++i) {
      const int r = root(i);
      result_.at[i] = result_.at[r].is_known() ? result_.at[r] : axis_extent(-1 - r);
    }
    return result_;
  }

 private:
  static constexpr int size = Arguments * max_rank;
  constexpr int root(int a) const {
    while (!result_.at[a].is_known() && result_.at[a].value != -1 - a) a = static_cast<int>(-1 - result_.at[a].value);
    return a;
  }
  unified_axes<Arguments> result_;
};

/// What the shape rules of all ops behind some expressions take for equal, added to what is known of the axes. Ids: of the symbols of
/// all axes, 0 where an axis is none.
template <int Arguments>
constexpr unified_axes<Arguments> unify_axes(const record* const* roots, int count, const axis_extent* axes, const hash_t* ids) {
  reachable all;
  for (int i = 0; i < count; ++i) all.add(roots[i]);
  axis_unifier<Arguments> unifier(axes);
  vector<tensor_type> in;
  for (int i = 0; i < all.records.size(); ++i) {
    const record& r = *all.records[i];
    if (r.count == 0 || r.word_count > words::capacity) continue;
    extent_table table;
    in.clear();
    for (int k = 0; k < r.count; ++k) in.push_back(r.operands[k]->shape(table, r.operands[k]->type));
    if (table.symbol_count() == 0) continue;
    vector<assumption> noted;
    inference context{.extents = table, .assumed = &noted};
    words attributes;
    for (int w = 0; w < r.word_count; ++w) attributes.push_back(r.words[w]);
    (void)r.op->infer(context, in.data(), r.count, attributes);
    const auto axis_of = [&](extent_value e) {
      const int s = table.symbol_index(e);
      for (int a = 0; s >= 0 && a < Arguments * max_rank; ++a)
        if (ids[a] == table.symbol_at(s).id) return a;
      return -1;
    };
    const auto known = [&](extent_value e) {
      return is_static(e) ? axis_extent(e) : axis_extent(named_axis{table.symbol_at(table.symbol_index(e)).id});
    };
    for (int n = 0; n < noted.size(); ++n) {
      const int a = axis_of(noted[n].a), b = axis_of(noted[n].b);
      if (a >= 0 && b >= 0)
        unifier.unite(a, b);
      else if (a >= 0)
        unifier.fix(a, known(noted[n].b));
      else if (b >= 0)
        unifier.fix(b, known(noted[n].a));
    }
  }
  return unifier.take();
}

}  // namespace etch::detail
