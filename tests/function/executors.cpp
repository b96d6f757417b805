// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <optional>

#include <etch/eager.hpp>
#include <etch/function.hpp>

#include "../session/executors.hpp"

/// A function shares its steps with the executor that it was given, before its first call or behind it, and gives what one thread gives.
namespace {

using namespace etch;
using namespace etch::literals;

}  // namespace

TEST_CASE("a function has an executor of its own") {
  const auto body = [](auto x) {
    const auto scale = variable<"scale">(ones<float>(shape<130>{}));
    return after(softmax(x * scale, axis<1>), assign(scale, scale * 0.5_c));
  };
  function alone(body), later(body), first(body);
  const executors::fed<"x", float, 37, 130> x;
  const tensor<float, 2> at(x.values);
  executors::backwards turned(3);
  first.set_executor(&turned);
  for (int call = 0; call < 3; ++call) {
    if (call == 1) later.set_executor(&turned);
    const auto expected = alone(at);
    CHECK(executors::equal_bits(later(at), expected));
    CHECK(executors::equal_bits(first(at), expected));
    CHECK(turned.shared == 1 + 2 * call);
  }
  later.set_executor(nullptr);
  first.set_executor(nullptr);
  const int before = turned.shared;
  CHECK(executors::equal_bits(later(at), first(at)));
  CHECK(turned.shared == before);
}

TEST_CASE("the executor of a function's session may lie where another one did, and have more workers") {
  const executors::fed<"x", float, 200, 300> x;
  const auto w = variable<"w">(ones<float>(shape<300, 200>{}));
  session s(matmul(x.slot, w));
  s.initialize();
  function f([w](auto of) { return matmul(of * 2_c, w); }, s, input_signature<tensor_spec<float, 200, 300>>);
  const tensor<float, 2> at(x.values);
  const auto expected = f(at);
  std::optional<executors::backwards> threads;
  for (const int workers : {2, 3, 16}) {
    s.set_executor(&threads.emplace(workers));
    CHECK(executors::equal_bits(f(at), expected));
    CHECK(threads->shared > 0);
    CHECK(threads->most_tasks >= workers);
    s.set_executor(nullptr);
  }
}
