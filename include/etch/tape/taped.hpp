// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/gradient.hpp>
#include <etch/tape/adjoint.hpp>

/// The handle that gradient rules run on when values are at hand: each op that a rule emits is evaluated, by the kernels of eager mode.
namespace etch::eager {

/// A value in a gradient rule. Floats: the dtype of the result whose gradient is known, and of all floats that the rule meets but for
/// a cast's; Index: the dtype of the op's indices, or none; Other: what else a rule computes with, or none: the other floats of a
/// cast, the numbers by which `scatter_nd` knows its updates. What is not said here is not compiled.
template <dtype Floats, dtype Index, dtype Other>
struct taped : pending {
  static constexpr dtype floats = Floats, other = Other;
  using pending::pending;
  taped() = default;
  explicit taped(pending p) : pending(std::move(p)) {}
};

}  // namespace etch::eager

template <etch::dtype Floats, etch::dtype Index, etch::dtype Other>
inline constexpr bool etch::is_handle<etch::eager::taped<Floats, Index, Other>> = true;

namespace etch::eager {

namespace detail {

/// The shape of an elementwise result.
template <class V>
tensor_type repeated_type(const V* x, int count, dtype type) {
  inference context{no_names};
  tensor_type r = x[count - 1]->as;
  for (int k = count - 2; k >= 0; --k) r = rules::broadcast(context, x[k]->as, r);
  return r.with(type);
}

/// An elementwise op on operands which broadcast by themselves, so that what is repeated need not be; the result may have to be.
template <class Op, dtype Result, dtype... In, class V>
V map_pending(const words& w, const V* x, int count) {
  constexpr dtype wanted[] = {In...};
  const value* in[sizeof...(In)];
  for (int k = 0; k < count; ++k) {
    if (x[k]->as.type != wanted[k])
      fail("%s: a gradient rule gives it %s in the place of %s", Op::name, name_of_dtype(x[k]->as.type), name_of_dtype(wanted[k]));
    in[k] = x[k]->is == pending::form::repeated ? &x[k]->of : &forced<V::floats>(x[k]);
  }
  const tensor_type type = repeated_type(x, count, Result);
  value made;
  apply<Op, Result, In...>(w, in, count, made);
  if (made.described().same_shape(type)) return V(std::move(made));
  return V(std::move(made), type, pending::form::repeated);
}

template <class V>
V cast_of(const words& w, const V& x) {
  const auto to = static_cast<dtype>(w[0]);
  if (to == V::floats && x->as.type == dtype::boolean) return map_pending<cast, V::floats, dtype::boolean>(w, &x, 1);
  if constexpr (is_floating(V::other)) {
    if (to == V::other && x->as.type == V::floats) return map_pending<cast, V::other, V::floats>(w, &x, 1);
  }
  if (to == x->as.type) return x;
  fail("cast: a gradient rule casts %s to %s", name_of_dtype(x->as.type), name_of_dtype(to));
}

/// An op with a kernel, of operands of these dtypes.
template <class Op, dtype Result, dtype... In, class V>
V run_forced(const words& w, const V* x, int count) {
  vector<const value*> in(count, nullptr);
  for (int k = 0; k < count; ++k) in[k] = &forced<V::floats>(x[k]);
  value made;
  apply<Op, Result, In...>(w, in.data(), count, made);
  return V(std::move(made));
}

/// What moves as `x` does where all its elements are one number, of another type.
template <class V>
bool is_one_number(const V& x) {
  return x->is == pending::form::repeated && x->of.size() == 1;
}

/// Evaluates a product that is pending. What a tape outside records is the product of values as they are.
template <dtype D>
void multiply_pending(pending::node& n) {
  value made;
  if (this_recorder == nullptr) {
    multiply_all(facts_of<struct matmul>, multiplication_of<D>, {&n.of, n.is_left_transposed}, {&n.with, n.is_right_transposed},
                 made);
  } else {
    const value* const in[] = {&n.of, &n.with};
    apply<struct matmul, D, D, D>(words(), in, 2, made);
  }
  n.of = std::move(made);
  n.with = value();
}
template <class V>
V product_of(const V& a, const V& b) {
  for (const V* x : {&a, &b})
    if ((*x)->is != pending::form::transposed || this_recorder != nullptr) forced<V::floats>(*x);
  product sizes{};
  reason why = reason::none;
  const tensor_type type = infer_product(a->as, b->as, sizes, why, facts_of<struct matmul>);
  V p(a->of, type, pending::form::product);
  p->is_left_transposed = a->is == pending::form::transposed;
  p->is_right_transposed = b->is == pending::form::transposed;
  p->with = b->of;
  p->multiply = &multiply_pending<V::floats>;
  return p;
}

/// Evaluates a contraction that is pending.
template <class Op, dtype D>
void contract_pending(pending::node& n) {
  const value* const in[] = {&n.of, &n.with};
  value made;
  apply<Op, D, D, D>(words(n.letters[0], n.letters[1]), in, 2, made);
  n.of = std::move(made);
  n.with = value();
}
template <class Op, class V>
V contraction_of(const words& w, const V* x) {
  const tensor_type types[] = {x[0]->as, x[1]->as};
  inference context{no_names};
  V p(forced<V::floats>(x[0]), Op::infer(context, types, 2, w), pending::form::product);
  p->with = forced<V::floats>(x[1]);
  for (int k = 0; k < 2; ++k) p->letters[k] = w[k];
  p->multiply = &contract_pending<Op, V::floats>;
  return p;
}

template <class Op>
inline constexpr bool takes_indices =
    std::is_same_v<Op, struct gather> || std::is_same_v<Op, struct scatter_add> || std::is_same_v<Op, struct take_along_axis> ||
    std::is_same_v<Op, struct add_along_axis> || std::is_same_v<Op, nd_gather> || std::is_same_v<Op, nd_scatter>;

/// An op of x, indices and perhaps y, where x and y are of dtype D.
template <class Op, dtype D, dtype Index, class V>
V run_indexed(const words& w, const V* x, int count) {
  if constexpr (Op::arity == 2)
    return run_forced<Op, D, D, Index>(w, x, count);
  else
    return run_forced<Op, D, D, Index, D>(w, x, count);
}

template <dtype Index, class F>
auto with_index(dtype index, const F& f) {
  if constexpr (Index != dtype::none)
    if (index == Index) return f(std::integral_constant<dtype, Index>{});
  return f(std::integral_constant<dtype, dtype::int64>{});
}

}  // namespace detail

template <class Op, dtype Floats, dtype Index, dtype Other>
taped<Floats, Index, Other> emit_node(op_tag<Op>, const words& w, const taped<Floats, Index, Other>* x, int count) {
  constexpr dtype bools = dtype::boolean, counts = dtype::int64;
  if constexpr (std::is_same_v<Op, cast>) {
    return detail::cast_of(w, x[0]);
  } else if constexpr (Op::kind == op_kind::elementwise) {
    constexpr dtype in = contains(Op::accepts, Floats) ? Floats : bools, out = Op::result(in);
    if constexpr (Op::arity == 1) {
      return detail::map_pending<Op, out, in>(w, x, count);
    } else if constexpr (Op::arity == 2) {
      if constexpr (Other == counts && in == Floats)
        if (x[0]->as.type == counts) return detail::map_pending<Op, Op::result(counts), counts, counts>(w, x, count);
      return detail::map_pending<Op, out, in, in>(w, x, count);
    } else {
      return detail::map_pending<Op, out, bools, in, in>(w, x, count);
    }
  } else if constexpr (Op::kind == op_kind::reduction) {
    constexpr dtype in = contains(Op::accepts, Floats) ? Floats : bools;
    return detail::run_forced<Op, in, in>(w, x, count);
  } else if constexpr (Op::kind == op_kind::movement) {
    inference context{no_names};
    return emit_node_as(op_tag<Op>{}, w, Op::infer(context, &x[0]->as, 1, w), x[0]);
  } else if constexpr (Op::role == op_role::product) {
    return detail::product_of(x[0], x[1]);
  } else if constexpr (Op::role == op_role::contraction) {
    return detail::contraction_of<Op>(w, x);
  } else if constexpr (detail::takes_indices<Op>) {
    return detail::with_index<Index>(x[1]->as.type, [&]<dtype I>(std::integral_constant<dtype, I>) {
      if constexpr (Other == counts)
        if (x[0]->as.type == counts) return detail::run_indexed<Op, counts, I>(w, x, count);
      return detail::run_indexed<Op, Floats, I>(w, x, count);
    });
  } else if constexpr (Op::arity < 0) {
    return detail::run_forced<Op, Floats, Floats>(w, x, count);
  } else {
    constexpr dtype out = std::is_same_v<Op, struct argsort> ? counts : Floats;
    if constexpr (Other == counts && std::is_same_v<Op, struct cumsum>)
      if (x[0]->as.type == counts) return detail::run_forced<Op, counts, counts>(w, x, count);
    return [&]<int... I>(std::integer_sequence<int, I...>) {
      return detail::run_forced<Op, out, (I >= 0 ? Floats : Floats)...>(w, x, count);
    }(std::make_integer_sequence<int, Op::arity>{});
  }
}

template <class Op, dtype Floats, dtype Index, dtype Other>
taped<Floats, Index, Other> emit_node_as(op_tag<Op>, const words& w, const tensor_type& type,
                                         const taped<Floats, Index, Other>& x) {
  using V = taped<Floats, Index, Other>;
  if constexpr (std::is_same_v<Op, struct broadcast_to>) {
    if (x->is == pending::form::plain || x->is == pending::form::repeated) return V(x->of, type, pending::form::repeated);
  } else if constexpr (Op::kind == op_kind::movement) {
    if (detail::is_one_number(x)) return V(x->of, type, pending::form::repeated);
    if constexpr (std::is_same_v<Op, struct transpose>)
      if (x->is == pending::form::plain && type.rank >= 2 && w == detail::last_two_exchanged(type.rank))
        return V(x->of, type, pending::form::transposed);
  }
  value made;
  const value& from = forced<Floats>(x);
  if constexpr (Op::kind == op_kind::movement)
    detail::move_recorded<Op, Floats>(type, w, from, made);
  else
    apply_as<Op, Floats>(w, type, from, made);
  return V(std::move(made));
}

template <dtype Floats, dtype Index, dtype Other>
taped<Floats, Index, Other> emit_constant(const taped<Floats, Index, Other>&, const scalar& number) {
  tensor_type type;
  type.type = number.type;
  value made(type);
  const auto write = [&]<class T>(T) { *reinterpret_cast<T*>(made.bytes()) = number.template as<T>(); };
  switch (number.type) {
    case dtype::boolean: write(bool{}); break;
    case dtype::float32: write(float{}); break;
    case dtype::float64: write(double{}); break;
    case dtype::int64: write(std::int64_t{}); break;
    default: fail("a gradient rule has a constant of %s", name_of_dtype(number.type));
  }
  return taped<Floats, Index, Other>(std::move(made));
}

template <dtype Floats, dtype Index, dtype Other>
extent_table& extents_of(const taped<Floats, Index, Other>&) {
  return no_names;
}

namespace detail {

constexpr dtype index_among(std::initializer_list<dtype> types) {
  for (const dtype d : types)
    if (is_integer(d)) return d;
  return dtype::none;
}
template <class Op>
constexpr dtype other_of(dtype result, std::initializer_list<dtype> types) {
  if (std::is_same_v<Op, nd_scatter>) return dtype::int64;
  if (std::is_same_v<Op, cast>) return is_floating(*types.begin()) && *types.begin() != result ? *types.begin() : dtype::none;
  return dtype::none;
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

/// What masks compute with, beside floats of dtype D.
template <dtype D>
struct masks_beside {
  using V = taped<D, dtype::none, dtype::none>;
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
  static pending select(const pending& holds, const pending& x) { return where(V(holds), V(x), 0_c); }
  static pending numbers(const pending& holds, const tensor_type& type) {
    return broadcast_to.to(emit<cast>(words(static_cast<int>(D)), V(holds)), type.with(D));
  }
  static pending is_not_zero(const pending& x) { return V(x) != 0_c; }
  static constexpr mask_functions all = {&bools_of, &chosen, &unbroadcast, &either, &any_behind, &select, &numbers, &is_not_zero};
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
  if constexpr (Result == dtype::float64) mask.functions = &masks_beside<dtype::float32>::all;  // in which those of In are computed
  if constexpr (In == dtype::float64) mask.functions = &masks_beside<In>::all;
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
    if constexpr (std::is_same_v<Op, cast> && (is_storage(Result) || ... || is_storage(In))) {
      if (adjoints[0] != nullptr) detail::pass_cast<Result, In...>(dy, *adjoints[0]);
    } else {
      using V = taped<Result, detail::index_among({In...}), detail::other_of<Op>(Result, {In...})>;
      constexpr mask_functions const* masks = [] {
        constexpr dtype other = detail::other_of<Op>(Result, {In...});
        if constexpr (Op::slope == slope_kind::chosen)
          return &detail::masks_beside<Result>::all;
        else if constexpr (is_floating(other))
          return &detail::masks_beside<other>::all;
        else
          return static_cast<const mask_functions*>(nullptr);
      }();
      detail::run_rule<V>(&detail::call_rule<Op, V>, detail::reach_of<Op, V>(), detail::mask_facts_of<Op>, masks, attributes, x,
                          count, y, dy, adjoints);
    }
  }
};

}  // namespace etch::eager
