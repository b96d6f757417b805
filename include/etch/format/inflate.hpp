// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include <zlib.h>

#include <etch/format/byte_reader.hpp>
#include <etch/format/compression.hpp>

namespace etch::format {

/// Decompresses by zlib (link with it). Of gzip all members, one after another. See `inflate_function`.
inline std::vector<std::byte> inflate(std::span<const std::byte> packed, framing around, std::size_t most, const std::string& file,
                                      std::size_t offset = 0) {
  struct stream : z_stream {
    stream() : z_stream{} {}
    ~stream() { inflateEnd(this); }
  } s;
  const byte_reader reader(packed, file, offset);
  if (inflateInit2(&s, around == framing::gzip ? 15 + 16 : -15) != Z_OK) reader.wrong("zlib has no memory to unpack it");
  constexpr std::size_t chunk = std::size_t{1} << 30;  // zlib counts in unsigned
  std::vector<std::byte> unpacked(std::min(most, std::size_t{1} << 16));
  std::size_t in = 0, out = 0;
  while (out < most) {
    if (out == unpacked.size()) unpacked.resize(std::min(most, 2 * out));
    const auto given = static_cast<uInt>(std::min(packed.size() - in, chunk)),
               room = static_cast<uInt>(std::min(unpacked.size() - out, chunk));
    // zlib reads through a pointer without const.
    s.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data() + in));
    s.avail_in = given;
    s.next_out = reinterpret_cast<Bytef*>(unpacked.data() + out);
    s.avail_out = room;
    const int status = ::inflate(&s, Z_NO_FLUSH);
    in += given - s.avail_in;
    out += room - s.avail_out;
    if (status == Z_STREAM_END) {
      if (in == packed.size()) break;
      if (around != framing::gzip || !is_gzip(packed.subspan(in)))
        reader.wrong_at(offset + in, "%zu bytes follow the compressed data", packed.size() - in);
      inflateReset(&s);
    } else if (in == packed.size() && out < unpacked.size()) {
      reader.wrong_at(offset + in, "the compressed data is cut off, after %zu bytes of what it holds", out);
    } else if (status != Z_OK) {
      reader.wrong_at(offset + in, "the compressed data is corrupt: %s", s.msg != nullptr ? s.msg : zError(status));
    }
  }
  unpacked.resize(out);
  return unpacked;
}

}  // namespace etch::format
