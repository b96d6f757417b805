// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/comparison.hpp>
#include <etch/passes/all_regions.hpp>

/// The gradient of a loop: a loop over the same steps in the other direction. Its states are the adjoints of the forward states, and the
/// sums so far of what the steps add to the gradients of what the body has captured; its sequences are the adjoints of the outputs and the
/// forward values that the rules read.
namespace etch::detail {

class loop_gradient {
 public:
  constexpr loop_gradient(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& outside, int loop,
                          gradient_failure& failure)
      : failure_(failure), mode_(mode), g_(g), outside_(outside), loop_(loop), states_(states_of(g, loop)),
        given_(given_operands(g, loop)), body_(first_body(g, loop)), made_(g.add_bodies()),
        forward_(g, mode.bodies, loop, made_, outside.forward), nodes_(mode.bodies.of(body_)), inside_(g.size(), nodes_),
        parameters_(mode.bodies.parameters_of(body_, g[loop].count)) {}

  constexpr void run() {
    inside_.to = made_;
    inside_.forward = &forward_;
    inside_.adds_products = true;
    find_active();
    g_.body = made_;
    seed();
    mode_.run(inside_, nodes_);
    if (body_count(g_, loop_) == 2) executed_ = executed();
    g_.body = made_;
    add_results();
    g_.body = outside_.to;
    const int made = append_loop();
    if (forward_.exceeds_rank()) failure_.too_many_axes = true;
    if (!failure_.too_many_axes) give(made);
  }

 private:
  constexpr int operand(int k) const { return g_.operand(loop_, k); }
  constexpr int next(int k) const { return g_.result(body_, k); }
  constexpr bool is_float(int n) const { return is_floating(g_.type(n).type); }
  constexpr int adjoint_of_parameter(int k) const { return parameters_[k] < 0 ? -1 : inside_.adjoint[parameters_[k]]; }

  /// A state's adjoint is wanted where the state depends on something whose adjoint is, perhaps steps ago.
  constexpr void find_active() {
    vector<char>& active = inside_.active;
    is_active_.resize(states_, 0);
    for (int k = 0; k < g_[loop_].count; ++k) {
      const char wanted = is_float(operand(k)) ? outside_.active[operand(k)] : 0;
      if (k < states_) is_active_[k] = wanted;
      if (parameters_[k] >= 0) active[parameters_[k]] = wanted;
    }
    for (bool more = true; more;) {
      for (int i = 0; i < nodes_.size(); ++i) {
        const int n = nodes_[i];
        if (!carries_gradients(g_, n)) continue;
        for (int k = 0; k < g_[n].count && active[n] == 0; ++k) active[n] = active[g_.operand(n, k)];
      }
      more = false;
      for (int k = 0; k < states_; ++k) {
        if (is_active_[k] != 0 || !is_float(next(k)) || active[next(k)] == 0) continue;
        is_active_[k] = 1;
        if (parameters_[k] >= 0) active[parameters_[k]] = 1;
        more = true;
      }
    }
  }

  /// A state, or a sequence: what it is before the loop, its parameter, the value that the next step has.
  struct backward_state {
    int first = -1, parameter = -1, next = -1;
  };
  /// Where what the loop gives goes: an operand of the forward loop gets a result (a state's number), else a stack of a node of the body.
  struct backward_result {
    int operand = -1, state = -1, node = -1;
    int taken = -1;  ///< the bools of its mask: of a stack a node, of a state the number of another one
  };

