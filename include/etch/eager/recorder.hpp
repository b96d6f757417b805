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

/// The gradient rule of an op on these dtypes, defined in files that include `<etch/tape.hpp>`. A weak reference, so that it is null where
/// no file of the program is one: `record` is the same function in every file, and the linker keeps any of them.
template <class Op, dtype Result, dtype... In>
[[gnu::weak]] void recorded_rule(const words& attributes, const value* x, int count, const value& y, const adjoint& dy,
                                 adjoint* const* adjoints);

template <class Op, dtype Result, dtype... In>
gradient_function gradient_function_of() {
  // Rules compute with what they are given; those of moved elements of a dtype of storage would have to cast first.
  if constexpr (!Op::differentiable || (is_storage(Result) && Op::role != op_role::cast)) {
    return nullptr;
  } else {
    gradient_function rule = &recorded_rule<Op, Result, In...>;
    asm("" : "+r"(rule));  // g++ 12 takes it for not null
    return rule;
  }
}

/// For the rules of calls, which are no op's: defined by `<etch/tape.hpp>` alone. A template, so that it is looked for when a call is compiled.
template <bool HasArguments>
struct taped_calls;

/// Tells the recorder, if there is one, of an op that gives floats of floats.
template <class Op, dtype Result, dtype... In>
void record(const words& attributes, const value* const* in, int count, const value& result) {
  if constexpr (is_floating(Result) && (is_floating(In) || ...))
    if (this_recorder != nullptr)
      this_recorder->record(facts_of<Op>, gradient_function_of<Op, Result, In...>(), attributes, in, count, result);
}

}  // namespace etch::eager
