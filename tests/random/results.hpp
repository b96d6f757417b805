// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <etch/control.hpp>
#include <etch/convolution.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/host_call.hpp>
#include <etch/tape.hpp>
#include <etch/thread_pool.hpp>

#include "reference/run.hpp"

/// What random programs share: arrays are read from a file that the generator wrote, and results go to one that it reads.
namespace etch::random_tests {

inline std::FILE* results = nullptr;
inline std::vector<char> fed;

/// The program's arguments: the file of operands, that of results.
inline void open_files(char** arguments) {
  std::FILE* const f = std::fopen(arguments[1], "rb");
  if (f == nullptr) std::exit(3);
  for (int c = std::fgetc(f); c != EOF; c = std::fgetc(f)) fed.push_back(static_cast<char>(c));
  std::fclose(f);
  results = std::fopen(arguments[2], "wb");
}

/// An array of the file, from a byte on.
template <class T, std::size_t Rank>
auto load(std::size_t from, std::array<std::size_t, Rank> extents) {
  auto x = xt::xtensor<T, Rank>::from_shape(extents);
  if (x.size() > 0) std::memcpy(x.data(), fed.data() + from, x.size() * sizeof(T));
  return x;
}

/// "graph way fetch bytes of each element, rank, extents" as a line, then the elements.
inline void write_bytes(int graph, const char* way, int fetch, std::size_t size, std::size_t rank, const std::size_t* extents,
                        const void* elements) {
  std::size_t count = 1;
  std::fprintf(results, "%d %s %d %zu", graph, way, fetch, size);
  for (std::size_t i = 0; i < rank; ++i) {
    std::fprintf(results, " %zu", extents[i]);
    count *= extents[i];
  }
  std::fputc('\n', results);
  std::fwrite(elements, size, count, results);
  std::fflush(results);
}
template <class T>
void write_numbers(int graph, const char* way, int fetch, const std::vector<T>& numbers) {
  const std::size_t size = numbers.size();
  write_bytes(graph, way, fetch, sizeof(T), 1, &size, numbers.data());
}
inline void write_text(int graph, const char* way, int fetch, const std::string& text) {
  const std::size_t size = text.size();
  write_bytes(graph, way, fetch, 1, 1, &size, text.data());
}
template <class R>
void write_one(int graph, const char* way, int fetch, const R& r) {
  if constexpr (std::is_arithmetic_v<R>) {
    write_bytes(graph, way, fetch, sizeof r, 0, nullptr, &r);
  } else {
    std::vector<std::size_t> extents;
    for (const auto e : r.shape()) extents.push_back(static_cast<std::size_t>(e));
    write_bytes(graph, way, fetch, sizeof(typename R::value_type), extents.size(), extents.data(), r.data());
  }
}
/// Results of several fetches: those of these numbers.
template <class... R>
void write(int graph, const char* way, std::initializer_list<int> fetches, const std::tuple<R...>& all) {
  const int* number = fetches.begin();
  std::apply([&](const auto&... r) { (write_one(graph, way, *number++, r), ...); }, all);
}
template <class R>
void write(int graph, const char* way, std::initializer_list<int> fetches, const R& r) {
  write_one(graph, way, *fetches.begin(), r);
}

/// f, where an error is a result too.
template <class F>
void attempt(int graph, const char* way, F f) {
  try {
    f();
  } catch (const std::exception& e) {
    write_text(graph, ("error:" + std::string(way)).c_str(), 0, e.what());
  }
}

/// What calls of the host were given: which call, and the number.
inline std::vector<std::array<double, 2>> notes;
constexpr auto note = [](int tag, double given) { notes.push_back({static_cast<double>(tag), given}); };
constexpr auto read = [](int tag, double given) {
  notes.push_back({static_cast<double>(tag), given});
  return 0.5 * given + 0.125;
};
inline void write_notes(int graph, const char* way) {
  const std::size_t extents[] = {notes.size(), 2};
  write_bytes(graph, way, 101, 8, 2, extents, notes.data());
}

/// The matrix of products of two times the second.
constexpr auto outer = [](auto a, auto b) { return matmul(expand_dims(a, axis<1>) * expand_dims(b, axis<0>), b); };

/// Of a scan's last state and outputs both.
constexpr auto both = [](auto results) { return std::get<0>(results) + sum(std::get<1>(results), axis<0>) * literal<0.5>; };

}  // namespace etch::random_tests
