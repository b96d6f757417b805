// SPDX-License-Identifier: MIT
#pragma once
#include <limits>
#include <type_traits>

#include <etch/config.hpp>
#include <etch/base/checked.hpp>
#include <etch/core/attributes.hpp>
#include <etch/core/diagnostics.hpp>
#include <etch/core/gradient_rule.hpp>
#include <etch/core/index_map.hpp>
#include <etch/core/inference.hpp>
#include <etch/core/op_role.hpp>
#include <etch/core/product_axes.hpp>
#include <etch/core/ref.hpp>

/// What an op is to passes and backends: a value that answers questions, made from the op's struct.
namespace etch {

/// Decides which kernel runs a node, and what fusion may do with it.
enum class op_kind : std::uint8_t {
  source,       ///< no operands: slots, constants, iota, random draws
  elementwise,  ///< one result element from one element of each operand, after broadcasting
  reduction,    ///< combines the elements along some axes
  scan,         ///< combines the elements along an axis up to each of them (a prefix sum)
  movement,     ///< each result element is one element of the operand, elsewhere: an index map
  contraction,  ///< sums of products
  opaque,       ///< has a kernel of its own
  effect,       ///< changes a variable, or orders others
  region,       ///< runs sub-graphs; its values are nodes of their own
  meta          ///< replaced by a pass before scheduling
};

/// A value that leaves the other operand as it is: x + 0, 1 * x. Floats are compared by their bits, since x + 0 is not x
/// where x is -0.
struct neutral {
  bool known = false;
  double value = 0;
  constexpr neutral() = default;
  constexpr neutral(double v) : known(true), value(v) {}
};

/// How a word of attributes prints.
enum class attribute_kind : std::uint8_t {
  number,
  axes,  ///< a mask of axes
  flag,
  type,     ///< a dtype
  scalar,   ///< a number's bits, of the result's dtype
  padding,  ///< a number; INT64_MAX: what "same" makes it
  extent,   ///< a number or a named extent; `to_end` is "end"
  hash,     ///< of a name
  letters   ///< a byte for each, the first lowest
};

/// The names of an op's attributes, in order: what graphs print. `per_axis`: the list repeats for each axis.
struct attribute_names {
  struct entry {
    const char* name = "";
    attribute_kind kind = attribute_kind::number;
  };
  entry at[6]{};
  int count = 0;
  bool per_axis = false;

  constexpr attribute_names() = default;
  constexpr attribute_names(entry a) : at{a}, count(1) {}
  constexpr attribute_names(entry a, entry b) : at{a, b}, count(2) {}
  constexpr attribute_names(entry a, entry b, entry c) : at{a, b, c}, count(3) {}
  constexpr attribute_names(entry a, entry b, entry c, entry d) : at{a, b, c, d}, count(4) {}
  constexpr attribute_names(entry a, entry b, entry c, entry d, entry e) : at{a, b, c, d, e}, count(5) {}
  constexpr attribute_names(entry a, entry b, entry c, entry d, entry e, entry f) : at{a, b, c, d, e, f}, count(6) {}
  constexpr attribute_names repeated() const {
    attribute_names names = *this;
    names.per_axis = true;
    return names;
  }
};

/// A call that may have a cheaper form: y = op(x[0], x[1], ...), of this type. An op that `has_simpler_forms` gives one, or V{}.
template <class V>
struct rewriting {
  const V* x;
  int count;
  const words& attributes;
  const tensor_type& type;
};

/// A scalar of any dtype, for constant folding.
struct scalar {
  dtype type = dtype::float32;
  double real = 0;           ///< the value, where `type` is floating
  std::int64_t integer = 0;  ///< the value otherwise, of uint64 modulo 2^64; 0 or 1 for bool

