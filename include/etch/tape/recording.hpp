// SPDX-License-Identifier: MIT
#pragma once
#include <etch/tape/identity_table.hpp>
#include <etch/tape/recorded.hpp>

/// What a tape has recorded, and the sweep back through it: no types, so that it is compiled once.
namespace etch::eager {

/// A value with respect to which a gradient is taken: one identity, or, of a variable, one for each value it was read as.
using source = std::vector<std::uint64_t>;

/// The gradients with respect to the values of some sources, each value once, whatever sources it is of.
struct gradients_of_values {
  identity_table numbers;
  std::vector<adjoint> at;  ///< by these numbers; not valid where no gradient has come through

  const adjoint& of(std::uint64_t identity) const { return at[static_cast<std::size_t>(numbers.find(identity))]; }
};

class recording {
 public:
  /// result = op(in[0], in[1], ...). Values that stand beside it for the time of a call are copied.
  void add(const op_facts& op, gradient_function rule, const words& attributes, const value* const* in, int count,
           const value& result) {
    entry& e = entries_.emplace_back();
    e.op = &op;
    e.rule = rule;
    e.attributes.assign(attributes.at, attributes.at + attributes.count);
    e.operands.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) e.operands.push_back(kept(*in[k]));
    e.result = result;
  }
  void clear() { entries_.clear(); }
  /// Adds the results that depend on what is there.
  void add_dependents(identity_table& values) const {
    for (const entry& e : entries_) {
      if (values.find(e.result.identity()) >= 0) continue;
      for (const value& x : e.operands)
        if (values.find(x.identity()) >= 0) {
          values.put(e.result.identity(), 0);
          break;
        }
    }
  }

  /// The gradients of the sum of y's elements with respect to the values of `count` sources; entries are let go of on the way
  /// where `frees`. Throws `etch::error` where y does not depend on a source, or through an op without a gradient only.
  gradients_of_values differentiate(const value& y, const source* sources, int count, bool frees) {
    identity_table made_by(static_cast<int>(entries_.size()));
    for (std::size_t i = 0; i < entries_.size(); ++i) made_by.put(entries_[i].result.identity(), static_cast<int>(i));
    gradients_of_values given;
    identity_table& asked = given.numbers;
    std::vector<adjoint>& gradients = given.at;
    for (int s = 0; s < count; ++s)
      for (const std::uint64_t identity : sources[s]) {
        if (asked.find(identity) >= 0) continue;
        asked.put(identity, static_cast<int>(gradients.size()));
        gradients.emplace_back().keeps_mask = false;
      }
    const int last = made_by.find(y.identity());
    const std::vector<char> depends = find_dependents(last, made_by, asked);
    std::vector<adjoint> adjoints(static_cast<std::size_t>(last + 1));
    std::vector<char> is_reached(gradients.size(), 0);
    const int itself = asked.find(y.identity());
    if (itself >= 0) {
      gradients[static_cast<std::size_t>(itself)] = ones(y.described());
      is_reached[static_cast<std::size_t>(itself)] = 1;
    }
    if (last >= 0) adjoints[static_cast<std::size_t>(last)] = ones(y.described());
    mark_reached(last, made_by, asked, is_reached);
    for (int s = 0; s < count; ++s) {
      int reached = 0;
      for (const std::uint64_t identity : sources[s]) reached += is_reached[static_cast<std::size_t>(asked.find(identity))];
      if (reached == 0) fail("tape: the result does not depend on source %d through what this tape has recorded", s);
    }
    if (frees) entries_.resize(static_cast<std::size_t>(last + 1));
    for (int i = last; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      if (adjoints[at].valid() && depends[at] != 0) sweep(i, adjoints, gradients, made_by, asked, depends);
      adjoints.pop_back();
      if (frees) entries_.pop_back();
    }
    return given;
  }

 private:
  struct entry {
    const op_facts* op;
    gradient_function rule;
    std::vector<std::int64_t> attributes;
    std::vector<value> operands;
    value result;
  };

