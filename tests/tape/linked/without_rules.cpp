// SPDX-License-Identifier: MIT
#include <tape/linked/shared_function.hpp>

// A file without <etch/tape.hpp>. No other file of this program evaluates this op of doubles.

etch::tensor<double, 1> evaluated_without_a_rule(const etch::tensor<double, 1>& x);
// And of this one another file has the rule.
etch::tensor<double, 1> evaluated_elsewhere(const etch::tensor<double, 1>& x);
etch::tensor<double, 1> called_elsewhere(const etch::tensor<double, 1>& x);

etch::tensor<double, 1> called_elsewhere(const etch::tensor<double, 1>& x) { return shared_function(x); }
etch::tensor<double, 1> evaluated_without_a_rule(const etch::tensor<double, 1>& x) { return etch::cbrt(x); }
etch::tensor<double, 1> evaluated_elsewhere(const etch::tensor<double, 1>& x) { return etch::expm1(x); }
