// SPDX-License-Identifier: MIT
#pragma once
#include <numeric>

#include <etch/ops/joining.hpp>
#include <etch/ops/windows.hpp>

/// Transposed convolutions with strides by their phases: of the result's elements that lie a stride apart each meets the same elements of
/// the kernel, so that they are a transposed convolution without strides, with a part of the kernel. None multiplies the zeros that
/// would lie between the image's elements: strides of 2 along two axes take a quarter of the multiplications.
namespace etch::detail {

/// One phase along one axis: elements `first`, first + stride, ... of the result.
struct phase_of_axis {
  std::int64_t begin = 0, step = 1, count = 0;  ///< of the window's elements that meet them
  window_axis along;                            ///< without strides

  /// n elements of the result, of which each phase has as many; images of `length` elements, windows of `extent`.
  static constexpr phase_of_axis of(const window_axis& a, std::int64_t n, std::int64_t length, std::int64_t extent,
                                    std::int64_t first) {
    phase_of_axis r;
    const std::int64_t common = std::gcd(a.stride, a.dilation), place = first + a.before;
    r.step = a.stride / common;
    while (r.begin < r.step && (place - a.dilation * r.begin) % a.stride != 0) ++r.begin;
    if (r.begin >= r.step || r.begin >= extent) return r;
    r.count = (extent - 1 - r.begin) / r.step + 1;
    r.along.dilation = a.dilation / common;
    r.along.before = (place - a.dilation * r.begin) / a.stride;
    r.along.after = length + r.along.dilation * (r.count - 1) - r.along.before - (n + a.stride - 1) / a.stride;
    return r;
  }
};

template <class Op, class V>
class phases {
 public:
  static constexpr int most = 16;  ///< more would be as many small products

  /// `along`: with paddings as numbers.
  constexpr phases(const rewriting<V>& r, const window_axis* along, int axes)
      : x_(r.x[0]), w_(r.x[1]), image_(x_.type()), kernel_(w_.type()), result_(r.type), along_(along), axes_(axes) {}

  /// Whether there are several, of static extents, and elements.
  constexpr bool are_there() const {
    std::int64_t number = 1, elements = 1;
    for (int i = 0; i < axes_; ++i) number = number > most ? number : number * along_[i].stride;
    for (int i = 1; i < result_.rank; ++i) {
      if (!is_static(result_.extents[i]) || !is_static(image_.extents[i])) return false;
      elements = result_.extents[i] == 0 || image_.extents[i] == 0 ? 0 : elements;
    }
    return number > 1 && number <= most && elements > 0 && result_.extents[0] != 0;
  }
  constexpr V joined() {
    V parts[most];
    int count = 1;
    for (int i = 0; i < axes_; ++i) count *= static_cast<int>(along_[i].stride);
    for (int k = 0; k < count; ++k) parts[k] = part(k);
    // Each part's elements along an axis lie between those of the others: behind that axis all are one row.
    tensor_type type = part_type();
    std::int64_t row = 1;
    for (int i = axes_; i < type.rank; ++i) row *= i == axes_ ? 1 : type.extents[i];
    for (int i = axes_ - 1; i >= 0; --i) {
      const int stride = static_cast<int>(along_[i].stride);
      tensor_type rows = type;
      rows.rank = i + 3;
      rows.extents[i + 2] = row;
      count /= stride;
      for (int k = 0; k < count; ++k) {
        V of[most];
        for (int p = 0; p < stride; ++p) of[p] = emit_as<struct reshape>(words(), rows, parts[k * stride + p]);
        parts[k] = stride == 1 ? of[0] : emit_node(op_tag<struct concat>{}, words(i + 2), of, stride);
      }
      row *= stride * type.extents[i + 1];
    }
    for (int i = 0; i < axes_; ++i) type.extents[1 + i] *= along_[i].stride;
    const V whole = emit_as<struct reshape>(words(), type, parts[0]);
    if (type.same_shape(result_)) return whole;
    words sections;
    for (int i = 0; i <= axes_; ++i) {
      sections.push_back(0);
      sections.push_back(i == 0 ? to_end : result_.extents[i]);
      sections.push_back(1);
    }
    return emit<struct slice>(sections, whole);
  }

 private:
  constexpr tensor_type part_type() const {
    tensor_type type = result_;
    for (int i = 0; i < axes_; ++i) type.extents[1 + i] = (result_.extents[1 + i] + along_[i].stride - 1) / along_[i].stride;
    return type;
  }
  /// Phase `number`, of which the last axis's is the last digit.
  constexpr V part(int number) const {
    phase_of_axis at[max_rank];
    words sections, attributes;
    bool is_zero = false;
    for (int i = axes_ - 1; i >= 0; --i) {
      const window_axis& a = along_[i];
      at[i] = phase_of_axis::of(a, result_.extents[1 + i], image_.extents[1 + i], kernel_.extents[i],
                                static_cast<std::int64_t>(number) % a.stride);
      number /= static_cast<int>(a.stride);
      is_zero = is_zero || at[i].count == 0;
    }
    if (is_zero) return filled(x_, part_type(), 0);
    for (int i = 0; i < axes_; ++i) {
      sections.push_back(at[i].begin);
      sections.push_back(to_end);
      sections.push_back(at[i].step);
      at[i].along.append_to(attributes);
    }
    return emit<Op>(attributes, x_, emit<struct slice>(sections, w_));
  }

  V x_, w_;
  tensor_type image_, kernel_, result_;
  const window_axis* along_;
  int axes_;
};

}  // namespace etch::detail
