// SPDX-License-Identifier: MIT
#include <laws/differences.hpp>
#include <laws/modes.hpp>

/// Losses that forgive, weigh or spread: results of NumPy and SciPy, special values, gradients as differences.
namespace {

using namespace etch;
using laws::check_described;
using laws::check_gradients;
using laws::described;
using laws::weighted;
using matrix = xt::xtensor<double, 2>;

constexpr placeholder<"p", double, any<"n">, 3> p;
constexpr placeholder<"q", double, any<"n">, 3> q;
constexpr placeholder<"weights", double, 3> weights;
constexpr placeholder<"samples", double, any<"n">, 1> samples;
constexpr placeholder<"labels", std::int32_t, any<"n">> labels;

const matrix logits = {{1, 2, 3}, {0.5, -1, 0.25}}, shares = {{0.1, 0.2, 0.7}, {0.5, 0.5, 0}};
const xt::xtensor<double, 1> class_weights = {1, 2, 0.5};
const xt::xtensor<std::int32_t, 1> classes = {2, 0};

/// In a session and by the reference.
template <expression Y, class... Fed>
void check(Y y, const laws::expected& wanted, const char* what, const Fed&... fed) {
  session s(y);
  check_described(described(s.run(y, fed...)), wanted, 1e-15, what);
  check_described(described(reference::run(y, fed...)), wanted, 1e-15, what + std::string(" by the reference"));
}

}  // namespace

TEST_CASE("losses: huber is quadratic near its target and linear far from it") {
  const matrix a = {{0.5, -2, 3}, {1, 1, 1}}, b = {{0, 0, 0}, {1, 2, -1}};
  check(nn::huber(p, q), {{}, {1.0208333333333333}}, "huber", p = a, q = b);
  check(nn::huber(p, q, 0.75_c), {{}, {0.8333333333333334}}, "huber of 0.75", p = a, q = b);
  check(gradient(nn::huber(p, q), p), {{2, 3}, {0.5 / 6, -1. / 6, 1. / 6, 0, -1. / 6, 1. / 6}}, "its gradient", p = a, q = b);
  check_described(described(nn::huber(tensor<double, 2>(a), tensor<double, 2>(b))), {{}, {1.0208333333333333}}, 1e-15, "at once");
  check_gradients("huber", std::tuple(nn::huber(p, q), weighted(gradient(nn::huber(p, q, 0.75_c) * 3_c, p))), std::tuple(p, q),
                  std::tuple(matrix(a + 0.125), b));
}

TEST_CASE("losses: the divergence of Kullback and Leibler, where probabilities are 0 too") {
  const matrix a = {{0.2, 0.3, 0.5}, {0, 0.4, 0.6}}, b = {{0.1, 0.6, 0.3}, {0, 0.5, 0.5}};
  check(nn::kl_divergence(p, q), {{2}, {0.18609809382700082, 0.020135513550688863}}, "divergence", p = a, q = b);
  constexpr double inf = std::numeric_limits<double>::infinity();
  const matrix possible = {{0.5, 0.5, 0}, {0, 0, 1}}, impossible = {{0, 0.5, 0.5}, {0, 0, 1}}, half = {{0.5, 0.5, 0}},
               quarter = {{0.25, 0.5, 0}};
  check(nn::kl_divergence(p, q), {{2}, {inf, 0}}, "of what cannot be", p = possible, q = impossible);
  check(gradient(sum(nn::kl_divergence(p, q)), q), {{1, 3}, {-2, -1, 0}}, "its gradient", p = half, q = quarter);
  const matrix c = {{0.2, 0.3, 0.5}, {0.1, 0.4, 0.5}}, d = {{0.1, 0.6, 0.3}, {0.2, 0.4, 0.4}};
  check_gradients("divergence",
                  std::tuple(weighted(nn::kl_divergence(p, q)), weighted(gradient(weighted(nn::kl_divergence(p, q)), p))),
                  std::tuple(p, q), std::tuple(c, d));
}

TEST_CASE("losses: cross entropies with weights of classes and of samples") {
  check(nn::weighted_softmax_cross_entropy(p, q, weights), {{2}, {0.9464650697777233, 2.5411682796028714}}, "of classes",
        p = logits, q = shares, weights = class_weights);
  const matrix two = {{2}, {3}};
  check(nn::weighted_softmax_cross_entropy(p, q, samples), {{2}, {1.615211928888761, 4.332336559205743}}, "of samples", p = logits,
        q = shares, samples = two);
  check(nn::weighted_sparse_softmax_cross_entropy(p, labels, weights), {{2}, {0.2038029822221902, 0.6941121864019144}}, "of labels",
        p = logits, labels = classes, weights = class_weights);
  const xt::xtensor<std::int32_t, 1> none = {-1, 3};
  check(nn::weighted_sparse_softmax_cross_entropy(p, labels, weights), {{2}, {0, 0}}, "of no class", p = logits, labels = none,
        weights = class_weights);
  check_gradients("weighted",
                  std::tuple(weighted(nn::weighted_softmax_cross_entropy(p, q, weights)) +
                             weighted(nn::weighted_sparse_softmax_cross_entropy(p, labels, weights))),
                  std::tuple(p, q, weights), std::tuple(logits, shares, class_weights), labels = classes);
}

TEST_CASE("losses: cross entropies with labels that are spread") {
  check(nn::smoothed_softmax_cross_entropy(p, q, 0.1_c), {{2}, {0.8676059644443804, 1.4274455197352478}}, "of shares", p = logits,
        q = shares);
  check(nn::smoothed_sparse_softmax_cross_entropy(p, labels, 0.1_c), {{2}, {0.5076059644443804, 0.7524455197352476}}, "of labels",
        p = logits, labels = classes);
  check_gradients("smoothed",
                  std::tuple(weighted(nn::smoothed_softmax_cross_entropy(p, q, 0.1_c)) +
                             weighted(nn::smoothed_sparse_softmax_cross_entropy(p, labels, 0.1_c))),
                  std::tuple(p, q), std::tuple(logits, shares), labels = classes);
}
