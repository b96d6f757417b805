// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include <zlib.h>

/// Reads idx files, the format of MNIST and Fashion-MNIST: a big-endian header (0x00 0x00, the type, the number of
/// axes, then one 32-bit extent per axis) and the values in row-major order. Link with zlib.
namespace data {

/// A data set that cannot be used; the text is one sentence that names the file or folder.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An array of unsigned bytes: `values` is row-major and holds as many bytes as the product of `shape`.
struct idx {
  std::vector<std::uint32_t> shape;
  std::vector<std::uint8_t> values;
};

namespace detail {

inline std::string quoted(const std::filesystem::path& path) { return '"' + path.string() + '"'; }

/// "0x00000803"
inline std::string hexadecimal(std::uint32_t number) {
  std::array<char, 11> text{};
  std::snprintf(text.data(), text.size(), "0x%08x", static_cast<unsigned>(number));
  return text.data();
}

/// "[60000, 28, 28]"
inline std::string shape_text(std::span<const std::uint32_t> shape) {
  std::string text = "[";
  for (const std::uint32_t extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + ']';
}

/// The bytes of a file, decompressed if it is gzip-compressed.
class gzip_reader {
 public:
  explicit gzip_reader(const std::filesystem::path& path) : path_(path) {
    errno = 0;
    file_.reset(gzopen(path.string().c_str(), "rb"));
    if (!file_) fail("cannot be opened: " + system_message(errno != 0 ? errno : ENOMEM));
    gzbuffer(file_.get(), 1u << 17);
  }

  /// Fills `bytes` as far as the file goes and returns the number of bytes read; throws `error` if the file cannot be
  /// read, is corrupt or is cut off. zlib checks the length and the CRC only when it is asked for a byte past the end.
  std::size_t read(std::span<std::uint8_t> bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in int
    std::size_t done = 0;
    while (done < bytes.size()) {
      const auto wanted = static_cast<unsigned>(std::min(bytes.size() - done, most));
      errno = 0;
      const int got = gzread(file_.get(), bytes.data() + done, wanted);
      const int system_error = errno;
      int status = Z_OK;
      const char* const text = gzerror(file_.get(), &status);  // gzread returns what came before the damage
      if (status == Z_BUF_ERROR) fail("is a gzip file that is cut off before its end");
      if (status == Z_DATA_ERROR) fail("is a corrupt gzip file: " + without_path(text));
      if (status == Z_ERRNO) fail("cannot be read: " + system_message(system_error));
      if (status != Z_OK || got < 0) fail("cannot be read: " + without_path(text));
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  [[noreturn]] void fail(const std::string& what) const { throw error(quoted(path_) + ' ' + what); }

 private:
  struct close_file {
    void operator()(gzFile file) const noexcept { gzclose_r(file); }
  };

  static std::string system_message(int number) { return std::generic_category().message(number); }

  /// zlib begins its messages with the path.
  std::string without_path(const std::string& text) const {
    const std::string prefix = path_.string() + ": ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }

  std::filesystem::path path_;
  std::unique_ptr<std::remove_pointer_t<gzFile>, close_file> file_;
};

}  // namespace detail

/// The array of unsigned bytes in the idx file at `path`, gzip-compressed or plain. `axes` (1 to 255) is the number of
/// axes it must have, and `most` the largest number of bytes that is believed. Throws `error` if the file is missing,
/// unreadable, corrupt or cut off, has another magic number, or holds fewer or more bytes than its header says.
inline idx read_idx(const std::filesystem::path& path, std::uint8_t axes, std::uint64_t most = std::uint64_t{1} << 32) {
  detail::gzip_reader file(path);
  const auto read_number = [&] {
    std::array<std::uint8_t, 4> bytes{};
    if (file.read(bytes) < bytes.size()) file.fail("ends inside its idx header");
    std::uint32_t number = 0;
    for (const std::uint8_t byte : bytes) number = number << 8 | byte;
    return number;
  };

  const std::uint32_t expected = 0x0800u | axes;
  if (const std::uint32_t magic = read_number(); magic != expected)
    file.fail("has the wrong magic number: got " + detail::hexadecimal(magic) + ", expected " + detail::hexadecimal(expected) +
              " (idx, unsigned bytes, axes: " + std::to_string(axes) + ")");

  idx out;
  for (unsigned axis = 0; axis < axes; ++axis) out.shape.push_back(read_number());
  std::uint64_t total = std::ranges::find(out.shape, 0u) == out.shape.end() ? 1 : 0;
  for (const std::uint32_t extent : out.shape) {
    if (total != 0 && extent > most / total)
      file.fail("has a header that says the shape " + detail::shape_text(out.shape) + ", which is more than " +
                std::to_string(most) + " bytes");
    total *= extent;
  }

  // The header may lie, so memory grows with what has been read, not with what is promised.
  constexpr std::uint64_t first_block = std::uint64_t{1} << 20;
  while (out.values.size() < total) {
    const std::size_t before = out.values.size();
    out.values.resize(static_cast<std::size_t>(std::min(total, std::max<std::uint64_t>(first_block, 2 * before))));
    const std::size_t got = file.read(std::span(out.values).subspan(before));
    if (before + got < out.values.size())
      file.fail("holds fewer bytes than its header says: got " + std::to_string(before + got) + ", expected " +
                std::to_string(total) + " for the shape " + detail::shape_text(out.shape));
  }
  std::array<std::uint8_t, 1> beyond{};
  if (file.read(beyond) != 0)
    file.fail("holds more bytes than its header says: expected " + std::to_string(total) + " for the shape " +
              detail::shape_text(out.shape));
  return out;
}

}  // namespace data
