// SPDX-License-Identifier: MIT
#pragma once
#include <etch/passes/taken.hpp>
#include <etch/tape/pending.hpp>

/// What a tape knows of the gradient of a value: the sum so far, and of what `where` has taken it is made.
namespace etch::eager {

inline bool is_same_value(const pending& a, const pending& b) {
  if (&*a == &*b) return true;
  return a->is == pending::form::plain && b->is == pending::form::plain && a->of.identity() == b->of.identity();
}

struct mask_functions;

/// A mask and what computes with it, counted as `pending` is. Most adjoints have none.
class tape_mask {
 public:
  using conditions = etch::detail::taken_mask<pending>;
  const mask_functions* functions = nullptr;

  tape_mask() = default;
  tape_mask(const conditions& c, const mask_functions* f) : functions(f), of_(c.is_all() ? nullptr : new counted{c}) {}
  tape_mask(const tape_mask& other) : functions(other.functions), of_(other.of_) {
    if (of_ != nullptr) ++of_->owners;
  }
  tape_mask(tape_mask&& other) noexcept : functions(other.functions), of_(std::exchange(other.of_, nullptr)) {}
  tape_mask& operator=(tape_mask other) noexcept {
    functions = other.functions;
    std::swap(of_, other.of_);
    return *this;
  }
  ~tape_mask() {
    if (of_ != nullptr && --of_->owners == 0) drop();
  }
  bool is_all() const { return of_ == nullptr; }
  const conditions& operator*() const { return of_->is; }

 private:
  struct counted {
    conditions is;
    int owners = 1;
  };
  ETCH_NOINLINE void drop() { delete of_; }
  counted* of_ = nullptr;
};

/// The kernels of masks beside floats of one dtype. They come with the rule of `where`: a program without one has none of them.
struct mask_functions {
  using mask = tape_mask::conditions;
  pending (*bools_of)(const mask&);
  mask (*chosen)(const mask&, const pending& condition, bool is_negated, const tensor_type& to);
  mask (*unbroadcast)(const mask&, const tensor_type& to);
  mask (*either)(const mask&, const mask&);
  pending (*any_behind)(const etch::detail::mask_facts&, const words&, const pending& holds, const tensor_type& y,
                        const tensor_type* x, int k);
  pending (*select)(const pending& holds, const pending& x);
  pending (*numbers)(const pending& holds, const tensor_type& type);
  pending (*is_not_zero)(const pending& numbers);
};

struct adjoint : pending {
  adjoint() = default;
  adjoint(pending sum) : pending(std::move(sum)) {}
  tape_mask mask;
  bool keeps_mask = true;  ///< whether a rule asks for it: not of what a gradient is asked of

  /// Before the sum has what the mask belongs to.
  void add_mask(const tape_mask& m) {
    if (!valid())
      mask = m;
    else if (!mask.is_all())
      mask = m.is_all() ? tape_mask() : tape_mask(mask.functions->either(*mask, *m), mask.functions);
  }
};

/// Masks as `run_masked` asks for them.
struct tape_masks {
  const mask_functions* functions;
  using bools = pending;
  using mask = tape_mask;
  pending bools_of(const mask& m) const { return functions->bools_of(*m); }
  mask mask_of(const pending& holds) const {
    mask::conditions m;
    m.at[m.count++].holds = holds;
    return {m, functions};
  }
  mask chosen(const mask& m, const pending& condition, bool is_negated, const tensor_type& to) const {
    return {functions->chosen(m.is_all() ? mask::conditions{} : *m, condition, is_negated, to), functions};
  }
  mask unbroadcast(const mask& m, const tensor_type& to) const { return {functions->unbroadcast(*m, to), functions}; }
  template <class V>
  V select(const pending& holds, const V& x) const {
    return V(functions->select(holds, x));
  }
  template <class V>
  V numbers(const pending& holds, const V& beside) const {
    return V(functions->numbers(holds, beside.type()));
  }
  pending is_not_zero(const pending& moved) const { return functions->is_not_zero(moved); }
  pending any_behind(const etch::detail::mask_facts& op, const words& w, const pending& holds, const tensor_type& y,
                     const tensor_type* x, int k) const {
    return functions->any_behind(op, w, holds, y, x, k);
  }
};

}  // namespace etch::eager
