// SPDX-License-Identifier: MIT
#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "graph/sketch.hpp"
#include "passes/plan_interpreter.hpp"

/// Assignments and draws with all passes on: none is merged or dropped, and reads before and after them give the values
/// that the documentation promises.
namespace etch {
namespace {

using namespace etch::literals;
using interpreter::environment;
using interpreter::tensor;

tensor row(std::initializer_list<double> values) {
  return {{static_cast<std::int64_t>(values.size())}, std::vector<double>(values)};
}

/// Runs a sketch whose slots v, w, x are rows of three, both ways, and gives the plan's outcome.
interpreter::outcome run(const sketch& s) {
  environment e;
  e.variables[hash_of("v")] = row({1, 2, 3});
  e.variables[hash_of("w")] = row({10, 20, 30});
  e.feeds[hash_of("x")] = row({0.5, -1, 4});
  std::vector<hash_t> fed = {hash_of("x")};
  const plan p = interpreter::plan_of(s.g, fed);
  const std::string fault = interpreter::fault_of(p, e.extents);
  CHECK_MESSAGE(fault == "", fault);
  interpreter::outcome r;
  if (fault.empty()) r = interpreter::plan_run(p, e).result();
  CHECK(interpreter::close(r, interpreter::evaluate(s.g, e)));
  return r;
}
std::vector<double> final_value(const interpreter::outcome& o, const char* name) {
  const auto found = o.variables.find(hash_of(name));
  return found == o.variables.end() ? std::vector<double>() : found->second.data;
}

using numbers = std::vector<double>;

struct slots : sketch {
  ref v = variable("v", {3}), w = variable("w", {3}), x = placeholder("x", {3});
};

TEST_CASE("VAR-03: an assignment changes the variable, and its value is the new one") {
  slots s;
  const ref a = s.assign(s.v, s.v + s.x);
  s.fetch({a});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{1.5, 1, 7});
  CHECK(o.fetches.at(0).data == numbers{1.5, 1, 7});
}

TEST_CASE("VAR-03: reads beside an assignment give the value before it") {
  slots s;
  const ref a = s.assign(s.v, s.v * 2_c);
  s.fetch({s.group({a}), s.v + s.x, sum(s.v), matmul(s.reshape(s.v, {1, 3}), s.reshape(s.x, {3, 1}))});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{2, 4, 6});
  CHECK(o.fetches.at(1).data == numbers{1.5, 1, 7});
  CHECK(o.fetches.at(2).data == numbers{6});
}

TEST_CASE("VAR-03: a kernel that assigns a variable reads its old value, also after what it assigns is computed") {
  slots s;
  const ref y = s.x + s.x;
  const ref a = s.assign(s.v, y);
  s.fetch({s.group({a}), y * s.v});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{1, -2, 8});
  CHECK(o.fetches.at(1).data == numbers{1, -4, 24});
}

TEST_CASE("VAR-03: variables that are assigned from each other are exchanged") {
  slots s;
  s.fetch({s.group({s.assign(s.v, s.w), s.assign(s.w, s.v)})});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{10, 20, 30});
  CHECK(final_value(o, "w") == numbers{1, 2, 3});
}

TEST_CASE("VAR-03: variables that are computed from each other's old values") {
  slots s;
  s.fetch({s.group({s.assign(s.v, s.w + s.x), s.assign(s.w, s.v + s.x)})});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{10.5, 19, 34});
  CHECK(final_value(o, "w") == numbers{1.5, 1, 7});
}

TEST_CASE("VAR-03: a variable that is assigned a view of itself") {
  slots s;
  s.fetch({s.assign(s.v, slice(s.v, section<from_start, to_end, -1>))});
  CHECK(final_value(run(s), "v") == numbers{3, 2, 1});
}

TEST_CASE("VAR-03: a variable that is assigned a fed value") {
  slots s;
  s.fetch({s.group({s.assign(s.v, s.x)})});
  CHECK(final_value(run(s), "v") == numbers{0.5, -1, 4});
}

