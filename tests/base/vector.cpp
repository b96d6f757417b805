// SPDX-License-Identifier: MIT
#include <utility>

#include <doctest/doctest.h>

#include <etch/base/vector.hpp>

/// The array of the passes. Counted elements show what AddressSanitizer cannot: that none is lost or made twice.
namespace {

using etch::vector;

vector<int> numbers(int count) {
  vector<int> v;
  for (int i = 0; i < count; ++i) v.push_back(i);
  return v;
}

bool counts_up(const vector<int>& v, int count) {
  bool same = v.size() == count;
  for (int i = 0; same && i < count; ++i) same = v[i] == i;
  return same;
}

struct counted {
  static inline int alive = 0;
  int value = 0;
  counted() { ++alive; }
  counted(const counted& other) : value(other.value) { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
};

TEST_CASE("vector: pushed elements stay, over every growth") {
  for (int count : {0, 1, 7, 8, 9, 16, 17, 1000}) CHECK(counts_up(numbers(count), count));
  CHECK(numbers(0).empty());
  CHECK(numbers(3).back() == 2);
}

TEST_CASE("vector: an element of the vector itself can be pushed when it is full") {
  vector<int> v = numbers(8);
  v.push_back(v[3]);
  CHECK(v.size() == 9);
  CHECK(v[8] == 3);
}

TEST_CASE("vector: a copy is another vector") {
  vector<int> v = numbers(20);
  vector<int> w = v;
  w[0] = 7;
  CHECK(v[0] == 0);
  v = w;
  CHECK(v[0] == 7);
  CHECK(v.size() == 20);
  w = numbers(2);
  CHECK(counts_up(w, 2));
  const vector<int>& self = v;
  v = self;
  CHECK(v.size() == 20);
}

TEST_CASE("vector: a move leaves an empty vector that can be used again") {
  vector<int> v = numbers(20);
  vector<int> w = std::move(v);
  CHECK(counts_up(w, 20));
  CHECK(v.empty());
  v.push_back(5);
  CHECK(v[0] == 5);
  w = std::move(v);
  CHECK(w.size() == 1);
}

TEST_CASE("vector: resize fills, shrinks, and forgets what was cut") {
  vector<int> v(3, 9);
  CHECK(v[2] == 9);
  v.resize(5, 4);
  CHECK(v[2] == 9);
  CHECK(v[4] == 4);
  v.resize(1);
  v.resize(3, 6);
  CHECK(v[0] == 9);
  CHECK(v[1] == 6);
  v.clear();
  CHECK(v.empty());
}

TEST_CASE("vector: its own elements can be appended, and be what it is filled with, when it is full") {
  // In a constant expression, where what has been freed cannot be read.
  constexpr bool holds = [] {
    vector<int> v;
    for (int i = 0; i < 8; ++i) v.push_back(i);
    v.append(v);
    const bool appended = v.size() == 16 && v[8] == 0 && v[15] == 7;
    v.resize(40, v[5]);
    return appended && v.size() == 40 && v[39] == 5;
  }();
  static_assert(holds);
}

TEST_CASE("vector: append and pop_back") {
  vector<int> v = numbers(3), w = numbers(4);
  v.append(w);
  CHECK(v.size() == 7);
  CHECK(v[6] == 3);
  v.append(v);
  CHECK(v.size() == 14);
  CHECK(v[13] == 3);
  v.pop_back();
  CHECK(v.size() == 13);
}

TEST_CASE("vector: every element that was made is destroyed") {
  {
    vector<counted> v;
    for (int i = 0; i < 50; ++i) v.push_back(counted());
    vector<counted> w = v;
    w = std::move(v);
    w.resize(100);
  }
  CHECK(counted::alive == 0);
}

constexpr int sum_in_a_constant_expression() {
  vector<int> v;
  for (int i = 0; i < 40; ++i) v.push_back(i);
  const vector<int> w = v;
  int sum = 0;
  for (int i = 0; i < w.size(); ++i) sum += w[i];
  return sum;
}

TEST_CASE("vector: it works in constant expressions, where a leak is a compile error") {
  static_assert(sum_in_a_constant_expression() == 780);
  CHECK(sum_in_a_constant_expression() == 780);
}

}  // namespace
