// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <utility>

#include <etch/debug/graph_view.hpp>
#include <etch/ops/regions.hpp>

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
    run_body(0, inputs);
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

  /// The nodes of a body in their order; 0: those of the graph itself.
  void run_body(int body, const std::vector<input>& inputs) {
    for (int i = 0; i < graph_.size.nodes; ++i)
      if (graph_.nodes[i].body == body && reached_[static_cast<std::size_t>(i)]) evaluate(i, inputs);
  }
  void evaluate(int i, const std::vector<input>& inputs) {
    if (role_of(i) == op_role::loop) return run_loop(i, inputs);
    if (has_sub_graphs(role_of(i))) return run_part(i, first_body(i) + (role_of(i) == op_role::branch ? choice(i) : 0), inputs);
    if (role_of(i) == op_role::result) {
      compute(i, inputs);
      at(i).bytes = given_by_[static_cast<std::size_t>(operand(i, 0))][static_cast<std::size_t>(word(i, 0))].bytes;
    } else if (role_of(i) != op_role::parameter) {
      compute(i, inputs);
    }
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
    for (int b = 0; b < body_count(i); ++b)
      for (int k = 0; k < result_count(first_body(i) + b); ++k) mark_reached(result(first_body(i) + b, k));
  }
  int body_count(int n) const {
    return has_sub_graphs(role_of(n)) ? etch::detail::body_count(*graph_.nodes[n].op, graph_.words_of(n)) : 0;
  }
  int first_body(int region) const { return word(region, etch::detail::body_word(*graph_.nodes[region].op)); }
  int result_count(int body) const { return graph_.bodies[body].count; }
  int result(int body, int k) const { return graph_.results[graph_.bodies[body].first + k]; }

  /// Which body of a branch runs.
  int choice(int branch) {
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
  /// Gives a body's parameters the bytes that `bytes_of(k)` has for operand k, and runs it.
  template <class Bytes>
  void run_with(int body, const Bytes& bytes_of, const std::vector<input>& inputs) {
    for (int i = 0; i < graph_.size.nodes; ++i) {
      if (graph_.nodes[i].body != body || role_of(i) != op_role::parameter || !reached_[static_cast<std::size_t>(i)]) continue;
      compute(i, inputs);
      at(i).bytes = bytes_of(word(i, 1), at(i).bytes.size());
    }
    run_body(body, inputs);
  }
  void run_part(int region, int body, const std::vector<input>& inputs) {
    run_with(body, [&](int k, std::size_t) { return at(operand(region, k)).bytes; }, inputs);
    std::vector<value>& given = given_by_[static_cast<std::size_t>(region)];
    given.clear();
    for (int k = 0; k < result_count(body); ++k) given.push_back(at(result(body, k)));
  }
  /// A stack has in steps that have not been what the last one had, or 1/2 where none has been, as loops of sessions have it.
  static void fill_rest(value& stack, std::int64_t been, std::int64_t steps, bool reversed) {
    if (stack.bytes.empty()) return;
    const auto bytes = static_cast<std::ptrdiff_t>(stack.bytes.size()) / steps;
    const auto at_step = [&](std::int64_t t) { return stack.bytes.begin() + (reversed ? steps - 1 - t : t) * bytes; };
    const etch::detail::half_of_floats half(stack.type);
    for (std::int64_t t = been; t < steps; ++t)
      if (been > 0)
        std::copy_n(at_step(been - 1), bytes, at_step(t));
      else
        for (std::ptrdiff_t i = 0; i < bytes; ++i)
          at_step(t)[i] = static_cast<typename decltype(stack.bytes)::value_type>(half.bytes[i % half.size]);
  }
  void run_loop(int loop, const std::vector<input>& inputs) {
    const int states = word(loop, 1), sequences = word(loop, 2), body = first_body(loop), count = result_count(body);
    const bool reversed = (word(loop, 3) & loop_mode::reversed) != 0;
    const std::int64_t steps = sequences > 0 ? at(operand(loop, states)).extents[0] : INT64_MAX;
    std::vector<value> now(static_cast<std::size_t>(count));
    for (int k = 0; k < states; ++k) now[static_cast<std::size_t>(k)] = at(operand(loop, k));
    for (int i = 0; i < graph_.size.nodes; ++i) {  // stacks: zeros where no step is
      if (!reached_[static_cast<std::size_t>(i)] || role_of(i) != op_role::result || operand(i, 0) != loop || word(i, 0) < states)
        continue;
      compute(i, inputs);
      now[static_cast<std::size_t>(word(i, 0))] = at(i);
    }
    for (std::int64_t t = 0; t < steps; ++t) {
      const auto place = static_cast<std::size_t>(reversed ? steps - 1 - t : t);
      const auto operand_now = [&](int k, std::size_t size) {
        if (k < states) return now[static_cast<std::size_t>(k)].bytes;
        auto bytes = at(operand(loop, k)).bytes;
        if (k >= states + sequences) return bytes;
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(place * size);
        return decltype(bytes)(first, first + static_cast<std::ptrdiff_t>(size));
      };
      if (body_count(loop) == 2) {
        run_with(body + 1, operand_now, inputs);
        if (!*at(result(body + 1, 0)).data<bool>()) {
          for (int k = states; k < count; ++k)
            if (value& stack = now[static_cast<std::size_t>(k)]; is_floating(stack.type)) fill_rest(stack, t, steps, reversed);
          break;
        }
      }
      run_with(body, operand_now, inputs);
      std::vector<value> next = now;
      for (int k = 0; k < count; ++k) {
        const value& v = at(result(body, k));
        value& to = next[static_cast<std::size_t>(k)];
        if (k < states)
          to = v;
        else if (!to.bytes.empty())  // else nothing reads it
          std::copy(v.bytes.begin(), v.bytes.end(), to.bytes.begin() + static_cast<std::ptrdiff_t>(place * v.bytes.size()));
      }
      now = next;
    }
    given_by_[static_cast<std::size_t>(loop)] = now;
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
  std::vector<std::vector<value>> given_by_ = std::vector<std::vector<value>>(nodes_);  ///< per region: what its bodies have given
  std::vector<bool> reached_ = std::vector<bool>(nodes_);
};

}  // namespace etch::debug
