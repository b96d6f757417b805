// SPDX-License-Identifier: MIT
#include "every_gradient.hpp"

namespace etch::every_gradient {

TEST_CASE("TAPE-03, TAPE-05: every differentiable op, structure: a tape gives the gradients of graphs") {
  ETCH_CHECK(sum(x, axis<0>));
  ETCH_CHECK(prod(x, axis<0>));
  ETCH_CHECK(max(x, axis<0>));
  ETCH_CHECK(min(x, axis<0>));
  ETCH_CHECK(reshape(x, shape<6, inferred>{}));
  ETCH_CHECK(broadcast_to(x, shape<2, 4, 6>{}));
  ETCH_CHECK(transpose(x));
  ETCH_CHECK(slice(x, section<0, 2>));
  ETCH_CHECK(slice(x, section<from_start, to_end, -2>));
  ETCH_CHECK(pad(x, padding<1, 2>, padding<0>));
  ETCH_CHECK(pad(x, padding<1, 2>, padding<0>, 1_c));
  ETCH_CHECK(pad(x, padding<1, 2>, padding<0>, reflect));
  ETCH_CHECK(pad(x, padding<1, 2>, padding<0>, edge));
  ETCH_CHECK(concat(axis<0>, x, y));
  ETCH_CHECK(matmul(x, transpose(y)));
  ETCH_CHECK(einsum<"ij,kj->ik">(x, y));
  ETCH_CHECK(einsum<"ij,ij->j">(x, y));
  ETCH_CHECK(gather(x, rows));
  ETCH_CHECK(gather(x, rows, axis<1>));
  ETCH_CHECK(scatter_add(x, rows, gather(x, rows)));
  ETCH_CHECK(take_along_axis(x, i, axis<1>));
  ETCH_CHECK(add_along_axis(x, i, y, axis<1>));
  ETCH_CHECK(gather_nd<1>(x, reshape(rows, shape<3, 1>{})));
  ETCH_CHECK(scatter_nd<1>(y, reshape(rows, shape<3, 1>{}), slice(x, section<1>)));
  ETCH_CHECK(scatter_nd<1>(y, reshape(rows, shape<3, 1>{}), slice(x, section<1>), add));
  ETCH_CHECK(scatter_nd<1>(y, reshape(rows, shape<3, 1>{}), slice(x, section<1>), minimum));
  ETCH_CHECK(scatter_nd<1>(y, reshape(rows, shape<3, 1>{}), slice(x, section<1>), maximum));
  ETCH_CHECK(sort(x, axis<0>));
  ETCH_CHECK(sort(x, axis<1>, descending));
  ETCH_CHECK(std::get<0>(top_k<2>(x, axis<1>)));
  ETCH_CHECK(cumsum(x, axis<0>, exclusive, reverse));
  ETCH_CHECK(cumprod(x, axis<1>));
  ETCH_CHECK(logcumsumexp(x, axis<0>));
  ETCH_CHECK(linear_recurrence(x, y, axis<0>));
  ETCH_CHECK(roll<1>(x, axis<0>));
}

}  // namespace etch::every_gradient
