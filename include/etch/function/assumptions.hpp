// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/graph/reachable.hpp>

/// Which extents of a traced function's arguments its ops take for equal: a + b makes one of theirs, and matmul(x, w) makes x's last
/// that of w, which may be a number.
namespace etch::detail {

/// Axis `axis` of argument k is at k * max_rank + axis.
constexpr int axis_number(int argument, int axis) { return argument * max_rank + axis; }

/// What each axis of all arguments is: a number, or, as -1 - i, the extent of axis i.
template <std::int64_t... Axes>
struct argument_extents {
  static constexpr std::int64_t at[sizeof...(Axes) + 1] = {Axes..., 0};
};

template <int Arguments>
struct unified_axes {
  std::int64_t at[Arguments * max_rank + 1]{};
  int conflict = -1;  ///< an axis that would be two numbers
};

/// Unites what ops take for equal.
template <int Arguments>
class axis_unifier {
 public:
  constexpr explicit axis_unifier(const std::int64_t* axes) {
    for (int i = 0; i < size; ++i) result_.at[i] = axes[i];
  }
  constexpr void unite(int a, int b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    if (a > b) std::swap(a, b);
    if (result_.at[a] >= 0) std::swap(a, b);
    if (result_.at[a] >= 0 && result_.at[b] >= 0 && result_.at[a] != result_.at[b]) result_.conflict = a;
    if (result_.at[b] >= 0)
      result_.at[a] = result_.at[b];
    else
      result_.at[b] = -1 - a;
  }
  constexpr void fix(int a, std::int64_t number) {
    a = root(a);
    if (result_.at[a] >= 0 && result_.at[a] != number) result_.conflict = a;
    result_.at[a] = number;
  }
  constexpr unified_axes<Arguments> take() {
    for (int i = 0; i < size; ++i) {
      const int r = root(i);
      result_.at[i] = result_.at[r] >= 0 ? result_.at[r] : -1 - r;
    }
    return result_;
  }

 private:
  static constexpr int size = Arguments * max_rank;
  constexpr int root(int a) const {
    while (result_.at[a] < 0 && result_.at[a] != -1 - a) a = static_cast<int>(-1 - result_.at[a]);
    return a;
  }
  unified_axes<Arguments> result_;
};

/// What the shape rules of all ops behind some expressions take for equal, added to what is known of the axes. Ids: of the symbols of
/// all axes, 0 where an axis is none.
template <int Arguments>
constexpr unified_axes<Arguments> unify_axes(const record* const* roots, int count, const std::int64_t* axes, const hash_t* ids) {
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
    for (int n = 0; n < noted.size(); ++n) {
      const int a = axis_of(noted[n].a), b = axis_of(noted[n].b);
      if (a >= 0 && b >= 0)
        unifier.unite(a, b);
      else if (a >= 0 && is_static(noted[n].b))
        unifier.fix(a, noted[n].b);
      else if (b >= 0 && is_static(noted[n].a))
        unifier.fix(b, noted[n].a);
    }
  }
  return unifier.take();
}

}  // namespace etch::detail
