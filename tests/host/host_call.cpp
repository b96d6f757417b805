// SPDX-License-Identifier: MIT
#include <atomic>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/default_session.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/host_call.hpp>
#include <etch/print.hpp>
#include <etch/strings.hpp>
#include <etch/tape.hpp>

/// Functions of the program that graphs call.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float> x;
constexpr placeholder<"v", float, any<"n">> v;
constexpr placeholder<"m", float, any<"n">, 2> m;
constexpr placeholder<"p", bool> p;

/// What functions write, and how often they are called.
std::vector<std::string> seen;
int calls = 0;

std::string text_of(double number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

constexpr auto twice = [](float a) {
  ++calls;
  return 2 * a;
};
constexpr auto note = [](float a) { seen.push_back("note " + text_of(a)); };

}  // namespace

TEST_CASE("EAG-14: a function of the program is an op: called once per run, its result used downstream") {
  constexpr auto h = host_call<"twice", float>(twice, x);
  static_assert(std::is_same_v<decltype(h)::value_type, float> && decltype(h)::rank == 0);
  constexpr auto y = h * h + h;
  session s(y, x * 3_c);
  calls = 0;
  CHECK(s.run(y, x = 3) == 42);
  CHECK(calls == 1);
  CHECK(s.run(y, x = 3) == 42);
  CHECK(calls == 2);
  // Not asked for.
  CHECK(s.run(x * 3_c, x = 3) == 9);
  CHECK(calls == 2);
  // Of a constant it is not folded: called in each run.
  constexpr auto of_constant = host_call<"twice of a constant", float>(twice, 4.0_c);
  session t(of_constant);
  CHECK(t.run(of_constant) == 8);
  CHECK(t.run(of_constant) == 8);
  CHECK(calls == 4);
  // A bound step calls it, too.
  auto step = s.bind(y, x = 1);
  CHECK(calls == 4);
  CHECK(step() == 6);
  CHECK(step() == 6);
  CHECK(calls == 6);
  // Equal calls are one node, others are not merged.
  constexpr auto same = host_call<"twice", float>(twice, x) + host_call<"twice", float>(twice, x);
  constexpr auto other = host_call<"twice", float>(twice, x) + host_call<"twice of a constant", float>(twice, x);
  session u(same, other);
  CHECK(u.run(same, x = 1) == 4);
  CHECK(calls == 7);
  CHECK(u.run(other, x = 1) == 4);
  CHECK(calls == 9);
}

TEST_CASE("EAG-14: arrays: given shapes, or like the first operand; names of extents") {
  constexpr auto sums = host_call<"row sums", float, any<"n">>(
      [](strided<float> y, strided<const float> rows, float scale) {
        for (std::int64_t i = 0; i < rows.extents[0]; ++i) y.data[i] = scale * (rows(i, 0) + rows(i, 1));
      },
      m, x);
  static_assert(decltype(sums)::rank == 1);
  constexpr auto reversed = host_call<"reversed">(
      [](strided<float> y, strided<const float> a) {
        for (std::int64_t i = 0; i < a.size(); ++i) y.data[i] = a[a.size() - 1 - i];
      },
      v);
  static_assert(std::is_same_v<decltype(reversed)::shape_type, decltype(v)::shape_type>);
  constexpr auto three = host_call<"three", std::int32_t, 3>([](strided<std::int32_t> y) { y(1) = 7; });
  constexpr auto count = host_call<"count">([](strided<const float> a) { return static_cast<std::int64_t>(a.size()); }, v);
  static_assert(std::is_same_v<decltype(count)::value_type, std::int64_t>);
  session s(sums, reversed, three, count);
  CHECK(s.run(sums * 2_c, m = {{1, 2}, {3, 4}, {5, 6}}, x = 10) == xt::xtensor<float, 1>{60, 140, 220});
  CHECK(s.run(reversed + v, v = {1, 2, 4}) == xt::xtensor<float, 1>{5, 4, 5});
  CHECK(s.run(reversed, v = {1}) == xt::xtensor<float, 1>{1});
  // What it does not write is 0.
  CHECK(s.run(three) == xt::xtensor<std::int32_t, 1>{0, 7, 0});
  // An operand with strides of its own.
  constexpr auto column = host_call<"column">(
      [](strided<float> y, strided<const float> a) {
        for (std::int64_t i = 0; i < a.size(); ++i) y.data[i] = a(i) + 1;
      },
      squeeze(slice(m, section<>, section<1, 2>), axis<1>));
  session t(column);
  CHECK(t.run(column, m = {{1, 2}, {3, 4}, {5, 6}}) == xt::xtensor<float, 1>{3, 5, 7});
  CHECK(s.run(count, v = std::vector<float>(5)) == 5);
}

