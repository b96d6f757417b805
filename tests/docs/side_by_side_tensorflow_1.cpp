// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>

// The code of docs/side_by_side.md, section "TensorFlow 1: graph and session".

using namespace etch::literals;

TEST_CASE("side by side: 11. A graph, and a run of it") {
  constexpr etch::placeholder<"x", float, etch::any<"batch">, 3> x;
  constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<3>{}));
  constexpr auto y = etch::tanh(x * w);
  etch::session session(y);
  session.initialize();
  const xt::xtensor<float, 2> value = session.run(y, x = {{1, 2, 3}});
  CHECK(value(0, 2) == doctest::Approx(std::tanh(3.0)));
}

TEST_CASE("side by side: 12. Several fetches, in one run") {
  constexpr etch::placeholder<"x", float, etch::any<"batch">, 3> x;
  constexpr auto y = x * 2_c;
  constexpr auto loss = etch::sum(y);
  etch::session session(loss);
  const auto [total, rows] = session.run(loss, y, x = {{1, 2, 3}});
  const float of_y = session.run(loss, y = {{1, 2, 3}});  // what is no placeholder may be fed, too
  CHECK((total == 12 && rows(0, 1) == 4 && of_y == 6));
}

TEST_CASE("side by side: 13. Gradients") {
  constexpr etch::placeholder<"x", float, etch::any<"batch">> x;
  constexpr auto w = etch::variable<"w">(2.0_c);
  constexpr auto b = etch::variable<"b">(1.0_c);
  constexpr auto loss = etch::sum(x * w + b);
  etch::session session(loss);
  session.initialize();
  constexpr auto gradients = etch::gradients(loss, w, b);
  const auto [dw, db] = session.run(std::get<0>(gradients), std::get<1>(gradients), x = {1, 2, 3});
  CHECK((dw == 6 && db == 3));
}

TEST_CASE("side by side: 14. A training loop") {
  constexpr etch::placeholder<"x", float, etch::any<"batch">> x;
  constexpr etch::placeholder<"y", float, etch::any<"batch">> y;
  constexpr auto w = etch::variable<"w">(0.0_c);
  constexpr auto loss = etch::nn::mean_squared_error(w * x, y);
  const xt::xtensor<float, 1> xs{1, 2}, ys{2, 4};
  constexpr auto train = etch::optimizers::sgd(0.1_c).minimize(loss);
  etch::session session(loss, train);
  session.initialize();
  for (int step = 0; step < 100; ++step) session.run(train, x = xs, y = ys);
  CHECK(session.get(w) == doctest::Approx(2));
}

TEST_CASE("side by side: 15. Reading and writing variables") {
  constexpr auto w = etch::variable<"w">(etch::zeros(etch::shape<2>{}));
  constexpr auto y = w * 2_c;
  etch::session session(y);
  session.initialize();
  const xt::xtensor<float, 1> before = session.get(w);
  session.set(w, {1, 2});
  const auto by_name = session.get<"w">();
  CHECK((before(1) == 0 && by_name(1) == 2));
}

TEST_CASE("side by side: 16. An assignment, and what comes after it") {
  constexpr etch::placeholder<"x", float> x;
  constexpr auto count = etch::variable<"count">(0.0_c);
  constexpr auto counted = etch::assign_add(count, 1_c);
  constexpr auto y = etch::after(x * 1_c, counted);
  etch::session session(y);
  session.initialize();
  session.run(y, x = 5.0f);
  CHECK(session.run(y, x = 5.0f) == 5);
  CHECK(session.get(count) == 2);
}

TEST_CASE("side by side: 17. A loop in the graph") {
  constexpr etch::placeholder<"x", float> x;
  constexpr auto total = etch::while_loop([](auto i) { return i < 100_c; }, [](auto i) { return i * 2_c; }, x);
  etch::session session(total);
  CHECK(session.run(total, x = 3.0f) == 192);
}

TEST_CASE("side by side: 18. A branch in the graph") {
  constexpr etch::placeholder<"x", float> x;
  constexpr auto y = etch::cond(x > 0_c, [](auto v) { return v * 2_c; }, [](auto v) { return v / 2_c; }, x);
  etch::session session(y);
  CHECK((session.run(y, x = 3.0f) == 6 && session.run(y, x = -3.0f) == -1.5f));
}
