// SPDX-License-Identifier: MIT
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <etch/strings.hpp>

#include <eager/contents.hpp>

/// Strings that are computed at once.
namespace {
using contents::text;

using namespace etch;
using namespace etch::literals;

}  // namespace

TEST_CASE("STR-01: string tensors are scalars and arrays, immutable, row by row") {
  const tensor hello("hello");
  static_assert(std::is_same_v<decltype(hello), const tensor<std::string, 0>>);
  static_assert(!expression<tensor<std::string, 0>> && !evaluated<tensor<std::string, 0>>);
  CHECK(hello.item() == "hello");
  CHECK(hello.size() == 1);
  const std::string converted = hello;
  CHECK(converted == "hello");
  const tensor<std::string, 2> t = {{"a", "bb", "c"}, {"d", "", "f"}};
  CHECK(t.shape() == std::array<std::int64_t, 2>{2, 3});
  CHECK(t(0, 1) == "bb");
  CHECK(t(-1, -1) == "f");
  CHECK(t[1](0) == "d");
  CHECK(t[1][2].item() == "f");
  CHECK_THROWS_WITH_AS(t(2, 0), "tensor: index 2 of axis 0, which has 2 elements", error);
  CHECK_THROWS_WITH_AS(t.item(), "tensor: item() of 6 elements", error);
  std::string all;
  for (const auto& row : t)
    for (const std::string& s : row) all += s + ",";
  CHECK(all == "a,bb,c,d,,f,");
  // Of a vector, of two texts in braces that are no range of characters, and empty ones.
  const tensor names(std::vector<std::string>{"x", "y"});
  static_assert(decltype(names)::rank == 1);
  CHECK(names(1) == "y");
  const tensor<std::string, 1> pair = {"ab", "cd"};
  CHECK(pair.size() == 2);
  CHECK(tensor<std::string, 0>().item() == "");
  CHECK(tensor<std::string, 1>().size() == 0);
  CHECK(tensor<std::string, 2>({2, 1}, {"p", "q"})(1, 0) == "q");
  CHECK_THROWS_WITH_AS((tensor<std::string, 2>({2, 2}, {"p"})), "tensor: 1 strings are given for a shape of 4 elements", error);
  CHECK_THROWS_WITH_AS((tensor<std::string, 2>({-1, -1}, {"p"})), "tensor: extent -1 of axis 0 is negative", error);
  CHECK_THROWS_WITH_AS((tensor<std::string, 2>({0, -2}, {})), "tensor: extent -2 of axis 1 is negative", error);
  constexpr std::int64_t many = std::int64_t{1} << 32;
  CHECK_THROWS_WITH_AS((tensor<std::string, 2>({many, many}, {})), "tensor: a shape whose elements are more than an int64 counts",
                       error);
  CHECK_THROWS_WITH_AS((tensor<std::string, 2>{{"p", "q"}, {"r"}}), "tensor: braces of one axis have different lengths", error);
  // Parts keep the elements of what is gone.
  tensor<std::string, 1> part;
  {
    const tensor<std::string, 2> whole = {{"long enough for memory of its own", "b"}, {"c", "d"}};
    part = whole[0];
  }
  CHECK(part(0) == "long enough for memory of its own");
}

TEST_CASE("STR-03: a tensor prints as TensorFlow's bytes") {
  CHECK(text(tensor("hello world")) == "etch.tensor(b'hello world', shape=(), dtype=string)");
  CHECK(text(tensor<std::string, 1>{"a", "bc"}) == "etch.tensor([b'a' b'bc'], shape=(2,), dtype=string)");
  CHECK(text(tensor<std::string, 2>{{"a", "b"}, {"c", "d"}}) ==
        "etch.tensor(\n[[b'a' b'b']\n [b'c' b'd']], shape=(2, 2), dtype=string)");
  CHECK(text(tensor<std::string, 1>{}) == "etch.tensor([], shape=(0,), dtype=string)");
  // Python 3.11: repr(b"...").
  CHECK(elements_text(std::string("it's")) == "b\"it's\"");
  CHECK(elements_text(std::string("say \"hi\"")) == "b'say \"hi\"'");
  CHECK(elements_text(std::string("both ' and \"")) == "b'both \\' and \"'");
  CHECK(elements_text(std::string("tab\tline\nreturn\rback\\")) == "b'tab\\tline\\nreturn\\rback\\\\'");
  CHECK(elements_text(std::string("\0\x1f\x7f\x80\xff", 5)) == "b'\\x00\\x1f\\x7f\\x80\\xff'");
  CHECK(elements_text(std::string(" ~")) == "b' ~'");
  CHECK(elements_text(std::string()) == "b''");
  CHECK(elements_text(std::string("é")) == "b'\\xc3\\xa9'");
  // Of more than 1000 the first and last three.
  CHECK(elements_text(tensor<std::string, 1>(std::vector<std::string>(1001, "s"))) == "[b's' b's' b's' ... b's' b's' b's']");
  // Lines of 75 characters, as NumPy 2.4 breaks them.
  CHECK(elements_text(tensor<std::string, 1>(std::vector<std::string>(16, "s"))) ==
        "[b's' b's' b's' b's' b's' b's' b's' b's' b's' b's' b's' b's' b's' b's'\n b's' b's']");
}

