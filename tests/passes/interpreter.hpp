// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <etch/schedule/compile.hpp>

/// Graphs as values, evaluated node by node: the oracle of the passes. Every dtype is held as double; written to be
/// checked by reading.
namespace etch::interpreter {

/// Elements in row-major order.
struct tensor {
  std::vector<std::int64_t> extents;
  std::vector<double> data;

  std::int64_t count() const {
    std::int64_t n = 1;
    for (std::int64_t e : extents) n *= e;
    return n;
  }
  /// The element at an index, brought here by broadcasting from a result of as many axes or more.
  double broadcast_at(const std::vector<std::int64_t>& index) const {
    std::size_t at = 0;
    const std::size_t extra = index.size() - extents.size();
    for (std::size_t i = 0; i < extents.size(); ++i)
      at = at * static_cast<std::size_t>(extents[i]) + static_cast<std::size_t>(extents[i] == 1 ? 0 : index[i + extra]);
    return data[at];
  }
};

/// Calls f(index) for each index of these extents, the last axis innermost.
template <class F>
void for_each_index(const std::vector<std::int64_t>& extents, const F& f) {
  for (std::int64_t e : extents)
    if (e == 0) return;
  std::vector<std::int64_t> index(extents.size(), 0);
  while (true) {
    f(index);
    std::size_t i = extents.size();
    while (i > 0 && ++index[i - 1] == extents[i - 1]) index[--i] = 0;
    if (i == 0) return;
  }
}

using scalar_function = double (*)(const double*);

namespace detail {

/// What the numbers are for an op that accepts no floats.
template <class Op>
using number_for = std::conditional_t<contains(Op::accepts, dtype::float64), double,
                                      std::conditional_t<Op::accepts == dtype_set::boolean, bool, std::int64_t>>;

template <class Op>
double apply(const double* in) {
  using T = number_for<Op>;
  if constexpr (std::is_same_v<Op, cast>)
    return in[0];
  else if constexpr (std::is_same_v<Op, struct where>)
    return Op::kernel(in[0] != 0, in[1], in[2]);
  else if constexpr (Op::arity == 1)
    return static_cast<double>(Op::kernel(static_cast<T>(in[0])));
  else
    return static_cast<double>(Op::kernel(static_cast<T>(in[0]), static_cast<T>(in[1])));
}
template <class Op>
double combine(const double* in) {
  return static_cast<double>(Op::combine(in[0], in[1]));
}
template <class Op>
double identity(const double*) {
  return static_cast<double>(Op::template identity<double>());
}

using function_table = std::map<hash_t, scalar_function>;

template <class... Ops>
function_table elementwise_table(op_list<Ops...>) {
  return {{info_of<Ops>.id, &apply<Ops>}..., {info_of<copy_of>.id, &apply<copy_of>}};
}
template <class... Ops>
function_table combine_table(op_list<Ops...>) {
  return {{info_of<Ops>.id, &combine<Ops>}...};
}
template <class... Ops>
function_table identity_table(op_list<Ops...>) {
  return {{info_of<Ops>.id, &identity<Ops>}...};
}

}  // namespace detail

/// An elementwise op's kernel by the op's id.
inline scalar_function function_of(hash_t id) {
  static const detail::function_table table = detail::elementwise_table(elementwise_ops{});
  return table.at(id);
}
/// A reduction's `combine` and its identity.
inline scalar_function combine_of(hash_t id) {
  static const detail::function_table table = detail::combine_table(op_list<struct sum, struct prod, struct max, struct min>{});
  return table.at(id);
}
inline double identity_of(hash_t id) {
  static const detail::function_table table = detail::identity_table(op_list<struct sum, struct prod, struct max, struct min>{});
  return table.at(id)(nullptr);
}

/// What the state of a scan and an element, of a recurrence its factor and what it adds, come to.
inline double next_state(hash_t id, double state, double x, double y) {
  if (id == info_of<struct linear_recurrence>.id) return x * state + y;
  return id == info_of<struct cumprod>.id ? state * x : state + x;
}

/// What a number is as an element of that type.
inline double as_type(dtype d, double x) {
  if (d == dtype::boolean) return x != 0 ? 1 : 0;
  return is_integer(d) ? std::trunc(x) : x;
}

/// Draw `name`, element i: any function will do, so long as every evaluation has the same.
inline double drawn(std::int64_t name, std::int64_t i) {
  return static_cast<double>(mix(static_cast<hash_t>(name), static_cast<hash_t>(i)) >> 11) * 0x1p-53;
}

/// Ops with kernels of their own.
inline tensor evaluate_opaque(hash_t op, const words& w, const std::vector<tensor>& in, const std::vector<std::int64_t>& extents) {
  tensor r{extents, {}};
  r.data.assign(static_cast<std::size_t>(r.count()), 0);
  const auto flat = [&](const std::vector<std::int64_t>& index) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < extents.size(); ++i)
      at = at * static_cast<std::size_t>(extents[i]) + static_cast<std::size_t>(index[i]);
    return at;
  };
  if (op == info_of<uniform_draw>.id) {
    for (std::size_t i = 0; i < r.data.size(); ++i) r.data[i] = drawn(w[0], static_cast<std::int64_t>(i));
  } else if (op == info_of<struct cumsum>.id || op == info_of<struct cumprod>.id) {
    const auto axis = static_cast<std::size_t>(w[0]);
    const bool multiplies = op == info_of<struct cumprod>.id, backwards = (w[1] & 1) != 0, others = (w[1] & 2) != 0;
    for_each_index(extents, [&](const std::vector<std::int64_t>& index) {
      double total = multiplies ? 1 : 0;
      std::vector<std::int64_t> at = index;
      for (std::int64_t k = 0; k < extents[axis]; ++k) {
        at[axis] = k;
        const double element = in[0].broadcast_at(at);
        if (k == index[axis] ? others : backwards ? k < index[axis] : k > index[axis]) continue;
        total = multiplies ? total * element : total + element;
      }
      r.data[flat(index)] = total;
    });
  } else if (op == info_of<struct linear_recurrence>.id) {
    const auto axis = static_cast<std::size_t>(w[0]);
    const std::int64_t first = w[1] != 0 ? extents[axis] - 1 : 0, step = w[1] != 0 ? -1 : 1;
    for_each_index(extents, [&](const std::vector<std::int64_t>& index) {
      double state = 0;
      std::vector<std::int64_t> at = index;
      for (at[axis] = first; at[axis] != index[axis]; at[axis] += step)
        state = in[0].broadcast_at(at) * state + in[1].broadcast_at(at);
      r.data[flat(index)] = state;
    });
  } else if (op == info_of<struct concat>.id) {
    const auto axis = static_cast<std::size_t>(w[0]);
    std::int64_t begin = 0;
    for (const tensor& x : in) {
      for_each_index(x.extents, [&](const std::vector<std::int64_t>& index) {
        std::vector<std::int64_t> at = index;
        at[axis] += begin;
        r.data[flat(at)] = x.broadcast_at(index);
      });
      begin += x.extents[axis];
    }
  } else if (op == info_of<struct pad>.id) {
    for_each_index(in[0].extents, [&](const std::vector<std::int64_t>& index) {
      std::vector<std::int64_t> at = index;
      for (std::size_t i = 0; i < at.size(); ++i) {
        const int k = 3 * static_cast<int>(i);
        at[i] = w[k] + index[i] * w[k + 2];
      }
      r.data[flat(at)] = in[0].broadcast_at(index);
    });
  } else if (op == info_of<struct sort>.id) {
    r.data = in[0].data;
    const std::int64_t length = extents.back();
    for (auto line = r.data.begin(); length > 0 && line != r.data.end(); line += length) std::sort(line, line + length);
  } else if (op == info_of<with_part>.id) {
    r.data = in[0].data;
    for_each_index(in[1].extents, [&](const std::vector<std::int64_t>& index) {
      std::vector<std::int64_t> at = index;
      for (std::size_t i = 0; i < at.size(); ++i) {
        const int k = 3 * static_cast<int>(i);
        at[i] = (w[k] < 0 ? w[k] + extents[i] : w[k]) + index[i] * w[k + 2];
      }
      r.data[flat(at)] = in[1].broadcast_at(index);
    });
  } else {
    throw std::logic_error("the interpreter lacks an op");
  }
  return r;
}

