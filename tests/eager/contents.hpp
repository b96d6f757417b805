// SPDX-License-Identifier: MIT
#pragma once
#include <sstream>
#include <string>
#include <vector>

/// What a tensor or an array has: as it prints, and as numbers.
namespace contents {

template <class T>
std::string text(const T& t) {
  std::ostringstream out;
  out << t;
  return out.str();
}

template <class T>
std::vector<float> floats(const T& t) {
  return std::vector<float>(t.data(), t.data() + t.size());
}

}  // namespace contents
