// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <etch/control.hpp>
#include <etch/function.hpp>
#include <etch/strings.hpp>

/// Traced functions of strings.
namespace {

using namespace etch;
using namespace etch::literals;

struct printed {
  std::ostringstream text;
  std::ostream* before = print_to(&text);
  ~printed() { print_to(before); }
};
template <class T>
std::string text_of(const T& t) {
  std::ostringstream s;
  s << t;
  return s.str();
}

}  // namespace

TEST_CASE("AT-6, FUN-14, STR-03: join, printed, as a function") {
  printed out;
  const auto strjoin = [](auto x, auto y) { return print(strings::join<" ">(x, y)); };
  const auto eagerly = strings::join<" ">(tensor("hello"), tensor("world"));
  print(eagerly);
  CHECK(out.text.str() == "hello world\n");
  CHECK(text_of(eagerly) == "etch.tensor(b'hello world', shape=(), dtype=string)");
  function traced(strjoin);
  const auto result = traced(tensor("hello"), tensor("world"));
  CHECK(out.text.str() == "hello world\nhello world\n");
  CHECK(text_of(result) == "etch.tensor(b'hello world', shape=(), dtype=string)");
}

TEST_CASE("AT-10, FUN-06, FUN-07, STR-04: strings as tensors are traced once, as constants once for each value") {
  printed out;
  function my_add([&](auto a, auto b) {
    out.text << "tracing\n";
    const auto printing = for_range<3>([](auto i, auto s) { return after(s, print(i)); }, 0_c);
    return after(a + b, printing);
  });
  const auto c = my_add(tensor("hello"), tensor("world"));
  CHECK(text_of(c) == "etch.tensor(b'helloworld', shape=(), dtype=string)");
  CHECK(out.text.str() == "tracing\n0\n1\n2\n");
  const auto d = my_add(tensor("good"), tensor("morning"));
  CHECK(text_of(d) == "etch.tensor(b'goodmorning', shape=(), dtype=string)");
  CHECK(out.text.str() == "tracing\n0\n1\n2\n0\n1\n2\n");
  const auto e = my_add(tensor(1), tensor(2));
  CHECK(text_of(e) == "etch.tensor(3, shape=(), dtype=int32)");
  CHECK(out.text.str() == "tracing\n0\n1\n2\n0\n1\n2\ntracing\n0\n1\n2\n");
  const auto f = my_add("hello"_c, "world"_c);
  CHECK(text_of(f) == "etch.tensor(b'helloworld', shape=(), dtype=string)");
  const auto g = my_add("good"_c, "moning"_c);
  CHECK(text_of(g) == "etch.tensor(b'goodmoning', shape=(), dtype=string)");
  CHECK(out.text.str() == "tracing\n0\n1\n2\n0\n1\n2\ntracing\n0\n1\n2\ntracing\n0\n1\n2\ntracing\n0\n1\n2\n");
  my_add("hello"_c, "world"_c);
  CHECK(my_add.trace_count() == 4);
}

TEST_CASE("strings of any kind, arrays of them, beside numbers") {
  function f([](auto names, auto x) { return std::tuple{names + ".jpg"_c, strings::as_string(sum(x)), sum(x)}; });
  const auto [files, total, sum_of_x] = f(tensor<std::string, 1>{"cat", "dog"}, tensor<float, 1>{1, 2});
  CHECK(text_of(files) == "etch.tensor([b'cat.jpg' b'dog.jpg'], shape=(2,), dtype=string)");
  CHECK(text_of(total) == "etch.tensor(b'3', shape=(), dtype=string)");
  CHECK(sum_of_x.item() == 3.f);
  function g([](auto name) { return strings::length(name); });
  CHECK(g("four").item() == 4);
  CHECK(g(std::string("seventy")).item() == 7);
  CHECK(g.trace_count() == 1);
}

TEST_CASE("FUN-09, STR-01: an input signature names strings and their extents") {
  function f([](auto names, auto last, auto x) { return std::tuple{strings::join<"/">(names, last), strings::as_string(x)}; },
             input_signature<tensor_spec<std::string, any<"n">>, tensor_spec<std::string>, tensor_spec<float, 2>>);
  const auto [files, numbers] = f(tensor<std::string, 1>{"a", "b", "c"}, "z", tensor<float, 1>{1, 2.5f});
  CHECK(elements_text(files) == "[b'a/z' b'b/z' b'c/z']");
  CHECK(elements_text(numbers) == "[b'1' b'2.5']");
  function pairs([](auto column, auto row) { return column + row; },
                 input_signature<tensor_spec<std::string, any<"m">, 1>, tensor_spec<std::string, any<"n">>>);
  CHECK(elements_text(pairs(tensor<std::string, 2>{{"a"}, {"b"}}, tensor<std::string, 1>{"1", "2"})) ==
        "[[b'a1' b'a2']\n [b'b1' b'b2']]");
  CHECK_THROWS_AS(pairs(tensor<std::string, 2>{{"a", "b"}}, tensor<std::string, 1>{"1", "2"}), error);
}
