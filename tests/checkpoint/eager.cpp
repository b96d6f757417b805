// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/checkpoint.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

}  // namespace

TEST_CASE("variables and tensors of eager code") {
  const files::folder folder("checkpoint_eager");
  for (const char* name : {"x", "x.safetensors"}) {
    eager::variable w(tensor<float, 2>{{1, 2}, {3, 4}});
    eager::variable flag(tensor<bool, 1>{true, false});
    tensor<bfloat16, 1> half = astype<bfloat16>(tensor<float, 1>{1.5f, -2});
    tensor<double> any = tensor<double, 1>{1, 2, 3};
    checkpoint c;
    c.track("w", w).track("flag", flag).track("half", half).track("any", any);
    c.save(folder / name);
    const auto before = w.identity();
    w.assign(tensor<float, 2>{{0, 0}, {0, 0}});
    flag.assign(tensor<bool, 1>{false, false});
    half = tensor<bfloat16, 1>(astype<bfloat16>(tensor<float, 1>{0, 0}));
    any = tensor<double>(tensor<double, 1>{0, 0, 0});
    c.restore(folder / name);
    CHECK(w.identity() == before);
    CHECK(w.read()(0, 1) == 2);
    CHECK(w.read()(1, 0) == 3);
    CHECK(flag.read()(0));
    CHECK(!flag.read()(1));
    CHECK(static_cast<float>(half(1)) == -2);
    CHECK(any.data()[2] == 3);
    any = tensor<double>(tensor<double, 1>{0, 0});
    CHECK(files::error_of([&] { c.restore(folder / name); }).ends_with("\"any\" (expected float64 [2], found float64 [3])"));
  }
}

TEST_CASE("CKPT-08, AT-28: variables of a function, before its first call") {
  const files::folder folder("checkpoint_function");
  const auto body = [](auto x) { return x * variable<"w">(shape<2>{}, initializers::normal(1_c)); };
  const tensor<float, 2> x = {{1, 2}};
  function f(body);
  const tensor<float, 2> expected = f(x);
  {
    checkpoint c;
    c.track("f", f.variables(x));
    c.save(folder / "x");
  }
  function g(body);
  g.initialize(5);
  checkpoint c;
  c.track("f", g.variables(x));
  c.restore(folder / "x");
  const tensor<float, 2> found = g(x);
  CHECK(found(0, 0) == expected(0, 0));
  CHECK(found(0, 1) == expected(0, 1));
}
