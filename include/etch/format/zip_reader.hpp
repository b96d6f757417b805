// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include <etch/format/byte_reader.hpp>
#include <etch/format/compression.hpp>
#include <etch/format/crc32.hpp>
#include <etch/format/quoted_text.hpp>

namespace etch::format {

struct zip_member {
  std::string name;
  bool is_deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t packed_size = 0, size = 0;
  std::uint64_t header = 0;  ///< where its local header begins
};

/// A zip archive (PKWARE's APPNOTE 6.3, with zip64) by its directory. It refers to the archive's bytes. Throws `etch::error` with the file
/// and the byte where these are no such archive, or one in several files, of names that are there twice, or encrypted.
class zip_reader {
 public:
  /// `inflate`: for members that are deflated.
  zip_reader(std::span<const std::byte> bytes, std::string file, inflate_function inflate = nullptr)
      : bytes_(bytes), file_(std::move(file)), inflate_(inflate) {
    read_directory();
  }

  const std::vector<zip_member>& members() const { return members_; }
  const zip_member* find(const std::string& name) const {
    const auto at = numbers_.find(name);
    return at == numbers_.end() ? nullptr : &members_[at->second];
  }

  struct contents {
    std::span<const std::byte> bytes;
    std::vector<std::byte> unpacked;  ///< they lie there, unless they are in the archive as they are
    std::size_t offset = 0;           ///< in the archive
  };
  /// A member's bytes, of which the checksum is right.
  contents read(const zip_member& m) const {
    contents c;
    c.offset = static_cast<std::size_t>(m.header);
    const std::span<const std::byte> packed = packed_bytes(m, c.offset);
    c.bytes = packed;
    if (m.is_deflated) {
      if (inflate_ == nullptr)
        wrong(c.offset, "%s is deflated: give format::inflate of <etch/format/inflate.hpp>", quoted_text(m.name).c_str());
      c.unpacked = inflate_(packed, framing::none, static_cast<std::size_t>(std::min<std::uint64_t>(m.size, SIZE_MAX - 1) + 1),
                            file_, c.offset);
      c.bytes = c.unpacked;
    }
    if (c.bytes.size() != m.size)
      wrong(c.offset, "%s has %s%zu bytes, in the directory it has %llu", quoted_text(m.name).c_str(),
            c.bytes.size() > m.size ? "at least " : "", c.bytes.size(), static_cast<unsigned long long>(m.size));
    if (const std::uint32_t crc = crc32(c.bytes); crc != m.crc)
      wrong(c.offset, "%s has the CRC-32 %08x, in the directory it has %08x", quoted_text(m.name).c_str(),
            static_cast<unsigned>(crc), static_cast<unsigned>(m.crc));
    return c;
  }

 private:
  static constexpr std::size_t end_size = 22, locator_size = 20, end64_size = 56, entry_size = 46;

  template <class... A>
  [[noreturn]] void wrong(std::size_t offset, const char* format, const A&... arguments) const {
    byte_reader(bytes_, file_).wrong_at(offset, format, arguments...);
  }
  byte_reader reader_at(std::size_t begin) const { return byte_reader(bytes_.subspan(begin), file_, begin); }
  void expect_magic(byte_reader& reader, std::uint32_t magic, const char* what) const {
    const std::size_t at = reader.offset();
    if (reader.left() < 4 || reader.take_little<std::uint32_t>(what) != magic) wrong(at, "here is %s expected", what);
  }

