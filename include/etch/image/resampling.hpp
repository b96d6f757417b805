// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <etch/backend/cpu/simd/bytes.hpp>
#include <etch/backend/cpu/simd/functions.hpp>
#include <etch/backend/cpu/simd/memory.hpp>
#include <etch/ops/resize.hpp>

/// Images of any extents, resized by loops: what `etch::resize` composes for graphs, in one pass over the pixels that count.
namespace etch::image::detail {

/// Which pixels along an axis one of the result is made of, and how much each counts: `taps` weights for each, from `first` on.
struct axis_weights {
  std::vector<std::int64_t> first;
  std::vector<float> weights;
  std::int64_t taps = 0;

  /// Room for `count` pixels of `from`, each made of `most` at most.
  void begin(std::int64_t from, std::int64_t count, std::int64_t most) {
    taps = std::min(from, most);
    first.assign(static_cast<std::size_t>(count), 0);
    weights.assign(static_cast<std::size_t>(count * taps), 0.f);
  }
  float* of(std::int64_t i) { return weights.data() + i * taps; }
  /// Pixel i is made of pixels begin up to end, by weight(j); they add up to 1 if they are shared out.
  template <class Weight>
  void fill(std::int64_t i, std::int64_t begin, std::int64_t end, std::int64_t from, bool shared, const Weight& weight) {
    begin = std::clamp<std::int64_t>(begin, 0, from - 1);
    end = std::clamp<std::int64_t>(end, begin + 1, std::min(from, begin + taps));
    // All taps lie within the image, those that do not count too.
    const std::int64_t at = std::min(begin, from - taps);
    first[static_cast<std::size_t>(i)] = at;
    float* const w = of(i);
    float total = 0;
    for (std::int64_t j = begin; j < end; ++j) total += w[j - at] = weight(j);
    if (!shared || std::abs(total) < 1e-30f) return;
    for (std::int64_t j = begin; j < end; ++j) w[j - at] *= 1 / total;
  }
};

inline float keys_cubic_at(float d) {
  if (d < 1) return (1.5f * d - 2.5f) * d * d + 1;
  return d < 2 ? ((-0.5f * d + 2.5f) * d - 4) * d + 2 : 0;
}

/// As TensorFlow's kernels compute them, in float (resize_area, resize_bicubic, scale_and_translate).
template <class Method>
void weigh(axis_weights& to, std::int64_t from, std::int64_t count, bool smooths) {
  const float scale = static_cast<float>(from) / static_cast<float>(count);
  if constexpr (std::is_same_v<Method, struct area>) {
    to.begin(from, count, static_cast<std::int64_t>(std::ceil(scale)) + 1);
    for (std::int64_t i = 0; i < count; ++i) {
      const float begin = static_cast<float>(i) * scale, end = static_cast<float>(i + 1) * scale;
      to.fill(i, static_cast<std::int64_t>(begin), static_cast<std::int64_t>(std::ceil(end)), from, false, [&](std::int64_t j) {
        const auto at = static_cast<float>(j);
        // Not as end - begin, of which less is exact, where one pixel covers them.
        const float part = at < begin && at + 1 > end ? scale : std::min(at + 1, end) - std::max(at, begin);
        return std::max(0.f, part) / scale;
      });
    }
  } else if (smooths) {
    constexpr bool is_cubic = std::is_same_v<Method, struct bicubic>;
    const float wide = std::max(scale, 1.f), radius = (is_cubic ? 2 : 1) * wide;
    to.begin(from, count, 2 * static_cast<std::int64_t>(std::ceil(radius)) + 1);
    for (std::int64_t i = 0; i < count; ++i) {
      const float middle = (static_cast<float>(i) + 0.5f) * scale;
      to.fill(i, static_cast<std::int64_t>(std::ceil(middle - radius - 0.5f)),
              static_cast<std::int64_t>(std::floor(middle + radius - 0.5f)) + 1, from, true, [&](std::int64_t j) {
                const float d = std::abs((static_cast<float>(j) + 0.5f - middle) / wide);
                return is_cubic ? keys_cubic_at(d) : std::max(1 - d, 0.f);
              });
    }
  } else {
    to.begin(from, count, 4);
    for (std::int64_t i = 0; i < count; ++i) {
      const float place = (static_cast<float>(i) + 0.5f) * scale - 0.5f, before = std::floor(place);
      const float way = std::nearbyint((place - before) * 1024) / 1024;
      const auto at = static_cast<std::int64_t>(before);
      to.fill(i, at - 1, at + 3, from, true,
              [&](std::int64_t j) { return keys_cubic_at(std::abs(static_cast<float>(j - at) - way)); });
    }
  }
}

/// The pixels beside a place on a line, and how far it is from the first to the second. Along rows in elements.
struct neighbours {
  std::int64_t before, behind;
  float way;
};
/// Of pixel i of a line of others. Floats beyond 2^24 may be rounded past the last of `from` pixels.
inline neighbours neighbours_of(std::int64_t i, float scale, std::int64_t from) {
  const float place = (static_cast<float>(i) + 0.5f) * scale - 0.5f, before = std::floor(place);
  return {std::clamp<std::int64_t>(static_cast<std::int64_t>(before), 0, from - 1),
          std::min(static_cast<std::int64_t>(std::ceil(place)), from - 1), place - before};
}
inline void find_neighbours(std::vector<neighbours>& to, std::int64_t from, std::int64_t count, std::int64_t channels) {
  to.resize(static_cast<std::size_t>(count));
  const float scale = static_cast<float>(from) / static_cast<float>(count);
  for (std::int64_t i = 0; i < count; ++i) {
    const neighbours n = neighbours_of(i, scale, from);
    to[static_cast<std::size_t>(i)] = {n.before * channels, n.behind * channels, n.way};
  }
}

struct image_extents {
  std::int64_t height, width, channels;
};

/// What resizing needs besides the images, kept by the thread.
struct resizing_memory {
  axis_weights rows, columns;
  std::vector<neighbours> along_rows, along_columns;
  std::vector<float> line;
};

/// What lies between the neighbours along a row. `Channels`: how many, 0: as many as `channels`.
template <int Channels, class T>
void interpolate_row(const std::vector<neighbours>& along, const T* row, std::int64_t channels, float* to) {
  if constexpr (Channels != 0) channels = Channels;
  for (const neighbours& column : along) {
    for (std::int64_t c = 0; c < channels; ++c) {
      const auto first = static_cast<float>(row[column.before + c]);
      to[c] = first + (static_cast<float>(row[column.behind + c]) - first) * column.way;
    }
    to += channels;
  }
}
/// What lies between the neighbours along rows and columns. Two rows are kept: where an image becomes larger the next ones are mostly these.
template <class T>
void interpolate(resizing_memory& memory, const T* from, std::int64_t channels, float* to) {
  const auto size = static_cast<std::int64_t>(memory.along_columns.size()) * channels;
  memory.line.resize(static_cast<std::size_t>(2 * size));
  float* lines[2] = {memory.line.data(), memory.line.data() + size};
  std::int64_t kept[2] = {-1, -1};
  const auto fill = [&](int i, std::int64_t row) {
    if (kept[i] == row) return;
    kept[i] = row;
    if (channels == 3)
      interpolate_row<3>(memory.along_columns, from + row, channels, lines[i]);
    else if (channels == 1)
      interpolate_row<1>(memory.along_columns, from + row, channels, lines[i]);
    else
      interpolate_row<0>(memory.along_columns, from + row, channels, lines[i]);
  };
  for (const neighbours& row : memory.along_rows) {
    if (kept[1] == row.before) {
      std::swap(lines[0], lines[1]);
      std::swap(kept[0], kept[1]);
    }
    fill(0, row.before);
    fill(1, row.behind);
    const float *const top = lines[0], *const bottom = lines[1];
    for (std::int64_t k = 0; k < size; ++k) to[k] = top[k] + (bottom[k] - top[k]) * row.way;
    to += size;
  }
}
template <class T>
void resize_bilinear(resizing_memory& memory, const T* from, image_extents of, float* to, std::int64_t height, std::int64_t width) {
  find_neighbours(memory.along_rows, of.height, height, of.width * of.channels);
  find_neighbours(memory.along_columns, of.width, width, of.channels);
  interpolate(memory, from, of.channels, to);
}

/// A line of sums of rows, each element times its row's weight: four vectors at a time, which stay in registers.
template <class T>
void add_rows(const T* rows, std::int64_t stride, const float* weights, std::int64_t count, float* to, std::int64_t size) {
  std::int64_t k = 0;
  if constexpr (is_host_pass && (sizeof(T) == 1 || std::is_same_v<T, float>)) {
    constexpr std::int64_t lanes = cpu::lanes<float>, step = 4 * lanes;
    for (; k + step <= size; k += step) {
      cpu::batch<float> total[4] = {};
      for (std::int64_t t = 0; t < count; ++t) {
        const cpu::batch<float> weight(weights[t]);
        for (std::int64_t v = 0; v < 4; ++v) {
          const T* const at = rows + t * stride + k + v * lanes;
          if constexpr (sizeof(T) == 1)
            total[v] = math::fma(weight, cpu::load_widened<float>(at), total[v]);
          else
            total[v] = math::fma(weight, cpu::load(at), total[v]);
        }
      }
      for (std::int64_t v = 0; v < 4; ++v) cpu::store(to + k + v * lanes, total[v]);
    }
  }
  for (; k < size; ++k) {
    float total = 0;
    for (std::int64_t t = 0; t < count; ++t) total += weights[t] * static_cast<float>(rows[t * stride + k]);
    to[k] = total;
  }
}
/// Rows first, so that a line of the result's height is all that lies between.
template <class T>
void resize_separably(resizing_memory& memory, const T* from, image_extents of, float* to, std::int64_t height,
                      std::int64_t width) {
  const std::int64_t stride = of.width * of.channels, columns = memory.columns.taps;
  memory.line.resize(static_cast<std::size_t>(stride));
  for (std::int64_t y = 0; y < height; ++y) {
    add_rows(from + memory.rows.first[static_cast<std::size_t>(y)] * stride, stride, memory.rows.of(y), memory.rows.taps,
             memory.line.data(), stride);
    const float* weights = memory.columns.weights.data();
    for (std::int64_t x = 0; x < width; ++x, weights += columns) {
      const float* const at = memory.line.data() + memory.columns.first[static_cast<std::size_t>(x)] * of.channels;
      for (std::int64_t c = 0; c < of.channels; ++c) {
        float total = 0;
        for (std::int64_t t = 0; t < columns; ++t) total += weights[t] * at[t * of.channels + c];
        *to++ = total;
      }
    }
  }
}

/// Pixels of areas, by integers: exact for every extent.
template <class T>
void resize_nearest(const T* from, image_extents of, T* to, std::int64_t height, std::int64_t width) {
  for (std::int64_t y = 0; y < height; ++y) {
    const T* const row = from + (2 * y + 1) * of.height / (2 * height) * of.width * of.channels;
    for (std::int64_t x = 0; x < width; ++x)
      to = std::copy_n(row + (2 * x + 1) * of.width / (2 * width) * of.channels, of.channels, to);
  }
}

/// `images` of them, side by side.
template <class Method, class T, class R>
void resize_all(const T* from, std::int64_t images, image_extents of, R* to, std::int64_t height, std::int64_t width,
                bool smooths) {
  static thread_local resizing_memory memory;
  constexpr bool is_line = std::is_same_v<Method, struct bilinear>;
  if constexpr (!std::is_same_v<Method, struct nearest>) {
    if (!is_line || smooths) {
      weigh<Method>(memory.rows, of.height, height, smooths);
      weigh<Method>(memory.columns, of.width, width, smooths);
    }
  }
  for (; images > 0; --images, from += of.height * of.width * of.channels, to += height * width * of.channels) {
    if constexpr (std::is_same_v<Method, struct nearest>)
      resize_nearest(from, of, to, height, width);
    else if (is_line && !smooths)
      resize_bilinear(memory, from, of, to, height, width);
    else
      resize_separably(memory, from, of, to, height, width);
  }
}

}  // namespace etch::image::detail
