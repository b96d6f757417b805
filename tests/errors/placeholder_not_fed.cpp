// SPDX-License-Identifier: MIT
// FEED-02, AT-5.
// error: you_must_feed_a_value_for_this_placeholder
// error: {"labels"}, int, etch::shape<etch::extent_named
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"images", float, any<"batch">, 784> images;
constexpr placeholder<"labels", int, any<"batch">> labels;
constexpr auto loss = mean(sum(images, axis<1>) - astype<float>(labels));

int main() {
  session s(loss);
  xt::xtensor<float, 2> batch = xt::zeros<float>({50, 784});
  s.run(loss, images = batch);  // wrong
}