TEST_CASE("EAG-14, PRN-01: calls and prints come in the order in which they are asked for") {
  static std::ostringstream out;
  out.str("");
  std::ostream* const before = print_to(&out);
  constexpr auto log = [](float a) {
    out << "called with " << a << "\n";
    return a + 1;
  };
  constexpr auto a = print<"a {}">(x);
  constexpr auto b = host_call<"log">(log, a);
  constexpr auto c = print<"c {}">(b);
  constexpr auto d = host_call<"log">(log, c * 10_c);
  session s(d);
  CHECK(s.run(d, x = 1) == 21);
  CHECK(out.str() == "a 1\ncalled with 1\nc 2\ncalled with 20\n");
  out.str("");
  s.run(d, b, x = 1);
  CHECK(out.str() == "a 1\ncalled with 1\nc 2\ncalled with 20\n");
  // Without a use of its value, by `after`, also where f gives nothing.
  out.str("");
  constexpr auto nothing = host_call<"nothing">([](float u) { out << "nothing of " << u << "\n"; }, x);
  constexpr auto after_both = after(x * 2_c, nothing, print<"then {}">(x), b);
  CHECK(s.run(after_both, x = 3) == 6);
  CHECK(out.str() == "nothing of 3\nthen 3\na 3\ncalled with 3\n");
  out.str("");
  constexpr auto other_way = after(x * 2_c, print<"then {}">(x), nothing);
  CHECK(s.run(other_way, x = 3) == 6);
  CHECK(out.str() == "then 3\nnothing of 3\n");
  // As a fetch it has no value.
  out.str("");
  static_assert(std::is_void_v<decltype(s.run(nothing, x = 1))>);
  s.run(nothing, x = 5);
  CHECK(out.str() == "nothing of 5\n");
  print_to(before);
}

TEST_CASE("EAG-14: in loops once per step, in branches where they are taken") {
  seen.clear();
  constexpr auto noted =
      for_range<3>([](auto i, auto k) { return after(k + 1_c, host_call<"note">(note, astype<float>(i))); }, 0_c);
  constexpr auto chosen =
      cond(p, [] { return host_call<"twice", float>(twice, x); }, [] { return after(x, host_call<"note">(note, x)); });
  constexpr auto summed = scan([](auto state, auto u) { return state + host_call<"twice", float>(twice, u); }, 0_c, v);
  // The same operands in each step: still called in each.
  constexpr auto again = for_range<4>([](auto, auto k) { return k + host_call<"twice", float>(twice, x); }, 0_c);
  session s(noted, chosen, summed, again);
  CHECK(s.run(noted) == 3);
  CHECK(seen == std::vector<std::string>{"note 0", "note 1", "note 2"});
  seen.clear();
  calls = 0;
  CHECK(s.run(chosen, p = true, x = 2) == 4);
  CHECK(calls == 1);
  CHECK(seen.empty());
  CHECK(s.run(chosen, p = false, x = 2) == 2);
  CHECK(calls == 1);
  CHECK(seen == std::vector<std::string>{"note 2"});
  calls = 0;
  CHECK(s.run(summed, v = {1, 2, 3}) == 12);
  CHECK(calls == 3);
  CHECK(s.run(again, x = 1) == 8);
  CHECK(calls == 7);
}

TEST_CASE("EAG-14: state is reached by an address that is fed") {
  constexpr placeholder<"log", std::int64_t> log;
  constexpr auto logged = host_call<"append">(
      [](std::int64_t address, float a) { reinterpret_cast<std::vector<float>*>(address)->push_back(a); }, log, x);
  constexpr auto y = after(x * x, logged);
  session s(y);
  std::vector<float> one, two;
  s.run(y, x = 1, log = reinterpret_cast<std::int64_t>(&one));
  s.run(y, x = 2, log = reinterpret_cast<std::int64_t>(&two));
  s.run(y, x = 3, log = reinterpret_cast<std::int64_t>(&one));
  CHECK(one == std::vector<float>{1, 3});
  CHECK(two == std::vector<float>{2});
}

