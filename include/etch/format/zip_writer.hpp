// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <unordered_set>

#include <etch/format/crc32.hpp>
#include <etch/format/output_file.hpp>
#include <etch/format/utf8.hpp>

namespace etch::format {

/// Writes a zip archive whose members are stored as they are, each from a byte on that 64 divides, so that who maps the file finds arrays
/// where vectors may be loaded. What has 4 GB or more is in the form of zip64.
class zip_writer {
 public:
  /// `wide_from`: sizes and places of 64 bits from this number on; smaller in tests.
  explicit zip_writer(output_file& file, std::uint64_t wide_from = 0xffffffffu) : file_(&file), wide_from_(wide_from) {}

  /// A member of these parts one behind another. Throws `etch::error` where its name is too long, no UTF-8, or was there before.
  void add(std::string_view name, std::initializer_list<std::span<const std::byte>> parts) {
    if (name.size() > 0xffff)
      fail("%s: the name of a member has %zu bytes, at most 65535 are written", file_->name().c_str(), name.size());
    if (utf8_end(name) != name.size())
      fail("%s: the name \"%s\" of a member is not UTF-8", file_->name().c_str(), std::string(name).c_str());
    if (!names_.emplace(name).second)
      fail("%s: a member \"%s\" is there already", file_->name().c_str(), std::string(name).c_str());
    member m{std::string(name), 0, 0, file_->size()};
    for (const auto part : parts) {
      m.crc = crc32(part, m.crc);
      m.size += part.size();
    }
    const bool is_wide = m.size >= wide_from_;
    const std::size_t wide_field = is_wide ? 20 : 0;
    // A field of the number and form that Android's zipalign has for it: the alignment, and bytes 0.
    const std::uint64_t front = m.header + 30 + name.size() + wide_field + 6;
    const auto padding = static_cast<std::uint16_t>((alignment - front % alignment) % alignment);
    little<std::uint32_t>(0x04034b50u);
    write_common(m, is_wide);
    little<std::uint16_t>(name.size());
    little<std::uint16_t>(wide_field + 6u + padding);
    file_->write(name);
    if (is_wide) write_wide({m.size, m.size});
    little<std::uint16_t>(0xd935u);
    little<std::uint16_t>(2u + padding);
    little<std::uint16_t>(alignment);
    file_->write(std::string(padding, '\0'));
    for (const auto part : parts) file_->write(part);
    members_.push_back(std::move(m));
  }
  /// Writes the directory, behind which nothing follows.
  void finish() {
    const std::uint64_t begin = file_->size();
    for (const member& m : members_) {
      const bool is_wide = m.size >= wide_from_ || m.header >= wide_from_;
      little<std::uint32_t>(0x02014b50u);
      little<std::uint16_t>(3 << 8 | version_of(is_wide));  // by Unix
      write_common(m, is_wide);
      little<std::uint16_t>(m.name.size());
      little<std::uint16_t>(is_wide ? 28u : 0u);
      file_->write(std::string(6, '\0'));                   // comment, disk, attributes
      little<std::uint32_t>(std::uint64_t{0100644} << 16);  // a file that all may read
      little<std::uint32_t>(is_wide ? 0xffffffffu : m.header);
      file_->write(m.name);
      if (is_wide) write_wide({m.size, m.size, m.header});
    }
    const std::uint64_t end = file_->size(), size = end - begin, count = members_.size();
    const bool is_wide = end >= wide_from_ || count >= std::min<std::uint64_t>(wide_from_, 0xffff);
    if (is_wide) {
      little<std::uint32_t>(0x06064b50u);
      little<std::uint64_t>(44);
      little<std::uint16_t>(3 << 8 | 45);
      little<std::uint16_t>(45);
      little<std::uint64_t>(0);
      for (const std::uint64_t field : {count, count, size, begin}) little<std::uint64_t>(field);
      little<std::uint32_t>(0x07064b50u);
      little<std::uint32_t>(0);
      little<std::uint64_t>(end);
      little<std::uint32_t>(1);
    }
    little<std::uint32_t>(0x06054b50u);
    little<std::uint32_t>(0);
    for (int i = 0; i < 2; ++i) little<std::uint16_t>(is_wide ? 0xffffu : count);
    little<std::uint32_t>(is_wide ? 0xffffffffu : size);
    little<std::uint32_t>(is_wide ? 0xffffffffu : begin);
    little<std::uint16_t>(0);
  }

 private:
  struct member {
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t size = 0, header = 0;
  };
  static constexpr std::uint64_t alignment = 64;
  static constexpr unsigned version_of(bool is_wide) { return is_wide ? 45 : 20; }

  /// A number with its lowest byte first.
  template <class T>
  void little(std::uint64_t value) {
    static_assert(std::endian::native == std::endian::little);
    const auto narrow = static_cast<T>(value);
    file_->write(std::as_bytes(std::span(&narrow, 1)));
  }
  /// From the version that is needed to the sizes: the same in front of a member and in the directory.
  void write_common(const member& m, bool is_wide) {
    little<std::uint16_t>(version_of(is_wide));
    little<std::uint16_t>(1 << 11);  // the name is UTF-8
    little<std::uint16_t>(0);        // stored
    little<std::uint16_t>(0);
    little<std::uint16_t>(1 << 5 | 1);  // 1980-01-01: the same arrays are the same bytes
    little<std::uint32_t>(m.crc);
    for (int i = 0; i < 2; ++i) little<std::uint32_t>(is_wide ? 0xffffffffu : m.size);
  }
  void write_wide(std::initializer_list<std::uint64_t> numbers) {
    little<std::uint16_t>(1);
    little<std::uint16_t>(8 * numbers.size());
    for (const std::uint64_t n : numbers) little<std::uint64_t>(n);
  }

  output_file* file_;
  std::uint64_t wide_from_;
  std::vector<member> members_;
  std::unordered_set<std::string> names_;
};

}  // namespace etch::format
