// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include <etch/backend/reference/evaluate_node.hpp>
#include <etch/graph/graph.hpp>

/// The reference backend: every node of a graph by itself, in order, with plain loops. It knows no passes, fuses
/// nothing and shares no code with the backends that it checks.
namespace etch::reference {

/// What is fed: the content hash of the node whose place it takes.
struct input {
  hash_t content = 0;
  value data;
};

/// Looks at no value.
struct no_probe {
  void operator()(int, const value&) const {}
};

/// Evaluates `Graph::value`, a frozen graph of `Graph::size`, and calls `probe(node, value)` with the value of each node as soon as it is
/// known: in a loop in each step.
template <class Graph, class Probe = no_probe>
class evaluation {
  static constexpr int nodes = Graph::size.nodes;

 public:
  explicit evaluation(const draws& numbers, const Probe& probe = {}) : numbers_(numbers), probe_(probe) {}

  /// Throws `etch::error` where a feed's extents contradict its slot or another feed, or a node that must be fed is
  /// not.
  void run(const std::vector<input>& inputs) {
    bind_extents(inputs);
    for (int f = 0; f < Graph::size.fetches; ++f) mark_reached(Graph::value.fetches[f]);
    for (int a = 0; a < Graph::size.assignments; ++a) mark_reached(Graph::value.assignments[a].value);
    bool regions = false;
    for (int i = 0; i < nodes; ++i) regions = regions || has_sub_graphs(role_of(i));
    if (!regions) {
      for (int i = 0; i < nodes; ++i)
        if (reached_[static_cast<std::size_t>(i)]) evaluate(i, inputs);
      return;
    }
    for (int f = 0; f < Graph::size.fetches; ++f) demand(Graph::value.fetches[f], inputs);
    for (int a = 0; a < Graph::size.assignments; ++a) demand(Graph::value.assignments[a].value, inputs);
  }
  const value& fetch(int f) const { return values_[static_cast<std::size_t>(Graph::value.fetches[f])]; }
  /// What is left in the variable of assignment `a`.
  const value& assigned(int a) const { return values_[static_cast<std::size_t>(Graph::value.assignments[a].value)]; }

 private:
  using function = void (*)(const arguments&, value&);

  template <int I, int K>
  static constexpr dtype operand_dtype() {
    return Graph::value.type(Graph::value.operands_of(I)[K]).type;
  }
  /// Null where the node must be fed.
  template <int I>
  static constexpr function function_of() {
    using op = op_of<Graph::value.nodes[I].op->id>;
    if constexpr (std::is_base_of_v<etch::detail::placeholder_op, op>)
      return nullptr;
    else if constexpr (op::kind == op_kind::region || op::role == op_role::parameter)
      return [](const arguments&, value&) {};
    else
      return []<int... K>(std::integer_sequence<int, K...>) {
        return &evaluate_node<op, value_type_of<Graph::value.type(I).type>, value_type_of<operand_dtype<I, K>()>...>;
      }(std::make_integer_sequence<int, Graph::value.nodes[I].count>{});
  }
  struct table {
    function at[nodes + 1];
  };
  static constexpr table functions = []<int... I>(std::integer_sequence<int, I...>) {
    return table{{function_of<I>()..., nullptr}};
  }(std::make_integer_sequence<int, nodes>{});

  static const input* find(const std::vector<input>& inputs, hash_t content) {
    for (const input& x : inputs)
      if (x.content == content) return &x;
    return nullptr;
  }

  /// Each named extent has the count that the first feed gives it.
  void bind_extents(const std::vector<input>& inputs) {
    bool bound[extent_table::max_symbols] = {};
    for (int i = 0; i < nodes; ++i) {
      const node& n = Graph::value.nodes[i];
      const input* fed = functions.at[i] == nullptr ? find(inputs, n.content) : nullptr;
      if (fed == nullptr) continue;
      const tensor_type& type = Graph::value.type(i);
      const value shaped = shaped_as(fed->data, type);
      for (int axis = 0; axis < type.rank; ++axis) {
        const int s = Graph::value.extents.symbol_index(type.extents[axis]);
        if (s < 0 || bound[s]) continue;
        bound[s] = true;
        extents_[s] = shaped.extents[axis];
      }
    }
    for (int s = 0; s < Graph::value.extents.symbol_count(); ++s)
      if (!bound[s])
        throw error(std::string("reference: the named extent \"") + Graph::value.extents.symbol_at(s).name +
                    "\" is not bound by any feed");
  }

