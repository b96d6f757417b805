// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include <etch/base/name.hpp>

/// Names of modules and of their members, as TensorFlow makes them.
namespace etch::detail {

/// Name `place` of "x, weights, inner", as it is written between commas; empty where there are not as many.
constexpr std::string_view member_name(std::string_view names, std::size_t place) {
  for (; place > 0 && !names.empty(); --place) names.remove_prefix(std::min(names.find(',') + 1, names.size()));
  names = names.substr(0, names.find(','));
  while (!names.empty() && names.front() == ' ') names.remove_prefix(1);
  while (!names.empty() && names.back() == ' ') names.remove_suffix(1);
  return names;
}

/// `DemoModule` and `demo_module` are `demo_module`: of a class's name without namespaces, arguments of its template, and the function that
/// it is local to.
inline std::string module_name(std::string_view type) {
  type = type.substr(0, type.find('<'));
  const std::size_t inner = type.find_last_of(":) ");
  if (inner != type.npos) type.remove_prefix(inner + 1);
  std::string name;
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_lower = [&](std::size_t i) { return i < type.size() && type[i] >= 'a' && type[i] <= 'z'; };
  for (std::size_t i = 0; i < type.size(); ++i) {
    const bool begins_word = is_upper(type[i]) && i > 0 && ((!is_upper(type[i - 1]) && type[i - 1] != '_') || is_lower(i + 1));
    if (begins_word) name += '_';
    name += is_upper(type[i]) ? static_cast<char>(type[i] - 'A' + 'a') : type[i];
  }
  return name;
}

/// "a/b", and where one is empty the other.
inline std::string joined_path(const std::string& path, std::string_view name) {
  return path.empty() || name.empty() ? path + std::string(name) : path + "/" + std::string(name);
}

}  // namespace etch::detail
