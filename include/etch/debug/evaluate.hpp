// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include <etch/debug/graph_view.hpp>

/// An interpreter of graphs: every node by itself, in order, by the kernels that a view of the graph has. It knows no passes.
namespace etch::debug {

/// What is fed: the content hash of the node whose place it takes.
struct input {
  hash_t content = 0;
  value data;
};

/// What looks at values: `look(context, node, value)`.
struct probe {
  void* context = nullptr;
  void (*look)(void* context, int node, const value&) = [](void*, int, const value&) {};
};

/// Evaluates a graph, and lets `probe` look at the value of each node as soon as it is known: in a loop in each step.
class evaluation {
 public:
  explicit evaluation(const graph_view& g, const draws& numbers, const probe& p = {}) : graph_(g), numbers_(numbers), probe_(p) {}

  /// Throws `etch::error` where a feed's extents contradict its slot or another feed, or a node that must be fed is
  /// not.
  void run(const std::vector<input>& inputs) {
    bind_extents(inputs);
    for (int f = 0; f < graph_.size.fetches; ++f) mark_reached(graph_.fetches[f]);
    for (int a = 0; a < graph_.size.assignments; ++a) mark_reached(graph_.assignments[a].value);
    bool regions = false;
    for (int i = 0; i < graph_.size.nodes; ++i) regions = regions || has_sub_graphs(role_of(i));
    if (!regions) {
      for (int i = 0; i < graph_.size.nodes; ++i)
        if (reached_[static_cast<std::size_t>(i)]) evaluate(i, inputs);
      return;
    }
    for (int f = 0; f < graph_.size.fetches; ++f) demand(graph_.fetches[f], inputs);
    for (int a = 0; a < graph_.size.assignments; ++a) demand(graph_.assignments[a].value, inputs);
  }
  const value& fetch(int f) const { return values_[static_cast<std::size_t>(graph_.fetches[f])]; }
  /// What is left in the variable of assignment `a`.
  const value& assigned(int a) const { return values_[static_cast<std::size_t>(graph_.assignments[a].value)]; }

 private:
  static const input* find(const std::vector<input>& inputs, hash_t content) {
    for (const input& x : inputs)
      if (x.content == content) return &x;
    return nullptr;
  }

