// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <xtensor/xio.hpp>

#include <etch/eager.hpp>
#include <etch/eager/xtensor.hpp>
#include <etch/etch.hpp>

#include "contents.hpp"

// The worked examples of small programs in eager mode, with all that they print.

using namespace etch::literals;

using contents::text;

TEST_CASE("AT-H1, AT-H2, AT-H4, AT-H8, AT-3, EAG-02: sums and products, at once and without a session") {
  CHECK(text(etch::tensor(1) + etch::tensor(1)) == "etch.tensor(2, shape=(), dtype=int32)");
  const etch::tensor<int, 0> a = 2, b = 3;
  std::ostringstream line;
  line << "a + b = " << (a + b).item();
  CHECK(line.str() == "a + b = 5");
  const etch::tensor<float, 2> x = {{2}};
  CHECK(text(etch::matmul(x, x)) == "etch.tensor([[4.]], shape=(1, 1), dtype=float32)");
  const etch::tensor wide = etch::ones(etch::shape<2, 3>{}), high = etch::ones(etch::shape<3, 2>{});
  CHECK(text(etch::matmul(wide, high)) == "etch.tensor(\n[[3. 3.]\n [3. 3.]], shape=(2, 2), dtype=float32)");
  const etch::tensor<float, 2> p = {{1, 2}, {3, 4}}, q = {{5, 6}, {7, 8}};
  CHECK(text(p + q) == "etch.tensor(\n[[ 6.  8.]\n [10. 12.]], shape=(2, 2), dtype=float32)");
  CHECK(text(etch::matmul(p, q)) == "etch.tensor(\n[[19. 22.]\n [43. 50.]], shape=(2, 2), dtype=float32)");
  CHECK(text(etch::matmul(etch::astype<int>(p), etch::astype<int>(q))) ==
        "etch.tensor(\n[[19 22]\n [43 50]], shape=(2, 2), dtype=int32)");
}

TEST_CASE("AT-7b, EAG-01, NP-02: a tensor, a number and an array") {
  const etch::tensor<int, 2> a = {{1, 2}, {3, 4}};
  static_assert(etch::executing_eagerly(a));
  CHECK(text(a) == "etch.tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)");
  const auto b = etch::add(a, 1);
  CHECK(text(b) == "etch.tensor(\n[[2 3]\n [4 5]], shape=(2, 2), dtype=int32)");
  const xt::xtensor<int, 2> c = a.array() * b.array();
  CHECK(text(c) == "{{ 2,  6},\n {12, 20}}");
}

TEST_CASE("EAG-01: a function knows in which mode it has been called") {
  const auto mode_of = [](auto x, auto y) {
    if constexpr (etch::executing_eagerly(x, y))
      return x * 2_c + y;
    else
      return x * 3_c + y;
  };
  const etch::tensor<float, 0> t = 1;
  CHECK(mode_of(t, t).item() == 3);
  CHECK(mode_of(t, 1_c).item() == 3);
  const etch::eager::variable v(t);
  CHECK(mode_of(1_c, v).item() == 3);
  constexpr etch::placeholder<"x", float> x;
  etch::session s(mode_of(x, 1_c));
  CHECK(s.run(mode_of(x, 1_c), x = 1) == 4);
  static_assert(!etch::executing_eagerly(1_c) && !etch::executing_eagerly(x, x));
}

TEST_CASE("AT-9, EAG-06: tensors are appended to a list and printed") {
  std::vector<etch::tensor<float, 0>> list;
  const auto append_tensor = [&](const etch::tensor<float, 0>& x) -> const auto& {
    list.push_back(x);
    return list;
  };
  append_tensor(5.f);
  std::string printed;
  for (const auto& t : append_tensor(6.f)) printed += text(t) + "\n";
  CHECK(printed == "etch.tensor(5.0, shape=(), dtype=float32)\netch.tensor(6.0, shape=(), dtype=float32)\n");
}

TEST_CASE("AT-26, EAG-05: while counts to a thousand") {
  etch::tensor<int, 0> i = 0;
  while (i < 1000) i = etch::add(i, 1);
  CHECK(text(i) == "etch.tensor(1000, shape=(), dtype=int32)");
}

TEST_CASE("AT-27, RND-03: a random matrix is walked through element by element") {
  etch::eager::seed(1);
  const etch::tensor<float, 2> x = etch::random_uniform<"x">(etch::shape<2, 2>{});
  int printed = 0;
  std::string by_index, by_row;
  for (std::int64_t i = 0; i < x.extent(0); ++i)
    for (std::int64_t j = 0; j < x.extent(1); ++j) {
      CHECK((x(i, j) >= 0 && x(i, j) < 1));
      by_index += text(x(i, j)) + "\n";
      ++printed;
    }
  for (const auto row : x)
    for (const auto element : row) by_row += text(element.item()) + "\n";
  CHECK(printed == 4);
  CHECK(by_row == by_index);
}

TEST_CASE("AT-H3, VAR-03, EAG-08: a variable counts, and is seen to at once") {
  etch::eager::variable a(etch::tensor<float, 0>(0));
  std::string seen;
  for (int i = 0; i < 5; ++i) {
    a.assign(a + 1_c);
    seen += etch::elements_text(a.read()) + " ";
  }
  CHECK(seen == "1.0 2.0 3.0 4.0 5.0 ");
}

TEST_CASE("VAR-07: a variable prints as one") {
  const etch::eager::variable v(etch::tensor<float, 0>(6));
  CHECK(text(v) == "etch.variable(6.0, shape=(), dtype=float32)");
  const etch::eager::variable matrix(etch::tensor<int, 2>{{1, 2}, {3, 4}});
  CHECK(text(matrix) == "etch.variable(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)");
}

TEST_CASE("EAG-13: what eager code has learnt, a session goes on with") {
  const auto model = [](auto x, auto kernel, auto bias) { return etch::nn::dense(x, kernel, bias); };
  const etch::eager::variable kernel(etch::tensor<float, 2>{{1, 2}, {3, 4}});
  const etch::eager::variable bias(etch::tensor<float, 1>{5, 6});
  const etch::tensor<float, 2> input = {{1, 1}, {0, 2}};
  constexpr etch::placeholder<"x", float, 2, 2> x;
  constexpr auto w = etch::variable<"w">(etch::zeros(etch::shape<2, 2>{}));
  constexpr auto b = etch::variable<"b">(etch::zeros(etch::shape<2>{}));
  constexpr auto y = model(x, w, b);
  etch::session s(y);
  s.set(w, kernel.read());
  s.set(b, bias.read());
  CHECK(s.run(y, x = input) == xt::xtensor<float, 2>{{9, 12}, {11, 14}});
  CHECK(s.run(y, x = input) == xt::xtensor<float, 2>(model(input, kernel, bias)));
}