  constexpr int new_parameter(const tensor_type type) { return append_parameter(g_, made_, -1, type); }
  constexpr int zeros(const tensor_type type) { return filled(g_, type, 0).node; }
  constexpr int zeros_outside(const tensor_type type) {
    g_.body = outside_.to;
    const int made = zeros(type);
    g_.body = made_;
    return made;
  }
  constexpr void seed(int n, int adjoint) {
    if (!inside_.mask.empty()) inside_.mask[n] = 0;
    int& sum = inside_.adjoint[n];
    sum = sum < 0 ? adjoint : (ref{&g_, sum} + ref{&g_, adjoint}).node;
  }
  constexpr void seed() {
    for (int k = 0; k < states_; ++k) {
      if (is_active_[k] == 0) continue;
      int first = -1;
      for (int i = 0; i < outside_.of_regions.size(); ++i) {
        const reverse_sweep<all_regions>::region_adjoint& a = outside_.of_regions[i];
        if (a.region == loop_ && g_.word(a.value, 0) == k) first = a.adjoint;
      }
      const tensor_type type = g_.type(operand(k));
      if (first < 0) first = zeros_outside(type);
      state_of_.push_back(k);
      backward_.push_back({first, new_parameter(type), -1});
      if (inside_.active[next(k)] != 0) seed(next(k), backward_.back().parameter);
    }
    for (int i = 0; i < outside_.of_regions.size(); ++i) {
      const reverse_sweep<all_regions>::region_adjoint a = outside_.of_regions[i];
      if (a.region != loop_ || g_.word(a.value, 0) < states_) continue;
      const int node = next(static_cast<int>(g_.word(a.value, 0)));
      if (inside_.active[node] == 0 || !is_float(node)) continue;
      const int p = new_parameter(g_.type(node));
      outputs_.push_back({a.adjoint, p, -1});
      if (a.taken < 0) {
        seed(node, p);
        continue;
      }
      const int mask = new_parameter(g_.type(p).with(dtype::boolean));
      outputs_.push_back({a.taken, mask, -1});
      mode_.add(inside_, node, {&g_, p}, mode_.mask_of_taken(mask));
    }
  }

  /// Whether a step has been, where a condition may have prevented it: the stack of true says so.
  constexpr int executed() {
    g_.body = body_;
    const int yes = append_constant(g_, dtype::boolean, 1).node;
    g_.body = made_;
    const int stack = forward_.outside(append_stack(g_, loop_, yes));
    const int p = new_parameter(g_.type(yes));
    outputs_.push_back({stack, p, -1});
    return p;
  }
  /// x in steps that have been, else y.
  constexpr int where_executed(int x, int y) {
    if (executed_ < 0) return x;
    return emit<struct where>(words(), ref{&g_, executed_}, ref{&g_, x}, ref{&g_, y}).node;
  }

  constexpr void add_results() {
    for (int i = 0; i < state_of_.size(); ++i) {
      const int k = state_of_[i], adjoint = adjoint_of_parameter(k);
      const int sum = adjoint >= 0 ? adjoint : zeros(g_.type(operand(k)));
      backward_[i].next = where_executed(sum, backward_[i].parameter);
      results_.push_back({k, i, -1});
    }
    for (int k = states_; k < given_; ++k) {
      const int adjoint = adjoint_of_parameter(k);
      if (adjoint < 0) continue;
      int mask = mode_.taken(inside_, parameters_[k]);
      if (mask >= 0 && executed_ >= 0) mask = (ref{&g_, mask} && ref{&g_, executed_}).node;
      results_.push_back({k, -1, where_executed(adjoint, executed_ < 0 ? -1 : zeros(g_.type(adjoint))), mask});
    }
    for (int k = given_; k < parameters_.size(); ++k) {
      const int adjoint = adjoint_of_parameter(k);
      if (adjoint < 0) continue;
      const tensor_type type = g_.type(operand(k));
      const int p = new_parameter(type), sum = (ref{&g_, p} + ref{&g_, adjoint}).node;
      results_.push_back({k, backward_.size(), -1});
      backward_.push_back({zeros_outside(type), p, where_executed(sum, p)});
      if (const int mask = forward_.is_leaf(k) ? -1 : mode_.taken(inside_, parameters_[k]); mask >= 0) {
        const tensor_type bools = type.with(dtype::boolean);
        const int before = new_parameter(bools), any = (ref{&g_, before} || ref{&g_, mask}).node;
        results_.back().taken = backward_.size();
        backward_.push_back({zeros_outside(bools), before, where_executed(any, before)});
      }
    }
    // Both factors: what a step that has not been would read may be infinite.
    for (int i = 0; executed_ >= 0 && i < inside_.products.size(); ++i)
      for (int* factor : {&inside_.products[i].u, &inside_.products[i].v})
        *factor = where_executed(*factor, zeros(g_.type(*factor)));
  }

