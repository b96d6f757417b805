// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <type_traits>

#include <etch/checkpoint/part.hpp>

/// Variables and tensors of eager code in checkpoints. It includes nothing of them: a program that tracks one has.
namespace etch::detail {

template <class V>
concept is_eager_variable = requires(V& v) {
  v.identity();
  v.assign(v.read());
};
template <class V>
concept is_eager_tensor = requires(const V& v) {
  v.described().rank;
  { *v.data() } -> std::same_as<const typename V::value_type&>;
} && element<typename V::value_type>;

/// An array with xtensor's interface, as far as a tensor needs it to be made of one.
template <class T>
struct restored_array {
  using value_type = T;

  explicit restored_array(const format::named_tensor& from)
      : extents(&from.array.extents), elements(new T[from.array.bytes.size() / sizeof(T)]),
        end_(elements.get() + from.array.bytes.size() / sizeof(T)) {
    copy_value(from, elements.get());
  }
  std::size_t dimension() const { return extents->size(); }
  const std::vector<std::int64_t>& shape() const { return *extents; }
  const T* begin() const { return elements.get(); }
  const T* end() const { return end_; }

  const std::vector<std::int64_t>* extents;
  std::unique_ptr<T[]> elements;
  const T* end_;
};

/// It keeps its shape.
template <class V>
class eager_part final : public checkpoint_part {
 public:
  eager_part(std::string name, V& value) : checkpoint_part(std::move(name)), value_(&value) {}

  void save(saved_values& to) const override {
    const auto& now = tensor();
    to.add(name(), dtype_of<value_type>, extents(), now.data());
  }
  void expect(std::vector<expected_tensor>& expected) const override {
    expected.emplace_back(name(), dtype_of<value_type>, extents());
  }
  void restore(const restored_values& values) override {
    const format::named_tensor* t = find_value(values, name());
    if (t == nullptr) return;
    std::remove_cvref_t<decltype(tensor())> made{restored_array<value_type>(*t)};
    if constexpr (is_eager_variable<V>)
      value_->assign(made);
    else
      *value_ = made;
  }

 private:
  using value_type = typename V::value_type;

  const auto& tensor() const {
    if constexpr (is_eager_variable<V>)
      return value_->read();
    else
      return *value_;
  }
  std::vector<std::int64_t> extents() const {
    const auto shape = tensor().shape();
    return {shape.begin(), shape.end()};
  }
  V* value_;
};

}  // namespace etch::detail
