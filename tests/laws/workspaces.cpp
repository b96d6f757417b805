// SPDX-License-Identifier: MIT
#include <sys/mman.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <initializer_list>
#include <random>

#include "../session/executors.hpp"

/// Products write no further than the workspace that they ask for, and read nothing in it that they have not written. Of random sizes, of
/// which many lie where other code or other blocks begin to serve.
namespace {

using namespace etch;
using cpu::index;

/// Workspaces of some workers that end where memory does: what writes behind the last one is a segmentation fault. Filled with NaN, or
/// with bytes that make one sum of a product another.
template <class T>
class guarded_workspaces {
 public:
  guarded_workspaces(index size, int workers) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = static_cast<std::size_t>(size) * sizeof(T) * static_cast<std::size_t>(workers);
    used_ = (bytes + page) / page * page;
    memory_ = static_cast<char*>(mmap(nullptr, used_ + forbidden, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(static_cast<void*>(memory_) != MAP_FAILED);
    REQUIRE(mprotect(memory_ + used_, forbidden, PROT_NONE) == 0);
    std::fill_n(memory_, used_, static_cast<char>(-1));
    team = {size == 0 ? nullptr : reinterpret_cast<T*>(memory_ + used_ - bytes), size, nullptr};
  }
  guarded_workspaces(const guarded_workspaces&) = delete;
  ~guarded_workspaces() { munmap(memory_, used_ + forbidden); }

  cpu::product_team<T> team;

 private:
  static constexpr std::size_t forbidden = std::size_t{1} << 26;
  char* memory_;
  std::size_t used_;
};

struct size {
  index m, n, k;
};
/// At most so many multiplications.
class sizes {
 public:
  explicit sizes(index most) : most_(most) {}
  index between(index low, index high) {
    return low + static_cast<index>(generator_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool one_of_two() { return generator_() % 2 == 0; }
  /// deep: elements of the second operand by which blocks become less deep.
  size next(index deep) {
    for (;;) {
      constexpr index edges[] = {1, 2, 8, 31, 32, 33, 63, 64, 65, 95, 96, 97, 200};
      size s{one_of_two() ? between(1, 110) : edges[between(0, 12)], one_of_two() ? between(1, 600) : 64 * between(1, 9),
             between(1, 700)};
      if (one_of_two()) {
        s.m = between(5, 16);
        s.k = deep / s.n + between(-18, 18);
      }
      if (s.k > 0 && s.m * s.n * s.k <= most_) return s;
    }
  }

 private:
  std::mt19937_64 generator_{1};
  index most_;
};

template <class T>
std::vector<T> small_integers(index count) {
  std::vector<T> v(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>(static_cast<float>(static_cast<int>(i * 2654435761u >> 28) % 5));
  return v;
}

/// The last row of a product c, and the same by a loop.
template <class A, class B, class C>
void check_last_row(const size& s, const std::vector<A>& a, const std::vector<B>& b, bool is_transposed, const std::vector<C>& c) {
  const auto at = [](index i) { return static_cast<std::size_t>(i); };
  int wrong = 0;
  for (index j = 0; j < s.n; ++j) {
    double total = 0;
    for (index p = 0; p < s.k; ++p)
      total += static_cast<double>(static_cast<float>(a[at((s.m - 1) * s.k + p)])) *
               static_cast<double>(static_cast<float>(b[at(is_transposed ? j * s.k + p : p * s.n + j)]));
    wrong += static_cast<double>(c[at((s.m - 1) * s.n + j)]) == total ? 0 : 1;
  }
  CHECK(wrong == 0);
}

template <class T>
void check_products(sizes from, int count) {
  for (int i = 0; i < count; ++i) {
    const size s = from.next(1 << 19);
    const bool is_transposed = from.between(0, 2) == 0;
    const index m = s.m, n = s.n, k = s.k;
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(is_transposed);
    const auto a = small_integers<T>(m * k), b = small_integers<T>(k * n);
    for (const int workers : {1, 3}) {
      std::vector<T> c(static_cast<std::size_t>(m * n));
      executors::backwards threads(workers);
      guarded_workspaces<T> memory(cpu::matmul_workspace<T>(m, n, k, true), workers);
      if (workers > 1) memory.team.threads = &threads;
      cpu::matmul(m, n, k, cpu::matrix<T>{a.data(), k, 1},
                  is_transposed ? cpu::matrix<T>{b.data(), 1, k} : cpu::matrix<T>{b.data(), n, 1}, memory.team,
                  cpu::store_rows<T>{c.data(), n});
      check_last_row(s, a, b, is_transposed, c);
    }
  }
}

template <class Left, class Right, class Sum>
void check_narrow_products(sizes from, int count) {
  constexpr index group = static_cast<index>(sizeof(Sum) / sizeof(Left));
  for (int i = 0; i < count; ++i) {
    size s = from.next(1 << 19);
    s.k = s.k * group - from.between(0, group - 1);
    const index m = s.m, n = s.n, k = s.k;
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const auto a = small_integers<Left>(m * k);
    const auto b = small_integers<Right>(k * n);
    cpu::grouped_matrix<Left> rows{a.data(), {}, {}};
    rows.rows.add(m, k);
    rows.columns.add(k, 1);
    for (const int workers : {1, 3}) {
      std::vector<Sum> c(static_cast<std::size_t>(m * n));
      executors::backwards threads(workers);
      guarded_workspaces<Sum> memory(cpu::narrow_matmul_workspace(m, n, k, group), workers);
      if (workers > 1) memory.team.threads = &threads;
      cpu::narrow_matmul<typename cpu::detail::dot_of<Left, Right, Sum>::type>(m, n, k, rows, cpu::matrix<Right>{b.data(), n, 1},
                                                                               memory.team, cpu::store_rows<Sum>{c.data(), n});
      check_last_row(s, a, b, false, c);
    }
  }
}

/// Of windows that overlap: row i of a begins behind `step` elements.
template <class T>
void check_grouped_products(sizes from, int count) {
  for (int i = 0; i < count; ++i) {
    const size s = from.next(1 << 19);
    const index m = s.m, n = s.n, k = s.k, step = from.between(1, 3);
    const bool is_deep = from.one_of_two();
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    CAPTURE(is_deep);
    const index apart = is_deep ? 1 : 2;
    const auto from_a = small_integers<T>(m * step + k * apart);
    const auto b = small_integers<T>(k * n);
    std::vector<T> a(static_cast<std::size_t>(m * k));
    for (index r = 0; r < m; ++r)
      for (index p = 0; p < k; ++p) a[static_cast<std::size_t>(r * k + p)] = from_a[static_cast<std::size_t>(r * step + p * apart)];
    cpu::grouped_matrix<T> left{from_a.data(), {}, {}}, right{b.data(), {}, {}};
    left.rows.add(m, step);
    left.columns.add(k, apart);
    right.rows.add(k, n);
    right.columns.add(n, 1);
    for (const int workers : {1, 3}) {
      std::vector<T> c(static_cast<std::size_t>(m * n));
      executors::backwards threads(workers);
      guarded_workspaces<T> memory(cpu::grouped_workspace<T>(m, n, k, is_deep, 0), workers);
      if (workers > 1) memory.team.threads = &threads;
      cpu::grouped_matmul(left, right, memory.team, cpu::store_rows<T>{c.data(), n});
      check_last_row(s, a, b, false, c);
    }
  }
}

#if defined(__OPTIMIZE__)
constexpr int cases = 60;
constexpr index most = 40'000'000;
#else
constexpr int cases = 30;
constexpr index most = 8'500'000;
#endif

}  // namespace

TEST_CASE("law: products stay within their workspaces") {
  check_products<float>(sizes(most), 2 * cases);
  check_products<double>(sizes(most), cases);
}
TEST_CASE("law: products of bytes and bfloat16 stay within their workspaces") {
  check_narrow_products<std::uint8_t, std::int8_t, std::int32_t>(sizes(most), cases);
  check_narrow_products<bfloat16, bfloat16, float>(sizes(most), cases);
}
TEST_CASE("law: products of windows stay within their workspaces") {
  check_grouped_products<float>(sizes(most), cases);
  check_grouped_products<double>(sizes(most), cases);
}
