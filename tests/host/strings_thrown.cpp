// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include <etch/etch.hpp>
#include <etch/print.hpp>
#include <etch/strings.hpp>

#include "host/caught.hpp"

/// Runs that end since a text is no number.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"text", std::string> text;
constexpr auto number = strings::to_number<float>(text);
constexpr auto w = variable<"w">(zeros(shape<3>{}), not_trainable);
constexpr auto noise = random_uniform<"noise">(shape<3>{});
constexpr const char* no_number = "strings::to_number: \"x\" is no float32";

}  // namespace

TEST_CASE("STR-01: where a text is no number, nothing is made of the number") {
  caught out;
  constexpr auto first = print<"first {}">(text);
  constexpr auto last = print<"number {}">(number);
  constexpr auto stored = assign(w, broadcast_to(number, shape<3>{}));
  session s(first, last, stored);
  s.initialize();
  CHECK_THROWS_WITH_AS(s.run(first, last, stored, text = "x"), no_number, error);
  const std::string printed = out.text();  // the first line is in no order with the number
  CHECK((printed == "" || printed == "first x\n"));
  CHECK(s.get(w) == xt::zeros<float>({3}));
  CHECK(std::get<1>(s.run(first, last, text = "2")) == 2);
  CHECK(out.text() == "first 2\nnumber 2\n");
}

TEST_CASE("STR-01: where a text is no number, the run's draws are used up") {
  session s(number, noise);
  s.initialize(1);
  const xt::xtensor<float, 1> first = s.run(noise), second = s.run(noise);
  s.initialize(1);
  CHECK_THROWS_WITH_AS(s.run(noise, number, text = "x"), no_number, error);
  CHECK(s.random_state().runs == 1);
  CHECK(s.run(noise) == second);
  CHECK(first != second);
}
