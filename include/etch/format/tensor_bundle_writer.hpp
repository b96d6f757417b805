// SPDX-License-Identifier: MIT
#pragma once
#include <set>

#include <etch/format/tensor_bundle.hpp>

/// Writes TensorFlow's checkpoints of version 2.
namespace etch::format {

namespace detail {

/// Writes a tensor's bytes; gives their checksum, which is not masked.
inline std::uint32_t write_bundle_tensor(output_file& to, const named_tensor& t) {
  std::uint32_t checksum = 0;
  if (!t.are_strings()) {
    // As much at a time as the second cache holds, so that it is read from memory once.
    constexpr std::size_t part = 1 << 19;
    for (std::span<const std::byte> left = t.array.bytes; !left.empty(); left = left.subspan(std::min(part, left.size()))) {
      const auto bytes = left.first(std::min(part, left.size()));
      checksum = crc32c(bytes, checksum);
      to.write(bytes);
    }
    return checksum;
  }
  std::string lengths;
  for (const std::string& s : t.strings) {
    append_varint(lengths, s.size());
    checksum = checksum_of_length(s.size(), checksum);
  }
  const std::uint32_t of_lengths = masked_crc32c(checksum);
  to.write(lengths);
  to.write(std::as_bytes(std::span(&of_lengths, 1)));
  checksum = crc32c(std::as_bytes(std::span(&of_lengths, 1)), checksum);
  for (const std::string& s : t.strings) {
    to.write(s);
    checksum = crc32c(std::as_bytes(std::span(s)), checksum);
  }
  return checksum;
}

/// How many data files the checkpoint of this prefix has that is there; 0 where there is none that can be read.
inline std::int64_t shards_before(const std::filesystem::path& prefix) {
  try {
    return tensor_bundle_reader(prefix).shards();
  } catch (const error&) {
    return 0;
  }
}

}  // namespace detail

/// Writes `prefix.index` and a data file. A checkpoint of this prefix that was there is there until the new one is whole. Throws `etch::error` for names that are empty, given twice
/// or longer than 65,535 bytes, and as `output_file` does.
inline void write_tensor_bundle(const std::filesystem::path& prefix, const std::vector<named_tensor>& tensors) {
  const std::string file = prefix.string();
  std::vector<const named_tensor*> order;
  for (const named_tensor& t : tensors) {
    if (t.name.empty() || t.name.size() > detail::longest_table_key)
      fail("%s: a tensor's name has %zu bytes", file.c_str(), t.name.size());
    if (t.array.type == dtype::none && !t.are_strings())
      fail("%s: tensor \"%s\" is %s", file.c_str(), t.name.c_str(), t.type_text().c_str());
    order.push_back(&t);
  }
  std::ranges::sort(order, {}, [](const named_tensor* t) { return std::string_view(t->name); });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i]->name == order[i - 1]->name) fail("%s: there are two tensors \"%s\"", file.c_str(), order[i]->name.c_str());

  // All bytes are in one data file, of one or of two: another name than that of the checkpoint that is there, which so stays whole until the
  // new index takes the place of its own.
  const std::int64_t before = detail::shards_before(prefix), shards = before == 1 ? 2 : 1;
  output_file data(detail::bundle_data(prefix, 0, shards)), index(detail::bundle_index(prefix));
  sorted_table_writer table(index);
  std::string bytes;
  protobuf_writer entry(bytes);
  entry.integer(1, shards);
  entry.message(3, [&] { entry.integer(1, 1); });
  table.add("", bytes);
  for (const named_tensor* t : order) {
    const std::size_t offset = data.size();
    const std::uint32_t checksum = detail::write_bundle_tensor(data, *t);
    const auto type = std::ranges::find(detail::tensorflow_types, t->type_name,
                                        [](const detail::tensorflow_type& b) { return std::string(b.name); });
    bytes.clear();
    entry.integer(1, type->code);
    entry.message(2, [&] {
      for (const std::int64_t extent : t->array.extents) entry.message(2, [&] { entry.nonzero(1, extent); });
    });
    entry.nonzero(4, static_cast<std::int64_t>(offset));
    entry.nonzero(5, static_cast<std::int64_t>(data.size() - offset));
    entry.fixed32(6, masked_crc32c(checksum));
    table.add(t->name, bytes);
  }
  table.finish();
  data.commit();
  index.commit();
  std::error_code ignored;
  for (std::int64_t shard = 0; shard < std::min<std::int64_t>(before, 100'000); ++shard)
    std::filesystem::remove(detail::bundle_data(prefix, shard, before), ignored);
}

}  // namespace etch::format
