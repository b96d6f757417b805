// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <etch/backend/cpu/opaque/copying.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

/// Strided copies write the elements that plain loops write, and no others.
namespace {

using etch::max_rank;

/// Two arrays with room between their elements, and how a part of both lies in them.
template <class T>
struct strided_copy {
  int rank;
  std::int64_t extents[max_rank], to_stride[max_rank], from_stride[max_rank], to_first = 0, from_first = 0;
  std::vector<T> to, from;

  explicit strided_copy(std::mt19937& random) : rank(static_cast<int>(random() % 5)) {
    const int wanted[] = {0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 9, 16, 17, 33};
    for (int i = 0; i < rank; ++i) extents[i] = wanted[random() % 13 + (random() % 40 == 0 ? 0 : 1)];
    if (rank == 2 && random() % 3 == 0) extents[0] = 300 + static_cast<std::int64_t>(random() % 300);
    to = std::vector<T>(place(random, to_stride, to_first, false));
    from = std::vector<T>(place(random, from_stride, from_first, true));
    for (T& x : to) x = static_cast<T>(random());
    for (T& x : from) x = static_cast<T>(random());
  }
  /// Chooses strides, from the last axis on: as near as they can be, with some left between, backwards, and of what is read 0. The number
  /// of elements that this takes.
  std::size_t place(std::mt19937& random, std::int64_t* stride, std::int64_t& first, bool may_repeat) {
    std::int64_t size = 1;
    for (int i = rank; i-- > 0;) {
      stride[i] = may_repeat && random() % 8 == 0 ? 0 : size + (random() % 3 == 0 ? static_cast<std::int64_t>(random() % 3) : 0);
      const std::int64_t reach = stride[i] * (extents[i] > 0 ? extents[i] - 1 : 0);
      size += reach;
      if (random() % 6 == 0) {
        first += reach;
        stride[i] = -stride[i];
      }
    }
    return static_cast<std::size_t>(size);
  }
  void copy_by_loops(std::vector<T>& result, int axis, std::int64_t a, std::int64_t b) const {
    if (axis == rank) {
      result[static_cast<std::size_t>(a)] = from[static_cast<std::size_t>(b)];
      return;
    }
    for (std::int64_t i = 0; i < extents[axis]; ++i)
      copy_by_loops(result, axis + 1, a + i * to_stride[axis], b + i * from_stride[axis]);
  }
};

}  // namespace

TEST_CASE_TEMPLATE("strided copies are those of plain loops", T, std::uint8_t, std::uint16_t, float, double) {
  std::mt19937 random(17);
  int wrong = 0;
  for (int i = 0; i < 4000; ++i) {
    strided_copy<T> c(random);
    std::vector<T> expected = c.to;
    c.copy_by_loops(expected, 0, c.to_first, c.from_first);
    etch::cpu::detail::copy_elements(c.to.data() + c.to_first, c.to_stride, c.from.data() + c.from_first, c.from_stride, c.rank,
                                     c.extents);
    wrong += c.to != expected;
  }
  CHECK(wrong == 0);
}
