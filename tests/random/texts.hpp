// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

#include <etch/print.hpp>
#include <etch/strings.hpp>

#include "host/caught.hpp"
#include "results.hpp"

/// What random programs of strings share.
namespace etch::random_tests {

/// The rank, the extents, then the bytes of each string behind their number: all numbers as 8 bytes.
template <int Rank>
void write_value(int number, const char* way, int fetch, const tensor<std::string, Rank>& t) {
  std::string raw;
  const auto put = [&](std::int64_t n) { raw.append(reinterpret_cast<const char*>(&n), sizeof n); };
  put(Rank);
  for (const std::int64_t e : t.shape()) put(e);
  for (std::int64_t i = 0; i < t.size(); ++i) {
    put(static_cast<std::int64_t>(t.data()[i].size()));
    raw += t.data()[i];
  }
  write_text(number, way, fetch, raw);
}
inline void write_value(int number, const char* way, int fetch, const std::string& text) {
  write_value(number, way, fetch, tensor<std::string, 0>(text));
}
template <class R>
void write_value(int number, const char* way, int fetch, const R& r) {
  write_one(number, way, fetch, r);
}
template <class... R>
void write_values(int number, const char* way, const int* fetch, const std::tuple<R...>& all) {
  std::apply([&](const auto&... r) { (write_value(number, way, *fetch++, r), ...); }, all);
}
template <class R>
void write_values(int number, const char* way, const int* fetch, const R& r) {
  write_value(number, way, *fetch, r);
}

/// What f gives, and as fetch 1000 what it prints; or that it throws.
template <class F>
void write_texts(int number, const char* way, std::initializer_list<int> fetches, F f) {
  attempt(number, way, [&] {
    caught printed;
    write_values(number, way, fetches.begin(), f());
    write_text(number, way, 1000, printed.text());
  });
}

constexpr auto upper = [](const std::string& text) {
  std::string r = text;
  for (char& c : r) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return r;
};
/// Of all the bytes of an array of strings, and a number.
constexpr auto tally = [](const tensor<std::string, 1>& texts, std::int32_t more) {
  for (const std::string& text : texts) more += static_cast<std::int32_t>(text.size());
  return more;
};

}  // namespace etch::random_tests