TEST_CASE("VAR-03: a variable that is assigned a constant") {
  slots s;
  s.fetch({s.group({s.assign(s.v, s.broadcast(s.constant_of(7), {3}))})});
  CHECK(final_value(run(s), "v") == numbers{7, 7, 7});
}

TEST_CASE("VAR-03: one value for two variables") {
  slots s;
  const ref y = exp(s.x) + s.v;
  const ref z = y - y;
  s.fetch({s.group({s.assign(s.v, z), s.assign(s.w, z)}), z});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{0, 0, 0});
  CHECK(final_value(o, "w") == numbers{0, 0, 0});
}

TEST_CASE("GRA-14: a variable that is read after an assignment gives its new value") {
  slots s;
  const ref a = s.assign(s.v, s.v * 2_c);
  s.fetch({s.after(s.v, a) + s.x});
  CHECK(run(s).fetches.at(0).data == numbers{2.5, 3, 10});
}

TEST_CASE("GRA-14: the old and the new value of a variable meet in one expression") {
  slots s;
  const ref a = s.assign(s.v, s.w);
  s.fetch({s.after(s.v, a) + s.v * s.x});
  const auto o = run(s);
  REQUIRE(o.fetches.size() == 1);
  CHECK(o.fetches[0].data == numbers{10.5, 18, 42});
}

TEST_CASE("GRA-14: the old value of a variable is read by what needs its new one") {
  slots s;
  const ref a = s.assign(s.v, s.w * 2_c);
  const ref fresh = s.after(s.v, a);
  s.fetch({sum(fresh) * s.v, emit<struct cumsum>(words(0, 0), s.reshape(fresh, {3, 1})) * s.reshape(s.v, {3, 1})});
  const auto o = run(s);
  REQUIRE(o.fetches.size() == 2);
  CHECK(o.fetches[0].data == numbers{120, 240, 360});
  CHECK(o.fetches[1].data == numbers{20, 120, 360});
}

TEST_CASE("GRA-14: a variable is not overwritten early by what the reader of another one's new value waits for") {
  // The kernel of both products reads v, and needs w's new value; w's old value, which goes into v, is read before that.
  slots s;
  const ref a = s.assign(s.v, s.w);
  const ref b = s.assign(s.w, tanh(s.x));
  s.fetch({s.group({a, b}), tanh(s.x * s.v) - sin(s.after(s.w, b))});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{10, 20, 30});
}

TEST_CASE("GRA-14: after a group, all of its assignments can be seen") {
  slots s;
  const ref step = s.group({s.assign(s.v, s.v + s.x), s.assign(s.w, s.w + s.v)});
  s.fetch({s.after(s.v, step) + s.after(s.w, step)});
  CHECK(run(s).fetches.at(0).data == numbers{12.5, 23, 40});
}

TEST_CASE("GRA-14: what comes after an assignment is made of the new value, whatever it is") {
  slots s;
  const ref a = s.assign(s.v, s.v + s.x);  // 1.5, 1, 7
  const ref doubled = s.v * 2_c;
  s.fetch({s.after(doubled, a), doubled, s.after(doubled + a, a), s.after(sum(s.v * s.v), a), s.after(s.w * 2_c, a)});
  const auto o = run(s);
  REQUIRE(o.fetches.size() == 5);
  CHECK(o.fetches[0].data == numbers{3, 2, 14});
  CHECK(o.fetches[1].data == numbers{2, 4, 6});
  CHECK(o.fetches[2].data == numbers{4.5, 3, 21});  // the assignment is made once
  CHECK(o.fetches[3].data == numbers{52.25});
  CHECK(o.fetches[4].data == numbers{20, 40, 60});
  CHECK(final_value(o, "v") == numbers{1.5, 1, 7});
}

