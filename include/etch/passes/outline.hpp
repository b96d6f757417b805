// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/hash.hpp>
#include <etch/passes/bodies.hpp>
#include <etch/passes/part_of_graph.hpp>

/// Takes the calls of functions, and their gradients, out of a graph: each becomes a call of a graph of its own, and calls of equal graphs
/// run one plan. Which nodes are of a call, their groups say. Constants and moved values belong to whoever reads them, so no copy is
/// made of a transposed matrix to hand it over.
namespace etch {

namespace detail {

class function_outliner {
 public:
  constexpr explicit function_outliner(const graph& g)
      : g_(g), group_of_(g.size(), 0), round_of_(g.size(), 0), call_of_(g.size(), -1), output_of_(g.size(), -1) {
    find_groups();
    while (!dissolve_one_that_waits_for_itself()) {
    }
    find_calls();
    if (dissolve_single_calls()) find_calls();
  }

  constexpr graph outer() const {
    graph out;
    out.adopt(g_);
    rules r{*this, out};
    vector<int> results, node_of(g_.size() + calls_.size(), -1);
    for (int i = 0; i < g_.fetches.size(); ++i) results.push_back(g_.fetches[i]);
    for (int i = 0; i < g_.assignments.size(); ++i) {
      results.push_back(g_.assignments[i].variable);
      results.push_back(g_.assignments[i].value);
    }
    copy_needed(g_, results, node_of, r);
    out.take_fetches(g_, node_of.data());
    copy_bodies(out, node_of);
    number_groups(out);
    return out;
  }

  /// The graph of a call: its inputs are placeholders whose contents are their numbers from 1 on.
  constexpr graph part(int number) const {
    const call& c = calls_[number];
    vector<int> port(g_.size(), 0);
    for (int k = 0; k < c.inputs.size(); ++k) port[c.inputs[k]] = k + 1;
    vector<int> node_of(g_.size(), -1);
    graph out = part_of(g_, c.outputs, port, node_of, false);
    copy_bodies(out, node_of);
    number_groups(out);
    return out;
  }

 private:
  struct call {
    vector<int> members, inputs, outputs;
    hash_t hash = 0;
    int first = 0;  ///< the first call with an equal graph
  };

  /// The bodies of the regions that have been copied, under the numbers that they have.
  constexpr void copy_bodies(graph& out, vector<int>& node_of) const {
    out.add_empty_bodies(g_.bodies.size());
    vector<char> is_there(g_.bodies.size(), 0);
    for (int n = 0; n < g_.size(); ++n)
      for (int k = 0; g_[n].body == 0 && node_of[n] >= 0 && is_region(g_, n) && k < body_count(g_, n); ++k)
        is_there[first_body(g_, n) + k] = 1;
    mark_bodies_within(g_, is_there);
    vector<int> in;
    for (int n = 0; n < g_.size(); ++n) {
      if (g_[n].body == 0 || is_there[g_[n].body] == 0) continue;
      in.clear();
      for (int k = 0; k < g_[n].count; ++k) in.push_back(node_of[g_.operand(n, k)]);
      const node& d = g_[n];
      const words w = g_.words_of(n);
      node_of[n] = out.push(
          {d.op, in.data(), in.size(), out.type_id(g_.type(n)), out.push_words(w), w.count, d.slot, d.content, d.group, d.body});
    }
    for (int b = 0; b < is_there.size(); ++b)
      if (is_there[b] != 0) give_as(g_, b, out, b, node_of);
  }

  /// What whoever reads it has of its own: constants, indices, movements of what is read, and the nodes of bodies.
  constexpr bool is_copied(int n) const {
    return is_inside(n) || g_.is(n, op_role::constant) || g_.is(n, op_role::index) ||
           (g_[n].op->kind == op_kind::movement && g_[n].count == 1);
  }
  constexpr bool is_inside(int n) const { return g_[n].body != 0; }
  /// What a node reads, behind what is copied for it, in the order in which it reads it.
  constexpr const vector<int>& sources_of(int n) {
    sources_.clear();
    ++round_;
    stack_.clear();
    push_operands(n);
    while (!stack_.empty()) {
      const int from = stack_.back();
      stack_.pop_back();
      if (round_of_[from] == round_) continue;
      round_of_[from] = round_;
      if (is_copied(from))
        push_operands(from);
      else
        sources_.push_back(from);
    }
    return sources_;
  }
  constexpr void push_operands(int n) {
    for (int k = g_[n].count; k-- > 0;) stack_.push_back(g_.operand(n, k));
  }

