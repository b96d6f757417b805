// SPDX-License-Identifier: MIT
#include "every_op.hpp"

namespace etch::every_op {

TEST_CASE("EAG-02, EAG-11: every op, elementwise: eager = reference") {
  ETCH_CHECK(add(x, y));
  ETCH_CHECK(subtract(x, y));
  ETCH_CHECK(multiply(x, y));
  ETCH_CHECK(divide(x, y));
  ETCH_CHECK(negative(x));
  ETCH_CHECK(floor_divide(x, y));
  ETCH_CHECK(remainder(x, y));
  ETCH_CHECK(pow(x, y));
  ETCH_CHECK(maximum(x, y));
  ETCH_CHECK(minimum(x, y));
  ETCH_CHECK(equal(x, y));
  ETCH_CHECK(not_equal(x, y));
  ETCH_CHECK(less(x, y));
  ETCH_CHECK(less_equal(x, y));
  ETCH_CHECK(greater(x, y));
  ETCH_CHECK(greater_equal(x, y));
  ETCH_CHECK(isfinite(x));
  ETCH_CHECK(isinf(x));
  ETCH_CHECK(logical_and(b, b));
  ETCH_CHECK(logical_or(b, b));
  ETCH_CHECK(logical_xor(b, b));
  ETCH_CHECK(logical_not(b));
  ETCH_CHECK(bitwise_and(i, i));
  ETCH_CHECK(bitwise_or(i, i));
  ETCH_CHECK(bitwise_xor(i, i));
  ETCH_CHECK(bitwise_not(i));
  ETCH_CHECK(left_shift(i, i));
  ETCH_CHECK(right_shift(i, i));
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

}  // namespace etch::every_op