/// Values of feeds and variables by content, and counts of named extents.
struct environment {
  std::map<hash_t, tensor> feeds;
  std::map<hash_t, tensor> variables;
  std::vector<std::int64_t> extents = std::vector<std::int64_t>(extent_table::max_symbols, 0);
};

struct outcome {
  std::vector<tensor> fetches;  ///< empty ones for what has no value
  std::map<hash_t, tensor> variables;
};

/// Evaluates the fetches of `g`, and what they assign, as a run is described: an assignment is made once; what comes `after` others
/// sees what they have assigned.
class evaluation {
 public:
  evaluation(const graph& g, const environment& e) : g_(g), e_(e) {}

  outcome result() {
    // What no effect is in, in order: chains of thousands of nodes would be as many calls inside one another.
    std::vector<bool> pure;
    for (int n = 0; n < g_.size(); ++n) {
      bool is_pure = g_[n].op->kind != op_kind::effect;
      for (int k = 0; k < g_[n].count; ++k) is_pure = is_pure && pure[static_cast<std::size_t>(g_.operand(n, k))];
      pure.push_back(is_pure);
      if (is_pure) at(n, {});
    }
    outcome o;
    for (int i = 0; i < g_.fetches.size(); ++i) o.fetches.push_back(at(g_.fetches[i], {}).value);
    o.variables = e_.variables;
    // Of one variable the last one made is the last one of all.
    for (const effect& e : effects_) o.variables[e.variable] = e.value;
    for (int i = 0; i < g_.assignments.size(); ++i) {
      const assignment& a = g_.assignments[i];
      tensor& to = o.variables[g_[a.variable].content];
      const tensor value = at(a.value, {}).value;
      to = a.word_count == 0
               ? value
               : evaluate_opaque(info_of<with_part>.id, g_.words_at(a.first_word, a.word_count), {to, value}, to.extents);
    }
    return o;
  }