TEST_CASE("STR-02: join, with a separator, element by element") {
  const tensor x("hello"), y("world");
  CHECK(strings::join<" ">(x, y).item() == "hello world");
  CHECK(strings::join(x, y, "!").item() == "helloworld!");
  CHECK(strings::join<", ">(x, std::string("there"), "you"_c).item() == "hello, there, you");
  CHECK(strings::join<" ">(x).item() == "hello");
  CHECK(strings::join<" ">("good", "morning").item() == "good morning");
  const tensor<std::string, 1> names = {"cat", "dog"};
  CHECK(text(strings::join<".">(names, "jpg")) == "etch.tensor([b'cat.jpg' b'dog.jpg'], shape=(2,), dtype=string)");
  const tensor<std::string, 2> column = {{"a"}, {"b"}, {"c"}};
  CHECK(elements_text(strings::join(column, names)) == "[[b'acat' b'adog']\n [b'bcat' b'bdog']\n [b'ccat' b'cdog']]");
  CHECK(strings::join(column, tensor<std::string, 1>{}).shape() == std::array<std::int64_t, 2>{3, 0});
  CHECK_THROWS_WITH_AS(strings::join(names, tensor<std::string, 1>{"a", "b", "c"}),
                       "strings::join: the operands' shapes do not broadcast: string[2], string[3]", error);
  CHECK(strings::join(std::string("a\0b", 3), "c").item().size() == 4);
}

TEST_CASE("STR-02: constants are joined by the compiler") {
  constexpr auto joined = strings::join<" ">("hello"_c, "world"_c);
  static_assert(std::is_same_v<decltype(joined), const string_constant<"hello world">>);
  static_assert(joined.value == "hello world");
  static_assert(("hello"_c + "world"_c).value == "helloworld");
  static_assert(strings::join<", ">("a"_c, ""_c, "c"_c).value == "a, , c");
  static_assert("a\0b"_c.value.size() == 3);
  static_assert(strings::length("hello"_c).value == 5);
  static_assert(("a"_c == "a"_c).value && !("a"_c == "b"_c).value && ("a"_c != "b"_c).value);
  static_assert(!expression<decltype("hello"_c)>);
  const tensor<std::string, 0> t = "hello"_c;
  CHECK(t.item() == "hello");
}

TEST_CASE("STR-04: + concatenates") {
  const tensor a("hello"), b("world");
  CHECK(text(a + b) == "etch.tensor(b'helloworld', shape=(), dtype=string)");
  CHECK((a + " " + std::string("you")).item() == "hello you");
  CHECK(("> " + a).item() == "> hello");
}

TEST_CASE("STR-05: concat of file names, cats then dogs") {
  const tensor<std::string, 1> cats = {"cat.0.jpg", "cat.1.jpg"}, dogs = {"dog.0.jpg"};
  CHECK(elements_text(strings::concat(axis<-1>, cats, dogs)) == "[b'cat.0.jpg' b'cat.1.jpg' b'dog.0.jpg']");
  const tensor<std::string, 2> left = {{"a"}, {"b"}}, right = {{"c", "d"}, {"e", "f"}};
  CHECK(elements_text(strings::concat(axis<1>, left, right)) == "[[b'a' b'c' b'd']\n [b'b' b'e' b'f']]");
  CHECK(elements_text(strings::concat(axis<0>, right, right[0].size() == 2 ? right : left)) ==
        "[[b'c' b'd']\n [b'e' b'f']\n [b'c' b'd']\n [b'e' b'f']]");
  CHECK_THROWS_WITH_AS(strings::concat(axis<0>, left, right),
                       "strings::concat: extents that must agree differ: string[2, 1], string[2, 2]", error);
}

TEST_CASE("STR-01: lengths, comparisons and numbers") {
  const tensor<std::string, 1> t = {"", "ab", "é"};
  const tensor<std::int32_t, 1> n = strings::length(t);
  CHECK(strings::detail::length_function::counted(INT32_MAX) == INT32_MAX);
  CHECK_THROWS_WITH_AS(strings::detail::length_function::counted(std::size_t{1} << 31),
                       "strings::length: 2147483648 bytes, an int32 counts up to 2147483647", error);
  CHECK(n(0) == 0);
  CHECK(n(1) == 2);
  CHECK(n(2) == 2);
  const tensor<bool, 1> same = t == "ab";
  CHECK(!same(0));
  CHECK(same(1));
  CHECK((t != "ab")(0));
  CHECK(!(t != "ab")(1));
  CHECK(elements_text(strings::as_string(tensor<float, 1>{4, 0.1f, -1e-20f})) == "[b'4' b'0.1' b'-1e-20']");
  CHECK(strings::as_string(42).item() == "42");
  CHECK(strings::to_number<float>(tensor("0.5")).item() == 0.5f);
  CHECK(strings::to_number<std::int32_t>(tensor("-7")).item() == -7);
  CHECK_THROWS_WITH_AS(strings::to_number<float>("0.5x"), "strings::to_number: \"0.5x\" is no float32", error);
  CHECK_THROWS_WITH_AS(strings::to_number<std::uint8_t>("256"), "strings::to_number: \"256\" is no uint8", error);
  CHECK_THROWS_WITH_AS(strings::to_number<float>(""), "strings::to_number: \"\" is no float32", error);
}

TEST_CASE("AT-6: the eager part") {
  std::ostringstream out;
  std::ostream* const before = print_to(&out);
  const auto joined = strings::join<" ">("hello"_c, "world"_c);
  print(joined);
  const auto strjoin = [](auto x, auto y) {
    const auto z = strings::join<" ">(x, y);
    print(z);
    return z;
  };
  const auto result = strjoin(tensor("hello"), tensor("world"));
  out << result << "\n";
  print<"{} has {} letters: {}">(result, strings::length(result), tensor<std::string, 1>{"a", "b"});
  print_to(before);
  CHECK(out.str() ==
        "hello world\n"
        "hello world\n"
        "etch.tensor(b'hello world', shape=(), dtype=string)\n"
        "hello world has 11 letters: [\"a\" \"b\"]\n");
}
