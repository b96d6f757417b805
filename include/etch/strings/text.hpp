// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <string_view>

/// Strings as Python writes the bytes that TensorFlow's strings are.
namespace etch {

namespace strings::detail {
constexpr bool has(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }
}  // namespace strings::detail

/// `b'hello world'`: what Python 3 writes for bytes. In double quotes where the text has single ones and no double ones; `\t`, `\n`, `\r`
/// and `\\` by these names, all other bytes below 32 and from 127 on by two digits, `\x00`.
inline std::string elements_text(std::string_view text) {
  constexpr const char* digits = "0123456789abcdef";
  const char quote = strings::detail::has(text, '\'') && !strings::detail::has(text, '"') ? '"' : '\'';
  std::string written = {'b', quote};
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      written += {'\\', c};
    } else if (c == '\t' || c == '\n' || c == '\r') {
      written += {'\\', c == '\t' ? 't' : c == '\n' ? 'n' : 'r'};
    } else if (byte < 32 || byte >= 127) {
      written += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    } else {
      written += c;
    }
  }
  return written + quote;
}

}  // namespace etch
