// SPDX-License-Identifier: MIT
#pragma once

/// The growable array that passes are written with, in constant expressions and in tests at run time.
namespace etch {

class graph;
class hash_index;
class partial_order;
struct fusion;

/// A bare growing array. Not std::vector: an index loop over this one costs a third of the constexpr steps (no iterator
/// classes, no checks), and it compiles as host code under nvcc.
template <class T>
class vector {
 public:
  constexpr vector() = default;
  constexpr explicit vector(int count, const T& value = T{}) { resize(count, value); }
  /// `count` values as T{} makes them, without a step for each.
  static constexpr vector defaults(int count) {
    vector v;
    v.reserve(count);
    v.size_ = count;
    return v;
  }
  constexpr vector(const vector& other) { append(other); }
  constexpr vector(vector&& other) noexcept : values_(other.values_), size_(other.size_), capacity_(other.capacity_) {
    other.values_ = nullptr;
    other.size_ = other.capacity_ = 0;
  }
  /// From a copy, or from what is moved.
  constexpr vector& operator=(vector other) noexcept {
    T* const values = values_;
    values_ = other.values_;
    size_ = other.size_;
    capacity_ = other.capacity_;
    other.values_ = values;
    return *this;
  }
  constexpr ~vector() { delete[] values_; }

  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](int i) { return values_[i]; }
  constexpr const T& operator[](int i) const { return values_[i]; }
  constexpr T& back() { return values_[size_ - 1]; }
  constexpr const T* data() const { return values_; }
  constexpr T* data() { return values_; }

  constexpr void push_back(const T& value) {
    if (size_ == capacity_) {
      const T copy = value;
      reserve(capacity_ < 8 ? 8 : capacity_ + 1);
      values_[size_++] = copy;
      return;
    }
    values_[size_++] = value;
  }
  constexpr void pop_back() { --size_; }
  constexpr void clear() { size_ = 0; }
  /// For at least twice as many as before, so that appending little by little stays linear.
  constexpr void reserve(int capacity) {
    if (capacity <= capacity_) return;
    if (capacity < 2 * capacity_) capacity = 2 * capacity_;
    T* grown = new T[static_cast<unsigned>(capacity)]{};
    for (int i = 0; i < size_; ++i) grown[i] = values_[i];
    delete[] values_;
    values_ = grown;
    capacity_ = capacity;
  }
  /// By value, which may be an element of its own.
  constexpr void resize(int count, const T value = T{}) {
    reserve(count);
    for (int i = size_; i < count; ++i) values_[i] = value;
    size_ = count;
  }
  /// Another vector's values, or its own once more.
  constexpr void append(const vector& other) {
    reserve(size_ + other.size_);
    append(other.values_, other.size_);
  }
  /// Values of its own only where there is room already.
  constexpr void append(const T* values, int count) {
    reserve(size_ + count);
    for (int i = 0; i < count; ++i) values_[size_ + i] = values[i];
    size_ += count;
  }

 private:
  // Their accessors are most of what passes do: a call inside them would double their constexpr steps.
  friend graph;
  friend hash_index;
  friend partial_order;
  friend fusion;
  T* values_ = nullptr;
  int size_ = 0;
  int capacity_ = 0;
};

namespace detail {
/// The first `count` values, to an array.
template <class T>
constexpr void copy(const T* from, int count, T* to) {
  for (int i = 0; i < count; ++i) to[i] = from[i];
}
template <class T>
constexpr void copy(const vector<T>& from, int count, T* to) {
  copy(from.data(), count, to);
}
}  // namespace detail

}  // namespace etch
