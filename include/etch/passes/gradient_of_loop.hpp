// SPDX-License-Identifier: MIT
#pragma once
#include <etch/ops/comparison.hpp>
#include <etch/passes/all_regions.hpp>

/// The gradient of a loop: a loop over the same steps in the other direction. Its states are the adjoints of the forward states, and the
/// sums so far of what the steps add to the gradients of what they read from outside; its sequences are the adjoints of the outputs and
/// the forward values that the rules read.
namespace etch::detail {

class loop_gradient {
 public:
  constexpr loop_gradient(reverse_mode<all_regions>& mode, graph& g, reverse_sweep<all_regions>& outside, int loop,
                          parameter_numbers& numbers)
      : mode_(mode), g_(g), outside_(outside), loop_(loop), states_(static_cast<int>(g.word(loop, 1))),
        given_(states_ + static_cast<int>(g.word(loop, 2))), numbers_(numbers), forward_(g, loop, numbers, outside.forward),
        body_(loop), begin_(g.size()) {}

  constexpr void run() {
    find_active();
    seed();
    body_.forward = &forward_;
    body_.adds_products = true;
    for (int k = 2 * given_; k < g_[loop_].count; ++k) body_.roots.push_back(operand(k));
    mode_.run(body_, loop_ - 1);
    if (g_[loop_].count > 2 * given_ + states_) executed_ = executed();
    add_results();
    const int made = append_loop();
    give(made);
  }

 private:
  constexpr int operand(int k) const { return g_.operand(loop_, k); }
  constexpr int parameter_of(int k) const { return operand(given_ + k); }
  constexpr int next(int k) const { return operand(2 * given_ + k); }
  constexpr bool is_float(int n) const { return is_floating(g_.type(n).type); }

  /// A state's adjoint is wanted where the state depends on something whose adjoint is, perhaps steps ago.
  constexpr void find_active() {
    vector<char>& active = body_.active;
    body_.is_end.resize(loop_, 0);
    for (int k = 0; k < given_; ++k) body_.is_end[parameter_of(k)] = 1;
    for (int n = 0; n < loop_; ++n) {
      if (!forward_.is_outside(n)) continue;
      active[n] = outside_.active[n];
      body_.is_end[n] = 1;
    }
    for (int k = 0; k < given_; ++k) active[parameter_of(k)] = is_float(parameter_of(k)) ? outside_.active[operand(k)] : 0;
    for (bool more = true; more;) {
      for (int n = 0; n < loop_; ++n) {
        if (body_.is_end[n] != 0 || !carries_gradients(g_, n)) continue;
        for (int k = 0; k < g_[n].count && active[n] == 0; ++k) active[n] = active[g_.operand(n, k)];
      }
      more = false;
      for (int k = 0; k < states_; ++k) {
        char& state = active[parameter_of(k)];
        if (state != 0 || !is_float(next(k)) || active[next(k)] == 0) continue;
        state = 1;
        more = true;
      }
    }
  }

  /// A state, or a sequence: what it is before the loop, its parameter, the value that the next step has.
  struct backward_state {
    int first = -1, parameter = -1, next = -1;
  };
  /// Where what the loop gives goes: a result (a state's number), else a stack of a node of the body.
  struct backward_result {
    int to = -1, state = -1, node = -1;
    int taken = -1;  ///< of a stack: the bools of its mask
  };

  constexpr int new_parameter(const tensor_type type) { return append_parameter(g_, forward_.level(), numbers_, type); }
  constexpr int zeros(const tensor_type type) { return mode_.zeros(type).node; }
  constexpr void seed(int n, int adjoint) {
    if (!body_.mask.empty()) body_.mask[n] = 0;
    int& sum = body_.adjoint[n];
    sum = sum < 0 ? adjoint : (ref{&g_, sum} + ref{&g_, adjoint}).node;
  }
  constexpr void seed() {
    for (int k = 0; k < states_; ++k) {
      if (body_.active[parameter_of(k)] == 0) continue;
      int first = -1;
      for (int i = 0; i < outside_.of_regions.size(); ++i) {
        const reverse_sweep<all_regions>::region_adjoint& a = outside_.of_regions[i];
        if (a.region == loop_ && g_.is(a.value, op_role::result) && g_.word(a.value, 0) == k) first = a.adjoint;
      }
      const tensor_type type = g_.type(parameter_of(k));
      if (first < 0) first = zeros(type);
      state_of_.push_back(k);
      backward_.push_back({first, new_parameter(type), -1});
      if (body_.active[next(k)] != 0) seed(next(k), backward_.back().parameter);
    }
    for (int i = 0; i < outside_.of_regions.size(); ++i) {
      const reverse_sweep<all_regions>::region_adjoint a = outside_.of_regions[i];
      if (a.region != loop_ || !g_.is(a.value, op_role::stack)) continue;
      const int node = g_.operand(a.value, 1);
      if (body_.active[node] == 0 || !is_float(node)) continue;
      const int p = new_parameter(g_.type(node));
      outputs_.push_back({a.adjoint, p, -1});
      if (a.taken < 0) {
        seed(node, p);
        continue;
      }
      const int mask = new_parameter(g_.type(p).with(dtype::boolean));
      outputs_.push_back({a.taken, mask, -1});
      mode_.add(body_, node, {&g_, p}, mode_.mask_of_taken(mask));
    }
  }