TEST_CASE("GRA-14: an assignment that comes after another one sees what that has assigned") {
  slots s;
  const ref a = s.assign(s.v, s.v + s.x);
  s.fetch({s.group({s.after(s.assign(s.w, s.v * 2_c), a)})});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{1.5, 1, 7});
  CHECK(final_value(o, "w") == numbers{3, 2, 14});
}

TEST_CASE("GRA-14: an assignment after another one of the same variable, and what comes between them") {
  slots s;
  const ref twice = s.v * 2_c;
  const ref a = s.assign(s.v, s.v + s.x);
  const ref b = s.after(s.assign(s.v, twice), a);
  s.fetch({b, s.after(twice, a), s.after(twice, b), twice, s.after(s.after(twice, b), a)});
  const auto o = run(s);
  REQUIRE(o.fetches.size() == 5);
  CHECK(o.fetches[0].data == numbers{3, 2, 14});
  CHECK(o.fetches[1].data == numbers{3, 2, 14});
  CHECK(o.fetches[2].data == numbers{6, 4, 28});
  CHECK(o.fetches[3].data == numbers{2, 4, 6});
  CHECK(o.fetches[4].data == numbers{6, 4, 28});
  CHECK(final_value(o, "v") == numbers{3, 2, 14});
}

TEST_CASE("GRA-14: a step after a step, as a group and with a value beside it") {
  slots s;
  const ref first = s.group({s.assign(s.v, s.w), s.assign(s.w, s.v)});
  const ref y = s.v - s.w;
  s.fetch({s.after(y, first), y, s.group({s.after(s.group({s.assign(s.v, s.v + s.w)}), first)})});
  const auto o = run(s);
  REQUIRE(o.fetches.size() == 3);
  CHECK(o.fetches[0].data == numbers{9, 18, 27});
  CHECK(o.fetches[1].data == numbers{-9, -18, -27});
  CHECK(final_value(o, "v") == numbers{11, 22, 33});
  CHECK(final_value(o, "w") == numbers{1, 2, 3});
}

TEST_CASE("GRA-14: a part that is assigned after another part, and a read between") {
  slots s;
  const ref a = s.assign(s.v, words(0, 1, 1), s.reshape(s.constant_of(7), {1}));
  const ref b = s.after(s.assign(s.v, words(2, 3, 1), emit<struct slice>(words(0, 1, 1), s.v)), a);
  s.fetch({s.after(s.v * 1_c, a), s.after(s.v + s.x, b)});
  const auto o = run(s);
  REQUIRE(o.fetches.size() == 2);
  CHECK(o.fetches[0].data == numbers{7, 2, 3});
  CHECK(o.fetches[1].data == numbers{7.5, 1, 11});
  CHECK(final_value(o, "v") == numbers{7, 2, 7});
}

TEST_CASE("RND-01: a draw after an assignment is the draw before it") {
  slots s;
  const ref noise = s.draw(7, {3});
  const ref a = s.assign(s.v, s.v * 2_c);
  s.fetch({s.after(noise * s.v, a) - noise * s.v * 2_c});
  CHECK(run(s).fetches.at(0).data == numbers{0, 0, 0});
  CHECK(count_of(interpreter::prepared(s.g), info_of<uniform_draw>) == 1);
}

TEST_CASE("VAR-03: an assignment that is asked for before and after another one of its variable is refused") {
  slots s;
  const ref a = s.assign(s.v, s.v + s.x), b = s.assign(s.v, s.v * 2_c);
  s.fetch({a, s.after(a, b)});
  effect_failure failure;
  order_effects(s.g, failure);
  CHECK(failure.what == effect_failure::kind::two_assignments);
  CHECK(failure.variable == hash_of("v"));
}

TEST_CASE("GRA-14: one assignment that is made in two states is made once") {
  slots s;
  const ref a = s.assign(s.v, s.x), b = s.assign(s.w, s.x * 2_c);
  s.fetch({a, s.after(a, b), s.after(b, a)});
  const auto o = run(s);
  CHECK(o.fetches.at(1).data == numbers{0.5, -1, 4});
  CHECK(o.fetches.at(2).data == numbers{1, -2, 8});
}

