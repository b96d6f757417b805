// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xview.hpp>

#include <etch/etch.hpp>

#include "message_of.hpp"

// What a bound step reads must still be there when it is called: temporaries are copied unless they are known to lie in
// something that has a name. Steps and sessions that have been moved from say so.

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"rows", float, etch::any<"n">, 3> rows;
constexpr etch::placeholder<"row", float, etch::any<"n">> row;
constexpr auto total = etch::sum(rows);
constexpr auto row_total = etch::sum(row);
constexpr auto counter = etch::variable<"counter">(etch::zeros(etch::shape<>{}));
constexpr auto increment = etch::assign_add(counter, 1_c);

xt::xtensor<float, 2> made() { return {{1, 2, 3}, {4, 5, 6}}; }
std::vector<float> made_vector() { return {1, 2, 3, 4}; }

/// Overwrites memory that was just freed.
void reuse_memory() {
  std::vector<std::vector<float>> garbage;
  for (int i = 0; i < 64; ++i) garbage.emplace_back(static_cast<std::size_t>(1 + i % 16), -1000.f);
}
template <class Step>
float called_later(Step step) {
  reuse_memory();
  return step();
}

/// Memory of two blocks; those that are held are counted.
struct scarce_memory {
  static inline int held = 0;
  class block {
   public:
    ~block() { held -= holds_ ? 1 : 0; }
    void reserve(std::int64_t) {
      if (held == 2) etch::fail("memory: there is none left");
      ++held;
      holds_ = true;
    }

   private:
    bool holds_ = false;
  };
};

}  // namespace