  /// The groups that stand outside of all regions. Calls in regions keep their groups, for the graphs of those.
  constexpr void find_groups() {
    alive_.resize(g_.groups + 1, 1);
    alive_[0] = 0;
    vector<int> members(g_.groups + 1, 0);
    for (int n = 0; n < g_.size(); ++n) {
      const bool reads_a_region = g_.is(n, op_role::result);
      group_of_[n] = reads_a_region ? group_of_[g_.operand(n, 0)] : g_[n].group;
      if (!is_copied(n)) ++members[group_of_[n]];
    }
    for (int group = 0; group <= g_.groups; ++group)
      if (members[group] < 2) alive_[group] = 0;
  }
  /// The unit that computes node n: a group, or behind all groups the node itself.
  constexpr int unit(int n) const { return is_member(n) ? group_of_[n] : g_.groups + 1 + n; }
  constexpr bool is_member(int n) const { return alive_[group_of_[n]] != 0 && !is_copied(n) && !is_slot(n); }
  constexpr bool is_slot(int n) const { return g_.is(n, op_role::variable) || g_.is(n, op_role::placeholder); }

  /// Whether all groups can run one after another; if not, one that waits for what waits for itself is a group no longer.
  constexpr bool dissolve_one_that_waits_for_itself() {
    const int units = g_.groups + 1 + g_.size();
    vector<int> waits(units, 0), first_use(units, -1), next_use, used_by, ready;
    for (int n = 0; n < g_.size(); ++n) {
      if (is_copied(n)) continue;
      const vector<int>& sources = sources_of(n);
      for (int k = 0; k < sources.size(); ++k) {
        const int from = unit(sources[k]), to = unit(n);
        if (from == to) continue;
        ++waits[to];
        next_use.push_back(first_use[from]);
        used_by.push_back(to);
        first_use[from] = used_by.size() - 1;
      }
    }
    for (int u = 0; u < units; ++u)
      if (waits[u] == 0) ready.push_back(u);
    while (!ready.empty()) {
      const int u = ready.back();
      ready.pop_back();
      waits[u] = -1;
      for (int use = first_use[u]; use >= 0; use = next_use[use])
        if (--waits[used_by[use]] == 0) ready.push_back(used_by[use]);
    }
    for (int group = 1; group <= g_.groups; ++group)
      if (alive_[group] != 0 && waits[group] > 0) {
        alive_[group] = 0;
        return false;
      }
    return true;
  }

  constexpr void find_calls() {
    calls_.clear();
    number_calls();
    for (int c = 0; c < calls_.size(); ++c) find_ports(calls_[c]);
    find_outputs();
    for (int c = 0; c < calls_.size(); ++c) calls_[c].first = first_equal(c);
  }
  /// A plan that would be run once is better part of what runs it: kernels fuse, and nothing is compiled twice.
  constexpr bool dissolve_single_calls() {
    vector<int> equal(calls_.size(), 0);
    for (int c = 0; c < calls_.size(); ++c) ++equal[calls_[c].first];
    bool found = false;
    for (int c = 0; c < calls_.size(); ++c)
      if (equal[calls_[c].first] == 1) {
        alive_[group_of_[calls_[c].members[0]]] = 0;
        found = true;
      }
    return found;
  }
  constexpr void number_calls() {
    vector<int> number(g_.groups + 1, -1);
    for (int n = 0; n < g_.size(); ++n) {
      call_of_[n] = output_of_[n] = -1;
      if (!is_member(n)) continue;
      const int group = group_of_[n];
      if (number[group] < 0) {
        number[group] = calls_.size();
        calls_.push_back({});
      }
      call_of_[n] = number[group];
      calls_[number[group]].members.push_back(n);
    }
  }
  /// In the order in which the members read them: calls of one function have theirs in the same order.
  constexpr void find_ports(call& c) {
    vector<char> seen(g_.size(), 0);
    for (int m = 0; m < c.members.size(); ++m) {
      const vector<int>& sources = sources_of(c.members[m]);
      for (int k = 0; k < sources.size(); ++k) {
        const int from = sources[k];
        if (seen[from] != 0 || call_of_[from] == call_of_[c.members[m]]) continue;
        seen[from] = 1;
        c.inputs.push_back(from);
      }
    }
  }
  /// What others read of a call's nodes, and what is fetched or assigned.
  constexpr void find_outputs() {
    const vector<char> wanted = g_.find_results();
    vector<char> read = wanted;
    for (int n = 0; n < g_.size(); ++n) {
      if (is_copied(n) && wanted[n] == 0) continue;
      const vector<int>& sources = sources_of(n);
      for (int k = 0; k < sources.size(); ++k)
        if (is_copied(n) || call_of_[sources[k]] != call_of_[n]) read[sources[k]] = 1;
    }
    for (int n = 0; n < g_.size(); ++n)
      if (read[n] != 0 && call_of_[n] >= 0) {
        output_of_[n] = calls_[call_of_[n]].outputs.size();
        calls_[call_of_[n]].outputs.push_back(n);
      }
  }

