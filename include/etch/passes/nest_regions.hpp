// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/effects.hpp>
#include <etch/passes/escaped_parameter.hpp>
#include <etch/passes/local_gradients.hpp>
#include <etch/passes/regions.hpp>

/// Nests the bodies of regions: from here on each is a graph of its own. Expressions say what a body gives, and not what belongs to it, since
/// a body reads whatever its function has captured; that is found here, once, and all passes behind read it from the nodes.
namespace etch {

namespace detail {

class region_nester {
 public:
  constexpr graph run(const graph& flat) {
    out_.extents = flat.extents;
    out_.groups = flat.groups;
    out_.add_bodies(0);
    const vector<int> node_of = emit(flat, 0);
    out_.take_fetches(flat, node_of.data());
    return static_cast<graph&&>(out_);
  }

 private:
  /// The nodes of one body that others of it need, and before it the bodies of its regions. Gives what nodes become.
  constexpr vector<int> emit(const graph& g, int body) {
    const region_map regions(g);
    vector<vector<int>> operands;  // per region outside of all others
    vector<int> first_body(g.size(), 0), call_of(g.size(), -1);
    for (int c = 0; c < regions.calls().size(); ++c) {
      const int n = regions.calls()[c];
      call_of[n] = c;
      operands.push_back(regions.operands(n));
      first_body[n] = out_.add_bodies(regions.parts(n));
      for (int part = 0; part < regions.parts(n); ++part) emit_part(g, regions, n, part, operands[c], first_body[n] + part);
    }
    vector<int> results;
    for (int i = 0; i < g.fetches.size(); ++i) results.push_back(g.fetches[i]);
    for (int i = 0; i < g.assignments.size(); ++i) {
      results.push_back(g.assignments[i].variable);
      results.push_back(g.assignments[i].value);
    }
    vector<int> node_of(g.size(), -1);
    rules r{*this, regions, operands, first_body, call_of, body};
    copy_needed(g, results, node_of, r);
    return node_of;
  }
  constexpr void emit_part(const graph& g, const region_map& regions, int region, int part, const vector<int>& operands, int body) {
    vector<int> port(g.size(), 0);
    const int given = regions.given(region);
    for (int k = 0; k < operands.size(); ++k) {
      const int n = k >= given ? operands[k] : regions.has_parameters(region) ? g.operand(region, given + k) : -1;
      if (n >= 0) port[n] = k + 1;
    }
    vector<int> node_of_part(g.size(), -1);
    graph sub = part_of(g, regions.results(region, part), port, node_of_part, true);
    if (regions.has_parameters(region)) leave_level(sub, static_cast<int>(g.word(region, 0)));
    const vector<int> node_of = emit(sub, body);
    vector<int> gives;
    for (int i = 0; i < sub.fetches.size(); ++i) gives.push_back(node_of[sub.fetches[i]]);
    out_.set_results(body, gives);
  }

  /// In the loop's own body nothing is of its level.
  static constexpr void leave_level(graph& body, int level) {
    for (int n = 0; n < body.size(); ++n)
      if (body.is(n, op_role::local)) body.pool[body[n].first_word] &= ~(std::int64_t{1} << level);
  }

  struct rules {
    region_nester& nester;
    const region_map& regions;
    const vector<vector<int>>& operands;
    const vector<int>&first_body, &call_of;
    int body;

    constexpr vector<int> operands_of(const graph& g, int n) const {
      if (regions.is_region(n)) {
        if (call_of[n] < 0) throw "etch: a region is read that nothing needs";
        return operands[call_of[n]];
      }
      vector<int> all = operands_as_list(g, n);
      if (g.is(n, op_role::stack)) all.pop_back();
      return all;
    }
    constexpr int make(const graph& g, int n, const vector<int>& in) {
      const node& d = g[n];
      if (d.op->role == op_role::local) return in[0];
      if (d.op->role == op_role::placeholder && body > 0)
        return push(g, n, info_of<region_parameter>, words(0, static_cast<int>(d.content) - 1), in);
      if (d.op->role == op_role::result || d.op->role == op_role::stack)
        return push(g, n, info_of<region_result>, words(regions.result_number(n)), in);
      if (!regions.is_region(n)) return push(g, n, *d.op, g.words_of(n), in);
      words w = g.words_of(n);
      w.at[body_word(*d.op)] = first_body[n];
      if (d.op->role == op_role::loop && regions.has_condition(n)) w.at[3] |= loop_mode::has_condition;
      return push(g, n, *d.op, w, in);
    }
    constexpr int push(const graph& g, int n, const op_info& op, const words& w, const vector<int>& in) {
      graph& out = nester.out_;
      const node& d = g[n];
      return out.push(
          {&op, in.data(), in.size(), out.type_id(g.type(n)), out.push_words(w), w.count, d.slot, d.content, d.group, body});
    }
  };

  graph out_;
};

constexpr graph zeros_for_fetches(const graph& g) {
  graph out;
  out.adopt(g);
  for (int i = 0; i < g.fetches.size(); ++i) {
    const tensor_type type = g.type(g.fetches[i]);
    const bool is_value = type.type != dtype::none;
    out.fetches.push_back(is_value ? filled(out, type, 0).node : out.push(info_of<struct group>, words(), type, nullptr, 0));
  }
  return out;
}

}  // namespace detail

constexpr bool has_regions(const graph& g) {
  for (int n = 0; n < g.size(); ++n)
    if (has_sub_graphs(g[n].op->role)) return true;
  return false;
}

/// The graph whose regions have bodies of their own. Where a parameter escapes, which is an error that is told elsewhere, its fetches are 0.
constexpr graph nest_regions(const graph& flat) {
  if (!has_regions(flat)) return flat;
  if (escaped_parameter(flat) != 0) return detail::zeros_for_fetches(flat);
  graph local = with_local_gradients(flat);
  detail::region_nester nester;
  return nester.run(local);
}

}  // namespace etch