  template <class T>
  constexpr T as() const {
    if constexpr (std::is_same_v<T, bool>)
      return is_floating(type) ? real != 0 : integer != 0;
    else if constexpr (std::is_integral_v<T>)
      return !is_floating(type) ? static_cast<T>(integer) : fits<T>() ? static_cast<T>(real) : T(0);
    else
      return is_floating(type)       ? static_cast<T>(real)
             : type == dtype::uint64 ? static_cast<T>(static_cast<std::uint64_t>(integer))
                                     : static_cast<T>(integer);
  }
  /// Whether `real` without its fraction is a T; the cast of any other is no constant expression.
  template <class T>
  constexpr bool fits() const {
    constexpr double lowest = static_cast<double>(std::numeric_limits<T>::lowest());
    constexpr double highest = static_cast<double>(std::numeric_limits<T>::max());
    return real < highest + 1 && (real >= lowest || real > lowest - 1);
  }
  template <class T>
  static constexpr scalar of(T value) {
    if constexpr (etch::is_floating(dtype_of<T>))
      return {dtype_of<T>, static_cast<double>(value), 0};
    else
      return {dtype_of<T>, 0, static_cast<std::int64_t>(value)};
  }
};

/// How operands of different dtypes meet.
enum class dtype_rule : std::uint8_t {
  same,     ///< they must agree
  promote,  ///< each is cast to the common dtype of `promote`
  free      ///< the op's own shape rule decides
};

struct op_info {
  hash_t id = 0;
  const char* name = "";
  op_kind kind = op_kind::opaque;
  int arity = -1;  ///< -1: any number of operands
  dtype_rule operands = dtype_rule::same;
  dtype_set accepts = dtype_set::any;
  op_role role = op_role::other;
  bool commutative = false;
  bool involution = false;  ///< f(f(x)) is x
  bool stateful = false;    ///< never merged, moved across its order, or dropped
  bool gives_indices = false;
  bool on_host = false;  ///< makes values of the host, or calls it: its runs keep those, and throw what it throws
  neutral left, right;   ///< as the first and as the second of two operands
  slope_kind slope = slope_kind::of_operands;
  int cost = 1;  ///< flops per element, as counted by `plan.flops`
  const attribute_names* names = nullptr;
  tensor_type (*infer)(inference&, const tensor_type*, int, const words&) = nullptr;
  void (*vjp)(const gradient_rule<ref>&) = nullptr;    ///< null: there is no gradient
  void (*reach)(const gradient_rule<ref>&) = nullptr;  ///< see op_defaults
  scalar (*fold)(const scalar*, dtype) = nullptr;      ///< null: not foldable; gives dtype none where only a machine can tell
  ref (*simpler)(const rewriting<ref>&) = nullptr;     ///< a cheaper form of a call, where there is one; null: there never is
  void (*map)(extent_table&, const tensor_type& x, const tensor_type& result, const words&, index_map&) = nullptr;
  unsigned (*batch)(const words&, int rank) = nullptr;  ///< of an opaque op: see op_defaults
  bool (*adds_updates)(const words&) = nullptr;         ///< see op_defaults; null: it changes no operand
  void (*axes)(extent_table&, const tensor_type* x, const tensor_type& result, const words&, product_axes&) = nullptr;

