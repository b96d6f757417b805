// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

namespace etch::format {

/// A file's text in an error, in one line: `"descr\x0a"`, of more than `most` bytes the first and dots.
inline std::string quoted_text(std::string_view text, std::size_t most = 40) {
  std::string result = "\"";
  for (const char c : text.substr(0, most)) {
    constexpr const char* digits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(c);
    if (code >= 32 && code != 127)
      result += c;
    else
      result += {'\\', 'x', digits[code >> 4], digits[code & 15]};
  }
  return result + (text.size() > most ? "\"..." : "\"");
}

}  // namespace etch::format
