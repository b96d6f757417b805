// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <etch/eager/tensor.hpp>
#include <etch/strings/constant.hpp>

/// Eager tensors of strings.
namespace etch {

namespace strings::detail {

/// An element in braces. Not a std::string, which two texts in braces would begin and end.
struct element {
  std::string text;
  element(const char* t) : text(t) {}
  element(std::string t) : text(std::move(t)) {}
  element(std::string_view t) : text(t) {}
  template <class Constant>
    requires etch::detail::is_string_constant<Constant>
  element(Constant) : text(Constant::value) {}
  operator std::string() const { return text; }
};

template <class A>
concept text_like = !host_value<A> && std::is_convertible_v<const A&, std::string_view>;
template <class A>
concept range_of_texts = !text_like<A> && !host_value<A> && requires(const A& a) {
  { *std::begin(a) } -> std::convertible_to<std::string_view>;
  std::size(a);
};

}  // namespace strings::detail

/// Strings in `Rank` axes, row by row. Immutable: copies and parts share the elements. What takes a tensor of numbers does not take
/// it; what does is in etch::strings.
template <int Rank>
class tensor<std::string, Rank> : public host_value_base, public eager::indexed<tensor<std::string, Rank>, const std::string&> {
  static_assert(Rank >= 0 && Rank <= max_rank, "tensor: one of strings has from 0 to 8 axes: tensor<std::string, 1>");

 public:
  using value_type = std::string;
  using shape_type = std::array<std::int64_t, static_cast<std::size_t>(Rank > 0 ? Rank : 0)>;
  static constexpr int rank = Rank;
  static constexpr int part_rank = Rank > 0 ? Rank - 1 : 0;

  /// An empty string; an array without elements.
  tensor() : tensor(shape_type{}, std::vector<std::string>(Rank == 0 ? 1 : 0)) {}
  template <strings::detail::text_like Text>
    requires(Rank == 0)
  tensor(const Text& text) : tensor(shape_type{}, {std::string(std::string_view(text))}) {}
  template <class Constant>
    requires(Rank == 0 && etch::detail::is_string_constant<Constant>)
  tensor(Constant) : tensor(Constant::value) {}
  /// From braces: `tensor<std::string, 2> t = {{"a", "b"}, {"c", "d"}};`. Those of one axis have the same length.
  tensor(const nested_list<strings::detail::element, (Rank > 0 ? Rank : 1)>& values)
    requires(Rank > 0)
      : tensor(shape_type{}) {
    eager::measure_braces<Rank>(values, type_.extents);
    std::vector<std::string> elements(static_cast<std::size_t>(size()));
    std::string* to = elements.data();
    eager::copy_braces<Rank>(values, type_.extents, to);
    keep(std::move(elements));
  }
  /// From a range of strings: a std::vector<std::string>, an array of const char*.
  template <strings::detail::range_of_texts Texts>
    requires(Rank == 1)
  tensor(const Texts& texts) : tensor(shape_type{static_cast<std::int64_t>(std::size(texts))}) {
    std::vector<std::string> elements;
    elements.reserve(std::size(texts));
    for (const auto& text : texts) elements.emplace_back(std::string_view(text));
    keep(std::move(elements));
  }
  /// Of these extents, from the elements row by row. Throws `etch::error` where there are not as many, or an extent is negative.
  tensor(const shape_type& extents, std::vector<std::string> elements) : tensor(checked(extents)) {
    if (size() != static_cast<std::int64_t>(elements.size()))
      fail("tensor: %zu strings are given for a shape of %lld elements", elements.size(), static_cast<long long>(size()));
    keep(std::move(elements));
  }

  /// Extents and the number of axes, of no dtype.
  const tensor_type& described() const { return type_; }
  shape_type shape() const {
    shape_type extents{};
    std::copy_n(type_.extents, Rank, extents.data());
    return extents;
  }
  std::int64_t extent(int axis) const { return type_.extents[axis]; }
  std::int64_t size() const {
    std::int64_t n = 1;
    for (int i = 0; i < Rank; ++i) n *= extent(i);
    return n;
  }
  static constexpr std::size_t dimension() { return static_cast<std::size_t>(Rank); }
  const std::string* data() const { return elements_->data() + first_; }

  /// A part along the first axis, which shares the elements.
  template <class I>
    requires std::is_integral_v<I>
  tensor<std::string, part_rank> operator[](I index) const
    requires(Rank > 0)
  {
    tensor<std::string, part_rank> part(*this);
    part.first_ += this->position(0, index) * part.size();
    return part;
  }
  operator const std::string&() const
    requires(Rank == 0)
  {
    return *data();
  }

  /// `for (const std::string& name : names)`; of more than one axis parts along the first.
  auto begin() const
    requires(Rank > 0)
  {
    if constexpr (Rank == 1)
      return data();
    else
      return eager::part_iterator<tensor>{this, 0};
  }
  auto end() const
    requires(Rank > 0)
  {
    if constexpr (Rank == 1)
      return data() + size();
    else
      return eager::part_iterator<tensor>{this, extent(0)};
  }

 private:
  template <class, int>
  friend class tensor;

  /// Where one axis has no elements the others may be as long as they like, but not so long that their product is no int64.
  static const shape_type& checked(const shape_type& extents) {
    std::int64_t n = 1;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const std::int64_t e = extents[i];
      if (e < 0) fail("tensor: extent %lld of axis %zu is negative", static_cast<long long>(e), i);
      if (__builtin_mul_overflow(n, e, &n)) fail("tensor: a shape whose elements are more than an int64 counts");
    }
    return extents;
  }
  explicit tensor(const shape_type& extents) {
    type_.rank = Rank;
    std::copy_n(extents.data(), Rank, type_.extents);
  }
  /// The first part of one with an axis more.
  explicit tensor(const tensor<std::string, Rank + 1>& whole)
    requires(Rank < max_rank)
      : elements_(whole.elements_), first_(whole.first_) {
    type_.rank = Rank;
    std::copy_n(whole.type_.extents + 1, Rank, type_.extents);
  }
  void keep(std::vector<std::string>&& elements) {
    elements_ = std::make_shared<const std::vector<std::string>>(std::move(elements));
  }

  tensor_type type_;
  std::shared_ptr<const std::vector<std::string>> elements_;
  std::int64_t first_ = 0;
};

tensor(const char*) -> tensor<std::string, 0>;
tensor(std::string) -> tensor<std::string, 0>;
tensor(std::string_view) -> tensor<std::string, 0>;
template <class Constant>
  requires detail::is_string_constant<Constant>
tensor(Constant) -> tensor<std::string, 0>;
template <strings::detail::range_of_texts Texts>
tensor(const Texts&) -> tensor<std::string, 1>;

namespace detail {
/// In messages.
template <int Rank>
struct shown_argument<tensor<std::string, Rank>> {
  using type = got<tensor<std::string, Rank>>;
};
template <class A>
inline constexpr bool is_string_tensor = false;
template <int Rank>
inline constexpr bool is_string_tensor<tensor<std::string, Rank>> = true;
}  // namespace detail

}  // namespace etch