  /// By id, not by address: g++ takes comparing addresses for no constant expression under -fsanitize=undefined.
  constexpr bool is(const op_info& other) const { return id == other.id; }
};

namespace detail {

/// Operand K of an elementwise op of dtype T: of three operands the first is a condition.
template <class Op, class T, int K>
using folded_operand = checked<std::conditional_t<Op::arity == 3 && K == 0, bool, T>>;

template <class Op, class T, int... I>
constexpr scalar fold_as(const scalar* in, std::integer_sequence<int, I...>) {
  const auto result = Op::kernel(folded_operand<Op, T, I>(in[I].template as<typename folded_operand<Op, T, I>::value_type>())...);
  return result.overflows ? scalar{dtype::none} : scalar::of(result.value);
}

/// An integer as one of that dtype: modulo its width.
constexpr scalar narrowed(const scalar& s, dtype type) {
  if (!is_integer(s.type) || type == dtype::int64) return s;  // a comparison gives a bool
  const int unused = 64 - 8 * size_of_dtype(type);
  const std::uint64_t top = static_cast<std::uint64_t>(s.integer) << unused;
  return {type, 0, is_unsigned(type) ? static_cast<std::int64_t>(top >> unused) : static_cast<std::int64_t>(top) >> unused};
}

/// Integers but for those of uint64 are computed as int64, of which the result's lower bits are those of any narrower one. Storage such as
/// bfloat16 has no arithmetic here.
template <class Op>
constexpr scalar fold(const scalar* in, dtype type) {
  constexpr auto operands = std::make_integer_sequence<int, Op::arity>{};
  if constexpr (contains(Op::accepts, dtype::float32)) {
    switch (type) {
      case dtype::float32: return fold_as<Op, float>(in, operands);
      case dtype::float64: return fold_as<Op, double>(in, operands);
      default: break;
    }
  }
  if constexpr (contains(Op::accepts, dtype::int32)) {
    if (type == dtype::uint64) return fold_as<Op, std::uint64_t>(in, operands);
    if (is_integer(type)) return narrowed(fold_as<Op, std::int64_t>(in, operands), type);
  }
  if constexpr (contains(Op::accepts, dtype::boolean))
    if (type == dtype::boolean) return fold_as<Op, bool>(in, operands);
  return {dtype::none};
}

template <class Op>
constexpr void call_vjp(const gradient_rule<ref>& rule) {
  Op::vjp(rule);
}

template <class Op>
constexpr ref call_simpler(const rewriting<ref>& r) {
  return Op::simpler(r);
}

template <class Op>
inline constexpr hash_t id_of = define<op_key, hash_of(Op::name), Op>::hash;

template <class Op>
constexpr op_info make_info() {
  // Products, effects, regions and what passes replace are known to the compiler by their roles.
  constexpr bool by_role =
      Op::kind == op_kind::contraction || Op::kind == op_kind::effect || Op::kind == op_kind::region || Op::kind == op_kind::meta;
  if constexpr (by_role && Op::role == op_role::other)
    raise<an_op_of_ones_own_is_elementwise_or_a_reduction_or_a_movement_or_opaque, in_op<Op>>();
  op_info info;
  info.id = id_of<Op>;
  info.name = Op::name;
  info.kind = Op::kind;
  info.arity = Op::arity;
  info.operands = Op::operands;
  info.accepts = Op::accepts;
  info.role = Op::role;
  info.commutative = Op::commutative;
  info.involution = Op::involution;
  info.stateful = Op::stateful;
  info.gives_indices = Op::gives_indices;
  info.on_host = Op::on_host;
  info.left = Op::left;
  info.right = Op::right;
  info.slope = Op::slope;
  info.batch = &Op::batch;
  if constexpr (Op::changes_operand) info.adds_updates = &Op::adds_updates;
  info.cost = Op::cost;
  info.names = &Op::names;
  info.infer = &Op::infer;
  if constexpr (Op::differentiable) info.vjp = &call_vjp<Op>;
  if constexpr (Op::has_reach) info.reach = [](const gradient_rule<ref>& r) { Op::reach(r); };
  if constexpr (Op::foldable) info.fold = &fold<Op>;
  if constexpr (Op::has_simpler_forms) info.simpler = &call_simpler<Op>;
  if constexpr (Op::kind == op_kind::movement) info.map = &Op::map;
  if constexpr (Op::kind == op_kind::contraction && Op::role != op_role::other) info.axes = &Op::axes;
  return info;
}

}  // namespace detail

/// The value form of an op. In a template, give functions the op as an argument of theirs instead (`emit<Op>(...)`): to name
/// it there is to use it, for clang, and the bodies of rules that follow are not seen then.
template <class Op>
inline constexpr op_info info_of = detail::make_info<Op>();

/// Operand k of x, where x is made by Op; not valid otherwise.
template <class Op, class V>
constexpr V operand_of(const V& x, int k) {
  return operand_of(x, info_of<Op>, k);
}

/// Whether gradients flow through what an op gives: floats, and regions, whose values are nodes of their own.
constexpr bool carries_gradients(const op_info& op, dtype type) {
  return is_floating(type) || has_sub_graphs(op.role) || op.role == op_role::outline;
}

/// The op of that id; some `info_of<Op>` must have been named before.
template <hash_t Id>
using op_of = defined<op_key, Id>;

namespace rules {

constexpr tensor_type broadcast(inference& context, const tensor_type& a, const tensor_type& b) {
  tensor_type r = a.rank < b.rank ? b.with(a.type) : a;
  const tensor_type& s = a.rank < b.rank ? a : b;
  for (int i = 1; i <= s.rank; ++i) {
    extent_value& x = r.extents[r.rank - i];
    const extent_value y = s.extents[s.rank - i];
    if (x == y || y == 1) continue;
    if (x != 1 && !context.agree(x, y)) return context.fail(reason::shapes_do_not_broadcast, a);
    if (x == 1 || is_static(y)) x = y;
  }
  return r;
}

}  // namespace rules

namespace detail {
/// What `op_defaults::batch` gives where the result and all operands are cut.
inline constexpr unsigned batch_of_all = ~0u;
}  // namespace detail

/// Defaults that every op starts from; a family overrides some, an op only what differs.
struct op_defaults {
  static constexpr op_role role = op_role::other;
  static constexpr dtype_rule operands = dtype_rule::same;
  static constexpr dtype_set accepts = dtype_set::any;
  static constexpr bool commutative = false, involution = false, stateful = false, on_host = false;
  static constexpr bool differentiable = true, foldable = false, has_simpler_forms = false;
  static constexpr neutral left{}, right{};
  /// Of a rule that gives 0 for an adjoint of 0 whatever its operands are, it is not `of_operands`: then what a `where` has not taken stays
  /// 0 behind it by itself.
  static constexpr slope_kind slope = slope_kind::of_operands;
  /// Whether the op has a `reach(gradient_rule)`, which is given 1 in dy where an element was taken, else 0, and gives of each operand what
  /// is 0 where nothing taken is made of it. A `fixed` rule does this itself; a product and a reduction need none.
  static constexpr bool has_reach = false;
  static constexpr attribute_names names{};
  static constexpr int cost = 0;
  /// Whether an op with a kernel of its own, these attributes and a result of so many axes computes element i along the first of them from
  /// all of some operands and the elements i along the first axes of the others alone: then threads can share that axis. Bits: 0 of the
  /// result, 1 + k of operand k if it is one of these others.
  static constexpr unsigned batch(const words&, int) { return 0; }
  /// Whether the result of an op with a kernel of its own is operand 0 with parts of it changed: the kernel may be given a result that lies
  /// where operand 0 does. And whether it then adds operand 2 to those parts, and nothing else: it is linear in both.
  static constexpr bool changes_operand = false;
  static constexpr bool adds_updates(const words&) { return false; }
  /// Whether operand 1 is integers that choose elements; the result is int64 whatever the operands are; a kernel copies elements without
  /// looking at them, so that one serves all dtypes of a size; axes are only exchanged.
  static constexpr bool takes_indices = false, gives_indices = false, copies_elements = false, exchanges_axes = false;
  /// The integer dtype in which its gradient rule counts, beside its floats.
  static constexpr dtype rule_counts_in = dtype::none;
};
/// Of a value that is made of no others.
struct source_defaults : op_defaults {
  static constexpr op_kind kind = op_kind::source;
  static constexpr int arity = 0;
  static constexpr bool differentiable = false;
  static constexpr tensor_type infer(inference&, const tensor_type*, int, const words&) { return {}; }
};

}  // namespace etch
