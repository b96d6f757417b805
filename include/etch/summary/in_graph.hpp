// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>

#include <etch/host_call.hpp>
#include <etch/summary/file_writer.hpp>

/// Summaries as effects of graphs: what a training step, a traced function, a loop or eager code writes to TensorBoard by itself.
///
///     constexpr auto train = optimizers::adam(1e-3_c).minimize(loss);
///     constexpr auto watched = summary::scalar<"loss">(loss, steps);
///     summary::default_writer here(writer);
///     session.run(train, watched, ...);
namespace etch::summary {

namespace detail {
inline std::atomic<file_writer*> current_writer{nullptr};
}

/// Where summaries of graphs go while it lives, from all threads, since a session's steps run on several; then where they went before.
/// Without one they are not written. Writers outlive it.
class default_writer {
 public:
  explicit default_writer(file_writer& writer) : before_(detail::current_writer.exchange(&writer)) {}
  default_writer(const default_writer&) = delete;
  default_writer& operator=(const default_writer&) = delete;
  ~default_writer() { detail::current_writer = before_; }

 private:
  file_writer* before_;
};

namespace detail {

/// Elements row by row, as a writer takes them.
template <class T>
struct elements {
  explicit elements(const strided<const T>& x) : extents(x.extents, x.extents + x.rank) {
    const auto n = static_cast<std::size_t>(x.size());
    values.reset(new T[n]);
    for (std::size_t i = 0; i < n; ++i) values[i] = x[static_cast<std::int64_t>(i)];
    count = n;
  }
  const T* begin() const { return values.get(); }
  const T* end() const { return values.get() + count; }
  const T* data() const { return values.get(); }
  std::size_t size() const { return count; }
  const std::vector<std::int64_t>& shape() const { return extents; }

  std::vector<std::int64_t> extents;
  std::unique_ptr<T[]> values;
  std::size_t count = 0;
};

template <fixed_string Tag>
struct write_scalar {
  template <class T, class Step>
  void operator()(const T& value, const Step& step) const {
    if (file_writer* writer = current_writer) writer->scalar(Tag.text, value, static_cast<std::int64_t>(step));
  }
};
template <fixed_string Tag>
struct write_histogram {
  template <class T, class Step>
  void operator()(const strided<const T>& values, const Step& step) const {
    if (file_writer* writer = current_writer) writer->histogram(Tag.text, elements<T>(values), static_cast<std::int64_t>(step));
  }
};
template <fixed_string Tag>
struct write_image {
  template <class T, class Step>
  void operator()(const strided<const T>& pixels, const Step& step) const {
    if (file_writer* writer = current_writer) writer->image(Tag.text, elements<T>(pixels), static_cast<std::int64_t>(step));
  }
};

}  // namespace detail

/// An effect: writes a scalar under the tag. `step`: an integer, of a placeholder, a variable that counts, or a loop. In a run in which it
/// is fetched or stands behind `after`; in eager code at once.
template <fixed_string Tag, class V, class Step>
constexpr auto scalar(const V& value, const Step& step) {
  return host_call<"summary scalar " + Tag>(detail::write_scalar<Tag>{}, value, step);
}
/// How an array's elements are distributed, in 30 buckets.
template <fixed_string Tag, class V, class Step>
constexpr auto histogram(const V& values, const Step& step) {
  return host_call<"summary histogram " + Tag>(detail::write_histogram<Tag>{}, values, step);
}
/// An array (height, width) or (height, width, 1 to 4 channels), of bytes, or of floats in [0, 1].
template <fixed_string Tag, class V, class Step>
constexpr auto image(const V& pixels, const Step& step) {
  return host_call<"summary image " + Tag>(detail::write_image<Tag>{}, pixels, step);
}

}  // namespace etch::summary