TEST_CASE("EAG-14: gradients pass beside a call; a training step with one learns") {
  seen.clear();
  constexpr auto w = variable<"w">(literal<3.f>);
  constexpr auto loss = w * w;
  constexpr auto train = optimizers::sgd(0.25_c).minimize(after(loss, host_call<"note">(note, loss)));
  session s(train, gradient(after(loss, host_call<"note">(note, loss)), w));
  s.initialize();
  s.run(train);
  CHECK(s.get(w) == 1.5f);
  CHECK(s.run(gradient(after(loss, host_call<"note">(note, loss)), w)) == 3.0f);
}

TEST_CASE("EAG-14: what a function throws, the run throws, and the session stays usable") {
  constexpr auto checked = host_call<"checked">(
      [](float a) {
        ++calls;
        if (a < 0) throw std::domain_error("a is negative");
        return a;
      },
      x);
  constexpr auto then = host_call<"twice", float>(twice, checked);
  constexpr auto w = variable<"assigned">(literal<0.f>, not_trainable);
  session s(then, assign(w, checked));
  s.initialize();
  calls = 0;
  CHECK_THROWS_WITH_AS(s.run(then, x = -1), "a is negative", std::domain_error);
  CHECK(calls == 1);  // the call behind it is not made
  CHECK(s.run(then, x = 1) == 2);
  CHECK(calls == 3);
  float fed = 1;
  auto step = s.bind(then, x = xt::xtensor<float, 0>(fed));
  CHECK(step() == 2);
  static_assert(!noexcept(step()));
  const float below = -1;
  CHECK_THROWS_WITH_AS(step(&below), "a is negative", std::domain_error);
  CHECK(step(&fed) == 2);
}

TEST_CASE("EAG-14: where a call throws, nothing is made of it, and nothing comes after it") {
  static std::string said;
  static constexpr auto say = [](float a) { said += std::to_string(static_cast<int>(a)) + " "; };
  static constexpr auto at_most_two = [](float a) {
    if (a > 2) throw std::domain_error("above two");
    return a;
  };
  static constexpr auto w = variable<"sum">(literal<0.f>, not_trainable);
  static constexpr auto before = variable<"before">(literal<0.f>, not_trainable);
  constexpr auto first = assign_add(before, 1_c);
  constexpr auto counted = after(host_call<"at most two">(at_most_two, x), host_call<"say">(say, first));
  constexpr auto once = print<"sum {}">(assign_add(w, counted + 5_c));
  // In a loop and in a branch: so many steps as did not throw have said so.
  constexpr auto looped = for_range<4>(
      [](auto i, auto s) {
        return s + host_call<"at most two">(at_most_two, astype<float>(after(i, host_call<"say">(say, astype<float>(i)))));
      },
      0_c * x);
  constexpr auto chosen = cond(x > 0_c, [] { return assign(w, host_call<"at most two">(at_most_two, x)); }, [] { return x; });
  session s(once, looped, chosen, w, before);
  s.initialize();
  std::ostringstream lines;
  std::ostream* const stream = print_to(&lines);
  CHECK_THROWS_WITH_AS(s.run(once, x = 3.f), "above two", std::domain_error);
  CHECK(s.get(w) == 0);
  CHECK(s.get(before) == 1);
  CHECK(said == "1 ");
  CHECK(lines.str().empty());
  CHECK(s.run(once, x = 2.f) == 7);
  CHECK(lines.str() == "sum 7\n");
  CHECK(s.get(before) == 2);
  said.clear();
  CHECK_THROWS_AS(s.run(looped, x = 0.f), std::domain_error);
  CHECK(said == "0 1 2 3 ");
  CHECK_THROWS_AS(s.run(chosen, x = 9.f), std::domain_error);
  CHECK(s.get(w) == 7);
  CHECK(s.run(chosen, x = 1.f) == 1);
  auto step = s.bind(looped, x = xt::xtensor<float, 0>(0.f));
  CHECK_THROWS_AS(step(), std::domain_error);
  CHECK_THROWS_AS(step(), std::domain_error);
  print_to(stream);
}

TEST_CASE("EAG-14: a call on a variable that the run assigns is made once") {
  static int made;
  static constexpr auto counted = [](float a) {
    ++made;
    return a;
  };
  constexpr auto w = variable<"w">(literal<0.f>, not_trainable);
  constexpr auto y = host_call<"counted once">(counted, w + 1_c);
  constexpr auto twice_assigned = after(y + assign(w, y * 2_c), y);
  session s(y, assign(w, y), twice_assigned, group(assign_add(w, y)));
  s.initialize();
  made = 0;
  CHECK(s.run(y, assign(w, y)) == std::tuple{1.f, 1.f});
  CHECK(made == 1);
  s.run(group(assign_add(w, y)));
  CHECK(made == 2);
  CHECK(s.get(w) == 3);
  CHECK(s.run(twice_assigned) == 4 + 8);
  CHECK(made == 3);
  CHECK(s.get(w) == 8);
}

