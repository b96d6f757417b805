// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <map>

#include <etch/format/input_file.hpp>
#include <etch/format/named_tensor.hpp>
#include <etch/format/sorted_table.hpp>
#include <etch/format/tensorflow_type.hpp>

/// Reads TensorFlow's checkpoints of version 2, "tensor bundles": `name.index`, a sorted table with the dtype, the shape and the place of each
/// tensor, and `name.data-00000-of-00001` and so on, their bytes.
namespace etch::format {

namespace detail {

inline constexpr int bundle_string = 7;

inline std::string bundle_index(const std::filesystem::path& prefix) { return prefix.string() + ".index"; }
inline std::string bundle_data(const std::filesystem::path& prefix, std::int64_t shard, std::int64_t shards) {
  char end[64];
  std::snprintf(end, sizeof end, ".data-%05lld-of-%05lld", static_cast<long long>(shard), static_cast<long long>(shards));
  return prefix.string() + end;
}

/// The checksum of strings' lengths, each as four bytes, or eight where it needs them.
inline std::uint32_t checksum_of_length(std::uint64_t length, std::uint32_t before) {
  return crc32c(std::as_bytes(std::span(&length, 1)).first(length > UINT32_MAX ? 8 : 4), before);
}

}  // namespace detail

/// A checkpoint by its prefix, `folder/ckpt-3`. Data files are mapped when a tensor of them is read. Throws `etch::error` with the file, the
/// offset and what is wrong.
class tensor_bundle_reader {
 public:
  explicit tensor_bundle_reader(const std::filesystem::path& prefix) : prefix_(prefix), index_(detail::bundle_index(prefix)) {
    bool is_first = true;
    for (const table_entry& e : read_sorted_table(index_.bytes(), index_.name())) {
      const protobuf_reader message(e.value, index_.name(), e.offset);
      if (std::exchange(is_first, false)) {
        if (!e.key.empty()) wrong(e.offset, "the first key is \"%s\", not the header's", e.key.c_str());
        read_header(message, e.offset);
      } else {
        read_entry(message, e);
      }
    }
    if (is_first) wrong(0, "the header is missing");
  }

  /// Of the file that lists the tensors.
  const std::string& name() const { return index_.name(); }
  /// Over how many data files the bytes are spread.
  std::int64_t shards() const { return shards_; }
  /// What there is, in the order of names, without bytes and strings.
  const std::vector<named_tensor>& tensors() const { return tensors_; }
  /// A tensor of `tensors()`, whose checksum is compared. Numbers of what etch has no dtype for, and tensors in slices, are an error.
  named_tensor read(std::size_t number) {
    const place& p = places_[number];
    named_tensor t = tensors_[number];
    const input_file& data = shard(p.shard);
    const char* name = t.name.c_str();
    if (p.has_slices) wrong(p.entry, "tensor \"%s\" is stored in slices", name);
    if (t.array.type == dtype::none && !t.are_strings())
      wrong(p.entry, "tensor \"%s\" is %s, which etch does not have", name, t.type_name.c_str());
    byte_reader bytes(data.bytes(), data.name());
    const std::size_t there = bytes.left();
    if (p.offset > there || p.size > there - p.offset)
      bytes.wrong_at(std::min(there, static_cast<std::size_t>(p.offset)),
                     "tensor \"%s\" has bytes %llu to %llu, but the file has %zu", name, static_cast<unsigned long long>(p.offset),
                     static_cast<unsigned long long>(p.offset + p.size), there);
    t.array.bytes = data.bytes().subspan(static_cast<std::size_t>(p.offset), static_cast<std::size_t>(p.size));
    std::uint32_t checksum = 0;
    if (t.are_strings())
      checksum = read_strings(t, data, static_cast<std::size_t>(p.offset));
    else
      checksum = crc32c(t.array.bytes);
    if (masked_crc32c(checksum) != p.checksum)
      bytes.wrong_at(static_cast<std::size_t>(p.offset), "tensor \"%s\" of %llu bytes has another checksum than %s says", name,
                     static_cast<unsigned long long>(p.size), index_.name().c_str());
    if (t.array.type == dtype::boolean && std::ranges::any_of(t.array.bytes, [](std::byte b) { return b > std::byte{1}; }))
      bytes.wrong_at(static_cast<std::size_t>(p.offset), "tensor \"%s\" has a bool that is neither 0 nor 1", name);
    return t;
  }

 private:
  struct place {
    std::int64_t shard = 0;
    std::uint64_t offset = 0, size = 0;
    std::uint32_t checksum = 0;
    std::size_t entry = 0;  ///< its offset in the index
    bool has_slices = false;
  };

