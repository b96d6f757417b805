// SPDX-License-Identifier: MIT
#include "modes.hpp"

/// "A sum has the same bits whatever its kernel computes beside it": of what is light and heavy to compute, alone, beside what reads the same
/// elements and makes the kernel heavier, after a value that is stored, and at once; along rows, across them, along short rows, over all, in
/// blocks.
namespace {

using namespace etch;
using namespace etch::literals;

/// Positive numbers whose sums round.
template <class Array>
Array terms(std::vector<std::size_t> shape) {
  Array a = Array::from_shape(shape);
  std::uint32_t state = 12345;
  for (auto& e : a) {
    state = state * 1664525 + 1013904223;
    e = static_cast<typename Array::value_type>(0.1 + static_cast<double>(state >> 8) / 16777216);
  }
  return a;
}

/// Neither ends in a multiplication, which g++ would fuse with an addition behind it in one kernel and not in another (docs/flags.md).
struct cheap {
  constexpr auto operator()(auto x) const { return maximum(x, 0.3_c); }
};
struct dear {
  constexpr auto operator()(auto x) const { return etch::tanh(x) / etch::cosh(x); }
};

template <class F, class T, std::int64_t... Extents, int... Axes>
void check_sums(axis_list<Axes...> axes, const char* name, bool short_rows = false) {
  constexpr placeholder<"x", T, Extents...> x;
  constexpr auto terms_of_sum = F{}(x);
  constexpr auto total = sum(terms_of_sum, axis_list<Axes...>{});
  constexpr auto product = prod(terms_of_sum + 0.7_c, axis_list<Axes...>{});
  constexpr auto other = sum(etch::cbrt(terms_of_sum) / etch::sinh(terms_of_sum), axis_list<Axes...>{});
  const auto data = terms<xt::xtensor<T, sizeof...(Extents)>>({static_cast<std::size_t>(Extents)...});
  const std::string what = std::string(name) + " of " + name_of_dtype(dtype_of<T>);

  const auto alone = [&](auto e) {
    session s(e);
    return s.run(e, x = data);
  };
  const std::tuple expected(alone(total));
  const std::tuple both(std::get<0>(expected), alone(product));
  session s(total, product, other, terms_of_sum);
  const auto [first, beside] = s.run(total, other, x = data);
  laws::check_equal(std::tuple(first), expected, what + " beside one that is dear");
  const auto [stored, last] = s.run(terms_of_sum, total, x = data);
  laws::check_equal(std::tuple(last), expected, what + " of terms that are stored");
  const auto [of_all, dear_one, sum_of_all, all_terms] = s.run(product, other, total, terms_of_sum, x = data);
  laws::check_equal(std::tuple(sum_of_all, of_all), both, what + " and the product beside all");
  // Eager mode does not know that rows are short, and goes along them.
  if (short_rows) return;
  const etch::tensor<T, static_cast<int>(sizeof...(Extents))> at_once(data);
  laws::check_equal(std::tuple(xt::xtensor<T, sizeof...(Extents) - sizeof...(Axes)>(sum(F{}(at_once), axes).array())), expected,
                    what + " at once");
}

template <class F, class T>
void check_all() {
  check_sums<F, T, 7, 1003>(axis<1>, "sum along rows");
  check_sums<F, T, 1003, 37>(axis<0>, "sum across rows");
  check_sums<F, T, 500, 12>(axis<1>, "sum of short rows", true);
  check_sums<F, T, 2, 70001>(axis<1>, "sum in blocks");
}

}  // namespace

TEST_CASE("sums and products of floats are the same to the last bit beside others, of stored terms, and at once") {
  check_all<cheap, float>();
  check_all<dear, double>();
}