  /// Marks the parameters that the backward steps read.
  constexpr vector<char> find_read() const {
    vector<char> read = vector<char>::defaults(g_.size());
    vector<int> stack;
    for (int i = 0; i < backward_.size(); ++i) stack.push_back(backward_[i].next);
    for (int i = 0; i < results_.size(); ++i)
      if (results_[i].node >= 0) stack.push_back(results_[i].node);
    for (int i = 0; i < results_.size(); ++i)
      if (results_[i].node >= 0 && results_[i].taken >= 0) stack.push_back(results_[i].taken);
    for (int i = 0; i < inside_.products.size(); ++i) {
      stack.push_back(inside_.products[i].u);
      stack.push_back(inside_.products[i].v);
    }
    while (!stack.empty()) {
      const int n = stack.back();
      stack.pop_back();
      if (read[n] != 0) continue;
      read[n] = 1;
      for (int k = 0; k < g_[n].count; ++k) stack.push_back(g_.operand(n, k));
    }
    return read;
  }
  /// The parameter stands for the next operand.
  constexpr void give(vector<int>& in, int value, int parameter) {
    g_.pool[g_[parameter].first_word + 1] = in.size();
    in.push_back(value);
  }
  constexpr int append_loop() {
    const vector<char> read = find_read();
    vector<int> in, gives;
    for (int i = 0; i < backward_.size(); ++i) {
      give(in, backward_[i].first, backward_[i].parameter);
      gives.push_back(backward_[i].next);
    }
    for (int i = 0; i < outputs_.size(); ++i)
      if (read[outputs_[i].parameter] != 0) give(in, outputs_[i].first, outputs_[i].parameter);
    for (int i = 0; i < forward_.kept(); ++i)
      if (const int p = forward_.kept_parameter(i); read[p] != 0) give(in, forward_.sequence_of(p), p);
    if (in.size() == backward_.size()) {  // steps are counted by a sequence
      const int sequence = forward_.outside(operand(states_));
      in.push_back(sequence);
    }
    const int sequences = in.size() - backward_.size();
    for (int i = 0; i < forward_.captures(); ++i) give(in, forward_.captured_value(i), forward_.capture_parameter(i));
    g_.set_results(made_, gives);
    const words w(made_, backward_.size(), sequences, (g_.word(loop_, 3) ^ loop_mode::reversed) & ~loop_mode::has_condition);
    return append_to_body(g_, outside_.to, info_of<region_loop>, w, tensor_type{}, in.data(), in.size());
  }

  /// The rows of all steps below one another.
  constexpr ref rows_of(int made, int node) {
    const int sequence = forward_.sequence_of(node);
    const ref all = {&g_, sequence >= 0 ? sequence : append_stack(g_, made, node)};
    tensor_type t = g_.type(node);
    t.extents[0] = g_.extents.product(all.type().extents[0], t.extents[0]);
    return reshape.to(all, t);
  }
  /// What a backward state is in the end.
  constexpr int final_state(int made, int state) {
    return append_result(g_, outside_.to, made, state, g_.type(backward_[state].parameter));
  }
  constexpr void give(int made) {
    for (int i = 0; i < results_.size(); ++i) {
      const backward_result r = results_[i];
      if (r.state >= 0) {
        const int mask = r.taken >= 0 ? final_state(made, r.taken) : -1;
        mode_.add(outside_, operand(r.operand), {&g_, final_state(made, r.state)}, mode_.mask_of_taken(mask));
      } else {
        const int value = append_stack(g_, made, r.node), mask = r.taken >= 0 ? append_stack(g_, made, r.taken) : -1;
        mode_.add(outside_, operand(r.operand), {&g_, value}, mode_.mask_of_taken(mask));
      }
    }
    for (int i = 0; i < inside_.products.size(); ++i) {
      const reverse_sweep<all_regions>::product p = inside_.products[i];
      const ref u = rows_of(made, p.u), v = rows_of(made, p.v);
      mode_.add(outside_, operand(static_cast<int>(g_.word(p.to, 1))), emit<struct matmul>(words(), matrix_transpose(u), v));
    }
  }

  gradient_failure& failure_;
  reverse_mode<all_regions>& mode_;
  graph& g_;
  reverse_sweep<all_regions>& outside_;
  int loop_, states_, given_;
  int body_, made_;  ///< the forward body, the backward one
  forward_values forward_;
  vector<int> nodes_;  ///< of the forward body
  reverse_sweep<all_regions> inside_;
  vector<int> parameters_;  ///< of the forward body, per operand
  vector<char> is_active_;  ///< per state
  int executed_ = -1;       ///< the parameter that says whether a step has been; -1: all have
  vector<int> state_of_;    ///< of the first backward states: the forward one
  vector<backward_state> backward_, outputs_;
  vector<backward_result> results_;
};

}  // namespace etch::detail
