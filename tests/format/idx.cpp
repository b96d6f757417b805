// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/format/idx.hpp>
#include <etch/format/inflate.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;
using namespace etch::format;
using extents = std::vector<std::int64_t>;

std::string text_of(std::initializer_list<int> values) {
  std::string text;
  for (const int v : values) text += static_cast<char>(v);
  return text;
}
kept_array read_bytes(const files::bytes& b) { return read_idx(b, "x.idx", nullptr, format::inflate); }
kept_array read_text(const std::string& text) { return read_bytes(files::bytes_of(text)); }

/// gzip with a block that is stored, by hand: RFC 1951 3.2.4, RFC 1952 2.3.
std::string gzip(const std::string& text, unsigned crc) {
  const int size = static_cast<int>(text.size());
  const auto little = [](unsigned v) {
    return text_of(
        {static_cast<int>(v & 255), static_cast<int>(v >> 8 & 255), static_cast<int>(v >> 16 & 255), static_cast<int>(v >> 24)});
  };
  return text_of({0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1, size, 0, 255 - size, 255}) + text + little(crc) +
         little(static_cast<unsigned>(size));
}
const std::string small = text_of({0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, 1, 2, 3, 4, 5, 255});
const unsigned small_crc = 0x215fdef0;

}  // namespace

TEST_CASE("idx: bytes that are written down, of each type") {
  const files::bytes b = files::bytes_of(small);
  const kept_array a = read_bytes(b);
  CHECK(a.array.type == dtype::uint8);
  CHECK(a.array.extents == extents{2, 3});
  CHECK(a.array.bytes.data() == b.data() + 12);

  kept_array shorts = read_text(text_of({0, 0, 0x0b, 1, 0, 0, 0, 2, 1, 2, 255, 254}));
  expect(shorts, dtype::int16, 1);
  CHECK(values_of<std::int16_t>(shorts)[0] == 258);
  CHECK(values_of<std::int16_t>(shorts)[1] == -2);
  kept_array floats = read_text(text_of({0, 0, 0x0d, 1, 0, 0, 0, 1, 0x3f, 0xc0, 0, 0}));
  expect(floats, dtype::float32, 1);
  CHECK(*values_of<float>(floats) == 1.5f);
  kept_array doubles = read_text(text_of({0, 0, 0x0e, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0}));
  expect(doubles, dtype::float64, 0);
  CHECK(*values_of<double>(doubles) == -2.0);
  CHECK(read_text(text_of({0, 0, 0x0c, 1, 0, 0, 0, 0})).array.extents == extents{0});
  CHECK(read_text(text_of({0, 0, 0x09, 1, 0, 0, 0, 1, 255})).array.type == dtype::int8);
}

TEST_CASE("idx: what is no such file") {
  const auto refuses = [](const std::string& file, const char* text) { CHECK_THROWS_WITH_AS(read_text(file), text, error); };
  refuses("", "x.idx: at byte 0: the magic number has 4 bytes, of which 0 are there");
  refuses(
      "\x89PNG",
      "x.idx: at byte 0: the magic number is 0x89504e47, of idx it is 0x00000801 or another with a type of 08, 09, 0b, 0c, 0d, 0e");
  refuses(small + "x", "x.idx: at byte 12: the header says uint8 [2, 3], 6 bytes, but more follow");
  refuses(text_of({0, 0, 14, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}),
          "x.idx: at byte 16: the header says float64 [4294967295, 4294967295, 4294967295], which no memory holds");
  refuses(text_of({0, 0, 14, 1, 255, 255, 255, 255}),
          "x.idx: at byte 8: the header says float64 [4294967295], 34359738360 bytes, but 0 follow");
}

TEST_CASE("idx: compressed by gzip") {
  const std::string packed = gzip(small, small_crc);
  const kept_array a = read_text(packed);
  CHECK(a.array.extents == extents{2, 3});
  CHECK(a.array.bytes.back() == std::byte{255});
  const auto refuses = [](const std::string& file, const char* text) { CHECK_THROWS_WITH_AS(read_text(file), text, error); };
  refuses(packed.substr(0, 30), "x.idx: at byte 30: the compressed data is cut off, after 15 bytes of what it holds");
  refuses(packed + "x", "x.idx: at byte 41: 1 bytes follow the compressed data");
  refuses(gzip(small, 7), "x.idx: at byte 37: the compressed data is corrupt: incorrect data check");
  const std::string cut = text_of({0, 0, 8, 1, 0, 0, 0, 9});
  refuses(gzip(cut, 0xcdcdcc10), "x.idx, unpacked: at byte 8: the header says uint8 [9], 9 bytes, but 0 follow");
  const files::bytes b = files::bytes_of(packed);
  CHECK_THROWS_WITH_AS(read_idx(b, "x.idx", nullptr), "x.idx: it is compressed: give format::inflate of <etch/format/inflate.hpp>",
                       error);
}

TEST_CASE("idx: damaged files") {
  const auto check = [](const files::bytes& b) {
    const kept_array a = read_bytes(b);
    CHECK(static_cast<std::int64_t>(a.array.bytes.size()) == count_elements(a.array.extents) * size_of_dtype(a.array.type));
    if (is_gzip(b)) return;
    // The values are the file's, to the last byte, whose first bytes are their highest.
    const std::size_t size = static_cast<std::size_t>(size_of_dtype(a.array.type)), header = 4 + 4 * a.array.extents.size();
    REQUIRE(b.size() == header + a.array.bytes.size());
    for (std::size_t i = 0; i < a.array.bytes.size(); ++i)
      CHECK(a.array.bytes[i] == b[header + i / size * size + size - 1 - i % size]);
  };
  files::check_damaged(files::bytes_of(small), "x.idx", true, check);
  files::check_damaged(files::bytes_of(text_of({0, 0, 0x0d, 1, 0, 0, 0, 2, 0x3f, 0xc0, 1, 2, 3, 4, 5, 6})), "x.idx", true, check);
  const files::bytes expected = files::bytes_of(small.substr(12));
  files::check_damaged(files::bytes_of(gzip(small, small_crc)), "x.idx", true, [&](const files::bytes& b) {
    check(b);
    if (is_gzip(b)) CHECK(std::ranges::equal(read_bytes(b).array.bytes, expected));
  });
}