  /// Each named extent has the count that the first feed gives it.
  void bind_extents(const std::vector<input>& inputs) {
    bool bound[extent_table::max_symbols] = {};
    for (int i = 0; i < graph_.size.nodes; ++i) {
      const node& n = graph_.nodes[i];
      const input* fed = graph_.functions[i] == nullptr ? find(inputs, n.content) : nullptr;
      if (fed == nullptr) continue;
      const tensor_type& type = graph_.type(i);
      const value shaped = shaped_as(fed->data, type);
      for (int axis = 0; axis < type.rank; ++axis) {
        const int s = graph_.extents->symbol_index(type.extents[axis]);
        if (s < 0 || bound[s]) continue;
        bound[s] = true;
        extents_[s] = shaped.extents[axis];
      }
    }
    for (int s = 0; s < graph_.extents->symbol_count(); ++s)
      if (!bound[s])
        throw error(std::string("reference: the named extent \"") + graph_.extents->symbol_at(s).name +
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
    look(i, at(i));
  }
  void compute(int i, const std::vector<input>& inputs) {
    const node& n = graph_.nodes[i];
    value& out = values_[static_cast<std::size_t>(i)];
    const tensor_type& type = graph_.type(i);
    out.type = type.type;
    out.rank = type.rank;
    for (int axis = 0; axis < out.rank; ++axis) {
      out.extents[axis] = graph_.extents->evaluate(type.extents[axis], extents_);
      if (out.extents[axis] < 0) throw error(std::string("reference: ") + n.op->name + ": an extent is negative");
    }
    if (graph_.functions[i] == nullptr) {
      feed(out, i, inputs);
      return;
    }
    out.allocate();
    std::vector<const value*> operands;
    for (int k = 0; k < n.count; ++k) {
      const int operand = graph_.operands[n.first_operand + k];
      operands.push_back(&values_[static_cast<std::size_t>(operand)]);
    }
    arguments in{operands.data(), n.count, words(), numbers_};
    for (int k = 0; k < n.word_count; ++k) {
      const std::int64_t word = graph_.pool[n.first_word + k];
      // A slice may begin and end at named extents.
      const attribute_names& names = *n.op->names;
      const bool named =
          names.count > 0 && names.at[k % names.count].kind == attribute_kind::extent && word != to_end && !is_static(word);
      in.attributes.push_back(named ? graph_.extents->evaluate(word, extents_) : word);
    }
    graph_.functions[i](in, out);
  }

  op_role role_of(int i) const { return graph_.nodes[i].op->role; }
  int operand(int i, int k) const { return graph_.operands_of(i)[k]; }
  int word(int i, int k) const { return static_cast<int>(graph_.words_of(i)[k]); }
  void look(int i, const value& v) const { probe_.look(probe_.context, i, v); }
  value& at(int i) { return values_[static_cast<std::size_t>(i)]; }

  void mark_reached(int i) {
    if (reached_[static_cast<std::size_t>(i)]) return;
    reached_[static_cast<std::size_t>(i)] = true;
    for (int k = 0; k < graph_.nodes[i].count; ++k) mark_reached(operand(i, k));
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
      return look(i, at(i));
    }
    if (role_of(i) == op_role::result || role_of(i) == op_role::stack) return demand(operand(i, 0), inputs);
    for (int k = 0; k < graph_.nodes[i].count; ++k) demand(operand(i, k), inputs);
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
  int given(int region) const { return word(region, 1) + (role_of(region) == op_role::loop ? word(region, 2) : 0); }
  /// All that is made of a region's parameters must be evaluated again, but not what other regions with these parameters give.
  void forget_step(int region) {
    std::vector<bool> stale(nodes_, false);
    for (int k = 0; k < given(region); ++k) stale[static_cast<std::size_t>(operand(region, given(region) + k))] = true;
    for (int i = 0; i < graph_.size.nodes; ++i) {
      int count = i == region ? 0 : graph_.nodes[i].count;
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
      look(p, at(p));
    }
    for (int i = 0; i < graph_.size.nodes; ++i) {
      if (!reached_[static_cast<std::size_t>(i)] || role_of(i) != op_role::result || operand(i, 0) != region) continue;
      const int source = operand(region, 2 * arguments + word(i, 0));
      demand(source, inputs);
      compute(i, inputs);
      at(i).bytes = at(source).bytes;
      look(i, at(i));
    }
    forget_step(region);
    is_there_[static_cast<std::size_t>(region)] = true;
    for (int i = 0; i < graph_.size.nodes; ++i)
      if (role_of(i) == op_role::result && operand(i, 0) == region) is_there_[static_cast<std::size_t>(i)] = true;
  }
  void run_loop(int loop, const std::vector<input>& inputs) {
    const int states = word(loop, 1), sequences = word(loop, 2), given = states + sequences;
    const bool reversed = (word(loop, 3) & 1) != 0, conditional = graph_.nodes[loop].count > 2 * given + states;
    std::vector<value> now;
    for (int k = 0; k < given; ++k) demand(operand(loop, k), inputs);
    for (int k = 0; k < states; ++k) now.push_back(at(operand(loop, k)));
    std::vector<int> stacks;
    for (int i = 0; i < graph_.size.nodes; ++i)
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
        look(p, at(p));
      }
      if (conditional) {
        const int condition = operand(loop, graph_.nodes[loop].count - 1);
        demand(condition, inputs);
        if (!*at(condition).data<bool>()) break;
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
    for (int i = 0; i < graph_.size.nodes; ++i) {
      if (role_of(i) != op_role::result || operand(i, 0) != loop) continue;
      compute(i, inputs);
      at(i).bytes = now[static_cast<std::size_t>(word(i, 0))].bytes;
      look(i, at(i));
      is_there_[static_cast<std::size_t>(i)] = true;
    }
    for (const int i : stacks) {
      is_there_[static_cast<std::size_t>(i)] = true;
      look(i, at(i));
    }
  }

  void feed(value& out, int i, const std::vector<input>& inputs) {
    const node& n = graph_.nodes[i];
    const std::string name = n.slot != nullptr ? n.slot->name : "of an unnamed node";
    const input* fed = find(inputs, n.content);
    if (n.slot != nullptr && n.slot->orders_host) return out.allocate();
    if (fed == nullptr) throw error("reference: \"" + name + "\" must be fed");
    const value shaped = shaped_as(fed->data, graph_.type(i));
    bool fits = shaped.rank == out.rank;
    for (int axis = 0; fits && axis < out.rank; ++axis) fits = shaped.extents[axis] == out.extents[axis];
    if (!fits) throw error("reference: feed \"" + name + "\" has another shape than expected");
    out.bytes = shaped.bytes;
  }

  const graph_view& graph_;
  draws numbers_;
  probe probe_;
  std::int64_t extents_[extent_table::max_symbols]{};
  const std::size_t nodes_ = static_cast<std::size_t>(graph_.size.nodes);
  std::vector<value> values_ = std::vector<value>(nodes_);
  std::vector<bool> reached_ = std::vector<bool>(nodes_), is_there_ = std::vector<bool>(nodes_);
};

}  // namespace etch::debug
