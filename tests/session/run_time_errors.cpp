// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include <xtensor/xarray.hpp>

#include <etch/etch.hpp>

#include "message_of.hpp"

using namespace etch::literals;
using etch::any;
using etch::section;
using etch::shape;

namespace {

constexpr etch::placeholder<"images", float, any<"batch">, 3> images;
constexpr etch::placeholder<"labels", float, any<"batch">> labels;
constexpr auto weights = etch::variable<"weights">(etch::ones(shape<2, 3>{}));
constexpr auto errors = etch::sum(images, etch::axis<1>) - labels;

}  // namespace

TEST_SUITE("session") {
  TEST_CASE("a named extent that is bound to two sizes: the message names slots, axis, expected and got") {
    etch::session s(errors);
    const xt::xtensor<float, 2> three = xt::ones<float>({3, 3});
    const xt::xtensor<float, 1> two = {1, 2}, all = {1, 2, 3};
    CHECK(message_of([&] { s.run(errors, images = three, labels = two); }) ==
          "feed \"labels\": axis 0 (\"batch\"): expected extent 3, which feed \"images\" has given it, got 2");
    CHECK(message_of([&] { s.bind(errors, images = three, labels = two); }) ==
          "feed \"labels\": axis 0 (\"batch\"): expected extent 3, which feed \"images\" has given it, got 2");
    CHECK(s.run(errors, images = three, labels = all) == xt::xtensor<float, 1>{2, 1, 0});
  }

  TEST_CASE("an extent that is a number and differs: the message names slot, axis, expected and got") {
    etch::session s(errors);
    const xt::xtensor<float, 2> wide = xt::ones<float>({2, 4}), right = xt::ones<float>({2, 3});
    CHECK(message_of([&] { s.run(errors, images = wide, labels = {0, 0}); }) ==
          "feed \"images\": axis 1: expected extent 3, got 4");
    CHECK(s.run(errors, images = right, labels = {0, 1}) == xt::xtensor<float, 1>{3, 2});
  }

  TEST_CASE("FEED-06: an array whose number of axes is known at run time only has the wrong one") {
    etch::session s(errors);
    xt::xarray<float> array = xt::ones<float>({2, 3, 1});
    CHECK(message_of([&] { s.run(errors, images = array, labels = {0, 0}); }) == "feed \"images\": expected 2 axes, got 3");
    array.reshape({2, 3});
    CHECK(s.run(errors, images = array, labels = {0, 1}) == xt::xtensor<float, 1>{3, 2});
  }

  TEST_CASE("a flat range of the wrong size, and one that cannot tell two named extents") {
    constexpr etch::placeholder<"table", float, 2, 3> table;
    constexpr etch::placeholder<"field", float, any<"rows">, any<"columns">> field;
    const auto total = etch::sum(table);
    const auto volume = etch::sum(field);
    etch::session s(total, errors, volume);
    const std::vector<float> five(5, 1.f), six(6, 1.f);
    CHECK(message_of([&] { s.run(total, table = five); }) == "feed \"table\": expected 6 elements, got 5");
    CHECK(message_of([&] { s.run(errors, images = std::span<const float>(five), labels = {0, 0}); }) ==
          "feed \"images\": expected a multiple of 3 elements, got 5");
    CHECK(message_of([&] { s.run(volume, field = six); }) ==
          "feed \"field\": a flat range cannot tell several named extents; feed an array of 2 axes");
    CHECK(s.run(total, table = six) == 6.f);
    CHECK(s.run(errors, images = six, labels = {0, 1}) == xt::xtensor<float, 1>{3, 2});
  }

  TEST_CASE("braces of different lengths") {
    etch::session s(errors);
    CHECK(message_of([&] { s.run(errors, images = {{1, 2, 3}, {4, 5}}, labels = {0, 0}); }) ==
          "feed \"images\": the braces on axis 1 hold different numbers of elements: 3 and 2");
    CHECK(s.run(errors, images = {{1, 2, 3}, {4, 5, 6}}, labels = {0, 1}) == xt::xtensor<float, 1>{6, 14});
  }

  TEST_CASE("a slice that reaches beyond the elements that a named extent turns out to have") {
    const auto first = etch::slice(images, section<0, 8, 3>) * 2_c;
    const auto rest = etch::slice(images, section<1>) + 1_c;
    etch::session s(first, rest);
    const xt::xtensor<float, 2> none = xt::ones<float>({0, 3}), six = xt::ones<float>({6, 3}), seven = xt::ones<float>({7, 3});
    CHECK(message_of([&] { s.run(first, images = six); }) == "slice: axis 0 (\"batch\"): expected an extent of at least 7, got 6");
    CHECK(message_of([&] { s.run(rest, images = none); }) == "slice: axis 0 (\"batch\"): expected an extent of at least 1, got 0");
    CHECK(s.run(first, images = seven) == xt::xtensor<float, 2>(2.f * xt::ones<float>({3, 3})));
    CHECK(s.run(rest, images = six) == xt::xtensor<float, 2>(2.f * xt::ones<float>({5, 3})));
  }

  TEST_CASE("VAR-02: a variable that has no value yet") {
    const auto scaled = weights * 2_c;
    const auto reset = etch::assign(weights, 3_c);
    etch::session s(scaled, reset);
    const std::string expected = "run: variable \"weights\" has no value; call initialize() or set() first";
    CHECK(message_of([&] { s.run(scaled); }) == expected);
    CHECK(message_of([&] { s.run(weights); }) == expected);
    CHECK(message_of([&] { s.bind(scaled); }) == expected);
    CHECK(message_of([&] { s.get(weights); }) == expected);
    SUBCASE("initialize gives it one") {
      s.initialize();
      CHECK(s.run(scaled)(1, 2) == 2.f);
    }
    SUBCASE("so does set") {
      s.set(weights, xt::xtensor<float, 2>{{4, 4, 4}, {4, 4, 4}});
      CHECK(s.run(scaled)(1, 2) == 8.f);
    }
    SUBCASE("so does an assignment") {
      s.run(reset);
      CHECK(s.run(scaled)(1, 2) == 6.f);
    }
  }

  TEST_CASE("set() of another shape: the message names variable, expected and got; the value stays") {
    etch::session s(weights);
    s.initialize();
    const xt::xtensor<float, 2> transposed = xt::ones<float>({3, 2});
    const xt::xarray<float> cube = xt::ones<float>({2, 3, 1});
    const std::vector<float> five(5, 1.f), six(6, 7.f);
    CHECK(message_of([&] { s.set(weights, transposed); }) == "set: variable \"weights\": extent of axis 0: expected 2, got 3");
    CHECK(message_of([&] { s.set(weights, cube); }) == "set: variable \"weights\": number of axes: expected 2, got 3");
    CHECK(message_of([&] { s.set(weights, five); }) == "set: variable \"weights\": number of elements: expected 6, got 5");
    CHECK(s.get(weights)(1, 2) == 1.f);
    s.set(weights, six);
    CHECK(s.get(weights)(1, 2) == 7.f);
  }

  TEST_CASE("SES-04: a closed session; another one of the same graph is not touched") {
    etch::session closed(errors, weights), open(errors, weights);
    open.initialize();
    closed.initialize();
    closed.close();
    const std::string expected = "session: it is closed";
    CHECK(message_of([&] { closed.run(errors, images = {{1, 2, 3}}, labels = {1}); }) == expected);
    CHECK(message_of([&] { closed.bind(weights); }) == expected);
    CHECK(message_of([&] { closed.get(weights); }) == expected);
    CHECK(message_of([&] { closed.set(weights, std::vector<float>(6)); }) == expected);
    CHECK(message_of([&] { closed.initialize(); }) == expected);
    closed.close();
    CHECK(open.run(errors, images = {{1, 2, 3}}, labels = {1}) == xt::xtensor<float, 1>{5});
    CHECK(open.get(weights)(0, 0) == 1.f);
  }
}
