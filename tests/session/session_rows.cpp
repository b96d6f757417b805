// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>

#include "message_of.hpp"

// What a session promises beside its results: what is run, how often, and what remains after an exception.
namespace {

using namespace etch::literals;

constexpr etch::placeholder<"x", float, 2> x;
constexpr etch::placeholder<"unrelated", float, 2> unrelated;
constexpr auto count = etch::variable<"count">(etch::zeros<std::int32_t>(etch::shape<>{}), etch::not_trainable);
/// x, twice; a run that computes it counts.
constexpr auto counted = etch::after(x * 2_c, etch::assign_add(count, 1_c));

TEST_CASE("SES-01, SES-15: a session is opened of what it runs; a member of a class names its type") {
  etch::session one(counted);
  etch::session<decltype(counted + 1_c)> another(counted + 1_c);
  struct owner {
    decltype(etch::session(counted)) session{counted};
  };
  owner o;
  one.initialize();
  another.initialize();
  o.session.initialize();
  CHECK(one.run(counted, x = {1, 2}) == xt::xtensor<float, 1>{2, 4});
  CHECK(another.run(counted + 1_c, x = {1, 2}) == xt::xtensor<float, 1>{3, 5});
  CHECK(o.session.run(counted, x = {1, 2}) == xt::xtensor<float, 1>{2, 4});
}

TEST_CASE("SES-03: a session's graph can be had from it") {
  etch::session session(counted, std::pair{x + 1_c, etch::sum(counted)});
  CHECK(etch::to_text(etch::graph_of(session)) == etch::to_text(counted, x + 1_c, etch::sum(counted)));
  etch::session small(etch::named<"y">(x + 1_c));
  CHECK(etch::to_text(etch::graph_of(small)) ==
        "constant = constant 1 : float32[]\n"
        "x = placeholder : float32[2]\n"
        "y = add x constant : float32[2]\n"
        "fetch y\n");
}

TEST_CASE("SES-08: what no fetch needs is not run, and its placeholder not fed") {
  etch::session session(counted, x + unrelated);
  session.initialize();
  CHECK(session.run(x + 1_c, x = {1, 2}) == xt::xtensor<float, 1>{2, 3});
  CHECK(session.get(count) == 0);
  session.run(counted, x = {1, 2});
  CHECK(session.get(count) == 1);
}

TEST_CASE("SES-09: what several fetches need is run once") {
  etch::session session(counted);
  session.initialize();
  const auto [a, b, c] = session.run(counted, counted + 1_c, etch::sum(counted), x = {1, 2});
  CHECK(a == xt::xtensor<float, 1>{2, 4});
  CHECK(b == xt::xtensor<float, 1>{3, 5});
  CHECK(c == 6.0f);
  CHECK(session.get(count) == 1);
  session.run(std::tuple{counted, std::pair{counted, counted}}, x = {1, 2});
  CHECK(session.get(count) == 2);
}

TEST_CASE("FEED-05, SES-08: what only a fed node needs is not run") {
  constexpr auto y = etch::sum(counted);
  etch::session session(y);
  session.initialize();
  CHECK(session.run(y, counted = {5, 6}) == 11.0f);
  CHECK(session.get(count) == 0);
  CHECK(session.run(y, x = {5, 6}) == 22.0f);
  CHECK(session.get(count) == 1);
}

TEST_CASE("FEED-04: feeding a variable holds for one run") {
  constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<2>{}));
  etch::session session(w * 3_c);
  session.initialize();
  CHECK(session.run(w * 3_c, w = {7, 8}) == xt::xtensor<float, 1>{21, 24});
  CHECK(session.run(w * 3_c) == xt::xtensor<float, 1>{3, 3});
  CHECK(session.get(w) == xt::xtensor<float, 1>{1, 1});
}

TEST_CASE("VAR-05: a variable of one session is not that of another") {
  etch::session a(counted);
  etch::session b(counted);
  a.initialize();
  b.initialize();
  for (int i = 0; i < 3; ++i) a.run(counted, x = {1, 2});
  CHECK(a.get(count) == 3);
  CHECK(b.get(count) == 0);
  a.close();
  b.run(counted, x = {1, 2});
  CHECK(b.get(count) == 1);
}

