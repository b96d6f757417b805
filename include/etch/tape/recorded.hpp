// SPDX-License-Identifier: MIT
#pragma once
#include <etch/tape/taped.hpp>

/// The gradient rules that ops bring to tapes: they run on `taped` handles, and what they give is added to adjoints.
namespace etch::eager {

namespace detail {

constexpr dtype index_among(std::initializer_list<dtype> types) {
  for (const dtype d : types)
    if (is_integer(d)) return d;
  return dtype::none;
}
template <class Op>
constexpr dtype other_of(dtype result, std::initializer_list<dtype> types) {
  if (Op::role == op_role::cast) return is_floating(*types.begin()) && *types.begin() != result ? *types.begin() : dtype::none;
  return Op::rule_counts_in;
}

template <dtype D, dtype From>
value cast_value(const value& x) {
  const value* const in[] = {&x};
  value made;
  apply<cast, D, From>(words(static_cast<int>(D)), in, 1, made);
  return made;
}

/// Adds dx, of dtype D, to what is there. In a dtype of storage each sum is rounded.
template <dtype D>
void add_to(pending& sum, const pending& dx) {
  if (!sum.valid()) {
    sum = dx;
    return;
  }
  if constexpr (is_storage(D)) {
    pending floats(cast_value<dtype::float32, D>(forced<D>(sum)));
    add_to<dtype::float32>(floats, pending(cast_value<dtype::float32, D>(forced<D>(dx))));
    sum = pending(cast_value<D, dtype::float32>(forced<dtype::float32>(floats)));
    return;
  } else {
    const value *a = &forced<D>(sum), *b = &forced<D>(dx);
    if (this_recorder == nullptr && sum.is_alone() && map_in_place(&map<struct add, D, D, D>, *b, sum->of)) return;
    const value* const in[] = {a, b};
    value made;
    apply<struct add, D, D, D>(words(), in, 2, made);
    sum = pending(std::move(made));
  }
}

/// What masks compute of bools. V is any handle: the dtype of its floats is not looked at.
template <class V>
struct masks_alone {
  using mask = mask_functions::mask;
  static etch::detail::taken_mask<V> taped_mask(const mask& m) {
    etch::detail::taken_mask<V> t;
    for (; t.count < m.count; ++t.count) t.at[t.count] = {V(m.at[t.count].holds), m.at[t.count].is_negated};
    return t;
  }
  static mask plain_mask(const etch::detail::taken_mask<V>& t) {
    mask m;
    for (; m.count < t.count; ++m.count) m.at[m.count] = {t.at[m.count].holds, t.at[m.count].is_negated};
    return m;
  }
  static pending bools_of(const mask& m) { return etch::detail::bools_of(taped_mask(m)); }
  static mask unbroadcast(const mask& m, const tensor_type& to) {
    return plain_mask(etch::detail::unbroadcast_any(taped_mask(m), to));
  }
  static mask chosen(const mask& m, const pending& condition, bool is_negated, const tensor_type& to) {
    return plain_mask(unbroadcast_any(etch::detail::chosen_within(taped_mask(m), V(condition), is_negated), to));
  }
  static mask either(const mask& a, const mask& b) { return plain_mask(etch::detail::either(taped_mask(a), taped_mask(b))); }
  static pending any_behind(const etch::detail::mask_facts& op, const words& w, const pending& holds, const tensor_type& y,
                            const tensor_type* x, int k) {
    return etch::detail::any_behind(op, w, V(holds), y, x, k);
  }
};
/// And beside floats of dtype D.
template <dtype D>
struct masks_beside {
  using V = taped<D, dtype::none, dtype::none>;
  using alone = masks_alone<taped<D == dtype::none ? D : dtype::float32, dtype::none, dtype::none>>;
  static pending select(const pending& holds, const pending& x) { return where(V(holds), V(x), 0_c); }
  static pending numbers(const pending& holds, const tensor_type& type) {
    return broadcast_to.to(emit<cast>(words(static_cast<int>(D)), V(holds)), type.with(D));
  }
  static pending is_not_zero(const pending& x) { return V(x) != 0_c; }
  static constexpr mask_functions all = {&alone::bools_of, &alone::chosen, &alone::unbroadcast, &alone::either, &alone::any_behind,
                                         &select,          &numbers,       &is_not_zero};
};

/// Adds what a rule gives for an operand of that type.
template <class V>
void add_part(adjoint& sum, const V& dx, const tensor_type& type, const tape_mask& mask) {
  const V part = etch::detail::unbroadcast(dx, type);
  sum.add_mask(mask);
  if constexpr (is_floating(V::other)) {
    if (part->as.type == V::other) {
      add_to<V::other>(sum, part);
      return;
    }
  }
  add_to<V::floats>(sum, part);
}
/// A rule on values of V: once for all ops whose rules meet the same dtypes. `masks`: of `where` what computes with the masks that it makes,
/// of a cast between floats what does beside its operand.
template <class V>
ETCH_NOINLINE void run_rule(void (*rule)(const gradient_rule<V>&), void (*reach)(const gradient_rule<V>&),
                            const etch::detail::mask_facts& facts, const mask_functions* masks, const words& attributes,
                            const value* x, int count, const value& y, const adjoint& dy, adjoint* const* adjoints) {
  vector<V> in(count, V()), dx(count, V());
  for (int k = 0; k < count; ++k) in[k] = V(x[k]);
  V given(dy);
  if (given->is != pending::form::repeated) forced<V::floats>(given);
  const gradient_rule<V> r{attributes, in.data(), count, V(y), given, dx.data()};
  vector<tape_mask> behind(count);
  if (dy.mask.is_all() && facts.slope != slope_kind::chosen) {
    rule(r);
  } else {
    using etch::detail::wanted_part;
    vector<wanted_part> wanted(count, wanted_part::nothing);
    const vector<char> is_variable(count, 0);
    for (int k = 0; k < count; ++k)
      if (adjoints[k] != nullptr) wanted[k] = adjoints[k]->keeps_mask ? wanted_part::gradient_and_mask : wanted_part::gradient;
    const bool makes_masks = facts.slope == slope_kind::chosen;
    etch::detail::run_masked(tape_masks{makes_masks ? masks : dy.mask.functions}, facts, dy.mask, r, wanted.data(),
                             is_variable.data(), rule, reach, behind.data());
    if (masks != nullptr) behind[0].functions = masks;
  }
  for (int k = 0; k < count; ++k)
    if (adjoints[k] != nullptr && dx[k].valid()) add_part(*adjoints[k], dx[k], x[k].described(), behind[k]);
}
/// The rule of a cast to or from a dtype of storage, which no other rule computes in.
template <dtype Result, dtype In>
void pass_cast(const adjoint& dy, adjoint& sum) {
  tape_mask mask = dy.mask;
  constexpr dtype computed = is_storage(In) ? dtype::float32 : In;  // in which rules behind it are
  if constexpr (Result == dtype::float64 || In == dtype::float64) mask.functions = &masks_beside<computed>::all;
  sum.add_mask(mask);
  add_to<In>(sum, pending(cast_value<In, Result>(forced<Result>(dy))));
}
template <class Op>
inline constexpr etch::detail::mask_facts mask_facts_of = [] {
  etch::detail::mask_facts f{Op::kind, Op::role, Op::slope, &Op::batch};
  if constexpr (Op::kind == op_kind::contraction) f.axes = &Op::axes;
  return f;
}();
template <class Op, class V>
void call_rule(const gradient_rule<V>& r) {
  Op::vjp(r);
}
template <class Op, class V>
constexpr auto reach_of() -> void (*)(const gradient_rule<V>&) {
  if constexpr (Op::has_reach)
    return [](const gradient_rule<V>& r) { Op::reach(r); };
  else
    return nullptr;
}

/// What computes with masks in the rule of an op, as `run_rule` takes it.
template <class Op, dtype Result, dtype... In>
constexpr const mask_functions* masks_of() {
  constexpr dtype other = other_of<Op>(Result, {In...});
  if constexpr (Op::slope == slope_kind::chosen)
    return &masks_beside<Result>::all;
  else if constexpr (is_floating(other))
    return &masks_beside<other>::all;
  else
    return nullptr;
}

}  // namespace detail

template <class Op>
struct recorded {
  /// For rules that are no op's: the elements of what is known of a gradient; v added to one.
  template <dtype D>
  static const value& elements(const pending& dy) {
    return forced<D>(dy);
  }
  template <dtype D>
  static void add(adjoint& sum, value v) {
    sum.add_mask({});
    detail::add_to<D>(sum, pending(std::move(v)));
  }
  template <dtype Result, dtype... In>
  static void rule(const words& attributes, const value* x, int count, const value& y, const adjoint& dy,
                   adjoint* const* adjoints) {
    if constexpr (Op::role == op_role::cast && (is_storage(Result) || ... || is_storage(In))) {
      if (adjoints[0] != nullptr) detail::pass_cast<Result, In...>(dy, *adjoints[0]);
    } else {
      using V = taped<Result, detail::index_among({In...}), detail::other_of<Op>(Result, {In...})>;
      detail::run_rule<V>(&detail::call_rule<Op, V>, detail::reach_of<Op, V>(), detail::mask_facts_of<Op>,
                          detail::masks_of<Op, Result, In...>(), attributes, x, count, y, dy, adjoints);
    }
  }
  template <dtype Result, dtype... In>
  static inline bool is_known = (rule_of<Op, Result, In...> = &recorded::rule<Result, In...>) != nullptr;
};

}  // namespace etch::eager
