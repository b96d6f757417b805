// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <etch/eager/variable.hpp>
#include <etch/session/variable_text.hpp>
#include <etch/session/variables.hpp>

namespace etch {

/// A variable of a module, whatever it is there: an eager one, or one of a function, a session or a model, which must live. It has the
/// interface of a session's variable, so that a checkpoint takes it.
class module_variable {
 public:
  template <class T, int Rank>
  module_variable(std::string name, eager::variable<T, Rank> v)
      : name_(std::move(name)), type_(v.described()), trainable_(v.trainable()), copy_to_([v](void* to) {
          if (const auto size = bytes_of(v.described()); size > 0) std::memcpy(to, v.read().data(), size);
        }),
        copy_from_([v](const void* from) mutable {
          tensor<T, Rank> made{eager::unmade{}};
          made.reset(v.described());
          if (const auto size = bytes_of(v.described()); size > 0) std::memcpy(made.bytes(), from, size);
          v.assign(made);
        }),
        is_initialised_([] { return true; }) {}
  template <class Memory>
  module_variable(std::string name, variable_handle<Memory> v)
      : name_(std::move(name)), trainable_(v.trainable()), copy_to_([v](void* to) { v.copy_to(to); }),
        copy_from_([v](const void* from) mutable { v.copy_from(from); }), is_initialised_([v] { return v.is_initialised(); }) {
    type_.type = v.type();
    for (const std::int64_t extent : v.shape()) type_.extents[type_.rank++] = extent;
  }
  /// `demo_module/x`
  const char* name() const { return name_.c_str(); }
  dtype type() const { return type_.type; }
  /// Extents, outermost first.
  std::span<const std::int64_t> shape() const { return {type_.extents, static_cast<std::size_t>(type_.rank)}; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(bytes_of(type_)); }
  std::int64_t elements() const { return bytes() / size_of_dtype(type_.type); }
  bool trainable() const { return trainable_; }
  bool is_initialised() const { return is_initialised_(); }
  /// The elements in row-major order. Throws `etch::error` where T is not the variable's type.
  template <class T>
  std::vector<T> get() const {
    if (dtype_of<T> != type())
      fail("variable \"%s\": its elements are %s, not %s", name(), name_of_dtype(type()), name_of_dtype(dtype_of<T>));
    return detail::copied_elements<T>(elements(), copy_to_);
  }
  /// Copies bytes() bytes, the elements in row-major order, to `to`, and from `from`.
  void copy_to(void* to) const { copy_to_(to); }
  void copy_from(const void* from) { copy_from_(from); }

  friend std::ostream& operator<<(std::ostream& out, const module_variable& v) { return out << detail::variable_text(v); }

 private:
  static std::size_t bytes_of(const tensor_type& t) {
    std::int64_t n = size_of_dtype(t.type);
    for (int i = 0; i < t.rank; ++i) n *= t.extents[i];
    return static_cast<std::size_t>(n);
  }
  std::string name_;
  tensor_type type_;
  bool trainable_;
  std::function<void(void*)> copy_to_;
  std::function<void(const void*)> copy_from_;
  std::function<bool()> is_initialised_;
};

}  // namespace etch
