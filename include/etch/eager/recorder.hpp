// SPDX-License-Identifier: MIT
#pragma once
#include <etch/eager/refusal.hpp>

/// What a tape sees of eager calls. Without `<etch/tape.hpp>` a program has no gradient rules, and nothing that they call.
namespace etch::eager {

struct adjoint;

/// Runs an op's gradient rule (vector-Jacobian product): y = op(x[0], x[1], ...), and adds what dy contributes to each operand to
/// where adjoints[k] points; null where nobody asks.
using gradient_function = void (*)(const words& attributes, const value* x, int count, const value& y, const adjoint& dy,
                                   adjoint* const* adjoints);

/// Somebody who is told of each op on floats that this thread evaluates.
class recorder {
 public:
  virtual void record(const op_facts& op, gradient_function rule, const words& attributes, const value* const* in, int count,
                      const value& result) = 0;
  /// That the variable of that identity is read as v.
  virtual void read(std::uint64_t variable, const value& v) = 0;

 protected:
  ~recorder() = default;
};

/// The innermost one, or null.
inline constinit thread_local recorder* this_recorder = nullptr;

/// While it is there, nobody is told of anything.
class unrecorded {
 public:
  unrecorded() = default;
  unrecorded(const unrecorded&) = delete;
  unrecorded& operator=(const unrecorded&) = delete;
  ~unrecorded() { this_recorder = told_; }

 private:
  recorder* told_ = std::exchange(this_recorder, nullptr);
};

/// The gradient rule of an op on these dtypes. Set before main, where a file of the program that evaluates the op includes `<etch/tape.hpp>`,
/// and read in all: `record` has one name in every file, of whose copies the linker keeps any.
template <class Op, dtype Result, dtype... In>
inline constinit gradient_function rule_of = nullptr;

/// What ops bring to tapes: defined by `<etch/tape.hpp>`.
template <class Op>
struct recorded;

template <class Op, dtype Result, dtype... In>
gradient_function gradient_function_of() {
  // Rules compute with what they are given; those of moved elements of a dtype of storage would have to cast first.
  if constexpr (!Op::differentiable || (is_storage(Result) && Op::role != op_role::cast)) {
    return nullptr;
  } else {
    if constexpr (requires { sizeof(recorded<Op>); }) static_cast<void>(&recorded<Op>::template is_known<Result, In...>);
    return rule_of<Op, Result, In...>;
  }
}

/// Tells the recorder, if there is one, of an op that gives floats of floats.
template <class Op, dtype Result, dtype... In>
void record(const words& attributes, const value* const* in, int count, const value& result) {
  if constexpr (is_floating(Result) && (is_floating(In) || ...))
    if (this_recorder != nullptr)
      this_recorder->record(facts_of<Op>, gradient_function_of<Op, Result, In...>(), attributes, in, count, result);
}

}  // namespace etch::eager
