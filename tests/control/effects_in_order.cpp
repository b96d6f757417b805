// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/host_call.hpp>
#include <etch/print.hpp>

/// Effects in every place of a loop or branch against the same program as C++ runs it: what is given, the condition, the body, what
/// chooses, the branches; assignments, prints, calls; no step, one, many.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", std::int32_t> x;
constexpr placeholder<"limit", std::int32_t> limit;
constexpr placeholder<"xs", std::int32_t, any<"n">> xs;
constexpr auto c = variable<"c">(literal<0>);

enum kind { nothing, assigns, prints, calls };

/// What prints and calls write.
std::ostringstream events;
constexpr auto note = [](int place, int value) { events << place << ": " << value << '\n'; };

/// e after an effect. No two orders of assignments leave the same in c.
template <int Place, kind K, class E, class Seen>
constexpr auto behind(E e, Seen seen) {
  if constexpr (K == assigns)
    return after(e, assign(c, 65535_c & (c * 3_c + literal<Place>)));
  else if constexpr (K == prints)
    return after(e, print<"{}: {}">(literal<Place>, seen));
  else if constexpr (K == calls)
    return after(e, host_call<"note">(note, literal<Place>, seen));
  else
    return e;
}
/// The same in plain code.
struct plain {
  int c = 0;
  std::string events{};
  template <int Place, kind K, class T>
  T behind(T value, int seen) {
    if (K == assigns) c = (c * 3 + Place) & 65535;
    if (K == prints || K == calls) events += std::to_string(Place) + ": " + std::to_string(seen) + "\n";
    return value;
  }
};

/// Runs it with each of these, one after the other in one session, and compares result, variable and events.
template <class Y, class Run, class Plain, class... Given>
void check(const Y& y, const Run& run, const Plain& in_plain, const Given&... given) {
  session s(y, c);
  s.initialize();
  std::ostream* const before = print_to(&events);
  const auto once = [&](const auto& with) {
    events.str("");
    plain expected{s.get(c)};
    const int value = in_plain(expected, with);
    CHECK(run(s, y, with) == value);
    CHECK(s.get(c) == expected.c);
    CHECK(events.str() == expected.events);
  };
  (once(given), ...);
  print_to(before);
}
constexpr auto run_to = [](auto& s, const auto& y, int n) { return s.run(y, limit = n, x = 5); };

template <int Bound, kind Given, kind Condition, kind Body>
void check_while() {
  const auto condition = [](auto i) { return behind<2, Condition>(i < limit, i); };
  const auto body = [](auto i) { return behind<3, Body>(i + 1_c, i); };
  const auto plain_loop = [](plain& p, int end) {
    int i = p.behind<1, Given>(0, 0);
    for (int t = 0; (Bound == 0 || t < Bound) && p.behind<2, Condition>(i < end, i); ++t) i = p.behind<3, Body>(i + 1, i);
    return i;
  };
  const auto first = behind<1, Given>(0_c * x, 0_c);
  if constexpr (Bound > 0)
    check(while_loop<Bound>(condition, body, first), run_to, plain_loop, 0, 1, 4, 2);
  else
    check(while_loop(condition, body, first), run_to, plain_loop, 0, 1, 4, 2);
}
template <kind Given, kind Condition, kind Body>
void check_whiles() {
  check_while<0, Given, Condition, Body>();
  check_while<3, Given, Condition, Body>();
}

template <kind State, kind Sequence, kind Body>
void check_scan() {
  const auto y =
      scan([](auto s, auto e) { return behind<3, Body>(s + e, e); }, behind<1, State>(x, x), behind<2, Sequence>(xs, 7_c));
  using numbers = xt::xtensor<std::int32_t, 1>;
  const auto plain_loop = [](plain& p, const numbers& all) {
    int s = p.behind<1, State>(5, 5);
    p.behind<2, Sequence>(0, 7);
    for (const int e : all) s = p.behind<3, Body>(s + e, e);
    return s;
  };
  const auto run = [](auto& session, const auto& e, const numbers& all) { return session.run(e, xs = all, x = 5); };
  check(y, run, plain_loop, numbers::from_shape({0}), numbers{2}, numbers{1, 2, 3});
}

template <kind Chooser, kind Yes, kind No>
void check_branch() {
  const auto in_plain = [](plain& p, int n) {
    return p.behind<1, Chooser>(n == 0, n) ? p.behind<2, Yes>(5, 5) : p.behind<3, No>(-5, 5);
  };
  const auto yes = [] { return behind<2, Yes>(x, x); };
  const auto no = [] { return behind<3, No>(-x, x); };
  check(cond(behind<1, Chooser>(limit == 0_c, limit), yes, no), run_to, in_plain, 0, 1, 0);
  check(switch_case(behind<1, Chooser>(limit, limit), yes, no), run_to, in_plain, 0, 1, 7);
}

}  // namespace

TEST_CASE("AG-06: effects of while_loop are those of a loop in C++, the condition's once more than the body's") {
  check_whiles<assigns, nothing, nothing>();
  check_whiles<nothing, assigns, nothing>();
  check_whiles<nothing, prints, nothing>();
  check_whiles<nothing, nothing, calls>();
  check_whiles<assigns, nothing, assigns>();
  check_whiles<prints, prints, prints>();
  check_whiles<assigns, assigns, assigns>();
  check_whiles<assigns, prints, assigns>();
  check_whiles<calls, assigns, prints>();
}

