// SPDX-License-Identifier: MIT
#pragma once
#include <cstdarg>
#include <cstdio>
#include <string>

#include <locale.h>

/// Texts as printf writes them, whatever the program's language is.
namespace etch::detail {

/// While it lives, printf and its kind write this thread's numbers as the C locale has them: `0.5`, not `0,5`.
class c_numbers {
 public:
  c_numbers() : before_(::uselocale(c_locale())) {}
  c_numbers(const c_numbers&) = delete;
  ~c_numbers() { ::uselocale(before_); }

 private:
  static locale_t c_locale() {
    static const locale_t made = ::newlocale(LC_ALL_MASK, "C", nullptr);
    return made;
  }
  locale_t before_;
};

/// What vprintf writes in the C locale.
[[gnu::format(printf, 1, 0)]] inline std::string formatted_list(const char* format, std::va_list arguments) {
  const c_numbers numbers;
  std::va_list again;
  va_copy(again, arguments);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, arguments)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}
/// What printf writes in the C locale. printf itself is for texts without fractions: it follows the program's locale.
[[gnu::noinline, gnu::format(printf, 1, 2)]] inline std::string formatted(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::string text = formatted_list(format, arguments);
  va_end(arguments);
  return text;
}

}  // namespace etch::detail