  void read_header(protobuf_reader header, std::size_t offset) {
    std::int64_t least_reader = 0;
    while (header.next()) {
      if (header.field() == 1) shards_ = header.signed_integer("the number of data files");
      if (header.field() == 2 && header.integer("the order of bytes") != 0) wrong(offset, "numbers have their highest byte first");
      if (header.field() != 3) continue;
      for (protobuf_reader version = header.message("the version"); version.next();)
        if (version.field() == 2) least_reader = version.signed_integer("the version of readers");
    }
    if (least_reader > 1) wrong(offset, "only readers of version %lld can read it", static_cast<long long>(least_reader));
    if (shards_ < 0 || shards_ > INT32_MAX) wrong(offset, "there are %lld data files", static_cast<long long>(shards_));
  }
  void read_entry(protobuf_reader message, const table_entry& e) {
    const char* name = e.key.c_str();
    place p;
    p.entry = e.offset;
    named_tensor t;
    t.name = e.key;
    std::int64_t code = 0;
    while (message.next()) {
      switch (message.field()) {
        case 1: code = message.signed_integer("a dtype"); break;
        case 2: read_shape(message.message("a shape"), t, e); break;
        case 3: p.shard = message.signed_integer("a data file's number"); break;
        case 4: p.offset = message.integer("an offset"); break;
        case 5: p.size = message.integer("a size"); break;
        case 6: p.checksum = message.fixed32("a checksum"); break;
        case 7: p.has_slices = true; break;
      }
    }
    const auto type = std::ranges::find(detail::tensorflow_types, code, [](const detail::tensorflow_type& b) { return b.code; });
    if (type == std::end(detail::tensorflow_types))
      wrong(e.offset, "tensor \"%s\" has a dtype of number %lld", name, static_cast<long long>(code));
    t.array.type = type->type;
    t.type_name = type->name;
    const std::int64_t elements = count_elements(t.array.extents);
    if (p.shard < 0 || p.shard >= shards_)
      wrong(e.offset, "tensor \"%s\" is in data file %lld of %lld", name, static_cast<long long>(p.shard),
            static_cast<long long>(shards_));
    if (elements < 0 || elements > INT64_MAX / 16 || p.offset > INT64_MAX || p.size > INT64_MAX)
      wrong(e.offset, "tensor \"%s\" has more elements than memory: %s", name, t.type_text().c_str());
    // A string has a length of at least one byte, and lengths have a checksum.
    const auto size = static_cast<std::int64_t>(p.size);
    const bool fits =
        t.are_strings() ? size - 4 >= elements : t.array.type == dtype::none || size == elements * size_of_dtype(t.array.type);
    if (!fits && !p.has_slices)
      wrong(e.offset, "tensor \"%s\" is %s, but has %lld bytes", name, t.type_text().c_str(), static_cast<long long>(size));
    tensors_.push_back(std::move(t));
    places_.push_back(p);
  }
  void read_shape(protobuf_reader shape, named_tensor& t, const table_entry& e) {
    while (shape.next()) {
      if (shape.field() == 3 && shape.integer("an unknown rank") != 0) wrong(e.offset, "tensor \"%s\" has no shape", e.key.c_str());
      if (shape.field() != 2) continue;
      std::int64_t extent = 0;
      for (protobuf_reader dim = shape.message("an extent"); dim.next();)
        if (dim.field() == 1) extent = dim.signed_integer("an extent");
      if (extent < 0) wrong(e.offset, "tensor \"%s\" has an extent of %lld", e.key.c_str(), static_cast<long long>(extent));
      t.array.extents.push_back(extent);
    }
  }
  /// Lengths, their checksum, and then the characters. Gives the checksum of it all.
  static std::uint32_t read_strings(named_tensor& t, const input_file& data, std::size_t offset) {
    byte_reader bytes(t.array.bytes, data.name(), offset);
    std::vector<std::uint64_t> lengths(static_cast<std::size_t>(count_elements(t.array.extents)));
    std::uint32_t checksum = 0;
    for (std::uint64_t& length : lengths)
      checksum = detail::checksum_of_length(length = take_varint(bytes, "a string's length"), checksum);
    const auto stored = bytes.take_little<std::uint32_t>("the checksum of lengths");
    if (stored != masked_crc32c(checksum)) bytes.wrong_at(offset, "the lengths of \"%s\" have another checksum", t.name.c_str());
    checksum = crc32c(std::as_bytes(std::span(&stored, 1)), checksum);
    const std::size_t text_at = bytes.offset() - offset;
    for (const std::uint64_t length : lengths)
      t.strings.emplace_back(bytes.take_text(static_cast<std::size_t>(length), "a string"));
    if (!bytes.is_at_end()) bytes.wrong("%zu bytes of \"%s\" belong to no string", bytes.left(), t.name.c_str());
    checksum = crc32c(t.array.bytes.subspan(text_at), checksum);
    t.array.bytes = {};
    return checksum;
  }
  const input_file& shard(std::int64_t number) {
    const auto found = data_.find(number);
    if (found != data_.end()) return found->second;
    return data_.emplace(number, input_file(detail::bundle_data(prefix_, number, shards_))).first->second;
  }
  template <class... A>
  [[noreturn, gnu::cold]] void wrong(std::size_t offset, const char* format, const A&... arguments) const {
    byte_reader({}, index_.name()).wrong_at(offset, format, arguments...);
  }

  std::filesystem::path prefix_;
  input_file index_;
  std::int64_t shards_ = 0;
  std::vector<named_tensor> tensors_;
  std::vector<place> places_;
  std::map<std::int64_t, input_file> data_;
};

}  // namespace etch::format
