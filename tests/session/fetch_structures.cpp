// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include <etch/etch.hpp>
#include "reference/run.hpp"

// SES-07: a run gives its values in the structure in which they are asked for.
namespace {

using namespace etch::literals;

using vector_of_floats = xt::xtensor<float, 1>;

constexpr etch::placeholder<"x", float, 3> x;
constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<3>{}));
constexpr auto y = x * w;
constexpr auto total = etch::sum(y);
constexpr auto largest = etch::max(y);
constexpr auto train = etch::group(etch::assign(w, w * 2_c));

template <class Loss, class Values>
struct outputs {
  Loss loss;
  Values values;
};
template <class Loss, class Step, class Inner>
struct training {
  Loss loss;
  Step step;
  Inner inner;
};
/// No template: its result is a tuple.
struct fixed_outputs {
  decltype(total) loss;
  decltype(y) values;
  decltype(train) step;
};
template <class A, class B, class C, class D>
struct many {
  A a1, a2, a3, a4;
  B b1, b2, b3, b4;
  C c1, c2, c3, c4;
  D d1, d2, d3, d4;
};

auto opened() {
  etch::session session(total, largest, train);
  session.initialize();
  return session;
}

TEST_CASE("SES-07: tuples, pairs and arrays give the same of values") {
  auto session = opened();
  const auto both = session.run(std::tuple{total, y}, x = {1, 2, 3});
  static_assert(std::is_same_v<decltype(both), const std::tuple<float, vector_of_floats>>);
  CHECK(std::get<0>(both) == 6.0f);
  CHECK(std::get<1>(both) == vector_of_floats{1, 2, 3});

  const auto pair = session.run(std::pair{y, total}, x = {1, 2, 3});
  static_assert(std::is_same_v<decltype(pair), const std::pair<vector_of_floats, float>>);
  CHECK(pair.second == 6.0f);

  const auto array = session.run(std::array{total, total}, x = {1, 2, 3});
  static_assert(std::is_same_v<decltype(array), const std::array<float, 2>>);
  CHECK(array == std::array{6.0f, 6.0f});

  // A structure of one stays one; an expression alone gives its value.
  static_assert(std::is_same_v<decltype(session.run(std::tuple{total}, x = {1, 2, 3})), std::tuple<float>>);
  static_assert(std::is_same_v<decltype(session.run(total, x = {1, 2, 3})), float>);
}

TEST_CASE("SES-07: structures nest, and stand beside expressions") {
  auto session = opened();
  const auto r = session.run(total, std::tuple{y, std::pair{largest, std::array{total}}}, largest, x = {1, 5, 3});
  static_assert(
      std::is_same_v<decltype(r),
                     const std::tuple<float, std::tuple<vector_of_floats, std::pair<float, std::array<float, 1>>>, float>>);
  CHECK(std::get<0>(r) == 9.0f);
  CHECK(std::get<0>(std::get<1>(r)) == vector_of_floats{1, 5, 3});
  CHECK(std::get<1>(std::get<1>(r)).first == 5.0f);
  CHECK(std::get<1>(std::get<1>(r)).second[0] == 9.0f);
  CHECK(std::get<2>(r) == 5.0f);
}

TEST_CASE("SES-07: a class template of its members' types gives the same template of values") {
  auto session = opened();
  const auto r = session.run(outputs{total, y}, x = {1, 2, 3});
  static_assert(std::is_same_v<decltype(r), const outputs<float, vector_of_floats>>);
  CHECK(r.loss == 6.0f);
  CHECK(r.values == vector_of_floats{1, 2, 3});

  const auto nested = session.run(training{total, train, outputs{largest, std::tuple{y, y}}}, x = {1, 2, 3});
  static_assert(
      std::is_same_v<decltype(nested),
                     const training<float, etch::no_value, outputs<float, std::tuple<vector_of_floats, vector_of_floats>>>>);
  CHECK(nested.loss == 6.0f);
  CHECK(nested.inner.loss == 3.0f);
  CHECK(std::get<1>(nested.inner.values) == vector_of_floats{1, 2, 3});
  CHECK(session.get(w) == vector_of_floats{2, 2, 2});
}

TEST_CASE("SES-07: another class gives a tuple of what has a value") {
  auto session = opened();
  const auto r = session.run(fixed_outputs{}, x = {1, 2, 3});
  static_assert(std::is_same_v<decltype(r), const std::tuple<float, vector_of_floats>>);
  CHECK(std::get<0>(r) == 6.0f);
  CHECK(session.get(w) == vector_of_floats{2, 2, 2});
}

TEST_CASE("SES-07: sixteen members are the most") {
  auto session = opened();
  constexpr auto twice = total * 2_c;
  constexpr auto thrice = total * 3_c;
  const auto r = session.run(many{total, total, total, total, largest, largest, largest, largest, twice, twice, twice, twice,
                                  thrice, thrice, thrice, thrice},
                             x = {1, 2, 3});
  static_assert(std::is_same_v<decltype(r), const many<float, float, float, float>>);
  const auto [a1, a2, a3, a4, b1, b2, b3, b4, c1, c2, c3, c4, d1, d2, d3, d4] = r;
  CHECK(a1 == 6.0f);
  CHECK(a4 == 6.0f);
  CHECK(b1 == 3.0f);
  CHECK(c4 == 12.0f);
  CHECK(d4 == 18.0f);
}

