// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include <etch/etch.hpp>
#include <etch/module.hpp>

#include "message_of.hpp"

/// Variables of bools, as data.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto flag = variable<"flag">(zeros<bool>(shape<3>{}), not_trainable);

}  // namespace

TEST_CASE("the elements of a variable of bools, read and stored by its handle") {
  session s(flag);
  s.initialize();
  auto handle = s.variables().at("flag");
  CHECK(handle.get<bool>() == std::vector<bool>{false, false, false});
  s.set(flag, {true, false, true});
  const std::vector<bool> stored = handle.get<bool>();
  CHECK(stored == std::vector<bool>{true, false, true});
  session other(flag);
  other.variables().at("flag").set(stored);
  CHECK(other.get(flag) == s.get(flag));
  CHECK(message_of([&] { other.variables().at("flag").set(std::vector<bool>{true}); }) ==
        "set: variable \"flag\": number of elements: expected 3, got 1");
  CHECK(message_of([&] { handle.get<float>(); }) == "variable \"flag\": its elements are bool, not float32");
}

TEST_CASE("a module's variable of bools gives them, too") {
  const eager::variable eager_flag(tensor<bool, 1>{true, false});
  CHECK(module_variable("m/flag", eager_flag).get<bool>() == std::vector<bool>{true, false});
}
