// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/host_call.hpp>
#include <etch/print.hpp>
#include <etch/strings.hpp>

#include "host/caught.hpp"

/// Strings in loops and branches, ordered by `after`, in calls of the host, and by name.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", std::string> x;
constexpr placeholder<"y", std::string> y;
constexpr placeholder<"names", std::string, any<"n">> names;
constexpr placeholder<"sizes", float, any<"n">> sizes;
constexpr placeholder<"p", bool> p;
constexpr placeholder<"number", float> number;

}  // namespace

TEST_CASE("PRN-01, STR-04: strings and prints in order, by after") {
  caught out;
  // The loop of AT-10: it prints its numbers, then there is a + b.
  constexpr auto loop = for_range<3>([](auto i, auto k) { return after(k + 1_c, print(i)); }, 0_c);
  constexpr auto c = after(x + y, loop);
  session s(c, group(print(x), print(y)));
  CHECK(s.run(c, x = "hello", y = "world") == "helloworld");
  CHECK(out.text() == "0\n1\n2\n");
  CHECK(s.run(c, x = "good", y = "morning") == "goodmorning");
  CHECK(out.text() == "0\n1\n2\n");
  s.run(group(print(x), print(y)), x = "one", y = "two");
  CHECK(out.text() == "one\ntwo\n");
  CHECK(s.run(after(astype<float>(1_c), print(x)), x = "three") == 1);
  CHECK(out.text() == "three\n");
}

TEST_CASE("STR-02: a branch chooses a string, and computes only that") {
  caught out;
  constexpr auto chosen = cond(p, [] { return print<"then {}">(x + "!"_c); }, [] { return print<"else {}">("no"_c + y); });
  constexpr auto several = cond(x == "yes"_c, [] { return std::tuple{x + y, 1_c}; }, [] { return std::tuple{"other"_c + y, 2_c}; });
  session s(chosen, several);
  CHECK(s.run(chosen, p = true, x = "a", y = "b") == "a!");
  CHECK(out.text() == "then a!\n");
  CHECK(s.run(chosen, p = false, x = "a", y = "b") == "nob");
  CHECK(out.text() == "else nob\n");
  const auto [text, number_of] = s.run(several, x = "yes", y = "b");
  CHECK(text == "yesb");
  CHECK(number_of == 1);
  CHECK(std::get<0>(s.run(several, x = "no", y = "b")) == "otherb");
}

TEST_CASE("STR-02: a loop carries a string, and stacks strings") {
  constexpr auto repeated = for_range<3>([](auto i, auto text) { return text + strings::as_string(i) + ","_c; }, x);
  constexpr auto line = scan(
      [](auto text, auto name, auto size) {
        auto part = strings::join("("_c, name, " "_c, strings::as_string(size), ")"_c);
        return std::pair{text + part, part};
      },
      ""_c, names, sizes);
  constexpr auto until =
      while_loop([](auto text) { return strings::length(text) < 10_c; }, [](auto text) { return text + text; }, x);
  session s(repeated, line, until);
  CHECK(s.run(repeated, x = ">") == ">0,1,2,");
  const auto [all, parts] = s.run(line, names = {"a", "b"}, sizes = {1, 2.5f});
  CHECK(all == "(a 1)(b 2.5)");
  CHECK(elements_text(parts) == "[b'(a 1)' b'(b 2.5)']");
  CHECK(std::get<0>(s.run(line, names = std::vector<std::string>{}, sizes = std::vector<float>{})) == "");
  CHECK(s.run(until, x = "abc") == "abcabcabcabc");
}

TEST_CASE("EAG-14: a loop in which the host has thrown ends") {
  constexpr auto endless = while_loop([](auto text) { return strings::length(text) < 10_c; },
                                      [](auto text) {
                                        return host_call<"throws at four", std::string>(
                                            [](const std::string& t) {
                                              if (t.size() == 4) throw error("four letters");
                                              return t + t;
                                            },
                                            text);
                                      },
                                      x);
  session s(endless);
  CHECK(s.run(endless, x = "abc") == "abcabcabcabc");
  CHECK_THROWS_WITH_AS(s.run(endless, x = "a"), "four letters", error);
  CHECK_THROWS_WITH_AS(s.run(endless, x = "abcd"), "four letters", error);
  CHECK(s.run(endless, x = "abcde") == "abcdeabcde");
}

TEST_CASE("STR-02: gradients pass through a loop and a branch that carry strings beside numbers") {
  constexpr auto walked = scan(
      [](auto state, auto name, auto size) {
        auto [text, product] = state;
        return std::tuple{text + name, product * size};
      },
      std::tuple{""_c, 1_c}, names, sizes);
  constexpr auto slope = gradient(std::get<1>(walked), sizes);
  constexpr auto chosen = cond(p, [] { return std::tuple{x, number * number}; }, [] { return std::tuple{y, number}; });
  constexpr auto steep = gradient(std::get<1>(chosen), number);
  session s(walked, slope, chosen, steep);
  const auto [last, d] = s.run(walked, slope, names = {"a", "b", "c"}, sizes = {2, 3, 5});
  CHECK(std::get<0>(last) == "abc");
  CHECK(std::get<1>(last) == 30);
  CHECK(d == xt::xtensor<float, 1>{15, 10, 6});
  CHECK(s.run(steep, p = true, number = 3) == 6);
  CHECK(s.run(steep, p = false, number = 3) == 1);
}

