// SPDX-License-Identifier: MIT
#include <sstream>

#include <doctest/doctest.h>

#include <etch/etch.hpp>
#include <etch/tape.hpp>

// The worked examples of small programs, in eager mode; and one model, written once, in every mode.

using namespace etch::literals;

namespace {
template <class Tensor>
std::string text(const Tensor& t) {
  std::ostringstream out;
  out << t;
  return out.str();
}
template <class Tensor>
std::vector<typename Tensor::value_type> elements(const Tensor& t) {
  return std::vector<typename Tensor::value_type>(t.data(), t.data() + t.size());
}

/// A network with a norm, a gather, a mask and a loss: of eager tensors or of expressions.
const auto model = [](auto x, auto rows, auto labels, auto kernel, auto bias, auto last) {
  const auto hidden = etch::gelu(etch::layer_norm(etch::nn::dense(x, kernel, bias), 1_c, bias));
  const auto picked = etch::concat(etch::axis<0>, etch::gather(hidden, rows), hidden * hidden);
  const auto kept = etch::where(picked > 0.1_c, picked, 0.01_c * picked);
  return etch::mean(etch::nn::sparse_softmax_cross_entropy(etch::matmul(kept, last), labels));
};
}  // namespace

TEST_CASE("AT-H1, AT-H2, AT-H4, AT-H8: sums and products") {
  CHECK(text(etch::tensor(1) + etch::tensor(1)) == "etch.tensor(2, shape=(), dtype=int32)");
  const etch::tensor<int, 0> a = 2, b = 3;
  CHECK((a + b).item() == 5);
  const etch::tensor wide = etch::ones(etch::shape<2, 3>{}), high = etch::ones(etch::shape<3, 2>{});
  CHECK(text(etch::matmul(wide, high)) == "etch.tensor(\n[[3. 3.]\n [3. 3.]], shape=(2, 2), dtype=float32)");
  const etch::tensor<float, 2> p = {{1, 2}, {3, 4}}, q = {{5, 6}, {7, 8}};
  CHECK(text(p + q) == "etch.tensor(\n[[ 6.  8.]\n [10. 12.]], shape=(2, 2), dtype=float32)");
  CHECK(text(etch::matmul(p, q)) == "etch.tensor(\n[[19. 22.]\n [43. 50.]], shape=(2, 2), dtype=float32)");
  CHECK(text(etch::matmul(etch::astype<int>(p), etch::astype<int>(q))) ==
        "etch.tensor(\n[[19 22]\n [43 50]], shape=(2, 2), dtype=int32)");
}

TEST_CASE("AT-7b: a tensor and a number") {
  const etch::tensor<int, 2> a = {{1, 2}, {3, 4}};
  CHECK(text(a) == "etch.tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)");
  CHECK(text(etch::add(a, 1)) == "etch.tensor(\n[[2 3]\n [4 5]], shape=(2, 2), dtype=int32)");
}

TEST_CASE("AT-H3: a variable counts") {
  etch::eager::variable a(etch::tensor<float, 0>(0));
  std::string seen;
  for (int i = 0; i < 5; ++i) {
    a.assign(a + 1_c);
    seen += etch::elements_text(a.read()) + " ";
  }
  CHECK(seen == "1.0 2.0 3.0 4.0 5.0 ");
}

TEST_CASE("EAG-11, TAPE-03: one model gives the same values and gradients in a session and by a tape") {
  constexpr etch::placeholder<"x", float, 4, 3> x;
  constexpr etch::placeholder<"rows", std::int32_t, 2> rows;
  constexpr etch::placeholder<"labels", std::int32_t, 6> labels;
  constexpr etch::placeholder<"kernel", float, 3, 5> kernel;
  constexpr etch::placeholder<"bias", float, 5> bias;
  constexpr etch::placeholder<"last", float, 5, 4> last;
  constexpr auto loss = model(x, rows, labels, kernel, bias, last);
  constexpr auto dx = etch::gradient(loss, x);
  constexpr auto dk = etch::gradient(loss, kernel);
  constexpr auto db = etch::gradient(loss, bias);
  constexpr auto dl = etch::gradient(loss, last);
  etch::session s(loss, dx, dk, db, dl);
  for (int seed = 0; seed < 5; ++seed) {
    etch::eager::seed(static_cast<std::uint64_t>(seed));
    const etch::tensor<float, 2> tx = etch::random_normal<"x">(etch::shape<4, 3>{});
    const etch::tensor<float, 2> tk = etch::random_normal<"k">(etch::shape<3, 5>{});
    const etch::tensor<float, 1> tb = etch::random_normal<"b">(etch::shape<5>{});
    const etch::tensor<float, 2> tl = etch::random_normal<"l">(etch::shape<5, 4>{});
    const etch::tensor<std::int32_t, 1> tr = {3, seed % 4}, ty = {0, 1, 2, 3, seed % 4, 1};
    etch::tape tape;
    const auto now = model(tx, tr, ty, tk, tb, tl);
    const auto [gx, gk, gb, gl] = tape.gradient(now, tx, tk, tb, tl);
    const auto [value, wx, wk, wb, wl] =
        s.run(loss, dx, dk, db, dl, x = tx, rows = tr, labels = ty, kernel = tk, bias = tb, last = tl);
    CHECK(now.item() == doctest::Approx(value).epsilon(1e-5));
    const auto alike = [](const auto& got, const auto& wanted) {
      const auto e = elements(got);
      REQUIRE(e.size() == wanted.size());
      for (std::size_t i = 0; i < e.size(); ++i) CHECK(e[i] == doctest::Approx(wanted.data()[i]).epsilon(1e-4));
    };
    alike(gx, wx);
    alike(gk, wk);
    alike(gb, wb);
    alike(gl, wl);
  }
}