  /// Whether a step has been, where a condition may have prevented it: the stack of true says so.
  constexpr int executed() {
    const int yes = append_constant(g_, dtype::boolean, 1).node;
    int stack = append_stack(g_, loop_, yes);
    if (outside_.forward != nullptr) stack = outside_.forward->at(stack);
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
      const int k = state_of_[i], p = parameter_of(k);
      const int sum = body_.adjoint[p] >= 0 ? body_.adjoint[p] : zeros(g_.type(p));
      backward_[i].next = where_executed(sum, backward_[i].parameter);
      results_.push_back({operand(k), i, -1});
    }
    for (int k = states_; k < given_; ++k) {
      const int p = parameter_of(k);
      if (body_.adjoint[p] < 0) continue;
      int mask = mode_.taken(body_, p);
      if (mask >= 0 && executed_ >= 0) mask = (ref{&g_, mask} && ref{&g_, executed_}).node;
      results_.push_back({operand(k), -1, where_executed(body_.adjoint[p], zeros(g_.type(p))), mask});
    }
    for (int n = 0; n < loop_; ++n) {
      if (body_.adjoint[n] < 0 || !forward_.is_outside(n) || outside_.active[n] == 0) continue;
      const tensor_type type = g_.type(n);
      const int p = new_parameter(type);
      const int sum = (ref{&g_, p} + ref{&g_, body_.adjoint[n]}).node;
      results_.push_back({n, backward_.size(), -1});
      backward_.push_back({zeros(type), p, where_executed(sum, p)});
    }
    for (int i = 0; i < body_.products.size(); ++i)
      body_.products[i].v = where_executed(body_.products[i].v, executed_ < 0 ? -1 : zeros(g_.type(body_.products[i].v)));
  }

  /// Marks the parameters that the backward steps read.
  constexpr vector<char> find_read() const {
    vector<char> read(g_.size(), 0);
    vector<int> stack;
    for (int i = 0; i < backward_.size(); ++i) stack.push_back(backward_[i].next);
    for (int i = 0; i < results_.size(); ++i)
      if (results_[i].node >= 0) stack.push_back(results_[i].node);
    for (int i = 0; i < results_.size(); ++i)
      if (results_[i].taken >= 0) stack.push_back(results_[i].taken);
    for (int i = 0; i < body_.products.size(); ++i) {
      stack.push_back(body_.products[i].u);
      stack.push_back(body_.products[i].v);
    }
    while (!stack.empty()) {
      const int n = stack.back();
      stack.pop_back();
      if (n < begin_ || read[n] != 0) continue;
      read[n] = 1;
      for (int k = 0; k < g_[n].count; ++k) stack.push_back(g_.operand(n, k));
    }
    return read;
  }
  constexpr int append_loop() {
    const vector<char> read = find_read();
    vector<backward_state> sequences;
    for (int i = 0; i < outputs_.size(); ++i)
      if (read[outputs_[i].parameter] != 0) sequences.push_back(outputs_[i]);
    for (int i = 0; i < forward_.kept(); ++i)
      if (read[forward_.parameter(i)] != 0)
        sequences.push_back({forward_.sequence_of(forward_.parameter(i)), forward_.parameter(i), -1});
    if (sequences.empty()) {  // steps are counted by a sequence
      const int first = outside_.forward != nullptr ? outside_.forward->at(operand(states_)) : operand(states_);
      sequences.push_back({first, new_parameter(g_.type(parameter_of(states_))), -1});
    }
    vector<int> in;
    for (int i = 0; i < backward_.size(); ++i) in.push_back(backward_[i].first);
    for (int i = 0; i < sequences.size(); ++i) in.push_back(sequences[i].first);
    for (int i = 0; i < backward_.size(); ++i) in.push_back(backward_[i].parameter);
    for (int i = 0; i < sequences.size(); ++i) in.push_back(sequences[i].parameter);
    for (int i = 0; i < backward_.size(); ++i) in.push_back(backward_[i].next);
    const words w(forward_.level(), backward_.size(), sequences.size(), g_.word(loop_, 3) ^ 1);
    return g_.push(info_of<region_loop>, w, tensor_type{}, in.data(), in.size());
  }

  constexpr ref stack_of(int made, int node) { return {&g_, append_stack(g_, made, node)}; }
  /// The rows of all steps below one another.
  constexpr ref rows_of(int made, int node) {
    const int sequence = forward_.sequence_of(node);
    const ref all = sequence >= 0 ? ref{&g_, sequence} : stack_of(made, node);
    tensor_type t = g_.type(node);
    t.extents[0] = g_.extents.product(all.type().extents[0], t.extents[0]);
    return reshape.to(all, t);
  }
  constexpr void give(int made) {
    for (int i = 0; i < results_.size(); ++i) {
      const backward_result r = results_[i];
      if (r.state >= 0) {
        const tensor_type type = g_.type(backward_[r.state].parameter);
        mode_.add(outside_, r.to, {&g_, g_.push(info_of<region_result>, words(r.state), type, &made, 1)});
      } else {
        const int mask = r.taken >= 0 ? stack_of(made, r.taken).node : -1;
        mode_.add(outside_, r.to, stack_of(made, r.node), mode_.mask_of_taken(mask));
      }
    }
    for (int i = 0; i < body_.products.size(); ++i) {
      const reverse_sweep<all_regions>::product p = body_.products[i];
      mode_.add(outside_, p.to, emit<struct matmul>(words(), matrix_transpose(rows_of(made, p.u)), rows_of(made, p.v)));
    }
  }

  reverse_mode<all_regions>& mode_;
  graph& g_;
  reverse_sweep<all_regions>& outside_;
  int loop_, states_, given_;
  parameter_numbers& numbers_;
  forward_values forward_;
  reverse_sweep<all_regions> body_;
  int begin_;             ///< all nodes from here on are the backward pass's
  int executed_ = -1;     ///< the parameter that says whether a step has been; -1: all have
  vector<int> state_of_;  ///< of the first backward states: the forward one
  vector<backward_state> backward_, outputs_;
  vector<backward_result> results_;
};

}  // namespace etch::detail
