// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <memory>
#include <thread>

#include <etch/default_session.hpp>
#include <etch/nn/optimizers.hpp>
#include <etch/ops.hpp>

#include "message_of.hpp"

namespace {

using namespace etch::literals;

constexpr etch::placeholder<"x", float, 2> x;
constexpr auto w = etch::variable<"w">(etch::ones(etch::shape<2>{}));
constexpr auto other = etch::variable<"other">(etch::zeros(etch::shape<>{}));
constexpr auto y = etch::sum(w * x);
constexpr auto step = etch::group(etch::assign_add(w, x));

TEST_CASE("SES-10: eval and run take place in the default session") {
  etch::session session(y, step);
  session.initialize();
  const etch::default_session guard(session);
  CHECK(etch::eval(y, x = {1, 2}) == 3.0f);
  static_assert(std::is_same_v<decltype(etch::eval(y, x = {1, 2})), float>);
  etch::run(step, x = {1, 2});
  static_assert(std::is_void_v<decltype(etch::run(step, x = {1, 2}))>);
  CHECK(session.get(w) == xt::xtensor<float, 1>{2, 3});
  const auto [value, variable] = etch::run(y, w, x = {1, 1});
  CHECK(value == 5.0f);
  CHECK(variable == xt::xtensor<float, 1>{2, 3});
  CHECK(etch::eval(std::pair{y, y}, x = {1, 1}) == std::pair{5.0f, 5.0f});
  CHECK(etch::eval(3_c * 4_c) == 12);
}

TEST_CASE("SES-10: without a default session eval and run throw") {
  CHECK(message_of([] { etch::eval(y, x = {1, 2}); }) ==
        "eval: no default session: make one by etch::default_session guard(session), or write session.run(...)");
  CHECK(message_of([] { etch::run(step, x = {1, 2}); }) ==
        "run: no default session: make one by etch::default_session guard(session), or write session.run(...)");
}

TEST_CASE("SES-10: eval in a session that is named") {
  etch::session session(y);
  session.initialize();
  CHECK(etch::eval(y, session, x = {1, 2}) == 3.0f);
}

TEST_CASE("SES-05: default sessions nest, also of one session, and leave it open") {
  etch::session a(y, step);
  etch::session b(y);
  a.initialize();
  b.initialize();
  b.set(w, {10, 10});
  {
    const etch::default_session outer(a);
    CHECK(etch::eval(y, x = {1, 1}) == 2.0f);
    {
      const etch::default_session inner(b);
      CHECK(etch::eval(y, x = {1, 1}) == 20.0f);
      const etch::default_session again(a);
      CHECK(etch::eval(y, x = {1, 1}) == 2.0f);
    }
    CHECK(etch::eval(y, x = {1, 1}) == 2.0f);
  }
  CHECK(message_of([] { etch::eval(y, x = {1, 1}); }).substr(0, 25) == "eval: no default session:");
  CHECK(a.run(y, x = {1, 1}) == 2.0f);
}

TEST_CASE("SES-05: a default session ends when an exception leaves its scope") {
  etch::session session(y);
  session.initialize();
  CHECK(message_of([&] {
          const etch::default_session guard(session);
          etch::fail("left");
        }) == "left");
  CHECK(message_of([] { etch::eval(y, x = {1, 1}); }).substr(0, 25) == "eval: no default session:");
  CHECK(session.run(y, x = {1, 1}) == 2.0f);
}

TEST_CASE("SES-05: guards may end in any order") {
  etch::session a(y), b(y);
  a.initialize();
  b.initialize();
  b.set(w, {10, 10});
  auto outer = std::make_unique<etch::default_session>(a);
  auto inner = std::make_unique<etch::default_session>(b);
  outer.reset();
  CHECK(etch::eval(y, x = {1, 1}) == 20.0f);
  inner.reset();
  CHECK(message_of([] { etch::eval(y, x = {1, 1}); }).substr(0, 25) == "eval: no default session:");
}

TEST_CASE("SES-05: a default session is that of one thread") {
  etch::session session(y);
  session.initialize();
  const etch::default_session guard(session);
  std::string told;
  std::thread([&] { told = message_of([] { etch::eval(y, x = {1, 1}); }); }).join();
  CHECK(told.substr(0, 25) == "eval: no default session:");
  CHECK(etch::eval(y, x = {1, 1}) == 2.0f);
}

TEST_CASE("SES-05: a default session that is moved stays the default one, where it is now") {
  etch::session first(y, step);
  first.initialize();
  const etch::default_session guard(first);
  auto second = std::make_unique<decltype(first)>(std::move(first));
  CHECK(etch::eval(y, x = {1, 2}) == 3.0f);
  etch::run(step, x = {1, 2});
  CHECK(second->get(w) == xt::xtensor<float, 1>{2, 3});
  etch::session third(y, step);
  const etch::default_session inner(third);
  third = std::move(*second);
  // The variables that the inner one was made of are gone, the outer one's have come.
  CHECK(message_of([] { etch::eval(y, x = {1, 2}); }) == "session: it is closed");
  second.reset();
  {
    const etch::default_session again(third);
    CHECK(etch::eval(y, x = {1, 2}) == 8.0f);
  }
  CHECK(message_of([&] { const etch::default_session none(first); }) == "session: it has been moved from");
}

TEST_CASE("SES-05: a default session that is gone before its guard is closed") {
  auto session = std::make_unique<etch::session<decltype(y)>>(y);
  session->initialize();
  const etch::default_session guard(*session);
  CHECK(etch::eval(y, x = {1, 2}) == 3.0f);
  session.reset();
  CHECK(message_of([] { etch::eval(y, x = {1, 2}); }) == "session: it is closed");
}

TEST_CASE("SES-05: a guard, or an interactive session, that another thread destroys leaves nothing behind") {
  etch::session session(y);
  session.initialize();
  const etch::default_session outer(session);
  auto guard = std::make_unique<etch::default_session>(session);
  auto interactive = std::make_unique<etch::interactive_session<decltype(y)>>(y);
  std::thread([&] {
    guard.reset();
    interactive.reset();
  }).join();
  CHECK(etch::eval(y, x = {1, 2}) == 3.0f);
}

TEST_CASE("SES-11: an interactive session is the default one from its construction") {
  etch::interactive_session session(y, step);
  session.initialize();
  CHECK(etch::eval(y, x = {1, 2}) == 3.0f);
  session.close();
  CHECK(message_of([] { etch::eval(y, x = {1, 2}); }) == "session: it is closed");
  CHECK_NOTHROW(session.close());
}

TEST_CASE("SES-10: what the default session lacks is named, and it stays usable") {
  etch::session session(y);
  const etch::default_session guard(session);
  CHECK(message_of([] { etch::eval(y, x = {1, 2}); }) == "run: variable \"w\" has no value; call initialize() or set() first");
  session.initialize();
  CHECK(message_of([] { etch::eval(other); }) == "run: the session has no variable \"other\"; make it of what reads that");
  CHECK(etch::eval(y, x = {1, 2}) == 3.0f);
}

}  // namespace
