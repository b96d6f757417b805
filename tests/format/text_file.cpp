// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/format/text_file.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;
using namespace etch::format;

std::vector<std::string> lines_of(const files::bytes& b) {
  const text_file file(b, nullptr);
  std::vector<std::string> lines;
  for (std::int64_t i = 0; i < file.size(); ++i) lines.emplace_back(file.line(i));
  return lines;
}
std::vector<std::string> lines_of(const std::string& text) { return lines_of(files::bytes_of(text)); }
using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("text: lines end with \\n or \\r\\n, the last one also with the file") {
  CHECK(lines_of("") == texts{});
  CHECK(lines_of("\n") == texts{""});
  CHECK(lines_of("a\nb\r\n\r\nc") == texts{"a", "b", "", "c"});
  CHECK(lines_of("a\rb\r") == texts{"a\rb"});
  CHECK(lines_of("a\r\n\r") == texts{"a", ""});
  CHECK(lines_of(std::string("a\0b\n", 4)) == texts{std::string("a\0b", 3)});
  CHECK_THROWS_WITH_AS(text_file("/no/such.txt"), "/no/such.txt: No such file or directory", error);
  CHECK_THROWS_WITH_AS(text_file("/tmp"), "/tmp: it is no file", error);
}

TEST_CASE("text: every bytes are lines") {
  files::check_damaged(files::bytes_of("one\ntwo\r\n\nthree"), "", false, [](const files::bytes& b) {
    std::size_t size = 0;
    for (const std::string& line : lines_of(b)) size += line.size();
    CHECK(size <= b.size());
  });
}

TEST_CASE("text: TensorFlow has the same lines") {
  const files::folder folder("text_file");
  const std::string text = "one\ntwo\r\n\n  three \xc3\xa9\r\n\r\nlast\r";
  files::write(folder / "x.txt", text);
  std::string seen;
  for (const std::string& line : lines_of(text)) seen += line + '\x1e';
  files::write(folder / "seen", seen);
  files::run_tensorflow(folder, R"(
lines = [line.numpy() for line in tf.data.TextLineDataset(folder + 'x.txt')]
assert b''.join(line + b'\x1e' for line in lines) == open(folder + 'seen', 'rb').read(), lines
)");
}
