// SPDX-License-Identifier: MIT
#include "every_gradient.hpp"

namespace etch::every_gradient {

TEST_CASE("TAPE-03, TAPE-05: every differentiable op, elementwise: a tape gives the gradients of graphs") {
  ETCH_CHECK(add(x, y));
  ETCH_CHECK(subtract(x, y));
  ETCH_CHECK(multiply(x, y));
  ETCH_CHECK(divide(x, y));
  ETCH_CHECK(negative(x));
  ETCH_CHECK(remainder(x, y));
  ETCH_CHECK(pow(x, y));
  ETCH_CHECK(maximum(x, y));
  ETCH_CHECK(minimum(x, y));
  ETCH_CHECK(where(b, x, y));
  ETCH_CHECK(abs(x));
  ETCH_CHECK(sign(x));
  ETCH_CHECK(floor(x));
  ETCH_CHECK(ceil(x));
  ETCH_CHECK(round(x));
  ETCH_CHECK(trunc(x));
  ETCH_CHECK(exp(x));
  ETCH_CHECK(exp2(x));
  ETCH_CHECK(expm1(x));
  ETCH_CHECK(log(x));
  ETCH_CHECK(log2(x));
  ETCH_CHECK(log10(x));
  ETCH_CHECK(log1p(x));
  ETCH_CHECK(sqrt(x));
  ETCH_CHECK(rsqrt(x));
  ETCH_CHECK(cbrt(x));
  ETCH_CHECK(hypot(x, y));
  ETCH_CHECK(sin(x));
  ETCH_CHECK(cos(x));
  ETCH_CHECK(tan(x));
  ETCH_CHECK(asin(x));
  ETCH_CHECK(acos(x));
  ETCH_CHECK(atan(x));
  ETCH_CHECK(atan2(x, y));
  ETCH_CHECK(sinh(x));
  ETCH_CHECK(cosh(x));
  ETCH_CHECK(tanh(x));
  ETCH_CHECK(asinh(x));
  ETCH_CHECK(acosh(x));
  ETCH_CHECK(atanh(x));
  ETCH_CHECK(sigmoid(x));
  ETCH_CHECK(erf(x));
  ETCH_CHECK(stop_gradient(x) * x);
  ETCH_CHECK(astype<double>(x));
}

}  // namespace etch::every_gradient
