// SPDX-License-Identifier: MIT
#include <atomic>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/default_session.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>
#include <etch/strings.hpp>
#include <etch/trace.hpp>

#include "host/caught.hpp"

/// Strings in graphs: fed, computed on the host when the graph runs, fetched and printed.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", std::string> x;
constexpr placeholder<"y", std::string> y;
constexpr placeholder<"names", std::string, any<"n">> names;
constexpr placeholder<"column", std::string, any<"n">, 1> column;
constexpr placeholder<"number", float> number;
constexpr placeholder<"images", float, any<"batch">, 2> images;

}  // namespace

TEST_CASE("AT-4: z = join([x, y], ' ') of string placeholders") {
  constexpr auto z = strings::join<" ">(x, y);
  session s(z);
  const auto result = s.run(z, x = "hello", y = "world");
  static_assert(std::is_same_v<decltype(result), const std::string>);
  std::ostringstream out;
  out << elements_text(result);
  CHECK(out.str() == "b'hello world'");
  // In the default session, and traced.
  const default_session guard(s);
  CHECK(eval(z, x = "hello", y = "world") == "hello world");
  run_metadata metadata;
  CHECK(traced_run(s, metadata, z, x = "hello", y = "world") == "hello world");
  CHECK(metadata.steps.size() == 1);
}

TEST_CASE("STR-01: placeholders and constants are scalars of strings, and no numeric expressions") {
  static_assert(std::is_same_v<decltype(x)::value_type, std::string> && std::is_same_v<decltype(x)::shape_type, shape<>>);
  static_assert(decltype(names)::rank == 1);
  static_assert(!expression<std::remove_const_t<decltype(x)>> && !expression<decltype(x + y)>);
  static_assert(std::is_empty_v<decltype(x + y)>);
  // Equal structure is the equal type, and another name another one.
  static_assert(std::is_same_v<decltype(x + y), decltype(x + y)> && !std::is_same_v<decltype(x + y), decltype(y + x)>);
  session s(x, names, "constant"_c);
  CHECK(s.run(x, x = std::string("fed\0whole", 9)) == std::string("fed\0whole", 9));
  CHECK(s.run("constant"_c) == "constant");
  const std::vector<std::string> of_vector = {"a", "b"};
  const tensor<std::string, 1> fetched = s.run(names, names = of_vector);
  CHECK(elements_text(fetched) == "[b'a' b'b']");
  CHECK(elements_text(s.run(names, names = {"a", "b", "c"})) == "[b'a' b'b' b'c']");
  CHECK(elements_text(s.run(names, names = tensor<std::string, 1>{"t"})) == "[b't']");
  CHECK(s.run(names, names = std::vector<const char*>{}).size() == 0);
  CHECK(s.run(x, x = tensor("of a tensor")) == "of a tensor");
  CHECK(s.run(x, x = "of a constant"_c) == "of a constant");
}

TEST_CASE("STR-02, STR-04, STR-05: join, + and concat in graphs") {
  constexpr auto greeting = "<"_c + strings::join<", ">(x, "there"_c, y) + ">"_c;
  constexpr auto files = strings::join(names, "."_c, x);
  constexpr auto all = strings::concat(axis<-1>, names, files);
  constexpr auto pairs = strings::join(column, names);
  session s(greeting, all, pairs);
  CHECK(s.run(greeting, x = "hello", y = "you") == "<hello, there, you>");
  CHECK(elements_text(s.run(all, names = {"cat", "dog"}, x = "jpg")) == "[b'cat' b'dog' b'cat.jpg' b'dog.jpg']");
  CHECK(elements_text(s.run(pairs, column = {{"a"}, {"b"}}, names = {"1", "2"})) == "[[b'a1' b'a2']\n [b'b1' b'b2']]");
  // What is fed cuts the graph there.
  CHECK(s.run("<"_c + files, files = {"f"})(0) == "<f");
  CHECK_THROWS_WITH_AS(s.run(pairs, column = {{"a"}, {"b"}}, names = {"1", "2", "3"}),
                       "feed \"names\": axis 0 (\"n\"): expected extent 2, which feed \"column\" has given it, got 3", error);
}

TEST_CASE("STR-01: strings and numbers in one run") {
  constexpr auto loss = mean(images);
  constexpr auto line = strings::join(x, " "_c, strings::as_string(loss));
  constexpr auto twice = number * 2_c;
  session s(line, loss, twice, strings::length(x), strings::to_number<float>(x), x == y);
  const auto [text, value] = s.run(line, loss, x = "loss", images = {{1, 2}, {3, 4}});
  CHECK(text == "loss 2.5");
  CHECK(value == 2.5f);
  CHECK(s.run(twice, number = 4) == 8);
  CHECK(s.run(strings::length(x) * 2_c, x = "four") == 8);
  CHECK(s.run(strings::to_number<float>(x) + number, x = "0.25", number = 1) == 1.25f);
  CHECK(s.run(x == y, x = "a", y = "a"));
  CHECK(!s.run(x == y, x = "a", y = "b"));
  CHECK(s.run(x != y, x = "a", y = "b"));
  CHECK_THROWS_WITH_AS(s.run(strings::to_number<float>(x), x = "one"), "strings::to_number: \"one\" is no float32", error);
  // The session stays usable.
  CHECK(s.run(strings::to_number<float>(x), x = "1") == 1);
  const auto [a, b] = s.run(std::pair{x + y, twice}, x = "p", y = "q", number = 1);
  CHECK(a == "pq");
  CHECK(b == 2);
}

