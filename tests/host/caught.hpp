// SPDX-License-Identifier: MIT
#pragma once
#include <ostream>
#include <sstream>
#include <string>

#include <etch/host/output.hpp>

/// What is printed while it lives.
class caught {
 public:
  caught() : before_(etch::print_to(&stream_)) {}
  caught(const caught&) = delete;
  caught& operator=(const caught&) = delete;
  ~caught() { etch::print_to(before_); }
  /// And not said yet.
  std::string text() {
    std::string t = stream_.str();
    stream_.str("");
    return t;
  }

 private:
  std::ostringstream stream_;
  std::ostream* before_;
};