  /// A flat range in the shape of its slot: the one extent that is no number follows from the size.
  static value shaped_as(const value& fed, const tensor_type& type) {
    if (fed.rank >= 0) return fed;
    value v = fed;
    v.rank = type.rank;
    std::int64_t known = 1;
    for (int axis = 0; axis < type.rank; ++axis)
      if (is_static(type.extents[axis])) known *= type.extents[axis];
    for (int axis = 0; axis < type.rank; ++axis)
      v.extents[axis] = is_static(type.extents[axis]) ? type.extents[axis] : known == 0 ? 0 : fed.extents[0] / known;
    if (v.count() != fed.extents[0]) throw error("reference: a flat range does not fit its slot");
    return v;
  }

  void evaluate(int i, const std::vector<input>& inputs) {
    compute(i, inputs);
    probe_(i, at(i));
  }
  void compute(int i, const std::vector<input>& inputs) {
    const node& n = Graph::value.nodes[i];
    value& out = values_[static_cast<std::size_t>(i)];
    const tensor_type& type = Graph::value.type(i);
    out.type = type.type;
    out.rank = type.rank;
    for (int axis = 0; axis < out.rank; ++axis) {
      out.extents[axis] = Graph::value.extents.evaluate(type.extents[axis], extents_);
      if (out.extents[axis] < 0) throw error(std::string("reference: ") + n.op->name + ": an extent is negative");
    }
    if (functions.at[i] == nullptr) {
      feed(out, i, inputs);
      return;
    }
    out.allocate();
    std::vector<const value*> operands;
    for (int k = 0; k < n.count; ++k) {
      const int operand = Graph::value.operands[n.first_operand + k];
      operands.push_back(&values_[static_cast<std::size_t>(operand)]);
    }
    arguments in{operands.data(), n.count, words(), numbers_};
    for (int k = 0; k < n.word_count; ++k) {
      const std::int64_t word = Graph::value.pool[n.first_word + k];
      // A slice may begin and end at named extents.
      const attribute_names& names = *n.op->names;
      const bool named =
          names.count > 0 && names.at[k % names.count].kind == attribute_kind::extent && word != to_end && !is_static(word);
      in.attributes.push_back(named ? Graph::value.extents.evaluate(word, extents_) : word);
    }
    functions.at[i](in, out);
  }

  static op_role role_of(int i) { return Graph::value.nodes[i].op->role; }
  static int operand(int i, int k) { return Graph::value.operands_of(i)[k]; }
  static int word(int i, int k) { return static_cast<int>(Graph::value.words_of(i)[k]); }
  value& at(int i) { return values_[static_cast<std::size_t>(i)]; }

