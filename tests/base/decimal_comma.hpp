// SPDX-License-Identifier: MIT
#pragma once
#include <doctest/doctest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

/// While it lives, printf writes 0,5 and strtod reads it, as in a program that has called setlocale(LC_ALL, "de_DE.UTF-8"). The locale is
/// made for the test: a machine may have none.
class decimal_comma {
 public:
  decimal_comma()
      : folder_(std::filesystem::temp_directory_path() / ("etch_decimal_comma_" + std::to_string(::getpid()))),
        before_(std::setlocale(LC_NUMERIC, nullptr)) {
    std::filesystem::create_directory(folder_);
    const std::string source = folder_ / "source", made = folder_ / "comma";
    std::ofstream(source) << "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    // It is not complete, which localedef says.
    const int status = std::system(("localedef -c --no-archive -i " + source + " " + made + " > /dev/null 2>&1").c_str());
    static_cast<void>(status);
    ::setenv("LOCPATH", folder_.c_str(), 1);
    is_there_ = std::setlocale(LC_NUMERIC, "comma") != nullptr && std::localeconv()->decimal_point[0] == ',';
    ::unsetenv("LOCPATH");
    if (!is_there_) MESSAGE("skipped: localedef makes no locale with a decimal comma");
  }
  decimal_comma(const decimal_comma&) = delete;
  ~decimal_comma() {
    std::setlocale(LC_NUMERIC, before_.c_str());
    std::filesystem::remove_all(folder_);
  }
  explicit operator bool() const { return is_there_; }

 private:
  std::filesystem::path folder_;
  std::string before_;
  bool is_there_ = false;
};