TEST_CASE("GRA-14: 500 variables after a step that assigns all of them") {
  sketch s;
  environment e;
  std::vector<ref> operations;
  ref total = s.constant_of(0);
  for (int i = 0; i < 500; ++i) {
    const std::string name = "v" + std::to_string(i);
    const ref v = s.variable(name, {});
    e.variables[hash_of(name.c_str())] = {{}, {static_cast<double>(i)}};
    total = total + v;
    operations.push_back(s.assign(v, v + 1_c));
  }
  ref step = operations[0];
  for (std::size_t i = 1; i < operations.size(); ++i) step = s.group({step, operations[i]});
  s.fetch({s.after(total, step), total});
  const plan p = interpreter::plan_of(s.g, {});
  CHECK(interpreter::fault_of(p, e.extents) == "");
  const auto o = interpreter::plan_run(p, e).result();
  CHECK(o.fetches.at(0).data == numbers{124750 + 500});
  CHECK(o.fetches.at(1).data == numbers{124750});
  CHECK(o.variables.at(hash_of("v499")).data == numbers{500});
}

TEST_CASE("RND-01: two draws of one name are two nodes of the plan") {
  slots s;
  const ref a = s.draw(7, {3}), b = s.draw(7, {3});
  s.fetch({a + b, a - b});
  const plan p = interpreter::plan_of(s.g, {});
  int draws = 0;
  for (int i = 0; i < p.steps.size(); ++i) draws += p.steps[i].op == info_of<uniform_draw>.id ? 1 : 0;
  CHECK(draws == 2);
  run(s);
}

TEST_CASE("VAR-03: equal assignments are all there after the passes") {
  slots s;
  const ref y = exp(s.x);
  s.fetch({s.group({s.assign(s.v, y), s.assign(s.w, y)})});
  const graph g = interpreter::prepared(s.g);
  CHECK(g.assignments.size() == 2);
  run(s);
}

TEST_CASE("VAR-03: two assignments of a variable are made in the order that after gives them") {
  slots s;
  const ref a = s.assign(s.v, s.v + s.x);
  const ref b = s.assign(s.v, s.after(s.v, a) * 2_c);
  const ref c = s.assign(s.v, s.after(s.v, b) - s.w);
  s.fetch({s.group({b}), c, s.v, a, sum(b)});
  const auto o = run(s);
  CHECK(final_value(o, "v") == numbers{-7, -18, -16});
  CHECK(o.fetches.at(2).data == numbers{1, 2, 3});
  CHECK(o.fetches.at(3).data == numbers{1.5, 1, 7});
  CHECK(o.fetches.at(4).data == numbers{19});
}

TEST_CASE("VAR-03: two assignments of a variable that nothing orders are refused") {
  slots s;
  s.fetch({s.group({s.assign(s.v, s.x), s.assign(s.v, s.x * 2_c)})});
  effect_failure failure;
  order_effects(tidy(s.g), failure);
  CHECK(failure.what == effect_failure::kind::two_assignments);
  CHECK(failure.variable == hash_of("v"));
}

TEST_CASE("VAR-03: an assignment of a fed variable is refused") {
  slots s;
  s.fetch({s.call(info_of<struct assign>, {s.x, s.v})});
  effect_failure failure;
  order_effects(tidy(s.g), failure);
  CHECK(failure.what == effect_failure::kind::assignment_of_a_fed_variable);
  CHECK(failure.variable == hash_of("x"));
}

TEST_CASE("VAR-03: an assignment of a variable to itself stays one") {
  slots s;
  s.fetch({s.group({s.assign(s.v, s.v + s.broadcast(s.constant_of(0), {3}))})});
  CHECK(count_of(tidy(s.g), info_of<struct assign>) == 1);
  CHECK(final_value(run(s), "v") == numbers{1, 2, 3});
}

}  // namespace
}  // namespace etch
