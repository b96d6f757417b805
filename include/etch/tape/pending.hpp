// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/apply.hpp>

/// Lazy values that gradient rules compute with: made only where their elements are read.
namespace etch::eager {

/// A value, or what follows from one without a kernel: repeated to another shape, as the gradient of a sum is, or with its last two
/// axes exchanged, as the gradient of a product needs. Elementwise ops repeat by themselves, and products read either way. Or a
/// product or another contraction, since a rule has one for each operand, and of a layer's input nobody asks it. Copies are the
/// same value, which is made once for all of them; they belong to one thread, and cost rules, which hand them on in every line, a
/// count.
class pending {
 public:
  enum class form : std::uint8_t { plain, repeated, transposed, product };
  struct node {
    value of;
    tensor_type as;  ///< the type that it stands for
    form is = form::plain;
    bool is_left_transposed = false, is_right_transposed = false;
    value with;                         ///< the second factor
    std::int64_t letters[2] = {};       ///< of a contraction that is no product of matrices
    void (*multiply)(node&) = nullptr;  ///< makes the product
    int owners = 1;
  };

  pending() = default;
  explicit pending(value v) : node_(new node) {
    node_->as = v.described();
    node_->of = std::move(v);
  }
  pending(value v, const tensor_type& type, form f) : pending(std::move(v)) {
    node_->as = type;
    node_->is = f;
  }
  pending(const pending& other) : node_(other.node_) {
    if (node_ != nullptr) ++node_->owners;
  }
  pending(pending&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  pending& operator=(pending other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~pending() {
    if (node_ != nullptr && --node_->owners == 0) drop();
  }

  /// False for "no gradient".
  bool valid() const { return node_ != nullptr; }
  const tensor_type& type() const { return node_->as; }
  node* operator->() const { return node_; }
  node& operator*() const { return *node_; }
  /// Whether no copy would see a change of it.
  bool is_alone() const { return node_->owners == 1; }

 private:
  ETCH_NOINLINE void drop() { delete node_; }
  node* node_ = nullptr;
};

namespace detail {

/// The axes of a tensor of that rank with the last two exchanged.
inline words last_two_exchanged(int rank) {
  words w;
  for (int i = 0; i < rank; ++i) w.push_back(i < rank - 2 ? i : 2 * rank - 3 - i);
  return w;
}

/// A movement of values of dtype D, or of bools and integers, through which no gradient passes.
template <class Op, dtype D>
void move_recorded(const tensor_type& type, const words& attributes, const value& x, value& out) {
  if (x.described().type == D)
    apply_as<Op, D>(attributes, type, x, out);
  else
    move_to(facts_of<Op>, type, attributes, x, out);
}

template <dtype D>
ETCH_NOINLINE void make(pending::node& n) {
  if (n.is == pending::form::product) {
    n.multiply(n);
  } else {
    value made;
    if (n.is == pending::form::repeated)
      move_recorded<struct broadcast_to, D>(n.as, words(), n.of, made);
    else
      move_recorded<struct transpose, D>(n.as, last_two_exchanged(n.as.rank), n.of, made);
    n.of = std::move(made);
  }
  n.is = pending::form::plain;
}

}  // namespace detail

/// The elements of p, in p from now on. D: the dtype of floats here.
template <dtype D>
const value& forced(const pending& p) {
  if (p->is != pending::form::plain) detail::make<D>(*p);
  return p->of;
}

}  // namespace etch::eager
