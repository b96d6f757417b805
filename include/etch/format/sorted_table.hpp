// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <etch/format/crc32c.hpp>
#include <etch/format/output_file.hpp>
#include <etch/format/protobuf.hpp>

/// LevelDB's sorted table: keys in ascending order of their bytes with values, in blocks that have checksums; the index of TensorFlow's
/// checkpoints. A block is a list of entries (how many bytes of the key are those of the last key, how many others, how many of the value,
/// these others, the value), the places of entries with whole keys, and how many of these there are.
namespace etch::format {

namespace detail {
inline constexpr std::uint64_t sorted_table_magic = 0xdb4775248b80fb57;
inline constexpr std::size_t table_footer_size = 48, table_trailer_size = 5, longest_table_key = 65'535;
/// Of all keys together: one that shares nearly all of its bytes with the last takes 5 bytes of a file.
inline constexpr std::size_t most_key_bytes = std::size_t{1} << 28;

/// Of a block and the byte behind it, which says how it is compressed.
inline std::uint32_t table_checksum(std::span<const std::byte> block_and_kind) { return masked_crc32c(crc32c(block_and_kind)); }
}  // namespace detail

/// One entry; the value lies in the file.
struct table_entry {
  std::string key;
  std::span<const std::byte> value;
  std::size_t offset = 0;  ///< of the value
};

/// All entries of a table. Throws `etch::error` with the file and the offset where a block's checksum or its structure is wrong.
inline std::vector<table_entry> read_sorted_table(std::span<const std::byte> file, const std::string& name) {
  const byte_reader whole(file, name);
  const auto part = [&](std::size_t begin, std::size_t size) { return byte_reader(file.subspan(begin, size), name, begin); };
  if (file.size() < detail::table_footer_size)
    whole.wrong_at(0, "a sorted table has at least %zu bytes, this file %zu", detail::table_footer_size, file.size());
  byte_reader footer = part(file.size() - detail::table_footer_size, detail::table_footer_size);
  byte_reader end = part(file.size() - 8, 8);
  if (end.take_little<std::uint64_t>("the magic number") != detail::sorted_table_magic)
    end.wrong_at(file.size() - 8, "this is not the end of a sorted table");

  // What a handle says: where a block is. Calls entry(e) for each of its entries.
  const auto read_block = [&](byte_reader handle, std::optional<std::string>& last, const auto& entry) {
    const std::size_t at = handle.offset();
    const std::uint64_t begin = take_varint(handle, "the place of a block"), size = take_varint(handle, "the size of a block");
    const std::size_t room = file.size() - detail::table_footer_size;
    if (begin > room || size > room - begin || room - begin - size < detail::table_trailer_size)
      whole.wrong_at(at, "a block has bytes %llu to %llu of %zu", static_cast<unsigned long long>(begin),
                     static_cast<unsigned long long>(begin + size), room);
    byte_reader block = part(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
    byte_reader trailer = part(static_cast<std::size_t>(begin + size), detail::table_trailer_size);
    const auto kind = trailer.take_little<std::uint8_t>("a block's kind");
    const auto checksum = trailer.take_little<std::uint32_t>("a block's checksum");
    if (checksum != detail::table_checksum(file.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(size) + 1)))
      block.wrong("a block of %llu bytes has another checksum than is written behind it", static_cast<unsigned long long>(size));
    if (kind != 0) block.wrong("a block is compressed, by method %d", kind);

    if (size < 4) block.wrong("a block has %llu bytes, at least 4", static_cast<unsigned long long>(size));
    byte_reader count = part(static_cast<std::size_t>(begin + size) - 4, 4);
    const std::uint64_t restarts = count.take_little<std::uint32_t>("the number of restarts");
    if (restarts > (size - 4) / 4) block.wrong("a block has %llu restarts", static_cast<unsigned long long>(restarts));
    byte_reader entries = part(static_cast<std::size_t>(begin), static_cast<std::size_t>(size - 4 - 4 * restarts));
    for (std::string key; !entries.is_at_end();) {
      const std::size_t entry_at = entries.offset();
      const std::uint64_t shared = take_varint(entries, "a key's shared bytes"),
                          others = take_varint(entries, "a key's other bytes");
      const std::uint64_t value_size = take_varint(entries, "a value's size");
      if (shared > key.size() || others > detail::longest_table_key || shared + others > detail::longest_table_key)
        entries.wrong_at(entry_at, "a key has %llu bytes of the last one, which has %zu, and %llu others",
                         static_cast<unsigned long long>(shared), key.size(), static_cast<unsigned long long>(others));
      key.resize(static_cast<std::size_t>(shared));
      key += entries.take_text(static_cast<std::size_t>(others), "a key");
      if (last && key <= *last)
        entries.wrong_at(entry_at, "the keys \"%s\" and \"%s\" are not in order", last->c_str(), key.c_str());
      last = key;
      const std::size_t offset = entries.offset();
      entry(table_entry{key, entries.take(static_cast<std::size_t>(value_size), "a value"), offset});
    }
  };

  std::vector<table_entry> found;
  take_varint(footer, "the place of the other index");  // of LevelDB's filters, which TensorFlow does not have
  take_varint(footer, "the size of the other index");
  std::optional<std::string> last_of_index, last;
  std::size_t key_bytes = 0;
  read_block(footer, last_of_index, [&](const table_entry& block) {
    read_block(byte_reader(block.value, name, block.offset), last, [&](table_entry e) {
      key_bytes += e.key.size();
      if (key_bytes > detail::most_key_bytes) whole.wrong_at(e.offset, "the keys have more than %zu bytes", detail::most_key_bytes);
      found.push_back(std::move(e));
    });
    if (last && *last > block.key) whole.wrong_at(block.offset, "a block goes on behind its last key \"%s\"", block.key.c_str());
  });
  return found;
}

/// Writes a table; keys come in ascending order.
class sorted_table_writer {
 public:
  explicit sorted_table_writer(output_file& to) : to_(&to) {}

