// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>

#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/print.hpp>

/// Prints to a stream that throws.
namespace {

using namespace etch;
using namespace etch::literals;

/// Takes the first line.
class full_disk : public std::streambuf {
 public:
  std::string text;

 protected:
  std::streamsize xsputn(const char* from, std::streamsize count) override {
    if (!text.empty()) throw std::runtime_error("no space left");
    text.assign(from, static_cast<std::size_t>(count));
    return count;
  }
};

constexpr placeholder<"x", float> x;

}  // namespace

TEST_CASE("PRN-01: a line that cannot be written is lost, and the run goes on") {
  full_disk disk;
  std::ostream stream(&disk);
  stream.exceptions(std::ios::badbit);
  std::ostream* const before = print_to(&stream);
  constexpr auto y = print<"{}">(x * 2_c) + print<"again {}">(x);
  session s(y);
  auto step = s.bind(y, x = 2.f);
  static_assert(noexcept(step()));
  const float once = s.run(y, x = 1), bound = step();
  CHECK_THROWS_AS(print(tensor<float, 0>(1.f)), std::ios_base::failure);
  print_to(before);
  CHECK(once == 3);
  CHECK(bound == 6);
  CHECK(disk.text == "2\n");
  CHECK(stream.bad());
}