  constexpr int first_equal(int number) {
    calls_[number].hash = hash_of_call(calls_[number]);
    for (int c = 0; c < number; ++c)
      if (calls_[c].hash == calls_[number].hash) return c;
    return number;
  }
  /// Of all that `part` depends on.
  constexpr hash_t hash_of_call(const call& c) const {
    vector<hash_t> known(g_.size(), 0);
    for (int k = 0; k < c.inputs.size(); ++k) known[c.inputs[k]] = mix(type_hash_of(c.inputs[k]), static_cast<hash_t>(k + 1));
    hash_t h = mix(static_cast<hash_t>(c.members.size()), static_cast<hash_t>(c.inputs.size()));
    for (int k = 0; k < c.outputs.size(); ++k) h = mix(h, hash_behind(c.outputs[k], known));
    for (int m = 0; m < c.members.size(); ++m) h = mix(h, hash_behind(c.members[m], known));
    return h;
  }
  /// With what the bodies of a region give.
  constexpr vector<int> read_by(int n) const {
    vector<int> r = operands_as_list(g_, n);
    for (int b = 0; is_region(g_, n) && b < body_count(g_, n); ++b)
      for (int k = 0; k < g_.result_count(first_body(g_, n) + b); ++k) r.push_back(g_.result(first_body(g_, n) + b, k));
    return r;
  }
  constexpr hash_t hash_behind(int root, vector<hash_t>& known) const {
    vector<int> stack;
    stack.push_back(root);
    while (!stack.empty()) {
      const int n = stack.back();
      bool ready = true;
      const vector<int> reads = read_by(n);
      for (int k = 0; k < reads.size() && known[n] == 0; ++k)
        if (known[reads[k]] == 0) {
          stack.push_back(reads[k]);
          ready = false;
        }
      if (!ready) continue;
      stack.pop_back();
      if (known[n] != 0) continue;
      hash_t h = mix(g_[n].op->id, type_hash_of(n));
      for (int w = 0; w < g_[n].word_count; ++w)
        if (!is_region(g_, n) || w != body_word(*g_[n].op)) h = mix(h, static_cast<hash_t>(g_.word(n, w)));
      for (int k = 0; k < reads.size(); ++k) h = mix(h, known[reads[k]]);
      known[n] = h != 0 ? h : 1;
    }
    return known[root];
  }
  constexpr hash_t type_hash_of(int n) const {
    const tensor_type& t = g_.type(n);
    hash_t h = mix(static_cast<hash_t>(t.type), static_cast<hash_t>(t.rank));
    for (int i = 0; i < t.rank; ++i) h = mix(h, static_cast<hash_t>(t.extents[i]));
    return h;
  }

  /// What is left: behind the nodes stand the calls.
  struct rules {
    const function_outliner& all;
    graph& out;

    constexpr vector<int> operands_of(const graph& g, int n) const {
      if (n >= g.size()) return all.calls_[n - g.size()].inputs;
      vector<int> r;
      if (all.call_of_[n] >= 0)
        r.push_back(g.size() + all.call_of_[n]);
      else
        r = operands_as_list(g, n);
      return r;
    }
    constexpr int make(const graph& g, int n, const vector<int>& in) {
      if (n >= g.size()) {
        const int number = n - g.size();
        const words w(static_cast<int>(call_kind::function), number, all.calls_[number].first, 0, 0, 1);
        return out.push(info_of<region_call>, w, tensor_type{}, in.data(), in.size());
      }
      if (all.call_of_[n] >= 0) return out.push(info_of<region_result>, words(all.output_of_[n]), g.type(n), in.data(), 1);
      candidate c = out.copy_of(g, n, in.data());
      if (!all.is_inside(n)) c.group = 0;
      return out.push(c);
    }
  };
  const graph& g_;
  vector<char> alive_;                      ///< per group
  vector<int> group_of_;                    ///< per node
  vector<int> sources_, stack_, round_of_;  ///< of `sources_of`
  int round_ = 0;
  vector<int> call_of_, output_of_;  ///< per node: the call that computes it, which of its outputs it is; or -1
  vector<call> calls_;
};

}  // namespace detail

/// The graph in which each call of a function, and each gradient of one, is a call.
constexpr graph with_function_calls(const graph& g) {
  const detail::function_outliner calls(g);
  return calls.outer();
}
/// The graph of call `number`. It fetches what the others read.
constexpr graph function_part(const graph& g, int number) {
  const detail::function_outliner calls(g);
  return calls.part(number);
}

}  // namespace etch