 private:
  /// An assignment that has been made.
  struct effect {
    int node = -1;
    hash_t variable = 0;
    tensor value;
  };
  /// Effects, by their numbers, in the order in which they were made.
  using state = std::set<int>;
  struct known {
    tensor value;
    state made;
  };

  const known& at(int n, const state& when) {
    const auto found = known_.find({n, when});
    if (found != known_.end()) return found->second;
    const state before = state_;
    state_ = when;
    known k = compute(n);
    state_ = before;
    return known_[{n, when}] = k;
  }
  known compute(int n) {
    known r;
    const auto add = [&](const known& k) { r.made.insert(k.made.begin(), k.made.end()); };
    if (g_.is(n, info_of<struct after>)) {
      for (int k = 1; k < g_[n].count; ++k) add(at(g_.operand(n, k), state_));
      state then = state_;
      then.insert(r.made.begin(), r.made.end());
      const known& first = at(g_.operand(n, 0), then);
      r.value = first.value;
      add(first);
    } else if (g_.is(n, info_of<struct assign>)) {
      const hash_t variable = g_[g_.operand(n, 0)].content;
      for (int e : state_)
        if (effects_[static_cast<std::size_t>(e)].node == n) return {effects_[static_cast<std::size_t>(e)].value, {}};
      const known& assigned = at(g_.operand(n, 1), state_);
      add(assigned);
      state then = state_;
      then.insert(r.made.begin(), r.made.end());
      r.value = g_[n].word_count == 0
                    ? assigned.value
                    : evaluate_opaque(info_of<with_part>.id, g_.words_of(n), {at(g_.operand(n, 0), then).value, assigned.value},
                                      at(g_.operand(n, 0), then).value.extents);
      int number = 0;
      while (number < static_cast<int>(effects_.size()) && effects_[static_cast<std::size_t>(number)].node != n) ++number;
      if (number == static_cast<int>(effects_.size())) effects_.push_back({n, variable, r.value});
      r.made.insert(number);
    } else {
      for (int k = 0; k < g_[n].count; ++k) add(at(g_.operand(n, k), state_));
      r.value = node(n);
    }
    return r;
  }

  std::vector<std::int64_t> extents_of(const tensor_type& t) const {
    std::vector<std::int64_t> x;
    for (int i = 0; i < t.rank; ++i) x.push_back(g_.extents.evaluate(t.extents[i], e_.extents.data()));
    return x;
  }
  const tensor& in(int n, int k) const { return known_.at({g_.operand(n, k), state_}).value; }
  tensor variable(hash_t content) const {
    const tensor* now = &e_.variables.at(content);
    for (int e : state_)
      if (effects_[static_cast<std::size_t>(e)].variable == content) now = &effects_[static_cast<std::size_t>(e)].value;
    return *now;
  }

  tensor node(int n) const {
    const etch::node& d = g_[n];
    const tensor_type& type = g_.type(n);
    if (type.type == dtype::none) return {};
    tensor r{extents_of(type), {}};
    switch (d.op->kind) {
      case op_kind::source: return source(n, r);
      case op_kind::elementwise: {
        const scalar_function f = function_of(d.op->id);
        for_each_index(r.extents, [&](const std::vector<std::int64_t>& index) {
          double x[3] = {};
          for (int k = 0; k < d.count; ++k) x[k] = in(n, k).broadcast_at(index);
          r.data.push_back(as_type(type.type, f(x)));
        });
        return r;
      }
      case op_kind::reduction: return reduce(n, r);
      case op_kind::contraction: return multiply_matrices(n, r);
      case op_kind::movement: return move(n, r);
      default: {
        std::vector<tensor> operands;
        for (int k = 0; k < d.count; ++k) operands.push_back(in(n, k));
        return evaluate_opaque(d.op->id, g_.words_of(n), operands, r.extents);
      }
    }
  }