TEST_CASE("AG-06: effects of scan, with those of its first state and of its sequence before them") {
  check_scan<assigns, nothing, assigns>();
  check_scan<nothing, assigns, assigns>();
  check_scan<prints, calls, prints>();
  check_scan<assigns, prints, calls>();
}

TEST_CASE("AG-06: effects of what chooses come before those of the branch that is taken") {
  check_branch<assigns, nothing, nothing>();
  check_branch<assigns, assigns, nothing>();
  check_branch<assigns, nothing, assigns>();
  check_branch<assigns, assigns, assigns>();
  check_branch<prints, calls, prints>();
  check_branch<calls, assigns, nothing>();
}

TEST_CASE("AG-06: sub-graphs see what has been assigned in what they are given") {
  constexpr auto first = after(x, assign(c, 10_c));
  constexpr auto loop = for_range<2>([](auto, auto s) { return s + c; }, first);
  constexpr auto loop_outputs = scan([](auto s, auto e) { return std::pair{s, e * c}; }, first, xs);
  constexpr auto branch = cond(after(x > 0_c, assign(c, 10_c)), [] { return x + c; }, [] { return x - c; });
  constexpr auto outputs = std::get<1>(loop_outputs);
  session s(loop, outputs, branch, c);
  s.initialize();
  CHECK(s.run(loop, x = 1) == 21);
  s.set(c, 0);
  CHECK(s.run(outputs, x = 1, xs = {1, 2}) == xt::xtensor<std::int32_t, 1>{10, 20});
  s.set(c, 0);
  CHECK(s.run(branch, x = 1) == 11);
}

TEST_CASE("AG-06: a condition that assigns decides by what it assigns, and the body reads it") {
  // while (++c < limit) s += c;
  constexpr auto r = while_loop([](auto) { return assign_add(c, 1_c) < limit; }, [](auto s) { return s + c; }, 0_c * x);
  session s(r, c);
  s.initialize();
  CHECK(s.run(r, limit = 5, x = 0) == 1 + 2 + 3 + 4);
  CHECK(s.get(c) == 5);
  CHECK(s.run(r, limit = 5, x = 0) == 0);
  CHECK(s.get(c) == 6);
}

TEST_CASE("AG-06: loops with conditions that assign, in a branch in a loop") {
  // for (e : xs) s += e > 0 ? (the steps of an inner loop) : 1;
  constexpr auto r = scan(
      [](auto s, auto e) {
        return s + cond(
                       e > 0_c,
                       [=] {
                         return while_loop([=](auto i) { return after(i < e, assign(c, (c * 3_c + 1_c) & 65535_c)); },
                                           [](auto i) { return after(i + 1_c, assign(c, (c * 3_c + 2_c) & 65535_c)); }, 0_c * e);
                       },
                       [] { return 1_c; });
      },
      0_c * x, xs);
  session s(r, c);
  s.initialize();
  int count = 0, steps = 0;
  const auto in_plain = [&](int e) {
    int i = 0;
    for (; count = (count * 3 + 1) & 65535, i < e; ++i) count = (count * 3 + 2) & 65535;
    return i;
  };
  for (const int e : {2, 0, 1, -1, 3}) steps += e > 0 ? in_plain(e) : 1;
  CHECK(s.run(r, x = 0, xs = {2, 0, 1, -1, 3}) == steps);
  CHECK(s.get(c) == count);
}

namespace {
constexpr placeholder<"a", double> a;
constexpr auto evaluations = variable<"evaluations">(literal<0>);
}  // namespace

TEST_CASE("AG-06: gradients and outputs of a loop whose condition assigns") {
  // while (++evaluations, y < 50) { out = y * a; y = y * a; }, at most 6 times.
  constexpr auto r = while_loop<6>([](auto y) { return after(y < 50_c, assign_add(evaluations, 1_c)); },
                                   [](auto y) { return std::pair{y * a, y * a}; }, a);
  constexpr auto y = std::get<0>(r);
  constexpr auto all = std::get<1>(r);
  constexpr auto slope = gradient(y, a);
  constexpr auto slope_of_all = gradient(sum(all), a);
  session s(y, all, slope, slope_of_all, evaluations);
  s.initialize();
  // 3, 9, 27, 81: ends.
  const auto [last, outputs, d, d_all] = s.run(y, all, slope, slope_of_all, a = 3.);
  CHECK(last == 81);
  CHECK(outputs == xt::xtensor<double, 1>{9, 27, 81, 0, 0, 0});
  CHECK(d == 4 * 27);
  CHECK(d_all == 2 * 3 + 3 * 9 + 4 * 27);
  CHECK(s.get(evaluations) == 4);
  // 1.1^7: the bound ends it, and the condition is not asked again.
  CHECK(s.run(y, a = 1.1) == doctest::Approx(1.1 * 1.1 * 1.1 * 1.1 * 1.1 * 1.1 * 1.1));
  CHECK(s.get(evaluations) == 4 + 6);
}
