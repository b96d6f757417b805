// SPDX-License-Identifier: MIT
#pragma once
#include <memory>

#include <etch/format/byte_reader.hpp>
#include <etch/format/compression.hpp>
#include <etch/format/input_file.hpp>
#include <etch/format/output_file.hpp>
#include <etch/format/record_framing.hpp>

/// TFRecord, TensorFlow's format of records of bytes: for each its size in 8 bytes, their checksum, the record, its checksum.
namespace etch::format {

/// Reads records by number. To open it reads and checks the sizes, which are a table then; a record's bytes are looked at when it is asked
/// for. Throws `etch::error` with the file and the byte where it is no such file, or cut off.
class tfrecord_file {
 public:
  /// `inflate`: `format::inflate` of `<etch/format/inflate.hpp>` for files that gzip has compressed, which are unpacked into memory.
  explicit tfrecord_file(const std::filesystem::path& path, inflate_function inflate = nullptr)
      : tfrecord_file(std::make_shared<const input_file>(path), inflate) {}
  /// In memory, which `owner` keeps.
  tfrecord_file(std::span<const std::byte> bytes, std::string file, std::shared_ptr<const void> owner,
                inflate_function inflate = nullptr)
      : bytes_(bytes), file_(std::move(file)), owner_(std::move(owner)) {
    if (is_gzip(bytes) && !begins_with_record(bytes)) unpack(inflate);
    read_sizes();
  }

  const std::string& name() const { return file_; }
  /// Of the file, or of what it holds unpacked.
  std::size_t size_in_bytes() const { return bytes_.size(); }
  std::int64_t size() const { return static_cast<std::int64_t>(records_.size()); }
  /// Record i, whose checksum is not looked at.
  std::span<const std::byte> unchecked_record(std::int64_t i) const {
    const place& p = records_[static_cast<std::size_t>(i)];
    return bytes_.subspan(p.begin, p.size);
  }
  /// Record i, of which the checksum is right; in the file's memory.
  std::span<const std::byte> record(std::int64_t i) const {
    const place& p = records_[static_cast<std::size_t>(i)];
    byte_reader reader(bytes_.subspan(p.begin), file_, p.begin);
    const std::span<const std::byte> bytes = reader.take(p.size, "a record");
    const auto expected = reader.take_little<std::uint32_t>("a record's checksum");
    if (const std::uint32_t found = record_checksum(bytes); found != expected)
      reader.wrong_at(p.begin, "record %lld has the checksum %08x, expected is %08x", static_cast<long long>(i),
                      static_cast<unsigned>(found), static_cast<unsigned>(expected));
    return bytes;
  }

 private:
  struct place {
    std::size_t begin = 0, size = 0;
  };
  static constexpr std::size_t front = 12, behind = 4;

  tfrecord_file(std::shared_ptr<const input_file> file, inflate_function inflate)
      : tfrecord_file(file->bytes(), file->name(), file, inflate) {}

  static bool is_size(byte_reader& reader, std::uint64_t& size) {
    const std::span<const std::byte> bytes = reader.take(8, "a record's size");
    std::memcpy(&size, bytes.data(), 8);
    return record_checksum(bytes) == reader.take_little<std::uint32_t>("a checksum");
  }
  bool begins_with_record(std::span<const std::byte> bytes) const {
    byte_reader reader(bytes, file_);
    std::uint64_t size = 0;
    return bytes.size() >= front && is_size(reader, size);
  }
  void unpack(inflate_function inflate) {
    if (inflate == nullptr) fail("%s: it is compressed: give format::inflate of <etch/format/inflate.hpp>", file_.c_str());
    auto unpacked = std::make_shared<const std::vector<std::byte>>(inflate(bytes_, framing::gzip, SIZE_MAX, file_, 0));
    bytes_ = *unpacked;
    owner_ = unpacked;
    file_ += ", unpacked";
  }
  void read_sizes() {
    for (byte_reader reader(bytes_, file_); !reader.is_at_end();) {
      const std::size_t at = reader.offset();
      if (reader.left() < front) reader.wrong("record %zu is cut off: %zu bytes are there", records_.size(), reader.left());
      std::uint64_t size = 0;
      if (!is_size(reader, size))
        reader.wrong_at(at, "here is no record number %zu: the checksum of its size is another", records_.size());
      if (size > reader.left() || reader.left() - size < behind)
        reader.wrong_at(at, "record %zu is cut off: it has %llu bytes and a checksum of 4, of which %zu are there", records_.size(),
                        static_cast<unsigned long long>(size), reader.left());
      records_.push_back({reader.offset(), static_cast<std::size_t>(size)});
      reader.take(static_cast<std::size_t>(size) + behind, "a record");
    }
  }

  std::span<const std::byte> bytes_;
  std::string file_;
  std::shared_ptr<const void> owner_;
  std::vector<place> records_;
};

/// Writes a file of records, which replaces one that there is at `commit`.
class tfrecord_writer {
 public:
  explicit tfrecord_writer(const std::filesystem::path& path) : file_(path) {}

  void add(std::span<const std::byte> record) {
    const std::uint32_t checksum = record_checksum(record);
    file_.write(record_front(record.size()));
    file_.write(record);
    file_.write(std::as_bytes(std::span(&checksum, 1)));
  }
  void add(std::string_view record) { add(std::as_bytes(std::span(record))); }
  void commit() { file_.commit(); }

 private:
  output_file file_;
};

}  // namespace etch::format