  void add(std::string_view key, std::string_view value) {
    data_.add(key, value, 16);
    if (data_.size() >= 262'144) end_block();
  }
  /// The end of the table; the file is not committed.
  void finish() {
    if (data_.size() > 0) end_block();
    std::string footer = write(block{});
    footer += write(index_);
    footer.resize(detail::table_footer_size - 8);
    for (int shift = 0; shift < 64; shift += 8) footer += static_cast<char>(detail::sorted_table_magic >> shift);
    to_->write(footer);
  }

 private:
  class block {
   public:
    void add(std::string_view key, std::string_view value, std::size_t restart_interval) {
      std::size_t shared = 0;
      if (count_++ % restart_interval == 0)
        restarts_.push_back(static_cast<std::uint32_t>(entries_.size()));
      else
        while (shared < std::min(key.size(), last_.size()) && key[shared] == last_[shared]) ++shared;
      append_varint(entries_, shared);
      append_varint(entries_, key.size() - shared);
      append_varint(entries_, value.size());
      entries_ += key.substr(shared);
      entries_ += value;
      last_ = key;
    }
    std::size_t size() const { return entries_.size(); }
    const std::string& last() const { return last_; }
    std::string bytes() const {
      std::string all = entries_;
      std::vector<std::uint32_t> numbers = restarts_;
      if (numbers.empty()) numbers.push_back(0);
      numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
      for (const std::uint32_t n : numbers)
        for (int shift = 0; shift < 32; shift += 8) all += static_cast<char>(n >> shift);
      return all;
    }

   private:
    std::string entries_, last_;
    std::vector<std::uint32_t> restarts_;
    std::size_t count_ = 0;
  };

  /// Its handle: where it is, and its size.
  std::string write(const block& b) {
    std::string handle, bytes = b.bytes();
    append_varint(handle, to_->size());
    append_varint(handle, bytes.size());
    bytes += '\0';
    const std::uint32_t checksum = detail::table_checksum(std::as_bytes(std::span(bytes)));
    to_->write(bytes);
    to_->write(std::as_bytes(std::span(&checksum, 1)));
    return handle;
  }
  void end_block() {
    index_.add(data_.last(), write(data_), 1);
    data_ = {};
  }

  output_file* to_;
  block data_, index_;
};

}  // namespace etch::format
