// SPDX-License-Identifier: MIT
#pragma once
#include "reference/kernel.hpp"
#include <etch/ops/convolve.hpp>

/// Convolution and its adjoints: one product after another, each added to where it belongs.
namespace etch::reference {

/// The image, the kernel and the result of a convolution; one of them is what is computed.
struct convolution_arrays {
  const value *image, *kernel, *result;
};

/// Calls f(image, kernel, result), positions of one product, for each product that reads no padding.
template <class F>
void for_each_product(const convolution_arrays& a, const words& attributes, const F& f) {
  const int axes = attributes.count / 4, rank = a.image->rank, groups = rank - axes - 2;
  const bool is_channelwise = a.kernel->rank < rank;
  window_axis window[max_rank];
  // Of all places: batch, windows, elements of a window, group, channel, filter.
  std::vector<std::int64_t> extents{a.image->extents[0]};
  extent_table none;
  inference context{none};
  for (int i = 0; i < axes; ++i) {
    window[i] = window_axis::of(attributes, i);
    if (window[i].before == same_paddings) window[i].place(context, a.image->extents[1 + i], a.kernel->extents[i]);
    extents.push_back(a.result->extents[1 + i]);
  }
  for (int i = 0; i < axes; ++i) extents.push_back(a.kernel->extents[i]);
  extents.push_back(groups != 0 ? a.kernel->extents[rank - 3] : 1);
  extents.push_back(a.kernel->extents[rank - 2]);
  extents.push_back(is_channelwise ? 1 : a.kernel->extents[rank - 1]);
  std::int64_t count = 1;
  for (const std::int64_t e : extents) count *= e;
  std::vector<std::int64_t> at(extents.size());
  const auto first_element = static_cast<std::size_t>(1 + axes), group = first_element + static_cast<std::size_t>(axes);
  for (std::int64_t n = 0; n < count; ++n) {
    position image, kernel, result;
    image[0] = result[0] = at[0];
    bool inside = true;
    for (int i = 0; i < axes; ++i) {
      const auto axis = static_cast<std::size_t>(i);
      result[1 + i] = at[1 + axis];
      kernel[i] = at[first_element + axis];
      image[1 + i] = window[i].stride * result[1 + i] + window[i].dilation * kernel[i] - window[i].before;
      inside = inside && image[1 + i] >= 0 && image[1 + i] < a.image->extents[1 + i];
    }
    if (groups != 0) image[rank - 2] = result[rank - 2] = kernel[rank - 3] = at[group];
    image[rank - 1] = kernel[rank - 2] = at[group + 1];
    result[rank - 1] = kernel[rank - 1] = at[is_channelwise ? group + 1 : group + 2];
    if (inside) f(image, kernel, result);
    for (std::size_t i = at.size(); i-- > 0;) {
      if (++at[i] < extents[i]) break;
      at[i] = 0;
    }
  }
}

/// What the products add up to in `out`.
template <class T>
struct convolution_sums {
  value& out;
  std::vector<accumulator<T>> totals = std::vector<accumulator<T>>(static_cast<std::size_t>(out.count()));

  void add(const position& to, const value& a, const position& of_a, const value& b, const position& of_b) {
    totals[static_cast<std::size_t>(number_of(out, to))] +=
        static_cast<accumulator<T>>(a.data<T>()[number_of(a, of_a)]) * static_cast<accumulator<T>>(b.data<T>()[number_of(b, of_b)]);
  }
  void round() {
    for (std::size_t i = 0; i < totals.size(); ++i) out.data<T>()[i] = static_cast<T>(totals[i]);
  }
};

template <>
struct kernel<struct convolution> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    convolution_sums<T> sums{out};
    for_each_product({&in[0], &in[1], &out}, in.attributes,
                     [&](const position& x, const position& w, const position& y) { sums.add(y, in[0], x, in[1], w); });
    sums.round();
  }
};
template <>
struct kernel<struct convolution_transpose> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    convolution_sums<T> sums{out};
    for_each_product({&out, &in[1], &in[0]}, in.attributes,
                     [&](const position& x, const position& w, const position& y) { sums.add(x, in[0], y, in[1], w); });
    sums.round();
  }
};
template <>
struct kernel<struct convolution_kernel> {
  template <class T, class, class>
  static void run(const arguments& in, value& out) {
    convolution_sums<T> sums{out};
    for_each_product({&in[0], &out, &in[1]}, in.attributes,
                     [&](const position& x, const position& w, const position& y) { sums.add(w, in[0], x, in[1], y); });
    sums.round();
  }
};

}  // namespace etch::reference
