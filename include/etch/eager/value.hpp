// SPDX-License-Identifier: MIT
#pragma once
#include <cstring>
#include <string>
#include <utility>

#include <etch/core/shape.hpp>
#include <etch/eager/block.hpp>

/// What every eager tensor is, whatever its dtype and rank: what kernels, the tape and prints know.
namespace etch::eager {

namespace detail {
/// Never 0, and never the same again: each thread counts on its own, through ranges of a count that all threads share.
inline std::uint64_t next_identity() {
  constexpr std::uint64_t range = std::uint64_t{1} << 20;
  static std::uint64_t taken = 0;
  static thread_local std::uint64_t last = 0;
  if (last % range == 0) last = __atomic_fetch_add(&taken, range, __ATOMIC_RELAXED);
  return ++last;
}
[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_to_hold(const tensor_type& type) {
  std::string extents;
  double bytes = size_of_dtype(type.type);
  for (int i = 0; i < type.rank; ++i) {
    extents += (i > 0 ? ", " : "") + std::to_string(type.extents[i]);
    bytes *= static_cast<double>(type.extents[i]);
  }
  fail("eager: a value %s[%s] would need %.3g bytes", name_of_dtype(type.type), extents.c_str(), bytes);
}

/// How many elements a value of that type has. Throws `etch::error` where no memory has as many.
inline std::int64_t count_elements_of(const tensor_type& type) {
  std::int64_t n = 1;
  bool is_too_large = false;
  for (int i = 0; i < type.rank; ++i) is_too_large |= __builtin_mul_overflow(n, type.extents[i], &n);
  if (is_too_large || n < 0 || n > most_bytes / 8) refuse_to_hold(type);
  return n;
}

}  // namespace detail

/// Elements in row-major order without gaps, and their type. Immutable: copies share the elements, and so do parts.
class value {
 public:
  value() = default;
  /// Elements that are still to be written.
  explicit value(const tensor_type& type) { reset(type); }
  /// Part of another value from an element on, or all of it under another shape. Of a number beside a tensor a copy: it outlives that.
  value(const value& other, const tensor_type& type, std::int64_t first)
      : owner_(other.owner_), data_(other.data_ + first * size_of_dtype(type.type)), type_(type),
        identity_(detail::next_identity()) {
    if (owner_ != nullptr) {
      owner_->take();
    } else {
      reset(type);
      std::memcpy(data_, other.data_, static_cast<std::size_t>(size() * size_of_dtype(type.type)));
    }
  }
  value(const value& other) : owner_(other.owner_), data_(other.data_), type_(other.type_), identity_(other.identity_) {
    if (owner_ != nullptr) owner_->take();
  }
  value(value&& other) noexcept
      : owner_(std::exchange(other.owner_, nullptr)), data_(other.data_), type_(other.type_), identity_(other.identity_) {}
  value& operator=(const value& other) {
    if (this != &other) *this = value(other);
    return *this;
  }
  value& operator=(value&& other) noexcept {
    std::swap(owner_, other.owner_);
    data_ = other.data_;
    type_ = other.type_;
    identity_ = other.identity_;
    return *this;
  }
  ~value() {
    if (owner_ != nullptr) owner_->release();
  }

  const tensor_type& described() const { return type_; }
  std::int64_t extent(int axis) const { return type_.extents[axis]; }
  /// How many elements there are.
  std::int64_t size() const {
    std::int64_t n = 1;
    for (int i = 0; i < type_.rank; ++i) n *= type_.extents[i];
    return n;
  }
  const char* bytes() const { return data_; }
  /// For who has just made it.
  char* bytes() { return data_; }
  template <class T>
  const T* elements() const {
    return reinterpret_cast<const T*>(data_);
  }
  /// The same for all copies of a value, and for no other value: what a tape knows it by.
  std::uint64_t identity() const { return identity_; }
  /// Whether nothing else refers to its elements.
  bool is_alone() const { return owner_ != nullptr && owner_->is_owned_once() && data_ == owner_->elements(); }
  /// Whether the elements stay as long as it does; a number that stands beside a tensor lies elsewhere.
  bool owns() const { return owner_ != nullptr; }
  /// Lets go of what it has for elements of that type that are still to be written. Throws `etch::error` where there is no memory
  /// for as many, and keeps what it has.
  void reset(const tensor_type& type) {
    block* const made = block::make(detail::count_elements_of(type) * size_of_dtype(type.type));
    if (owner_ != nullptr) owner_->release();
    owner_ = made;
    data_ = made->elements();
    type_ = type;
    identity_ = detail::next_identity();
  }
  /// The same memory with other elements is another value.
  void becomes_another() { identity_ = detail::next_identity(); }

 protected:
  /// Of elements that lie elsewhere, and stay there.
  value(const tensor_type& type, char* elements) : data_(elements), type_(type) {}

 private:
  block* owner_ = nullptr;
  char* data_ = nullptr;
  tensor_type type_;
  std::uint64_t identity_ = 0;
};

/// A number beside a tensor: a scalar that costs no memory.
template <class T>
class number : public value {
 public:
  using value_type = T;
  static constexpr int rank = 0;
  static constexpr dtype type = dtype_of<T>;

  explicit number(T element) : value(scalar_type(), reinterpret_cast<char*>(&element_)), element_(element) {}
  number(const number&) = delete;
  number& operator=(const number&) = delete;

 private:
  static tensor_type scalar_type() {
    tensor_type t;
    t.type = dtype_of<T>;
    return t;
  }
  T element_;
};

/// v with elements of its own where it has none, as a number beside a tensor has not.
inline value kept(const value& v) { return v.owns() ? v : value(v, v.described(), 0); }

}  // namespace etch::eager
