// SPDX-License-Identifier: MIT
#include "every_op.hpp"

namespace etch::every_op {

TEST_CASE("EAG-02, EAG-11: every op, structure: eager = reference") {
  ETCH_CHECK(sum(x, axis<0>));
  ETCH_CHECK(prod(x, axis<0>));
  ETCH_CHECK(max(x, axis<0>));
  ETCH_CHECK(min(x, axis<0>));
  ETCH_CHECK(reduce_any(b, axis<0>));
  ETCH_CHECK(reduce_all(b, axis<0>));
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
  ETCH_CHECK(argmax(x, axis<0>));
  ETCH_CHECK(argmin(x, axis<0>));
  ETCH_CHECK(sort(x, axis<0>));
  ETCH_CHECK(sort(x, axis<1>, descending));
  ETCH_CHECK(argsort(x, axis<0>));
  ETCH_CHECK(std::get<0>(top_k<2>(x, axis<1>)));
  ETCH_CHECK(std::get<1>(top_k<2>(x, axis<0>)));
  ETCH_CHECK(cumsum(x, axis<0>, exclusive, reverse));
  ETCH_CHECK(cumprod(x, axis<1>));
  ETCH_CHECK(logcumsumexp(x, axis<0>));
  // The reference adds up products; it has no 0 at the start to multiply.
  ETCH_CHECK_FINITE(linear_recurrence(x, y, axis<0>));
  ETCH_CHECK(roll<1>(x, axis<0>));
}

}  // namespace etch::every_op