constexpr etch::placeholder<"rows", float, etch::any<"n">> rows;
constexpr etch::placeholder<"columns", float, etch::any<"n">> columns;

TEST_CASE("SES-06: a run that throws changes nothing, and the session goes on") {
  constexpr auto y = etch::after(rows + columns, etch::assign_add(count, 1_c));
  etch::session session(y);
  session.initialize();
  CHECK(session.run(y, rows = {1, 2}, columns = {3, 4}) == xt::xtensor<float, 1>{4, 6});
  CHECK(message_of([&] { session.run(y, rows = {1, 2}, columns = {3, 4, 5}); }) ==
        "feed \"columns\": axis 0 (\"n\"): expected extent 2, which feed \"rows\" has given it, got 3");
  CHECK(session.get(count) == 1);
  CHECK(session.run(y, rows = {1, 2, 3}, columns = {3, 4, 5}) == xt::xtensor<float, 1>{4, 6, 8});
  CHECK(session.get(count) == 2);
}

TEST_CASE("SES-04: closed twice; another session is opened on the same variables' names") {
  etch::session session(counted);
  session.initialize();
  session.close();
  session.close();
  CHECK(message_of([&] { session.run(counted, x = {1, 2}); }) == "session: it is closed");
  CHECK(message_of([&] { session.run(std::tuple{counted}, x = {1, 2}); }) == "session: it is closed");
  session = etch::session(counted);
  CHECK(message_of([&] { session.run(counted, x = {1, 2}); }) ==
        "run: variable \"count\" has no value; call initialize() or set() first");
  session.initialize();
  CHECK(session.run(counted, x = {1, 2}) == xt::xtensor<float, 1>{2, 4});
}

TEST_CASE("SES-18, SES-19: a function of the program makes a graph of placeholders, and values of tensors, in one program") {
  const auto model = [](auto a, auto b) { return etch::sum(etch::tanh(a) * b); };
  constexpr etch::placeholder<"a", float, 3> a;
  constexpr etch::placeholder<"b", float, 3> b;
  etch::session session(model(a, b));
  const etch::tensor<float, 1> u = {1, 2, 3}, v = {4, 5, 6};
  CHECK(session.run(model(a, b), a = u, b = v) == doctest::Approx(model(u, v).item()).epsilon(1e-6));
}

TEST_CASE("SES-20: define, open, run") {
  constexpr auto w = etch::variable<"w">(etch::zeros(etch::shape<>{}));
  constexpr auto loss = etch::square(w - 3_c);
  constexpr auto train = etch::optimizers::sgd(0.25_c).minimize(loss);
  etch::session session(loss, train);
  session.initialize();
  // w is 3 (1 - 2^-i) after i steps.
  for (int i = 0; i < 20; ++i) CHECK(session.run(loss, train) == doctest::Approx(9.0 / static_cast<double>(1ull << (2 * i))));
}

TEST_CASE("GRA-16: what may be fed") {
  constexpr auto w = etch::variable<"w">(etch::zeros(etch::shape<>{}));
  static_assert(etch::is_feedable(x));
  static_assert(etch::is_feedable(w));
  static_assert(etch::is_feedable(x + 1_c));
  static_assert(etch::is_feedable(etch::named<"y">(x + 1_c)));
  static_assert(etch::is_feedable(etch::assign(w, 1_c)));
  static_assert(etch::is_feedable(2_c + 5_c));
  static_assert(!etch::is_feedable(2_c));
  static_assert(!etch::is_feedable(etch::group(etch::assign(w, 1_c))));
  static_assert(!etch::is_feedable(3.0f));
  [[maybe_unused]] constexpr auto total = etch::scan(
      [](auto state, auto e) {
        static_assert(!etch::is_feedable(state));
        static_assert(!etch::is_feedable(e));
        return state + e;
      },
      0_c, x);
  // What is said to be feedable is fed.
  etch::session session(etch::assign(w, 1_c) * 2_c, (2_c + 5_c) * 3_c);
  session.initialize();
  CHECK(session.run(etch::assign(w, 1_c) * 2_c, etch::assign(w, 1_c) = 5.0f) == 10.0f);
  CHECK(session.get(w) == 0.0f);
  CHECK(session.run((2_c + 5_c) * 3_c, (2_c + 5_c) = 15) == 45);
}

}  // namespace
