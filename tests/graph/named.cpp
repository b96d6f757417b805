// SPDX-License-Identifier: MIT
#include <string>
#include <type_traits>

#include <doctest/doctest.h>
#include <xtensor/xarray.hpp>

#include <etch/etch.hpp>
#include <etch/print.hpp>

/// A name changes no node, no value, no plan, and what is named is fed, fetched and differentiated as if it were not.
namespace etch {
namespace {

using namespace etch::literals;

constexpr placeholder<"x", float, 3> x;
constexpr placeholder<"y", float, 3> y;
constexpr auto plain = x + y;
constexpr auto sum_of = named<"sum">(plain);

template <class... E>
graph flat(E...) {
  const record* const fetches[] = {detail::record_address<E::hash>...};
  return flatten(fetches, sizeof...(E), nullptr, 0);
}
template <class E>
constexpr hash_t content(E) {
  return detail::content_with<E::hash>;
}

TEST_CASE("naming does not make two nodes of one") {
  CHECK(to_string(flat(sum_of * plain)) == to_string(flat(plain * plain)));
  CHECK(to_string(flat(sum_of, plain, named<"again">(sum_of))) ==
        "%0 = placeholder \"y\" : float32[3]\n"
        "%1 = placeholder \"x\" : float32[3]\n"
        "%2 = add %1 %0 : float32[3]\n"
        "fetch %2 %2 %2\n");
}

TEST_CASE("the content of what is made of named expressions is that of what is made of unnamed ones") {
  static_assert(content(sum_of) == content(plain));
  static_assert(decltype(sum_of)::hash != decltype(plain)::hash);
  static_assert(content(named<"product">(sum_of * exp(sum_of))) == content(plain * exp(plain)));
  static_assert(content(gradient(sum(sum_of), sum_of)) == content(gradient(sum(plain), plain)));
  static_assert(content(concat(axis<0>, sum_of, plain)) == content(concat(axis<0>, plain, plain)));
  static_assert(content(plain * plain) == decltype(plain * plain)::hash);
  static_assert(std::is_same_v<decltype(named<"sum">(plain)), decltype(named<"sum">(plain))>);
}

TEST_CASE("a variable whose initial value is named is the variable") {
  constexpr auto w = variable<"w">(zeros(shape<3>{}));
  constexpr auto v = variable<"w">(named<"start">(zeros(shape<3>{})));
  static_assert(content(w) == content(v));
  session s(w + v);
  CHECK(s.variables().size() == 1);
  s.initialize();
  s.set(v, {1, 2, 3});
  CHECK(s.get(w)(2) == 3);
  CHECK(s.run(w + v)(2) == 6);
}

TEST_CASE("plans are those of the expressions without names") {
  constexpr auto named_plan = plan_of(named<"loss">(sum(sum_of * plain)), x, y);
  constexpr auto plan = plan_of(sum(plain * plain), x, y);
  static_assert(named_plan.kernel_count == plan.kernel_count);
  static_assert(named_plan.nodes_before == plan.nodes_before);
  static_assert(named_plan.workspace_bytes == plan.workspace_bytes);
  const auto steps = [](const auto& p) { return to_text(p); };
  CHECK(steps(plan).find("sweep") != std::string::npos);
}

TEST_CASE("what is named is fetched and fed under its name and without it") {
  constexpr auto product = sum_of * exp(sum_of);
  session s(product);
  CHECK(s.run(sum_of, x = {1, 2, 3}, y = {1, 1, 1})(1) == 3);
  CHECK(s.run(product, sum_of = {0, 0, 0})(1) == 0);
  CHECK(s.run(product, plain = {0, 0, 0})(1) == 0);
  CHECK(s.run(sum_of, plain = {4, 5, 6})(1) == 5);
  CHECK(s.run(plain, sum_of = {4, 5, 6})(1) == 5);
}

TEST_CASE("errors at run time say the name of what is fed") {
  constexpr placeholder<"rows", float, any<"n">> rows;
  constexpr auto twice = named<"twice">(rows + rows);
  session s(sum(twice));
  const xt::xtensor<float, 2> matrix = xt::ones<float>({2, 3});
  const xt::xarray<float> dynamic = matrix;
  std::string message;
  try {
    s.run(sum(twice), twice = dynamic);
  } catch (const error& e) {
    message = e.what();
  }
  CHECK(message == "feed \"twice\": expected 1 axes, got 2");
}

TEST_CASE("a layer is what is computed without its scope") {
  constexpr placeholder<"rows", double, any<"n">, 5, 3> rows;
  constexpr auto layer = nn::dense<"h", 4>(rows);
  static_assert(content(layer) == content(matmul(rows, find_variable<"h/kernel">(layer)) + find_variable<"h/bias">(layer)));
}

TEST_CASE("gradients are taken by what is named, and through it") {
  constexpr auto loss = named<"loss">(sum(sum_of * sum_of));
  session s(loss);
  CHECK(s.run(gradient(loss, sum_of), x = {1, 2, 3}, y = {0, 0, 0})(2) == 6);
  CHECK(s.run(gradient(loss, plain), x = {1, 2, 3}, y = {0, 0, 0})(2) == 6);
  CHECK(s.run(gradient(loss, x), x = {1, 2, 3}, y = {0, 0, 0})(2) == 6);
}

TEST_CASE("a training step may be named, and so may what it minimizes") {
  constexpr auto w = variable<"w">(ones(shape<3>{}));
  constexpr auto loss = named<"loss">(sum(square(w * x)));
  constexpr auto train = named<"train">(optimizers::sgd(0.5_c).minimize(loss));
  session s(loss, train);
  s.initialize();
  s.run(train, x = {1, 1, 1});
  CHECK(s.get(w)(0) == 0);
  CHECK(s.run(after(loss, train), x = {1, 1, 1}) == 0);
}

TEST_CASE("a part of a variable that has a name is assigned") {
  constexpr auto w = variable<"w">(ones(shape<4>{}));
  constexpr auto step = assign(named<"inner">(slice(w, section<1, 3>)), 0_c);
  session s(step);
  s.initialize();
  s.run(group(step));
  CHECK(s.get(w)(0) == 1);
  CHECK(s.get(w)(1) == 0);
}

}  // namespace
}  // namespace etch
