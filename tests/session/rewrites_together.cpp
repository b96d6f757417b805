// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>

#include <etch/control.hpp>
#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

// Rewrites and kernels that have limits of their own, in one plan: a gradient of a pad that broadcasts, rows of a variable that move behind an
// assignment of all, functions of one number, a loop that is cut off, rows without elements. Alone, together and in the other order, by one
// thread and by three, they have the same bits.

namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, 40, 33> x;
constexpr placeholder<"row", float, 1, 33> row;
constexpr placeholder<"table", float, any<"n">, any<"m">> table;
constexpr placeholder<"ids", std::int32_t, any<"k">> ids;
constexpr placeholder<"p", float> p;
constexpr auto w = variable<"w">(zeros<float>(shape<40, 33>{}), not_trainable);

constexpr auto padded = gradient(sum(square(pad(row, padding<0, 39>, padding<0>)) * x), row) + x;
constexpr auto whole = after(w, assign(w, x * 2_c));
constexpr auto moved = group(assign(slice(w, section<1>), slice(whole, section<0, -1>) + sigmoid(p)));
constexpr auto loop = while_loop<3>([](auto s) { return sum(s) < 100_c; }, [](auto s) { return s + 1_c; },
                                    reshape(slice(x, section<0, 1>), shape<33>{}));
constexpr auto cut = etch::exp(slice(etch::tanh(concat(axis<0>, reshape(x, shape<1320>{}), loop)), section<0, 1320>));
constexpr auto nothing = sum(gather(table, ids)) + p;
constexpr auto counted = flip(arange<float>(shape<40>{})) * etch::tanh(p);

struct results {
  xt::xtensor<float, 2> padded;
  xt::xtensor<float, 1> cut;
  float nothing = 0;
  xt::xtensor<float, 1> counted;
  xt::xtensor<float, 2> w;
  bool operator==(const results& other) const {
    return padded == other.padded && cut == other.cut && nothing == other.nothing && counted == other.counted && w == other.w;
  }
};
enum class order { alone, together, reversed };

struct operands {
  xt::xtensor<float, 2> xs = xt::zeros<float>({40, 33}), rows = xt::zeros<float>({1, 33}), no_elements = xt::zeros<float>({5, 0});
  std::vector<std::int32_t> places = {2, 0, 1};
  operands() {
    for (std::size_t i = 0; i < xs.size(); ++i) xs.data()[i] = static_cast<float>(i * 7 % 23) - 11;
    for (std::size_t i = 0; i < 33; ++i) rows(0, i) = 0.5f * static_cast<float>(i);
  }
};
results run(const operands& v, order how, executor* threads) {
  session s(padded, moved, cut, nothing, counted, w);
  s.set_executor(threads);
  s.initialize();
  results r;
  if (how == order::alone) {
    r.padded = s.run(padded, row = v.rows, x = v.xs);
    r.cut = s.run(cut, x = v.xs);
    r.nothing = s.run(nothing, table = v.no_elements, ids = v.places, p = 0.3f);
    r.counted = s.run(counted, p = 0.3f);
    s.run(moved, x = v.xs, p = 0.3f);
  } else if (how == order::together) {
    std::tie(r.padded, r.cut, r.nothing, r.counted) =
        s.run(padded, cut, nothing, counted, moved, row = v.rows, x = v.xs, table = v.no_elements, ids = v.places, p = 0.3f);
  } else {
    std::tie(r.counted, r.nothing, r.cut, r.padded) =
        s.run(moved, counted, nothing, cut, padded, row = v.rows, x = v.xs, table = v.no_elements, ids = v.places, p = 0.3f);
  }
  r.w = s.get(w);
  return r;
}

}  // namespace

TEST_CASE("alone, together and in the other order, by one thread and by three") {
  const operands v;
  thread_pool three(3);
  const results alone = run(v, order::alone, nullptr);
  for (executor* threads : {static_cast<executor*>(nullptr), static_cast<executor*>(&three)})
    for (const order how : {order::alone, order::together, order::reversed}) {
      CAPTURE(static_cast<int>(how));
      CHECK(run(v, how, threads) == alone);
    }
  const double step = 1 / (1 + std::exp(-0.3));
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t j = 0; j < 33; ++j) {
      CHECK(alone.padded(i, j) == 2 * v.rows(0, j) * v.xs(0, j) + v.xs(i, j));
      CHECK(alone.w(i, j) == doctest::Approx(i == 0 ? 2. * v.xs(0, j) : 2. * v.xs(i - 1, j) + step).epsilon(1e-6));
      CHECK(alone.cut(33 * i + j) == doctest::Approx(std::exp(std::tanh(v.xs(i, j)))).epsilon(1e-6));
    }
  CHECK(alone.nothing == 0.3f);
  for (std::size_t i = 0; i < 40; ++i)
    CHECK(alone.counted(i) == doctest::Approx(static_cast<double>(39 - i) * std::tanh(0.3)).epsilon(1e-6));
}