TEST_CASE("SES-07: what has no value adds nothing") {
  auto session = opened();
  static_assert(std::is_void_v<decltype(session.run(train))>);
  static_assert(std::is_same_v<decltype(session.run(std::tuple{train})), std::tuple<>>);
  static_assert(std::is_same_v<decltype(session.run(std::pair{train, total}, x = {1, 2, 3})), std::tuple<float>>);
  static_assert(std::is_same_v<decltype(session.run(std::array{train, train})), std::tuple<>>);
  static_assert(std::is_same_v<decltype(session.run(train, std::tuple{total}, x = {1, 2, 3})), std::tuple<float>>);
  session.run(std::tuple{train});
  CHECK(session.get(w) == vector_of_floats{2, 2, 2});
  session.run(std::tuple{train, std::pair{train, train}});
  CHECK(session.get(w) == vector_of_floats{4, 4, 4});  // once in a run
}

TEST_CASE("SES-07: bound steps give structures of references") {
  auto session = opened();
  vector_of_floats fed = {1, 2, 3};
  auto step = session.bind(outputs{total, y}, x = fed);
  auto r = step();
  static_assert(std::is_same_v<decltype(r), outputs<float, const vector_of_floats&>>);
  CHECK(r.values == vector_of_floats{1, 2, 3});
  for (int i = 0; i < 3; ++i) fed(i) = static_cast<float>(4 + i);
  CHECK(step().loss == 15.0f);
  CHECK(r.values == vector_of_floats{4, 5, 6});

  etch::step<outputs<float, const vector_of_floats&>()> kept = std::move(step);
  CHECK(kept().loss == 15.0f);
  etch::step<void()> unread = session.bind(std::tuple{train, total}, x = fed);
  unread();
  CHECK(session.get(w) == vector_of_floats{2, 2, 2});

  auto array = session.bind(std::array{total, total}, x = fed);
  static_assert(std::is_same_v<decltype(array()), std::array<float, 2>>);
  auto arrays = session.bind(std::array{y, y}, x = fed);
  static_assert(std::is_same_v<decltype(arrays()), std::tuple<const vector_of_floats&, const vector_of_floats&>>);
}

TEST_CASE("SES-07: plans, the reference backend and sessions take structures") {
  static_assert(etch::plan_of(outputs{total, y}, x).kernel_count == etch::plan_of(total, y, x).kernel_count);
  const auto r = etch::reference::run(outputs{total, y}, x = {1, 2, 3}, w = {2, 2, 2});
  CHECK(r.loss == 12.0f);
  etch::session session(outputs{total, std::pair{largest, train}});
  session.initialize();
  CHECK(session.run(total, x = {1, 2, 3}) == 6.0f);
  CHECK(session.variables().size() == 1);
}

TEST_CASE("FEED-09: a structure holds what was fed") {
  auto session = opened();
  const auto r = session.run(outputs{total, y}, y = {7, 8, 9});
  CHECK(r.loss == 24.0f);
  CHECK(r.values == vector_of_floats{7, 8, 9});
}

// A fetch whose result is made on the host, of a leaf's value and of what is fed to a slot that the plan does not know.
template <int Number>
struct label_slot {
  using name_type = etch::name_of<"label">;
  using value_type = float;
  using shape_type = etch::shape<>;
  using held_type = std::string;
  template <class V>
  static std::string hold(const V& value) {
    return value;
  }
  template <class V>
  constexpr etch::binding<label_slot, V> operator=(const V& value) const {
    return {value};
  }
};
constexpr label_slot<0> label;
constexpr label_slot<1> unit;

template <class E>
struct labelled {
  constexpr labelled(E) {}
};
struct only_label {
  constexpr only_label() = default;
};

}  // namespace

template <class E>
struct etch::fetch_traits<labelled<E>> {
  using leaves = detail::type_list<E>;
  using slots = detail::type_list<label_slot<0>, label_slot<1>>;
  template <class M, class Fed>
  static std::string rebuild(const Fed& fed, M value) {
    return fed.template of<label_slot<0>>() + std::to_string(static_cast<int>(value)) + fed.template of<label_slot<1>>();
  }
};
template <>
struct etch::fetch_traits<only_label> {
  using leaves = detail::type_list<>;
  using slots = detail::type_list<label_slot<0>>;
  template <class Fed>
  static std::string rebuild(const Fed& fed) {
    return fed.template of<label_slot<0>>();
  }
};

namespace {

TEST_CASE("SES-07: other fetches say what they are made of") {
  auto session = opened();
  CHECK(session.run(labelled{total}, label = "sum ", x = {1, 2, 3}, unit = " kg") == "sum 6 kg");
  const auto r =
      session.run(outputs{total, std::pair{labelled{largest}, y}}, unit = "", label = std::string("max "), x = {1, 2, 3});
  static_assert(std::is_same_v<decltype(r), const outputs<float, std::pair<std::string, vector_of_floats>>>);
  CHECK(r.values.first == "max 3");
  CHECK(session.run(only_label{}, label = "alone") == "alone");
  static_assert(std::is_same_v<decltype(session.run(train, only_label{}, label = "alone")), std::string>);
  CHECK(session.run(total, label = "read by none", x = {1, 2, 3}) == 6.0f);
}

TEST_CASE("SES-07: bound steps keep what such fetches are fed") {
  auto session = opened();
  vector_of_floats fed = {1, 2, 3};
  auto step = [&] {
    std::string gone = "sum ";
    return session.bind(labelled{total}, label = gone, unit = "", x = fed);
  }();
  CHECK(step() == "sum 6");
  fed(0) = 10;
  CHECK(step() == "sum 15");
  auto alone = session.bind(only_label{}, label = "alone");
  CHECK(alone() == "alone");
}

TEST_CASE("a session may be made of such fetches alone") {
  etch::session session(only_label{});
  session.initialize();
  CHECK(session.run(only_label{}, label = "alone") == "alone");
  CHECK(session.variables().size() == 0);
}

}  // namespace