TEST_CASE("STR-01: a bound step reads strings where they lie, and gives strings") {
  constexpr auto z = strings::join<" ">(x, y);
  session s(z);
  std::string first = "hello";
  auto step = s.bind(z, x = first, y = "world");
  CHECK(step() == "hello world");
  first = "goodbye, and thanks for all the fish of this";
  CHECK(step() == "goodbye, and thanks for all the fish of this world");
  // What will be gone is copied.
  auto kept = s.bind(z, x = std::string("a text that needs memory of its own"), y = tensor("of a tensor"));
  CHECK(kept() == "a text that needs memory of its own of a tensor");
  CHECK(kept() == "a text that needs memory of its own of a tensor");
}

TEST_CASE("STR-01: arrays without elements, and large ones") {
  constexpr auto doubled = strings::concat(axis<0>, names, names + "'"_c);
  session s(doubled, strings::length(names));
  CHECK(s.run(doubled, names = std::vector<std::string>{}).size() == 0);
  std::vector<std::string> many;
  for (int i = 0; i < 100000; ++i) many.push_back(std::string(static_cast<std::size_t>(i % 40), static_cast<char>('a' + i % 26)));
  const tensor<std::string, 1> r = s.run(doubled, names = many);
  REQUIRE(r.size() == 200000);
  bool same = true;
  for (std::size_t i = 0; i < many.size(); ++i) same = same && r.data()[i] == many[i] && r.data()[many.size() + i] == many[i] + "'";
  CHECK(same);
  const xt::xtensor<std::int32_t, 1> lengths = s.run(strings::length(names), names = many);
  CHECK(lengths(79) == 39);
}

TEST_CASE("STR-01: runs of strings in several threads") {
  constexpr auto z = strings::join<"-">(x, y, x + y);
  session s(z);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const std::string a = "thread " + std::to_string(t) + " with a text that needs memory";
      for (int i = 0; i < 200; ++i) {
        const std::string b = std::to_string(i);
        if (s.run(z, x = a, y = b) != a + "-" + b + "-" + a + b) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("PRN-01, STR-03: prints of strings in graphs, in order with those of numbers") {
  caught out;
  constexpr auto z = strings::join<" ">(x, y);
  constexpr auto printed = print(z);
  session s(printed, print(names), z);
  CHECK(s.run(printed, x = "hello", y = "world") == "hello world");
  CHECK(out.text() == "hello world\n");
  CHECK(s.run(z, x = "not", y = "printed") == "not printed");
  CHECK(out.text() == "");
  s.run(print(names), names = {"a", "b c"});
  CHECK(out.text() == "[\"a\" \"b c\"]\n");
  s.run(print(names), names = {"0", "1", "2", "3", "4", "5", "6"});
  CHECK(out.text() == "[\"0\" \"1\" \"2\" ... \"4\" \"5\" \"6\"]\n");
  // What TensorFlow 2.21 prints of these.
  s.run(print(names), names = {"a\\b", "q\"x", "it's", "l\nb\t\r", std::string("e\0f\x7f", 4), "\xc3\xa9 \xff"});
  CHECK(out.text() == "[\"a\\\\b\" \"q\\\"x\" \"it\\'s\" \"l\\nb\\t\\r\" \"e\\000f\\177\" \"\xc3\xa9 \xff\"]\n");
  constexpr auto a = print<"number {}">(number);
  constexpr auto b = print<"{} of {}">(number + a, x);
  constexpr auto c = print<"{}: {}">(x, b);
  session t(c);
  CHECK(t.run(c, b, a, x = "s", number = 2) == std::tuple<std::string, float, float>("s", 4, 2));
  CHECK(out.text() == "number 2\n4 of s\ns: 4\n");
  // Constants alone, beside numbers of a graph.
  constexpr auto said = print<"{} {}">(number, "is the number"_c);
  CHECK(t.run(said, number = 1) == 1);
  CHECK(out.text() == "1 is the number\n");
}

TEST_CASE("AT-6: the session's part") {
  caught out;
  const auto strjoin = [](auto a, auto b) { return print(strings::join<" ">(a, b)); };
  session s(strjoin(x, y));
  const tensor<std::string, 0> result = s.run(strjoin(x, y), x = tensor("hello"), y = tensor("world"));
  CHECK(out.text() == "hello world\n");
  std::ostringstream shown;
  shown << result;
  CHECK(shown.str() == "etch.tensor(b'hello world', shape=(), dtype=string)");
}