TEST_CASE("EAG-14: functions of the host are given strings, and give some") {
  static std::vector<std::string> seen;
  constexpr auto upper = host_call<"upper", std::string>(
      [](const std::string& text) {
        std::string r = text;
        for (char& c : r) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        return r;
      },
      x);
  constexpr auto described = host_call<"described">(
      [](const tensor<std::string, 1>& all, float scale) {
        return std::to_string(all.size()) + all(0) + std::to_string(static_cast<int>(scale));
      },
      names, number);
  constexpr auto noted = host_call<"noted">([](const std::string& text) { seen.push_back(text); }, upper);
  session s(upper + y, described, noted);
  CHECK(s.run(upper + y, x = "loud", y = " and quiet") == "LOUD and quiet");
  CHECK(s.run(described, names = {"p", "q"}, number = 3) == "2p3");
  s.run(noted, x = "note");
  CHECK(seen == std::vector<std::string>{"NOTE"});
  // Of tensors at once.
  constexpr auto both = [](const std::string& a, const tensor<std::string, 1>& b) { return a + b(0); };
  const tensor<std::string, 0> now = host_call<"both">(both, tensor("a"), tensor<std::string, 1>{"b", "c"});
  CHECK(now.item() == "ab");
  CHECK(host_call<"both">(both, "text", tensor<std::string, 1>{"b", "c"}).item() == "textb");
  CHECK(host_call<"size", std::int32_t>(
            [](const std::string& a, float b) { return static_cast<std::int32_t>(static_cast<float>(a.size()) + b); },
            tensor("four"), 1.f)
            .item() == 5);
  // What reads a string that was not made, because a call before threw, is not called.
  constexpr auto thrown =
      host_call<"thrown", std::string>([](const std::string& text) -> std::string { throw error("no " + text); }, x);
  constexpr auto then = host_call<"noted then">([](const std::string& text) { seen.push_back(text); }, thrown);
  session t(then, strings::length(thrown), print(thrown));
  seen.clear();
  CHECK_THROWS_WITH_AS(t.run(then, x = "text"), "no text", error);
  CHECK(seen.empty());
  caught out;
  CHECK_THROWS_WITH_AS(t.run(print(thrown), x = "text"), "no text", error);
  CHECK(out.text() == "");
  CHECK_THROWS_WITH_AS(t.run(strings::length(thrown), x = "text"), "no text", error);
}

TEST_CASE("EAG-14, STR-01: a call that runs a session keeps the strings of both runs") {
  constexpr auto inner = host_call<"inner run", std::string>(
      [](const std::string& text) {
        session s(x + x);
        std::string r;
        for (int i = 0; i < 100; ++i) r = s.run(x + x, x = text + std::to_string(i));
        return r;
      },
      x + " made by the outer run before"_c);
  constexpr auto all = strings::join("["_c, x + y, "|"_c, inner, "|"_c, y + x, "]"_c);
  session s(all);
  CHECK(s.run(all, x = "a", y = "b") == "[ab|a made by the outer run before99a made by the outer run before99|ba]");
}

TEST_CASE("GRA-07: strings have names, and graphs of them print") {
  constexpr auto z = named<"greeting">(strings::join<" ">(x, y));
  session s(z);
  CHECK(s.run(z, x = "hello", y = "you") == "hello you");
  CHECK(to_text(z) ==
        "y = placeholder : int64[]\n"
        "x = placeholder : int64[]\n"
        "greeting = strings::join \" \" x y : int64[]\n"
        "fetch greeting\n");
  CHECK(s.run(z + "!"_c, z = "fed") == "fed!");
}

TEST_CASE("EAG-11, STR-04: loops and branches of eager strings") {
  const auto joined = [](auto first, auto words) {
    return scan(
        [](auto state, auto name) {
          const auto next = state + cond(name == "b"_c, [=] { return name; }, [=] { return name + name; });
          return std::pair{next, std::tuple{next, name}};
        },
        first, words);
  };
  const tensor<std::string, 1> letters = {"a", "b", "c"};
  const auto [last, outputs] = joined(tensor<std::string, 0>(">"), letters);
  CHECK(last.item() == ">aabcc");
  CHECK(std::get<0>(outputs)(1) == ">aab");
  CHECK(std::get<1>(outputs)(2) == "c");
  constexpr auto graph = joined(x, names);
  constexpr auto all = std::get<0>(graph);
  session s(all);
  CHECK(s.run(all, x = ">", names = {"a", "b", "c"}) == ">aabcc");
}
