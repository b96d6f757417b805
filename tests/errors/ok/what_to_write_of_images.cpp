// SPDX-License-Identifier: MIT
// What errors about convolutions and pools say to write instead is right, the header being included after etch.hpp, which refuses these
// calls where it is not.
#include <etch/etch.hpp>

#include <etch/convolution.hpp>
#include <etch/eager.hpp>

using namespace etch;

int main() {
  constexpr placeholder<"lines", float, 2, 8, 3> x1;
  constexpr placeholder<"images", float, 2, 8, 8, 3> x2;
  constexpr placeholder<"volumes", float, 2, 8, 8, 8, 3> x3;
  constexpr placeholder<"k1", float, 3, 3, 4> k1;
  constexpr placeholder<"k2", float, 3, 3, 3, 4> k2;
  constexpr placeholder<"k3", float, 3, 3, 3, 3, 4> k3;
  (void)conv1d(x1, k1);
  (void)conv2d(x2, k2);
  (void)conv3d(x3, k3);
  (void)conv1d_transpose(conv1d(x1, k1), k1);
  (void)conv2d_transpose(conv2d(x2, k2), k2);
  (void)conv3d_transpose(conv3d(x3, k3), k3);
  (void)nn::conv1d<"one", 32, 3>(x1);
  (void)nn::conv2d<"two", 32, 5>(x2);
  (void)max_pool1d(x1, window<2>);
  (void)max_pool2d(x2, window<2>);
  (void)max_pool3d(x3, window<2>);
  (void)average_pool1d(x1, window<2>);
  (void)average_pool2d(x2, window<2>);
  (void)average_pool3d(x3, window<2>);
  const tensor<float, 4> image = zeros(shape<1, 8, 8, 3>{}), kernel = zeros(shape<3, 3, 3, 4>{});
  (void)conv2d(image, kernel, same_padding);
  (void)max_pool2d(image, window<2>);
}
