// SPDX-License-Identifier: MIT
#pragma once
#include <etch/backend/cpu/contraction.hpp>
#include <etch/backend/cpu/opaque.hpp>
#include <etch/backend/cpu/sweep.hpp>
#include <etch/eager/tensor.hpp>
#include <etch/graph/build.hpp>
#include <etch/graph/print.hpp>
#include <etch/passes/views.hpp>

/// Evaluates one op on eager tensors: the shape rules and the kernels of graph mode, one op at a time.
namespace etch {

namespace eager_detail {

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T>;

/// The dtype in which operands meet; literals and numbers do not count beside tensors.
template <class... A>
constexpr dtype common_dtype() {
  dtype common = dtype::boolean;
  ((common = eager<A> ? promote(common, [] {
      if constexpr (eager<A>)
        return A::type;
      else
        return dtype::boolean;
    }()) : common), ...);
  return common;
}

[[noreturn]] inline void refuse(const op_info& op, reason r, const tensor_type* in, int count) {
  std::string text = std::string(op.name) + ": " + sentence(r) + ":";
  for (int k = 0; k < count; ++k) text += (k > 0 ? ", " : " ") + to_string(extent_table{}, in[k]);
  throw error(text);
}

/// The type of the result, by the op's own rule.
template <class Op, class... A>
tensor_type infer(const words& w, const A&... a) {
  extent_table table;
  inference context{table};
  const tensor_type in[] = {a.described()..., tensor_type{}};
  const tensor_type r = Op::infer(context, in, static_cast<int>(sizeof...(A)), w);
  if (context.failure != reason::none) refuse(info_of<Op>, context.failure, in, static_cast<int>(sizeof...(A)));
  return r;
}

template <class Op, class T, class A>
auto converted(const A& a);

/// Loads of the operands, the op, a store: Lanes has two bits per slot, operands first.
template <class Op, std::uint64_t Lanes, dtype Result, dtype... In>
constexpr auto make_program() {
  constexpr int n = sizeof...(In);
  return []<int... I>(std::integer_sequence<int, I...>) {
    constexpr auto words_at = [](int k) {
      constexpr dtype in[] = {In..., Result};
      instruction i;
      if (k / 2 < n) {
        i.code = opcode::load;
        i.type = in[k / 2];
        i.slot = k / 2;
      } else if (k / 2 == n) {
        i.code = opcode::apply;
        i.type = Result;
        i.a = 0;
        i.b = 1;
        i.c = 2;
        i.payload = info_of<Op>.id;
      } else {
        i.code = opcode::store;
        i.type = Result;
        i.a = n;
        i.slot = n;
      }
      return k % 2 == 0 ? i.word() : i.payload;
    };
    return program<Lanes, words_at(I)...>{};
  }(std::make_integer_sequence<int, 2 * n + 4>{});
}

/// Two bits `mode` for each of the first n slots, `next` for the one after them.
constexpr std::uint64_t all_lanes(lane mode, int n) {
  std::uint64_t lanes = static_cast<std::uint64_t>(lane::next) << (2 * n);
  for (int k = 0; k < n; ++k) lanes |= static_cast<std::uint64_t>(mode) << (2 * k);
  return lanes;
}

/// Bytes from one element to the next along each axis of the result.
template <int Rank, class A>
void set_strides(const A& a, const tensor_type& to, std::int64_t* stride) {
  extent_table none;
  const tensor_type t = a.described();
  const view v = contiguous(none, t, 0);
  for (int i = 0; i < Rank; ++i) stride[i] = 0;
  const int extra = to.rank - t.rank;
  for (int i = 0; i < t.rank; ++i)
    stride[i + extra] = t.extents[i] == 1 ? 0 : v.stride[i] * static_cast<std::int64_t>(sizeof(typename A::value_type));
}

template <class P, int Rank, class... A>
void run_map(const tensor_type& to, char* result, std::int64_t result_bytes, const A&... a) {
  constexpr int n = sizeof...(A);
  cpu::nest<Rank, n + 1> nest;
  for (int i = 0; i < Rank; ++i) nest.extents[i] = i < to.rank ? to.extents[i] : 1;
  int k = 0;
  ((nest.data[k] = const_cast<char*>(reinterpret_cast<const char*>(a.data())), set_strides<Rank>(a, to, nest.stride[k]), ++k), ...);
  nest.data[n] = result;
  std::int64_t s = result_bytes;
  for (int i = Rank; i-- > 0;) {
    nest.stride[n][i] = s;
    s *= nest.extents[i];
  }
  cpu::map_kernel<P, Rank>::run(nest);
}

/// An elementwise op: one flat loop where all shapes agree, else a nest with strides.
template <class Op, class R, class... A>
auto elementwise(const tensor_type& type, const A&... a) {
  using T = typename R::value_type;
  T* data = nullptr;
  const R r = R::uninitialised(type, data);
  constexpr int n = sizeof...(A);
  if ((a.described().same_shape(type) && ...)) {
    using P = decltype(make_program<Op, all_lanes(lane::next, n), R::type, A::type...>());
    cpu::nest<1, n + 1> nest;
    nest.extents[0] = r.size();
    int k = 0;
    ((nest.data[k] = const_cast<char*>(reinterpret_cast<const char*>(a.data())), nest.stride[k][0] = sizeof(typename A::value_type), ++k), ...);
    nest.data[n] = reinterpret_cast<char*>(data);
    nest.stride[n][0] = sizeof(T);
    cpu::map_kernel<P, 1>::run(nest);
  } else {
    using P = decltype(make_program<Op, all_lanes(lane::strided, n), R::type, A::type...>());
    run_map<P, (R::rank > 0 ? R::rank : 1)>(type, reinterpret_cast<char*>(data), sizeof(T), a...);
  }
  return r;
}

template <class Op, class Attributes, class X>
auto reduce(const X& x) {
  const tensor_type type = infer<Op>(Attributes::value, x);
  constexpr std::int64_t mask = Attributes::value[0];
  constexpr int reduced = [] {
    int c = 0;
    for (int i = 0; i < X::rank; ++i) c += static_cast<int>(mask >> i & 1);
    return c;
  }();
  constexpr int kept = X::rank - reduced;
  using T = typename X::value_type;
  using R = tensor<T, (Attributes::value[1] != 0 ? X::rank : kept)>;
  T* data = nullptr;
  const R r = R::uninitialised(type, data);
  constexpr bool across = kept > 0 && (mask >> (X::rank - 1) & 1) == 0;
  constexpr lane store = across ? lane::next : lane::same;
  constexpr std::uint64_t lanes = static_cast<std::uint64_t>(lane::next) | static_cast<std::uint64_t>(store) << 2;
  constexpr auto word = [](int k) {
    instruction i;
    i.type = X::type;
    if (k / 2 == 0) {
      i.code = opcode::load;
    } else if (k / 2 == 1) {
      i.code = opcode::reduce;
      i.payload = info_of<Op>.id;
    } else {
      i.code = opcode::store;
      i.a = 1;
      i.slot = 1;
      i.section = 1;
    }
    return k % 2 == 0 ? i.word() : i.payload;
  };
  using P = program<lanes, word(0), word(1), word(2), word(3), word(4), word(5)>;
  constexpr int rank = kept + (reduced > 0 ? reduced : 1);
  cpu::nest<rank, 2> nest;
  for (int i = 0; i < rank; ++i) {
    nest.extents[i] = 1;
    nest.stride[0][i] = nest.stride[1][i] = 0;
  }
  extent_table none;
  const view v = contiguous(none, x.described(), 0);
  int k = 0, q = kept;
  for (int i = 0; i < X::rank; ++i) {
    const int axis = (mask >> i & 1) != 0 ? q++ : k++;
    nest.extents[axis] = x.extent(i);
    nest.stride[0][axis] = v.stride[i] * static_cast<std::int64_t>(sizeof(T));
  }
  std::int64_t s = sizeof(T);
  for (int i = kept; i-- > 0;) {
    nest.stride[1][i] = s;
    s *= nest.extents[i];
  }
  nest.data[0] = const_cast<char*>(reinterpret_cast<const char*>(x.data()));
  nest.data[1] = reinterpret_cast<char*>(data);
  cpu::sweep_kernel<P, kept, rank - kept, across>::run(nest);
  return r;
}

/// A movement op: its view of the operand, copied.
template <class Op, class R, class X>
auto move(const tensor_type& type, const words& w, const X& x) {
  graph g;
  const ref from = append_placeholder(g, x.described(), nullptr, 0);
  const ref to = append(info_of<Op>, w, type, &from, 1);
  view v;
  movement_view(g, to.node, contiguous(g.extents, x.described(), 0), v);
  typename R::value_type* data = nullptr;
  const R r = R::uninitialised(type, data);
  constexpr int rank = R::rank > 0 ? R::rank : 1;
  constexpr std::int64_t size = sizeof(typename R::value_type);
  constexpr auto word = [](int k) {
    instruction i;
    i.code = k / 2 == 0 ? opcode::load : opcode::store;
    i.type = R::type;
    i.slot = k / 2;
    return k % 2 == 0 ? i.word() : i.payload;
  };
  using P = program<all_lanes(lane::strided, 1), word(0), word(1), word(2), word(3)>;
  cpu::nest<rank, 2> nest;
  std::int64_t s = size;
  for (int i = rank; i-- > 0;) {
    nest.extents[i] = i < R::rank ? type.extents[i] : 1;
    nest.stride[0][i] = i < R::rank ? v.stride[i] * size : 0;
    nest.stride[1][i] = s;
    s *= nest.extents[i];
  }
  nest.data[0] = const_cast<char*>(reinterpret_cast<const char*>(x.data())) + v.offset * size;
  nest.data[1] = reinterpret_cast<char*>(data);
  cpu::map_kernel<P, rank>::run(nest);
  return r;
}

template <class A>
cpu::tensor_view view_of(const A& a) {
  cpu::tensor_view v;
  v.data = const_cast<char*>(reinterpret_cast<const char*>(a.data()));
  v.rank = A::rank;
  extent_table none;
  const view strides = contiguous(none, a.described(), 0);
  for (int i = 0; i < A::rank; ++i) {
    v.extents[i] = a.extent(i);
    v.strides[i] = strides.stride[i];
  }
  return v;
}

template <class Op, class R, class... A>
auto opaque(const tensor_type& type, const words& w, const A&... a) {
  typename R::value_type* data = nullptr;
  const R r = R::uninitialised(type, data);
  const cpu::tensor_view views[] = {view_of(r), view_of(a)...};
  cpu::opaque_kernel<Op>::template run<typename R::value_type, typename A::value_type...>(views, w.at, {});
  return r;
}

/// The elements of x under the extents of `type`.
template <int Rank, class X>
auto with_extents(const X& x, const tensor_type& type) {
  using T = typename X::value_type;
  T* data = nullptr;
  const auto r = tensor<T, Rank>::uninitialised(type, data);
  std::copy_n(x.data(), x.size(), data);
  return r;
}
/// x with an axis of extent 1 more, or less.
template <class X>
auto with_axis(const X& x, int at) {
  tensor_type type = x.described();
  for (int i = type.rank++; i > at; --i) type.extents[i] = type.extents[i - 1];
  type.extents[at] = 1;
  return with_extents<X::rank + 1>(x, type);
}
template <class X>
auto without_axis(const X& x, int at) {
  tensor_type type = x.described();
  --type.rank;
  for (int i = at; i < type.rank; ++i) type.extents[i] = type.extents[i + 1];
  return with_extents<X::rank - 1>(x, type);
}

template <class A, class B>
auto multiply_matrices(const A& a, const B& b);

/// As the op: a vector on the left is a row, on the right a column, and the result lacks that axis.
template <class A, class B>
auto multiply(const A& a, const B& b) {
  if constexpr (A::rank != 1 && B::rank != 1) {
    return multiply_matrices(a, b);
  } else {
    if (a.extent(A::rank - 1) != b.extent(B::rank > 1 ? B::rank - 2 : 0)) infer<struct matmul>(words(), a, b);  // throws
    if constexpr (A::rank == 1)
      return without_axis(multiply(with_axis(a, 0), b), B::rank == 1 ? 0 : B::rank - 2);
    else
      return without_axis(multiply_matrices(a, with_axis(b, 1)), A::rank - 1);
  }
}

template <class A, class B>
auto multiply_matrices(const A& a, const B& b) {
  using T = typename A::value_type;
  const tensor_type type = infer<struct matmul>(words(), a, b);
  using R = tensor<T, (A::rank > B::rank ? A::rank : B::rank)>;
  T* data = nullptr;
  const R r = R::uninitialised(type, data);
  constexpr auto word = [](int k) {
    instruction i;
    i.code = k / 2 == 0 ? opcode::accumulator : opcode::store;
    i.type = R::type;
    i.slot = k / 2 == 0 ? 0 : 2;
    return k % 2 == 0 ? i.word() : i.payload;
  };
  using P = program<static_cast<std::uint64_t>(lane::next) << 4, word(0), word(1), word(2), word(3)>;
  using kernel = cpu::contraction_kernel<P, R::rank, T>;
  cpu::nest<R::rank, kernel::slots> nest;
  const auto place = [&](int slot, const auto& x) {
    const cpu::tensor_view v = view_of(x);
    nest.data[slot] = v.data;
    for (int i = 0; i < R::rank; ++i) {
      const int at = i - (R::rank - v.rank);
      nest.stride[slot][i] =
          at < 0 || (at < v.rank - 2 && v.extents[at] == 1) ? 0 : v.strides[at] * static_cast<std::int64_t>(sizeof(T));
    }
  };
  place(0, a);
  place(1, b);
  place(2, r);
  for (int i = 0; i < R::rank; ++i) nest.extents[i] = type.extents[i];
  const std::int64_t inner = a.extent(A::rank - 1);
  const std::int64_t scratch = cpu::matmul_workspace<T>(type.extents[R::rank - 2], type.extents[R::rank - 1], inner);
  std::vector<T> workspace(static_cast<std::size_t>(scratch) + 64 / sizeof(T));
  std::size_t bytes = workspace.size() * sizeof(T);
  void* aligned = workspace.data();
  kernel::run(nest, inner, static_cast<T*>(std::align(64, static_cast<std::size_t>(scratch) * sizeof(T), aligned, bytes)));
  return r;
}

/// An operand as a tensor of element type T.
template <class T, class A>
auto as_tensor(const A& a) {
  if constexpr (eager<A>) {
    if constexpr (std::is_same_v<typename A::value_type, T>)
      return a;
    else
      return elementwise<cast, tensor<T, A::rank>>(a.described().with(dtype_of<T>), a);
  } else if constexpr (etch::detail::is_literal<A>) {
    return tensor<T, 0>(A::template as<T>());
  } else {
    static_assert(is_number<A>, "an op was called on an eager tensor and on something that is no tensor, literal or number");
    return tensor<T, 0>(static_cast<T>(a));
  }
}

template <class... A>
inline constexpr int widest = 0;
template <class A, class... Rest>
inline constexpr int widest<A, Rest...> = A::rank > widest<Rest...> ? A::rank : widest<Rest...>;

template <class Op, class Attributes, class... A>
auto evaluate_same(const A&... a) {
  const words& w = Attributes::value;
  constexpr dtype first = std::tuple_element_t<0, std::tuple<A...>>::type;
  if constexpr (Op::kind == op_kind::elementwise) {
    const tensor_type type = infer<Op>(w, a...);
    constexpr dtype values = Op::arity == 3 ? std::tuple_element_t<sizeof...(A) - 1, std::tuple<A...>>::type : first;
    constexpr dtype result = std::is_same_v<Op, cast> ? static_cast<dtype>(Attributes::value.count > 0 ? Attributes::value[0] : 0) : Op::result(values);
    return elementwise<Op, tensor<value_type_of<result>, widest<A...>>>(type, a...);
  } else if constexpr (Op::kind == op_kind::reduction) {
    return reduce<Op, Attributes>(a...);
  } else if constexpr (Op::kind == op_kind::contraction) {
    return multiply(a...);
  } else if constexpr (Op::kind == op_kind::movement) {
    using X = std::tuple_element_t<0, std::tuple<A...>>;
    return move<Op, X>(infer<Op>(w, a...), w, a...);
  } else if constexpr (std::is_same_v<Op, size_of>) {
    using X = std::tuple_element_t<0, std::tuple<A...>>;
    const tensor_type t = std::get<0>(std::tie(a...)).described();
    std::int64_t n = 1;
    for (int i = 0; i < t.rank; ++i)
      if ((w[0] >> i & 1) != 0) n *= t.extents[i];
    return tensor<typename X::value_type, 0>(static_cast<typename X::value_type>(n));
  } else {
    const tensor_type type = infer<Op>(w, a...);
    using X = std::tuple_element_t<0, std::tuple<A...>>;
    constexpr int rank = [] {
      if constexpr (std::is_same_v<Op, struct gather>)
        return X::rank + std::tuple_element_t<sizeof...(A) - 1, std::tuple<A...>>::rank - 1;
      else if constexpr (std::is_same_v<Op, struct argmax> || std::is_same_v<Op, struct argmin>)
        return X::rank - 1;
      else
        return X::rank;
    }();
    using T = std::conditional_t<std::is_same_v<Op, struct argmax> || std::is_same_v<Op, struct argmin>, std::int64_t,
                                 typename X::value_type>;
    return opaque<Op, tensor<T, rank>>(type, w, a...);
  }
}

}  // namespace eager_detail

/// Op on operands of which at least one is an eager tensor; the others may be literals and numbers.
template <class Op, class Attributes, class... A>
auto evaluate_now(Op, Attributes, const A&... a) {
  if constexpr (Op::operands == dtype_rule::promote && Op::arity == 3) {
    using T = value_type_of<[]<class C, class... V>(std::type_identity<std::tuple<C, V...>>) {
      return eager_detail::common_dtype<V...>();
    }(std::type_identity<std::tuple<A...>>{})>;
    return [&](const auto& c, const auto& x, const auto& y) {
      return eager_detail::evaluate_same<Op, Attributes>(c, eager_detail::as_tensor<T>(x), eager_detail::as_tensor<T>(y));
    }(a...);
  } else if constexpr (Op::operands == dtype_rule::promote) {
    using T = value_type_of<eager_detail::common_dtype<A...>()>;
    return eager_detail::evaluate_same<Op, Attributes>(eager_detail::as_tensor<T>(a)...);
  } else {
    return eager_detail::evaluate_same<Op, Attributes>(a...);
  }
}

namespace eager_detail {
template <class T, int Rank, auto... E>
tensor_type target_type(const tensor<T, Rank>&, shape<E...>) {
  static_assert((std::is_integral_v<std::remove_const_t<decltype(E)>> && ...), "eager shapes are numbers; use inferred for one that follows");
  extent_table none;
  return shape<E...>::value(none, dtype_of<T>);
}
}  // namespace eager_detail

template <class T, int Rank, auto... E>
auto evaluate_now(struct reshape, const tensor<T, Rank>& x, shape<E...> to) {
  extent_table table;
  inference context{table};
  const tensor_type from = x.described();
  const tensor_type type = etch::reshape.resolve(context, from, eager_detail::target_type(x, to));
  if (context.failure != reason::none) eager_detail::refuse(info_of<struct reshape>, context.failure, &from, 1);
  return eager_detail::move<struct reshape, tensor<T, static_cast<int>(sizeof...(E))>>(type, words(), x);
}

template <class T, int Rank, auto... E>
auto evaluate_now(struct broadcast_to, const tensor<T, Rank>& x, shape<E...> to) {
  extent_table table;
  inference context{table};
  const tensor_type types[] = {x.described(), eager_detail::target_type(x, to)};
  if (!rules::broadcast(context, types[0], types[1]).same_shape(types[1]) || context.failure != reason::none)
    eager_detail::refuse(info_of<struct broadcast_to>, reason::shapes_do_not_broadcast, types, 2);
  return eager_detail::move<struct broadcast_to, tensor<T, static_cast<int>(sizeof...(E))>>(types[1], words(), x);
}

}  // namespace etch
