// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/change.hpp>

/// A value that eager code keeps and changes.
namespace etch::eager {

/// A tensor that is assigned to, by reference: copies are the same variable, as in Python, so that it can be handed to functions by
/// value. Its shape stays. Tapes watch it by themselves, from where it is read; what changes it is not recorded.
template <class T, int Rank>
class variable : public tensor_base {
 public:
  using value_type = T;
  static constexpr int rank = Rank;
  static constexpr dtype type = dtype_of<T>;

  explicit variable(const tensor<T, Rank>& initial) : variable(initial, true) {}
  template <expression E>
  explicit variable(const E& initial) : variable(tensor<T, Rank>(initial)) {}
  /// One that tapes watch only where they are told to, as what is read from it: TensorFlow's trainable=False.
  variable(const tensor<T, Rank>& initial, struct not_trainable) : variable(initial, false) {}
  variable(const variable& other) : state_(other.state_) { __atomic_fetch_add(&state_->owners, 1, __ATOMIC_RELAXED); }
  variable& operator=(const variable& other) {
    variable copy(other);
    std::swap(state_, copy.state_);
    return *this;
  }
  ~variable() {
    if (__atomic_sub_fetch(&state_->owners, 1, __ATOMIC_ACQ_REL) == 0) delete state_;
  }

  /// What it is now. A copy of that stays as it is, whatever is assigned later.
  const tensor<T, Rank>& read() const {
    if (this_recorder != nullptr && state_->trainable) this_recorder->read(state_->identity, state_->now);
    return state_->now;
  }
  operator const tensor<T, Rank>&() const { return read(); }
  /// What tapes know it by: the same for all its copies, and for no other variable, of then or later.
  std::uint64_t identity() const { return state_->identity; }
  bool trainable() const { return state_->trainable; }
  const tensor_type& described() const { return state_->now.described(); }
  std::int64_t extent(int axis) const { return state_->now.extent(axis); }

  /// Throw `etch::error` where the variable's extents would change.
  void assign(const tensor<T, Rank>& to) {
    check(to.described());
    state_->now = to;
    // Not what was assigned: a tape knows values by their identity, and would go on through it.
    state_->now.becomes_another();
  }
  template <class U>
  void assign_add(const U& u) {
    change_by<struct add>(u);
  }
  template <class U>
  void assign_sub(const U& u) {
    change_by<struct subtract>(u);
  }

 private:
  variable(const tensor<T, Rank>& initial, bool trainable) : state_(new state{1, detail::next_identity(), trainable, initial}) {
    state_->now.becomes_another();
  }
  struct state {
    std::int64_t owners;
    std::uint64_t identity;
    bool trainable;
    tensor<T, Rank> now;
  };
  void check(const tensor_type& to) const {
    if (!to.same_shape(described()))
      fail("assign: a variable of %s is given %s", to_string(no_names, described()).c_str(), to_string(no_names, to).c_str());
  }
  template <class Op, class U>
  void change_by(const U& u) {
    const unrecorded change;
    detail::change<Op>(state_->now, u, [&](const tensor_type& other) {
      inference context{no_names};
      check(rules::broadcast(context, other, described()));
    });
  }
  state* state_;
};

template <class T, int Rank>
variable(const tensor<T, Rank>&) -> variable<T, Rank>;
template <expression E>
variable(const E&) -> variable<typename E::value_type, E::rank>;
template <element T>
variable(T) -> variable<T, 0>;

}  // namespace etch::eager
