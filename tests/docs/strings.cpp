// SPDX-License-Identifier: MIT
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/host_call.hpp>
#include <etch/strings.hpp>

// The programs of docs/strings.md: what stands between the marks here is what stands there.

using namespace etch::literals;

namespace {

std::string file_text(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
/// The lines without those that open or close a part, and without indentation.
std::string plain(const std::string& code) {
  std::istringstream lines(code);
  std::string line, text;
  while (std::getline(lines, line)) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start != std::string::npos) text += line.substr(start) + "\n";
  }
  return text;
}

float read_sensor() { return 3; }

namespace graphs {
// begin 2
constexpr etch::placeholder<"x", std::string> x;
constexpr etch::placeholder<"y", std::string> y;
constexpr etch::placeholder<"images", float, etch::any<"batch">, 2> images;

constexpr auto z = etch::strings::join<" ">(x, y);
constexpr auto line = "mean: "_c + etch::strings::as_string(etch::mean(images));
// end 2
}  // namespace graphs

namespace calls {
// begin 4
constexpr etch::placeholder<"x", float> x;
constexpr auto reading = etch::host_call<"read", float>([](float gain) { return gain * read_sensor(); }, x);
constexpr auto y = reading * reading;
// end 4
}  // namespace calls

}  // namespace

TEST_CASE("STR-01: the programs of docs/strings.md give what it says") {
  std::ostringstream out;
  std::ostream* const before = etch::print_to(&out);
  std::streambuf* const console = std::cout.rdbuf(out.rdbuf());
  {
    // clang-format off
    // begin 0
    const etch::tensor x("hello"), y("world");               // etch::tensor<std::string, 0>
    const auto z = etch::strings::join<" ">(x, y);
    std::cout << z << "\n";                                  // etch.tensor(b'hello world', shape=(), dtype=string)
    etch::print(z);                                          // hello world
    const etch::tensor<std::string, 1> cats = {"cat.0", "cat.1"}, dogs = {"dog.0"};
    const auto all = etch::strings::concat(etch::axis<0>, cats, dogs);
    for (const std::string& name : all + ".jpg") std::cout << name << "\n";
    // end 0
    // begin 1
    static_assert(etch::strings::join<" ">("hello"_c, "world"_c).value == "hello world");
    // end 1
    // clang-format on
  }
  std::cout.rdbuf(console);
  etch::print_to(before);
  CHECK(out.str() == "etch.tensor(b'hello world', shape=(), dtype=string)\nhello world\ncat.0.jpg\ncat.1.jpg\ndog.0.jpg\n");
  {
    using namespace graphs;
    // begin 3
    etch::session session(z, line);
    std::string both = session.run(z, x = "hello", y = "world");
    auto [text, mean_of_it] = session.run(line, etch::mean(images), images = {{1, 2}, {3, 4}});
    // end 3
    CHECK(both == "hello world");
    CHECK(text == "mean: 2.5");
    CHECK(mean_of_it == 2.5f);
  }
  etch::session session(calls::y);
  CHECK(session.run(calls::y, calls::x = 2) == 36);
}

TEST_CASE("STR-01: what is tested is what docs/strings.md shows") {
  const std::string source = file_text("docs/strings.cpp"), docs = plain(file_text("../docs/strings.md"));
  REQUIRE(!docs.empty());
  for (int part = 0; part < 5; ++part) {
    const std::string number = std::to_string(part) + "\n", open = "// begin " + number, close = "// end " + number;
    const std::size_t begin = source.find(open), end = source.find(close, begin);
    REQUIRE(end != std::string::npos);
    // Up to the line of the mark.
    const std::size_t last = source.rfind('\n', end);
    const std::string code = plain(source.substr(begin + open.size(), last - begin - open.size() + 1));
    CAPTURE(code);
    CHECK(docs.find(code) != std::string::npos);
  }
}