  void mark_reached(int i) {
    if (reached_[static_cast<std::size_t>(i)]) return;
    reached_[static_cast<std::size_t>(i)] = true;
    for (int k = 0; k < Graph::value.nodes[i].count; ++k) mark_reached(operand(i, k));
  }
  /// Where there are loops and branches, a node is evaluated when something asks for it, and again when a step has changed what it is
  /// made of.
  void demand(int i, const std::vector<input>& inputs) {
    if (is_there_[static_cast<std::size_t>(i)]) return;
    is_there_[static_cast<std::size_t>(i)] = true;
    if (role_of(i) == op_role::parameter) throw error("reference: a loop's parameter is read outside of it");
    if (role_of(i) == op_role::loop) return run_loop(i, inputs);
    if (role_of(i) == op_role::recompute) return run_recompute(i, inputs);
    if (role_of(i) == op_role::branch) return;
    const bool chosen = role_of(i) == op_role::result && role_of(operand(i, 0)) == op_role::branch;
    if (chosen) {
      const int branch = operand(i, 0), source = operand(branch, 1 + choice(branch, inputs) * word(branch, 1) + word(i, 0));
      demand(source, inputs);
      compute(i, inputs);
      at(i).bytes = at(source).bytes;
      return probe_(i, at(i));
    }
    if (role_of(i) == op_role::result || role_of(i) == op_role::stack) return demand(operand(i, 0), inputs);
    for (int k = 0; k < Graph::value.nodes[i].count; ++k) demand(operand(i, k), inputs);
    evaluate(i, inputs);
  }
  int choice(int branch, const std::vector<input>& inputs) {
    demand(operand(branch, 0), inputs);
    const value& by = at(operand(branch, 0));
    const int last = word(branch, 0) - 1;
    if (by.type == dtype::boolean) return *by.data<bool>() ? 0 : 1;
    std::int64_t number = 0;
    switch (by.type) {
      case dtype::int8: number = *by.data<std::int8_t>(); break;
      case dtype::int16: number = *by.data<std::int16_t>(); break;
      case dtype::int32: number = *by.data<std::int32_t>(); break;
      case dtype::uint8: number = *by.data<std::uint8_t>(); break;
      case dtype::uint16: number = *by.data<std::uint16_t>(); break;
      case dtype::uint32: number = *by.data<std::uint32_t>(); break;
      case dtype::uint64: number = *by.data<std::uint64_t>() > INT32_MAX ? -1 : static_cast<int>(*by.data<std::uint64_t>()); break;
      default: number = *by.data<std::int64_t>(); break;
    }
    return number < 0 || number > last ? last : static_cast<int>(number);
  }
  /// How many operands of a loop, or of what is computed again, come before its parameters.
  static int given(int region) { return word(region, 1) + (role_of(region) == op_role::loop ? word(region, 2) : 0); }
  /// All that is made of a region's parameters must be evaluated again, but not what other regions with these parameters give.
  void forget_step(int region) {
    std::vector<bool> stale(static_cast<std::size_t>(nodes), false);
    for (int k = 0; k < given(region); ++k) stale[static_cast<std::size_t>(operand(region, given(region) + k))] = true;
    for (int i = 0; i < nodes; ++i) {
      int count = i == region ? 0 : Graph::value.nodes[i].count;
      if (count > 0 && has_parameters(role_of(i)))
        for (int k = 0, own = given(i); k < own; ++k)
          if (stale[static_cast<std::size_t>(operand(i, own + k))]) count = own;
      for (int k = 0; k < count; ++k)
        if (stale[static_cast<std::size_t>(operand(i, k))]) stale[static_cast<std::size_t>(i)] = true;
      if (stale[static_cast<std::size_t>(i)]) is_there_[static_cast<std::size_t>(i)] = false;
    }
  }
  void run_recompute(int region, const std::vector<input>& inputs) {
    const int arguments = word(region, 1);
    for (int k = 0; k < arguments; ++k) demand(operand(region, k), inputs);
    forget_step(region);
    for (int k = 0; k < arguments; ++k) {
      const int p = operand(region, arguments + k);
      compute(p, inputs);
      at(p).bytes = at(operand(region, k)).bytes;
      is_there_[static_cast<std::size_t>(p)] = true;
      probe_(p, at(p));
    }
    for (int i = 0; i < nodes; ++i) {
      if (!reached_[static_cast<std::size_t>(i)] || role_of(i) != op_role::result || operand(i, 0) != region) continue;
      const int source = operand(region, 2 * arguments + word(i, 0));
      demand(source, inputs);
      compute(i, inputs);
      at(i).bytes = at(source).bytes;
      probe_(i, at(i));
    }
    forget_step(region);
    is_there_[static_cast<std::size_t>(region)] = true;
    for (int i = 0; i < nodes; ++i)
      if (role_of(i) == op_role::result && operand(i, 0) == region) is_there_[static_cast<std::size_t>(i)] = true;
  }
  void run_loop(int loop, const std::vector<input>& inputs) {
    const int states = word(loop, 1), sequences = word(loop, 2), given = states + sequences;
    const bool reversed = (word(loop, 3) & 1) != 0, conditional = Graph::value.nodes[loop].count > 2 * given + states;
    std::vector<value> now;
    for (int k = 0; k < given; ++k) demand(operand(loop, k), inputs);
    for (int k = 0; k < states; ++k) now.push_back(at(operand(loop, k)));
    std::vector<int> stacks;
    for (int i = 0; i < nodes; ++i)
      if (reached_[static_cast<std::size_t>(i)] && role_of(i) == op_role::stack && operand(i, 0) == loop) stacks.push_back(i);
    const std::int64_t steps = sequences > 0 ? at(operand(loop, states)).extents[0] : INT64_MAX;
    for (const int i : stacks) compute(i, inputs);
    for (std::int64_t t = 0; t < steps; ++t) {
      const std::int64_t place = reversed ? steps - 1 - t : t;
      forget_step(loop);
      for (int k = 0; k < given; ++k) {
        const int p = operand(loop, given + k);
        compute(p, inputs);
        is_there_[static_cast<std::size_t>(p)] = true;
        if (k < states) {
          at(p).bytes = now[static_cast<std::size_t>(k)].bytes;
        } else {
          const auto bytes = static_cast<std::ptrdiff_t>(at(p).bytes.size());
          const auto first = at(operand(loop, k)).bytes.begin() + place * bytes;
          std::copy(first, first + bytes, at(p).bytes.begin());
        }
        probe_(p, at(p));
      }
      if (conditional) {
        const int condition = operand(loop, Graph::value.nodes[loop].count - 1);
        demand(condition, inputs);
        if (!*at(condition).template data<bool>()) break;
      }
      std::vector<value> next;
      for (int k = 0; k < states; ++k) demand(operand(loop, 2 * given + k), inputs);
      for (int k = 0; k < states; ++k) next.push_back(at(operand(loop, 2 * given + k)));
      for (const int i : stacks) {
        demand(operand(i, 1), inputs);
        const value& v = at(operand(i, 1));
        std::copy(v.bytes.begin(), v.bytes.end(), at(i).bytes.begin() + place * static_cast<std::ptrdiff_t>(v.bytes.size()));
      }
      now = next;
    }
    forget_step(loop);
    is_there_[static_cast<std::size_t>(loop)] = true;
    for (int i = 0; i < nodes; ++i) {
      if (role_of(i) != op_role::result || operand(i, 0) != loop) continue;
      compute(i, inputs);
      at(i).bytes = now[static_cast<std::size_t>(word(i, 0))].bytes;
      probe_(i, at(i));
      is_there_[static_cast<std::size_t>(i)] = true;
    }
    for (const int i : stacks) {
      is_there_[static_cast<std::size_t>(i)] = true;
      probe_(i, at(i));
    }
  }

  void feed(value& out, int i, const std::vector<input>& inputs) {
    const node& n = Graph::value.nodes[i];
    const std::string name = n.slot != nullptr ? n.slot->name : "of an unnamed node";
    const input* fed = find(inputs, n.content);
    if (n.slot != nullptr && n.slot->orders_host) return out.allocate();
    if (fed == nullptr) throw error("reference: \"" + name + "\" must be fed");
    const value shaped = shaped_as(fed->data, Graph::value.type(i));
    bool fits = shaped.rank == out.rank;
    for (int axis = 0; fits && axis < out.rank; ++axis) fits = shaped.extents[axis] == out.extents[axis];
    if (!fits) throw error("reference: feed \"" + name + "\" has another shape than expected");
    out.bytes = shaped.bytes;
  }

  draws numbers_;
  Probe probe_;
  std::int64_t extents_[extent_table::max_symbols]{};
  std::vector<value> values_ = std::vector<value>(nodes);
  std::vector<bool> reached_ = std::vector<bool>(nodes), is_there_ = std::vector<bool>(nodes);
};

}  // namespace etch::reference