TEST_SUITE("lifetimes") {
  TEST_CASE("a temporary that owns its elements, however it is wrapped, is copied when it is bound") {
    etch::session s(total, row_total);
    CHECK(called_later(s.bind(total, rows = made())) == 21);
    CHECK(called_later(s.bind(total, rows = xt::xarray<float>(made()))) == 21);
    CHECK(called_later(s.bind(total, rows = made() * 2)) == 42);
    CHECK(called_later(s.bind(row_total, row = made_vector())) == 10);
    CHECK(called_later(s.bind(row_total, row = xt::adapt(made_vector()))) == 10);
    CHECK(called_later(s.bind(row_total, row = xt::adapt(std::vector<float>{5, 6}, std::array<std::size_t, 1>{2}))) == 11);
    CHECK(called_later(s.bind(row_total, row = xt::view(made(), 0))) == 6);
    CHECK(called_later(s.bind(row_total, row = xt::row(made(), 1))) == 15);
    CHECK(called_later(s.bind(total, rows = xt::view(made(), xt::range(0, 1)))) == 6);
    CHECK(called_later(s.bind(row_total, row = xt::flatten(made()))) == 21);
    CHECK(called_later(s.bind(row_total, row = xt::ravel(made()))) == 21);
    CHECK(called_later(s.bind(row_total, row = xt::strided_view(made(), {0, xt::all()}))) == 6);
    CHECK(called_later(s.bind(row_total, row = xt::view(xt::view(made(), 1), xt::range(1, 3)))) == 11);
    CHECK(called_later(s.bind(total, rows = {{1, 1, 1}, {2, 2, 2}})) == 9);
  }

  TEST_CASE("a temporary view of what has a name is read where it lies") {
    etch::session s(total, row_total);
    xt::xtensor<float, 2> a = made();
    std::vector<float> v = made_vector();
    float raw[] = {1, 2};
    const float* pointer = raw;
    auto whole = s.bind(total, rows = a);
    auto of_view = s.bind(row_total, row = xt::view(a, 1));
    auto of_rows = s.bind(total, rows = xt::view(a, xt::range(1, 2), xt::all()));
    auto of_view_of_view = s.bind(row_total, row = xt::view(xt::view(a, 1), xt::range(0, 2)));
    auto of_adapted = s.bind(row_total, row = xt::adapt(v));
    auto of_pointer = s.bind(row_total, row = xt::adapt(pointer, 2, xt::no_ownership(), std::array<std::size_t, 1>{2}));
    auto of_span = s.bind(row_total, row = std::span<const float>(v));
    CHECK(whole() == 21);
    CHECK(of_view() == 15);
    CHECK(of_rows() == 15);
    CHECK(of_view_of_view() == 9);
    CHECK(of_adapted() == 10);
    CHECK(of_pointer() == 3);
    CHECK(of_span() == 10);
    a(1, 0) += 100;
    v[0] += 100;
    raw[0] += 100;
    CHECK(whole() == 121);
    CHECK(of_view() == 115);
    CHECK(of_rows() == 115);
    CHECK(of_view_of_view() == 109);
    CHECK(of_adapted() == 110);
    CHECK(of_pointer() == 103);
    CHECK(of_span() == 110);
  }

  TEST_CASE("a binding of a named array, or of a number, may be kept") {
    constexpr etch::placeholder<"factor", float> factor;
    constexpr auto y = etch::sum(row * factor);
    etch::session s(y);
    const std::vector<float> v = made_vector();
    const auto vector = (row = v);
    const auto number = (factor = 3);
    reuse_memory();
    CHECK(s.run(y, vector, number) == 30);
    CHECK(called_later(s.bind(y, vector, number)) == 30);
  }

  TEST_CASE("a session that has been moved from says so, and can be assigned to") {
    const auto w = etch::variable<"w">(etch::ones(etch::shape<2>{}));
    const auto y = etch::sum(w);
    etch::session a(y);
    a.initialize();
    auto step = a.bind(y);
    etch::session b = std::move(a);
    CHECK(b.run(y) == 2);
    CHECK(message_of([&] { a.run(y); }) == "session: it has been moved from");
    CHECK(message_of([&] { a.bind(y); }) == "session: it has been moved from");
    CHECK(message_of([&] { a.get(w); }) == "session: it has been moved from");
    CHECK(message_of([&] { a.set(w, {1, 2}); }) == "session: it has been moved from");
    CHECK(message_of([&] { a.initialize(); }) == "session: it has been moved from");
    CHECK(message_of([&] { a.close(); }) == "session: it has been moved from");
    CHECK(message_of([&] { a.variables(); }) == "session: it has been moved from");
    b.set(w, {3, 4});
    a = std::move(b);
    CHECK(a.run(y) == 7);
    CHECK(step() == 7);
    CHECK(message_of([&] { b.run(y); }) == "session: it has been moved from");
    decltype(a) c(y);
    c.initialize();
    a = std::move(c);  // what a had is gone; its step keeps it
    CHECK(a.run(y) == 2);
    CHECK(step() == 7);
    auto other = std::move(step);
    CHECK(other() == 7);
  }

  TEST_CASE("a step outlives its session, closed or gone") {
    const auto w = etch::variable<"w">(etch::ones(etch::shape<2>{}));
    const auto y = etch::assign_add(w, etch::ones(etch::shape<2>{}));
    auto step = [&] {
      etch::session s(y);
      s.initialize();
      return s.bind(y);
    }();
    reuse_memory();
    step();
    CHECK(step()(1) == 3);
  }

  TEST_CASE("a session can be a member of a class, beside a step of it, and moves with it") {
    class counting {
     public:
      float next() { return step_(); }
      float count() const { return session_.get(counter); }

     private:
      using session_type = decltype(etch::session(increment));
      static session_type started() {
        session_type s(increment);
        s.initialize();
        return s;
      }
      session_type session_ = started();
      decltype(session_.bind(increment)) step_ = session_.bind(increment);
    };
    counting first;
    CHECK(first.next() == 1);
    counting second = std::move(first);
    reuse_memory();
    CHECK(second.next() == 2);
    CHECK(second.count() == 2);
    std::vector<counting> many;
    many.push_back(std::move(second));
    for (int i = 0; i < 4; ++i) many.emplace_back();
    CHECK(many[0].next() == 3);
    CHECK(many[4].next() == 1);
  }

  TEST_CASE("VAR-04: a session for whose last variable there is no memory holds none of the others'") {
    etch::variable_description three[3];
    for (etch::hash_t i = 0; i < 3; ++i) three[i].content = 1 + i;
    CHECK(message_of([&] { etch::shared_variables<scarce_memory>(three, 3); }) == "memory: there is none left");
    CHECK(scarce_memory::held == 0);
    {
      const etch::shared_variables<scarce_memory> fitting(three, 2);
      CHECK(scarce_memory::held == 2);
    }
    CHECK(scarce_memory::held == 0);
  }
}
