// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/apply.hpp>

/// Values that gradient rules compute with, made only where their elements are asked for.
namespace etch::eager {

/// A value, or what follows from one without a kernel: repeated to another shape, as the gradient of a sum is, or with its last two
/// axes exchanged, as the gradient of a product asks for. Elementwise ops repeat by themselves, and products read either way. Or a
/// product, since a rule has one for each operand, and of a layer's input nobody asks it.
struct pending {
  enum class form : std::uint8_t { nothing, plain, repeated, transposed, product };

  value of;
  tensor_type as;  ///< the type that it stands for
  form is = form::nothing;
  bool is_left_transposed = false, is_right_transposed = false;
  value with;                            ///< the second factor
  void (*multiply)(pending&) = nullptr;  ///< makes the product

  // Not inlined: rules hand handles on by value, in every second line.
  ETCH_NOINLINE pending() {}
  ETCH_NOINLINE pending(const pending& other) = default;
  ETCH_NOINLINE pending(pending&& other) noexcept = default;
  ETCH_NOINLINE pending& operator=(const pending& other) = default;
  ETCH_NOINLINE pending& operator=(pending&& other) noexcept = default;
  ETCH_NOINLINE ~pending() {}
  explicit pending(value v) : of(std::move(v)), as(of.described()), is(form::plain) {}
  pending(value v, const tensor_type& type, form f) : of(std::move(v)), as(type), is(f) {}
  /// False for "no gradient".
  bool valid() const { return is != form::nothing; }
  const tensor_type& type() const { return as; }
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

}  // namespace detail

/// The elements of p, in p from now on. D: the dtype of floats here.
template <dtype D>
const value& forced(pending& p) {
  if (p.is == pending::form::product) {
    p.multiply(p);
  } else if (p.is == pending::form::repeated || p.is == pending::form::transposed) {
    value made;
    if (p.is == pending::form::repeated)
      detail::move_recorded<struct broadcast_to, D>(p.as, words(), p.of, made);
    else
      detail::move_recorded<struct transpose, D>(p.as, detail::last_two_exchanged(p.as.rank), p.of, made);
    p = pending(std::move(made));
  }
  return p.of;
}

}  // namespace etch::eager