  tensor source(int n, tensor r) const {
    const etch::node& d = g_[n];
    if (g_.is(n, info_of<etch::detail::placeholder_op>)) return e_.feeds.at(d.content);
    if (g_.is(n, info_of<etch::detail::variable_op>)) return variable(d.content);
    if (g_.is(n, info_of<struct constant>)) {
      const scalar s = constant.decode(g_.type(n).type, g_.word(n, 0));
      r.data = {s.as<double>()};
    } else if (g_.is(n, info_of<size_of>)) {
      std::int64_t count = 1;
      if (d.count == 0) {
        count = g_.extents.evaluate(g_.word(n, 0), e_.extents.data());
      } else {
        for (std::size_t i = 0; i < in(n, 0).extents.size(); ++i)
          if ((g_.word(n, 0) >> i & 1) != 0) count *= in(n, 0).extents[i];
      }
      r.data = {static_cast<double>(count)};
    } else if (g_.is(n, info_of<iota>)) {
      const auto axis = static_cast<std::size_t>(g_.word(n, 0));
      for_each_index(r.extents,
                     [&](const std::vector<std::int64_t>& index) { r.data.push_back(static_cast<double>(index[axis])); });
    } else {
      return evaluate_opaque(d.op->id, g_.words_of(n), {}, r.extents);
    }
    return r;
  }

  tensor reduce(int n, tensor r) const {
    const scalar_function f = combine_of(g_[n].op->id);
    r.data.assign(static_cast<std::size_t>(r.count()), identity_of(g_[n].op->id));
    for_each_index(in(n, 0).extents, [&](const std::vector<std::int64_t>& index) {
      std::size_t at = 0;
      for (std::size_t i = 0; i < index.size(); ++i)
        if ((g_.word(n, 0) >> i & 1) == 0)
          at = at * static_cast<std::size_t>(in(n, 0).extents[i]) + static_cast<std::size_t>(index[i]);
      const double x[] = {r.data[at], in(n, 0).broadcast_at(index)};
      r.data[at] = f(x);
    });
    return r;
  }

  tensor multiply_matrices(int n, tensor r) const {
    const tensor &a = in(n, 0), &b = in(n, 1);
    const std::int64_t inner = a.extents.back();
    for_each_index(r.extents, [&](const std::vector<std::int64_t>& index) {
      std::vector<std::int64_t> i = index, j = index;
      double total = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        i.back() = k;
        j[j.size() - 2] = k;
        total += a.broadcast_at(i) * b.broadcast_at(j);
      }
      r.data.push_back(total);
    });
    return r;
  }

  tensor move(int n, tensor r) const {
    const tensor& x = in(n, 0);
    if (g_.is(n, info_of<struct reshape>)) {
      r.data = x.data;
      return r;
    }
    for_each_index(r.extents, [&](const std::vector<std::int64_t>& index) {
      std::vector<std::int64_t> at = index;
      if (g_.is(n, info_of<struct transpose>))
        for (int i = 0; i < g_.type(n).rank; ++i) at[static_cast<std::size_t>(g_.word(n, i))] = index[static_cast<std::size_t>(i)];
      if (g_.is(n, info_of<struct slice>))
        for (int i = 0; 3 * i < g_[n].word_count; ++i) {
          const auto axis = static_cast<std::size_t>(i);
          const std::int64_t step = g_.word(n, 3 * i + 2);
          at[axis] = slice.begin_of(x.extents[axis], g_.word(n, 3 * i), step) + step * index[axis];
        }
      r.data.push_back(x.broadcast_at(at));
    });
    return r;
  }

  const graph& g_;
  const environment& e_;
  std::map<std::pair<int, state>, known> known_;
  std::vector<effect> effects_;
  state state_;  ///< in which nodes are evaluated
};

inline outcome evaluate(const graph& g, const environment& e) { return evaluation(g, e).result(); }

/// Whether two numbers are equal up to the rounding of sums in another order; NaN equals NaN.
inline bool close(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 1e-11 * (1 + std::abs(a) + std::abs(b));
}
inline bool close(const tensor& a, const tensor& b) {
  bool same = a.extents == b.extents && a.data.size() == b.data.size();
  for (std::size_t i = 0; same && i < a.data.size(); ++i) same = close(a.data[i], b.data[i]);
  return same;
}
inline bool close(const outcome& a, const outcome& b) {
  bool same = a.fetches.size() == b.fetches.size() && a.variables.size() == b.variables.size();
  for (std::size_t i = 0; same && i < a.fetches.size(); ++i) same = close(a.fetches[i], b.fetches[i]);
  for (const auto& [content, value] : a.variables)
    same = same && b.variables.count(content) == 1 && close(value, b.variables.at(content));
  return same;
}

}  // namespace etch::interpreter
