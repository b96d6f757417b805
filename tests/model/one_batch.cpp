// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <xtensor/xview.hpp>

#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/model.hpp>

/// `train_on_batch` and `test_on_batch`: what they take, and what they leave as it is.
namespace {

using namespace etch;
using namespace etch::literals;

}  // namespace

TEST_CASE("the labels of a part of an array are those that are checked") {
  model m(input<float, 4>, sequential(layers::dense<3>), optimizers::sgd(0.1_c), losses::sparse_softmax_cross_entropy);
  const xt::xtensor<float, 2> x = xt::ones<float>({2, 4});
  const xt::xtensor<std::int32_t, 1> labels = {0, 1, 7, 2};
  CHECK_THROWS_WITH_AS(m.train_on_batch(x, xt::view(labels, xt::range(1, 3))),
                       "train_on_batch: the label of sample 1 of the epoch is 7, of 3 classes", error);
  CHECK_THROWS_WITH_AS(m.test_on_batch(x, xt::view(labels, xt::range(0, 4, 2))),
                       "test_on_batch: the label of sample 1 of the epoch is 7, of 3 classes", error);
  const xt::xtensor<std::int32_t, 1> seen = {1, 2};
  CHECK(m.test_on_batch(x, xt::view(labels, xt::range(1, 4, 2))) == m.test_on_batch(x, seen));
  CHECK(m.test_on_batch(x, tensor(seen)) == m.test_on_batch(x, seen));
  CHECK_THROWS_WITH_AS(m.test_on_batch(x, tensor(xt::xtensor<std::int32_t, 1>{0, 3})),
                       "test_on_batch: the label of sample 1 of the epoch is 3, of 3 classes", error);
}
