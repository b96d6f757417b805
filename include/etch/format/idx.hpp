// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <etch/format/byte_reader.hpp>
#include <etch/format/compression.hpp>
#include <etch/format/kept_array.hpp>

/// idx, the format of MNIST and Fashion-MNIST: two bytes 0, the type, the number of axes, an extent of 32 bits for each, and the values row
/// by row; all numbers with the highest byte first.
namespace etch::format {

namespace detail {

inline constexpr std::size_t longest_idx_header = 4 + 4 * 255;

inline array_view read_idx_header(byte_reader& reader) {
  const auto magic = reader.take_big<std::uint32_t>("the magic number");
  array_view array;
  switch (magic >> 8) {
    case 0x08: array.type = dtype::uint8; break;
    case 0x09: array.type = dtype::int8; break;
    case 0x0b: array.type = dtype::int16; break;
    case 0x0c: array.type = dtype::int32; break;
    case 0x0d: array.type = dtype::float32; break;
    case 0x0e: array.type = dtype::float64; break;
    default:
      reader.wrong_at(0, "the magic number is 0x%08x, of idx it is 0x00000801 or another with a type of 08, 09, 0b, 0c, 0d, 0e",
                      static_cast<unsigned>(magic));
  }
  for (unsigned axis = magic & 255; axis > 0; --axis) array.extents.push_back(reader.take_big<std::uint32_t>("an extent"));
  if (count_elements(array.extents) > INT64_MAX / size_of_dtype(array.type) || count_elements(array.extents) < 0)
    reader.wrong("the header says %s, which no memory holds", type_text(array.type, array.extents).c_str());
  return array;
}
inline std::size_t size_of_array(const array_view& a) {
  return static_cast<std::size_t>(count_elements(a.extents)) * static_cast<std::size_t>(size_of_dtype(a.type));
}
inline array_view read_idx_bytes(std::span<const std::byte> bytes, const std::string& file) {
  byte_reader reader(bytes, file);
  array_view array = read_idx_header(reader);
  if (reader.left() != size_of_array(array))
    reader.wrong("the header says %s, %zu bytes, but %s follow", type_text(array.type, array.extents).c_str(), size_of_array(array),
                 reader.left() > size_of_array(array) ? "more" : std::to_string(reader.left()).c_str());
  array.bytes = reader.take(reader.left(), "the array");
  return array;
}

}  // namespace detail

/// The array in the bytes of a whole idx file, which `owner` keeps: there itself where its elements are bytes, else a copy. `inflate`: to
/// read what gzip has compressed. Throws `etch::error` with `file` and the byte where these are no such file, or more or fewer bytes than
/// the header says.
inline kept_array read_idx(std::span<const std::byte> bytes, std::string file, std::shared_ptr<const void> owner,
                           inflate_function inflate = nullptr) {
  array_view array;
  std::vector<std::byte> values;
  if (is_gzip(bytes)) {
    if (inflate == nullptr) fail("%s: it is compressed: give format::inflate of <etch/format/inflate.hpp>", file.c_str());
    const std::string unpacked = file + ", unpacked";
    // The header says how much there is to unpack.
    const std::vector<std::byte> front = inflate(bytes, framing::gzip, detail::longest_idx_header, file, 0);
    byte_reader reader(front, unpacked);
    const std::size_t size = detail::size_of_array(detail::read_idx_header(reader));
    values = inflate(bytes, framing::gzip, reader.offset() + std::min(size, SIZE_MAX - reader.offset() - 1) + 1, file, 0);
    array = detail::read_idx_bytes(values, unpacked);
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(reader.offset()));
  } else {
    array = detail::read_idx_bytes(bytes, file);
    if (size_of_dtype(array.type) == 1) return {std::move(array), std::move(owner), std::move(file)};
    values.assign(array.bytes.begin(), array.bytes.end());
  }
  if (const std::ptrdiff_t width = size_of_dtype(array.type); width > 1)
    for (auto at = values.begin(); at != values.end(); at += width) std::reverse(at, at + width);
  return keep(array.type, std::move(array.extents), std::move(values), std::move(file));
}
/// The array of an idx file.
inline kept_array read_idx(const std::filesystem::path& path, inflate_function inflate = nullptr) {
  auto file = std::make_shared<const input_file>(path);
  return read_idx(file->bytes(), file->name(), file, inflate);
}

}  // namespace etch::format