  /// Where the end of the directory begins: in front of a comment.
  std::size_t find_end() const {
    for (std::size_t comment = 0; comment <= 0xffff && comment + end_size <= bytes_.size(); ++comment) {
      byte_reader reader = reader_at(bytes_.size() - end_size - comment);
      const std::size_t at = reader.offset();
      if (reader.take_little<std::uint32_t>("") != 0x06054b50u) continue;
      reader.take(16, "");
      if (reader.take_little<std::uint16_t>("") == comment) return at;
    }
    wrong(bytes_.size(), "it is no zip archive, or cut off: it does not end with a directory");
  }
  void read_directory() {
    std::size_t behind = find_end();
    byte_reader end = reader_at(behind + 4);
    const auto disk = end.take_little<std::uint16_t>(""), disk_of_directory = end.take_little<std::uint16_t>("");
    std::uint64_t count = end.take_little<std::uint16_t>(""), count_of_all = end.take_little<std::uint16_t>("");
    std::uint64_t size = end.take_little<std::uint32_t>(""), begin = end.take_little<std::uint32_t>("");
    if (disk != disk_of_directory || (disk != 0 && disk != 0xffff)) wrong(behind + 4, "it is one of several files of an archive");
    if (count_of_all == 0xffff || size == 0xffffffffu || begin == 0xffffffffu) {
      if (behind < locator_size + end64_size) wrong(behind, "here is the end of a zip64 directory expected");
      byte_reader locator = reader_at(behind - locator_size);
      expect_magic(locator, 0x07064b50u, "the place of a zip64 directory");
      locator.take(4, "");
      const auto end64 = locator.take_little<std::uint64_t>("");
      if (end64 > behind - locator_size - end64_size) wrong(locator.offset() - 8, "the zip64 directory's end lies outside");
      behind = static_cast<std::size_t>(end64);
      byte_reader fields = reader_at(behind);
      expect_magic(fields, 0x06064b50u, "the end of a zip64 directory");
      fields.take(20, "");
      count = fields.take_little<std::uint64_t>("");
      count_of_all = fields.take_little<std::uint64_t>("");
      size = fields.take_little<std::uint64_t>("");
      begin = fields.take_little<std::uint64_t>("");
    }
    if (count != count_of_all) wrong(behind, "it is one of several files of an archive");
    if (size > behind || begin != behind - size)
      wrong(behind, "the directory has %llu bytes from byte %llu on, and ends at byte %zu", static_cast<unsigned long long>(size),
            static_cast<unsigned long long>(begin), behind);
    if (count > size / entry_size)
      wrong(behind, "a directory of %llu bytes has not %llu members", static_cast<unsigned long long>(size),
            static_cast<unsigned long long>(count));
    directory_ = static_cast<std::size_t>(begin);
    byte_reader entries(bytes_.subspan(directory_, static_cast<std::size_t>(size)), file_, directory_);
    for (std::uint64_t i = 0; i < count; ++i) read_entry(entries);
    if (!entries.is_at_end()) entries.wrong("%zu bytes follow the directory's %zu members", entries.left(), members_.size());
  }
  void read_entry(byte_reader& r) {
    const std::size_t at = r.offset();
    expect_magic(r, 0x02014b50u, "a member of the directory");
    r.take(4, "a member's versions");
    zip_member m;
    const auto flags = r.take_little<std::uint16_t>("a member's flags"), method = r.take_little<std::uint16_t>("a member's method");
    r.take(4, "a member's time");
    m.crc = r.take_little<std::uint32_t>("a member's checksum");
    m.packed_size = r.take_little<std::uint32_t>("a member's size");
    m.size = r.take_little<std::uint32_t>("a member's size");
    const auto name = r.take_little<std::uint16_t>("a name's size"), extra = r.take_little<std::uint16_t>("the extra fields' size"),
               comment = r.take_little<std::uint16_t>("a comment's size");
    r.take(8, "a member's attributes");
    m.header = r.take_little<std::uint32_t>("a member's place");
    m.name = r.take_text(name, "a name");
    read_extra(byte_reader(r.take(extra, "extra fields"), file_, r.offset() - extra), m);
    r.take(comment, "a comment");
    if (flags & 1) wrong(at, "%s is encrypted", quoted_text(m.name).c_str());
    if (method != 0 && method != 8)
      wrong(at, "%s is compressed by method %u, read are 0 (stored) and 8 (deflated)", quoted_text(m.name).c_str(),
            unsigned{method});
    m.is_deflated = method == 8;
    if (m.header > directory_) wrong(at, "%s lies outside", quoted_text(m.name).c_str());
    if (!numbers_.emplace(m.name, members_.size()).second) wrong(at, "%s is there twice", quoted_text(m.name).c_str());
    members_.push_back(std::move(m));
  }
  /// What does not fit 32 bits stands in a field of its own.
  void read_extra(byte_reader r, zip_member& m) const {
    while (!r.is_at_end()) {
      const auto id = r.take_little<std::uint16_t>("an extra field"), size = r.take_little<std::uint16_t>("an extra field");
      byte_reader field(r.take(size, "an extra field"), file_, r.offset() - size);
      if (id != 1) continue;
      for (std::uint64_t* wide : {&m.size, &m.packed_size, &m.header})
        if (*wide == 0xffffffffu) *wide = field.take_little<std::uint64_t>("a size of 64 bits");
    }
  }
  /// `at`: of the header, becomes that of the bytes.
  std::span<const std::byte> packed_bytes(const zip_member& m, std::size_t& at) const {
    byte_reader r(bytes_.subspan(at, directory_ - at), file_, at);
    expect_magic(r, 0x04034b50u, "a member");
    r.take(4, "a member's header");
    const auto method = r.take_little<std::uint16_t>("a member's method");
    r.take(16, "a member's header");
    const auto name = r.take_little<std::uint16_t>("a name's size"), extra = r.take_little<std::uint16_t>("the extra fields' size");
    if (r.take_text(name, "a name") != m.name || method != (m.is_deflated ? 8 : 0))
      wrong(at, "here lies another member than %s, which the directory has here", quoted_text(m.name).c_str());
    r.take(extra, "extra fields");
    at = r.offset();
    if (m.packed_size > r.left())
      r.wrong("%s has %llu bytes, of which %zu are there", quoted_text(m.name).c_str(),
              static_cast<unsigned long long>(m.packed_size), r.left());
    return r.take(static_cast<std::size_t>(m.packed_size), "a member");
  }

  std::span<const std::byte> bytes_;
  std::string file_;
  inflate_function inflate_;
  std::size_t directory_ = 0;  ///< where it begins
  std::vector<zip_member> members_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace etch::format
