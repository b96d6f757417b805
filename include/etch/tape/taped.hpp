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
  if constexpr (Op::role == op_role::cast) {
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
    return detail::run_forced<Op, Op::gives_indices ? counts : in, in>(w, x, count);
  } else if constexpr (Op::kind == op_kind::movement) {
    inference context{no_names};
    return emit_node_as(op_tag<Op>{}, w, Op::infer(context, &x[0]->as, 1, w), x[0]);
  } else if constexpr (Op::role == op_role::product) {
    return detail::product_of(x[0], x[1]);
  } else if constexpr (Op::role == op_role::contraction) {
    return detail::contraction_of<Op>(w, x);
  } else if constexpr (Op::takes_indices) {
    return detail::with_index<Index>(x[1]->as.type, [&]<dtype I>(std::integral_constant<dtype, I>) {
      if constexpr (Other == counts)
        if (x[0]->as.type == counts) return detail::run_indexed<Op, counts, I>(w, x, count);
      return detail::run_indexed<Op, Floats, I>(w, x, count);
    });
  } else if constexpr (Op::arity < 0) {
    return detail::run_forced<Op, Floats, Floats>(w, x, count);
  } else {
    constexpr dtype out = Op::gives_indices ? counts : Floats;
    if constexpr (Other == counts && contains(Op::accepts, counts))
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
  if constexpr (Op::role == op_role::broadcast) {
    if (x->is == pending::form::plain || x->is == pending::form::repeated) return V(x->of, type, pending::form::repeated);
  } else if constexpr (Op::kind == op_kind::movement) {
    if (detail::is_one_number(x)) return V(x->of, type, pending::form::repeated);
    if constexpr (Op::exchanges_axes)
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

}  // namespace etch::eager
