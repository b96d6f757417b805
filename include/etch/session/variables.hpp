// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <etch/session/feed.hpp>
#include <etch/session/storage.hpp>

/// A session's variables as data: what a program lists, saves and restores without naming their types.
namespace etch {

namespace detail {

/// Checks what `set` stores in a variable: exactly its shape, or a flat range of as many elements.
inline void check_value(const variable_description& variable, const fed_array& got) {
  const auto check = [&](const char* what, int axis, std::int64_t expected, std::int64_t found) {
    if (found == expected) return;
    const auto e = static_cast<long long>(expected), f = static_cast<long long>(found);
    if (axis >= 0) fail("set: variable \"%s\": %s of axis %d: expected %lld, got %lld", variable.name, what, axis, e, f);
    fail("set: variable \"%s\": %s: expected %lld, got %lld", variable.name, what, e, f);
  };
  if (got.axes < 0) return check("number of elements", -1, variable.elements, got.extents[0]);
  check("number of axes", -1, variable.type.rank, got.axes);
  for (int i = 0; i < variable.type.rank; ++i) check("extent", i, variable.type.extents[i], got.extents[i]);
}

/// A bool that has an address in a std::vector. Of a T, so that programs without them compile no such vectors.
template <class T>
struct addressed {
  T value{};
};
/// What `copy_to` copies to where it is told.
template <class T, class CopyTo>
std::vector<T> copied_elements(std::int64_t elements, const CopyTo& copy_to) {
  const auto count = static_cast<std::size_t>(elements);
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<addressed<T>> bools(count + 1);
    copy_to(&bools[0].value);
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = bools[i].value;
    return values;
  } else {
    std::vector<T> values(count);
    copy_to(values.data());
    return values;
  }
}

}  // namespace detail

/// One variable of a session. It refers to the session, which must live and stay open.
template <class Memory>
class variable_handle {
 public:
  explicit variable_handle(typename variable_store<Memory>::entry& e) : entry_(&e) {}

  const char* name() const { return entry_->what.name; }
  dtype type() const { return entry_->what.type.type; }
  /// Extents, outermost first.
  std::span<const std::int64_t> shape() const {
    return {entry_->what.type.extents, static_cast<std::size_t>(entry_->what.type.rank)};
  }
  std::int64_t elements() const { return entry_->what.elements; }
  std::int64_t bytes() const { return entry_->what.bytes(); }
  bool trainable() const { return entry_->what.trainable; }
  bool is_initialised() const { return entry_->is_initialised(); }
  /// The same of all handles of one variable.
  const void* identity() const { return entry_; }

  /// The elements in row-major order. Throws `etch::error` where T is not the variable's type, or it has no value yet.
  template <class T>
  std::vector<T> get() const {
    check_type(dtype_of<T>);
    return detail::copied_elements<T>(elements(), [&](void* to) { copy_to(to); });
  }
  /// Stores an array of the variable's shape, or a contiguous range of as many elements in row-major order.
  template <class V>
  void set(const V& values) {
    if constexpr (can_be_set<V>()) {
      using T = typename feed_traits<V>::value_type;
      check_type(dtype_of<T>);
      fed_value<T> fed;
      prepare_feed<T>(values, fed, name());
      detail::check_value(entry_->what, fed.array);
      copy_from(fed.array.data);
    }
  }
  /// As `get<bool>` gives them.
  template <class V>
    requires(std::is_same_v<V, std::vector<bool>>)
  void set(const V& values) {
    std::vector<detail::addressed<typename V::value_type>> bools(values.size() + 1);
    for (std::size_t i = 0; i < values.size(); ++i) bools[i].value = values[i];
    set(std::span<const bool>(&bools[0].value, values.size()));
  }
  /// Where the elements lie, in row-major order, until the session goes: a run changes them. Throws where it has no value yet.
  const void* data() const
    requires(Memory::is_host)
  {
    entry_->check_initialised();
    return entry_->memory.data();
  }
  /// Copies bytes() bytes, the elements in row-major order, to `to`.
  void copy_to(void* to) const {
    entry_->check_initialised();
    Memory::read(to, entry_->memory.data(), bytes());
  }
  /// Copies as many from `from`; the variable then has a value.
  void copy_from(const void* from) {
    Memory::write(entry_->memory.data(), from, bytes());
    entry_->mark_initialised();
  }

 private:
  template <class V>
  static constexpr bool can_be_set() {
    using in_set = in_function<"set">;
    if constexpr (expression<V>)
      return raise<an_expression_cannot_be_fed_feed_its_value, in_set, shown<V>>();
    else if constexpr (std::is_pointer_v<V>)
      return raise<a_pointer_has_no_size_feed_a_span, in_set, got<V>, instead_write<"std::span(pointer, size)">>();
    else if constexpr (!feed_traits<V>::valid)
      return raise<this_cannot_be_fed, in_set, got<V>>();
    else if constexpr (!is_number_type<typename feed_traits<V>::value_type>)
      return raise<nested_containers_cannot_be_fed_feed_an_array_or_one_flat_range, in_set, got<V>>();
    else
      return true;
  }
  void check_type(dtype d) const {
    if (d != type()) fail("variable \"%s\": its elements are %s, not %s", name(), name_of_dtype(type()), name_of_dtype(d));
  }
  typename variable_store<Memory>::entry* entry_;
};

/// The variables of a session: `for (auto v : session.variables())`. Their order is that of the session's graph.
template <class Memory>
class variable_list {
 public:
  explicit variable_list(variable_store<Memory>& store) : store_(&store) {}

  class iterator {
   public:
    explicit iterator(typename variable_store<Memory>::entry* e) : entry_(e) {}
    variable_handle<Memory> operator*() const { return variable_handle<Memory>(*entry_); }
    iterator& operator++() {
      ++entry_;
      return *this;
    }
    bool operator==(const iterator&) const = default;

   private:
    typename variable_store<Memory>::entry* entry_;
  };
  iterator begin() const { return iterator(store_->entries); }
  iterator end() const { return iterator(store_->entries + store_->count); }
  std::size_t size() const { return static_cast<std::size_t>(store_->count); }
  variable_handle<Memory> operator[](std::size_t i) const { return variable_handle<Memory>(store_->entries[i]); }

  /// The variable of that name; throws `etch::error` where there is none.
  variable_handle<Memory> at(std::string_view name) const {
    for (int i = 0; i < store_->count; ++i)
      if (name == store_->entries[i].what.name) return variable_handle<Memory>(store_->entries[i]);
    fail("session: no variable has the name \"%.*s\"", static_cast<int>(name.size()), name.data());
  }
  bool contains(std::string_view name) const {
    for (int i = 0; i < store_->count; ++i)
      if (name == store_->entries[i].what.name) return true;
    return false;
  }

 private:
  variable_store<Memory>* store_;
};

}  // namespace etch