  static pending ones(const tensor_type& type) {
    tensor_type scalar_type;
    scalar_type.type = type.type;
    value one(scalar_type);
    if (type.type == dtype::float32)
      *reinterpret_cast<float*>(one.bytes()) = 1;
    else if (type.type == dtype::float64)
      *reinterpret_cast<double*>(one.bytes()) = 1;
    else
      *reinterpret_cast<bfloat16*>(one.bytes()) = bfloat16(1);
    if (type.rank == 0) return pending(std::move(one));
    return {std::move(one), type, pending::form::repeated};
  }

  /// Which entries depend on a value that is asked for.
  std::vector<char> find_dependents(int last, const identity_table& made_by, const identity_table& asked) const {
    std::vector<char> depends(static_cast<std::size_t>(last + 1), 0);
    for (int i = 0; i <= last; ++i)
      for (const value& x : entries_[static_cast<std::size_t>(i)].operands) {
        const int from = made_by.find(x.identity());
        if (asked.find(x.identity()) >= 0 || (from >= 0 && from < i && depends[static_cast<std::size_t>(from)] != 0))
          depends[static_cast<std::size_t>(i)] = 1;
      }
    return depends;
  }
  /// Which of these values the last entry depends on, gradients passing or not.
  void mark_reached(int last, const identity_table& made_by, const identity_table& asked, std::vector<char>& is_reached) const {
    std::vector<char> on_a_way(static_cast<std::size_t>(last + 1), 0);
    if (last >= 0) on_a_way.back() = 1;
    for (int i = last; i >= 0; --i) {
      if (on_a_way[static_cast<std::size_t>(i)] == 0) continue;
      for (const value& x : entries_[static_cast<std::size_t>(i)].operands) {
        const int from = made_by.find(x.identity()), s = asked.find(x.identity());
        if (from >= 0) on_a_way[static_cast<std::size_t>(from)] = 1;
        if (s >= 0) is_reached[static_cast<std::size_t>(s)] = 1;
      }
    }
  }

  /// What entry i hands on to its operands.
  void sweep(int i, std::vector<adjoint>& adjoints, std::vector<adjoint>& gradients, const identity_table& made_by,
             const identity_table& asked, const std::vector<char>& depends) {
    entry& e = entries_[static_cast<std::size_t>(i)];
    if (!e.op->differentiable) fail("tape: there is no gradient through %s", e.op->name);
    if (e.rule == nullptr && is_storage(e.operands[0].described().type))
      fail("tape: there is no gradient through %s of %s; call it on float32, and cast its result", e.op->name,
           name_of_dtype(e.operands[0].described().type));
    if (e.rule == nullptr)
      fail("tape: %s was called where <etch/tape.hpp> is not included, which brings the rule for its gradient", e.op->name);
    // An operand is what an entry made, or a value that is asked for, or both.
    const int count = static_cast<int>(e.operands.size());
    vector<adjoint*> to(count, nullptr), also(count, nullptr);
    for (int k = 0; k < count; ++k) {
      const std::uint64_t identity = e.operands[static_cast<std::size_t>(k)].identity();
      const int from = made_by.find(identity), s = asked.find(identity);
      if (s >= 0) to[k] = &gradients[static_cast<std::size_t>(s)];
      if (from >= 0 && depends[static_cast<std::size_t>(from)] != 0)
        (to[k] == nullptr ? to[k] : also[k]) = &adjoints[static_cast<std::size_t>(from)];
    }
    words attributes;
    for (const std::int64_t w : e.attributes) attributes.push_back(w);
    e.rule(attributes, e.operands.data(), count, e.result, adjoints[static_cast<std::size_t>(i)], to.data());
    bool again = false;
    for (int k = 0; k < count; ++k) again = again || also[k] != nullptr;
    if (again) e.rule(attributes, e.operands.data(), count, e.result, adjoints[static_cast<std::size_t>(i)], also.data());
  }

  std::vector<entry> entries_;
};

}  // namespace etch::eager
