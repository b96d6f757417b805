// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include <etch/default_session.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>

#include "message_of.hpp"

// Programs that are written for sessions elsewhere, with all that they print.
namespace {

using namespace etch::literals;

template <class T>
std::string printed(const T& value) {
  return etch::elements_text(etch::tensor<T, 0>(value));
}
template <class T, std::size_t Rank>
std::string printed(const xt::xtensor<T, Rank>& values) {
  return etch::elements_text(etch::tensor<T, static_cast<int>(Rank)>(values));
}

TEST_CASE("AT-1: an interactive session") {
  constexpr auto a = 5.0_c;
  constexpr auto b = 6.0_c;
  constexpr auto c = a * b;
  constexpr auto x = etch::variable<"x">(etch::arange<float>(etch::shape<2>{}) + 1_c);
  etch::interactive_session session(c, x);
  session.initialize();
  CHECK(printed(etch::eval(c)) == "30.0");
  CHECK(printed(etch::eval(x)) == "[1. 2.]");
  session.close();
  CHECK(message_of([&] { etch::eval(c); }) == "session: it is closed");
}

TEST_CASE("AT-2: a node that is no placeholder is fed") {
  constexpr auto a = etch::add(2_c, 5_c);
  constexpr auto b = etch::multiply(a, 3_c);
  etch::session session(b);
  CHECK(printed(session.run(b, a = 15)) == "45");
  CHECK(printed(session.run(b)) == "21");
  CHECK(printed(session.run(a, a = 15)) == "15");
}

TEST_CASE("AT-3: a product, in a session and at once") {
  constexpr etch::placeholder<"x", float, 1, 1> x;
  constexpr auto m = etch::matmul(x, x);
  etch::session session(m);
  CHECK(printed(session.run(m, x = {{2.}})) == "[[4.]]");
  const etch::tensor<float, 2> eager = {{2.}};
  CHECK(etch::elements_text(etch::matmul(eager, eager)) == "[[4.]]");
}

// Not fed it does not compile: tests/errors/placeholder_not_fed.cpp.
TEST_CASE("AT-5: a product of 1024 x 1024 elements") {
  constexpr etch::placeholder<"x", float, 1024, 1024> x;
  constexpr auto y = etch::matmul(x, x);
  etch::session session(y);
  // Elements that are eighths, so that all sums below are exact: (i + 2 j) mod 8 / 8.
  auto fed = xt::xtensor<float, 2>::from_shape({1024, 1024});
  for (std::size_t i = 0; i < 1024; ++i)
    for (std::size_t j = 0; j < 1024; ++j) fed(i, j) = static_cast<float>((i + 2 * j) % 8) / 8;
  const xt::xtensor<float, 2> product = session.run(y, x = fed);
  // Both factors depend on i, j and k modulo 8 only: 128 times the sum over k < 8.
  bool right = true;
  for (std::size_t i = 0; i < 1024; ++i)
    for (std::size_t j = 0; j < 1024; ++j) {
      std::size_t sum = 0;
      for (std::size_t k = 0; k < 8; ++k) sum += (i + 2 * k) % 8 * ((k + 2 * j) % 8);
      right = right && product(i, j) == static_cast<float>(128 * sum) / 64;
    }
  CHECK(right);
}

TEST_CASE("AT-23: an addition that is made in a loop is one node") {
  constexpr etch::placeholder<"x", std::int32_t> x;
  constexpr etch::placeholder<"y", std::int32_t> y;
  etch::session session(x + y);
  std::ostringstream out;
  for (int i = 0; i < 10; ++i) out << session.run(etch::add(x, y), x = 10, y = 20) << "\n";
  CHECK(out.str() == "30\n30\n30\n30\n30\n30\n30\n30\n30\n30\n");
  CHECK(etch::to_text(etch::add(x, y), etch::add(x, y), etch::add(x, y)) ==
        "y = placeholder : int32[]\n"
        "x = placeholder : int32[]\n"
        "add = add x y : int32[]\n"
        "fetch add add add\n");
}

TEST_CASE("AT-H1: 1 + 1") {
  etch::session session(1_c + 1_c);
  CHECK(printed(session.run(1_c + 1_c)) == "2");
}

TEST_CASE("AT-H2: a + b") {
  constexpr etch::placeholder<"a", std::int32_t> a;
  constexpr etch::placeholder<"b", std::int32_t> b;
  constexpr auto c = a + b;
  etch::session session(c);
  std::ostringstream out;
  out << "a + b = " << session.run(c, a = 2, b = 3);
  CHECK(out.str() == "a + b = 5");
}

TEST_CASE("AT-H3: a variable is assigned itself and 1, five times") {
  constexpr auto a = etch::variable<"a">(etch::zeros(etch::shape<>{}));
  constexpr auto step = etch::assign(a, a + 1_c);
  etch::session session(step);
  session.initialize();
  std::string out;
  for (int i = 0; i < 5; ++i) {
    session.run(step);
    out += printed(session.get(a)) + " ";
  }
  CHECK(out == "1.0 2.0 3.0 4.0 5.0 ");
}

TEST_CASE("AT-H4: a product of ones") {
  constexpr auto c = etch::matmul(etch::ones(etch::shape<2, 3>{}), etch::ones(etch::shape<3, 2>{}));
  etch::session session(c);
  CHECK(printed(session.run(c)) ==
        "[[3. 3.]\n"
        " [3. 3.]]");
}

}  // namespace