TEST_CASE("EAG-14: a call may start variables, and run a session of its own") {
  constexpr auto w = variable<"w">(host_call<"initial", float, 2>([](strided<float> y) { y(0) = 1, y(1) = 2; }));
  session s(w);
  s.initialize();
  CHECK(s.get(w) == xt::xtensor<float, 1>{1, 2});
  constexpr auto outer = host_call<"inner run">(
      [](float a) {
        session inner(x * x);
        return inner.run(x * x, x = a);
      },
      x + 1_c);
  session t(outer);
  CHECK(t.run(outer, x = 2) == 9);
}

TEST_CASE("EAG-14: calls of several threads") {
  static std::atomic<int> made = 0;
  constexpr auto counted = host_call<"counted">([](float a) { made += static_cast<int>(a); }, x);
  constexpr auto y = after(x * 2_c, counted);
  session s(y);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 250; ++i)
        if (s.run(y, x = 3) != 6) ++wrong;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(made == 3000);
}

TEST_CASE("EAG-14, PRN-01: what the host does needs no place in a session") {
  std::ostringstream out;
  std::ostream* const before = print_to(&out);
  session s(x * 2_c);
  CHECK(s.run(print(x), x = 3) == 3);
  calls = 0;
  CHECK(s.run(host_call<"twice", float>(twice, x), x = 3) == 6);
  CHECK(calls == 1);
  const default_session guard(s);
  CHECK(eval(print<"x: {}">(x), x = 4) == 4);
  print_to(before);
  CHECK(out.str() == "3\nx: 4\n");
}

TEST_CASE("EAG-14: of tensors and numbers a call is made at once") {
  calls = 0;
  const tensor<float, 0> y = host_call<"twice", float>(twice, tensor<float, 0>(3));
  CHECK(y.item() == 6);
  CHECK(calls == 1);
  const auto z = host_call<"reversed now">(
      [](strided<float> r, strided<const float> a, float more) {
        for (std::int64_t i = 0; i < a.size(); ++i) r.data[i] = a[a.size() - 1 - i] + more;
      },
      tensor<float, 1>{1, 2, 3}, 10.f);
  static_assert(std::is_same_v<decltype(z), const tensor<float, 1>>);
  CHECK(elements_text(z) == "[13. 12. 11.]");
  const auto filled = host_call<"filled now", std::int32_t, 2, 2>(
      [](strided<std::int32_t> r, strided<const float> a) { r(1, 0) = static_cast<std::int32_t>(a.size()); },
      tensor<float, 1>{1, 2, 3});
  CHECK(elements_text(filled) == "[[0 0]\n [3 0]]");
  seen.clear();
  static_assert(std::is_same_v<decltype(host_call<"note">(note, 1.f)), no_value>);
  host_call<"note">(note, 2.5f);
  CHECK(seen == std::vector<std::string>{"note 2.5"});
  const eager::variable<float, 0> kept(tensor<float, 0>(4));
  CHECK(host_call<"twice", float>(twice, kept).item() == 8);
}

TEST_CASE("EAG-14: in code of both modes effects come in order by after and group") {
  const auto noted = [](auto a, auto b) {
    const auto first = host_call<"note">(note, a);
    const auto second = host_call<"note">(note, after(b, first));
    return after(a + b, group(first, second));
  };
  constexpr placeholder<"y", float> y;
  session s(noted(x, y));
  seen.clear();
  CHECK(s.run(noted(x, y), x = 1, y = 2) == 3);
  CHECK(noted(tensor(1.f), tensor(2.f)).item() == 3);
  CHECK(seen == std::vector<std::string>{"note 1", "note 2", "note 1", "note 2"});
  // Of a tape, of a variable, of strings.
  tape t;
  const tensor<float, 0> five(5);
  t.watch(five);
  CHECK(t.gradient(after(five * five, host_call<"note">(note, five)), five).item() == 10);
  const eager::variable<float, 0> kept(tensor<float, 0>(4));
  CHECK((after(kept, host_call<"note">(note, kept)) * 2_c).item() == 8);
  CHECK(after(tensor("text"), five).item() == "text");
}
