// SPDX-License-Identifier: MIT
#include <docs/op_examples.hpp>

// Examples of the reference: ops that combine elements, or move them.

namespace {

using namespace op_operands;

TEST_CASE("docs: the reference's examples of reductions, products and movement") {
  op_examples examples("golden/op_examples_arrays.txt");
  ETCH_EXAMPLE(etch::sum(m, etch::axis<0>))
  ETCH_EXAMPLE(etch::prod(m, etch::axis<1>))
  ETCH_EXAMPLE(etch::max(m, etch::axis<1>, etch::keep_dims))
  ETCH_EXAMPLE(etch::min(m))
  ETCH_EXAMPLE(etch::reduce_any(p))
  ETCH_EXAMPLE(etch::reduce_all(p))
  ETCH_EXAMPLE(etch::mean(m, etch::axis<1>))
  ETCH_EXAMPLE(etch::variance(m, etch::axis<1>))
  ETCH_EXAMPLE(etch::standard_deviation(m, etch::axis<1>))
  ETCH_EXAMPLE(etch::norm(m, etch::axis<1>))
  ETCH_EXAMPLE(etch::softmax(a))
  ETCH_EXAMPLE(etch::log_softmax(a))
  ETCH_EXAMPLE(etch::logsumexp(a))
  ETCH_EXAMPLE(etch::argmax(n, etch::axis<1>))
  ETCH_EXAMPLE(etch::argmin(n, etch::axis<1>))
  ETCH_EXAMPLE(etch::sort(b))
  ETCH_EXAMPLE(etch::argsort(b))
  ETCH_EXAMPLE(etch::top_k<2>(b))
  ETCH_EXAMPLE(etch::cumsum(a, etch::axis<0>))
  ETCH_EXAMPLE(etch::cumprod(a, etch::axis<0>))
  ETCH_EXAMPLE(etch::logcumsumexp(a, etch::axis<0>))
  ETCH_EXAMPLE(etch::linear_recurrence(u, a, etch::axis<0>))
  ETCH_EXAMPLE(etch::reshape(m, etch::shape<3, etch::inferred>{}))
  ETCH_EXAMPLE(etch::broadcast_to(a, etch::shape<2, 3>{}))
  ETCH_EXAMPLE(etch::transpose(m))
  ETCH_EXAMPLE(etch::slice(m, etch::section<1>, etch::section<0, 3, 2>))
  ETCH_EXAMPLE(etch::pad(a, etch::padding<1, 2>))
  ETCH_EXAMPLE(etch::concat(etch::axis<0>, a, b))
  ETCH_EXAMPLE(etch::stack(etch::axis<0>, a, b))
  ETCH_EXAMPLE(etch::split<3>(a, etch::axis<0>))
  ETCH_EXAMPLE(etch::tile<2>(a))
  ETCH_EXAMPLE(etch::repeat<2>(a, etch::axis<0>))
  ETCH_EXAMPLE(etch::roll<1>(a, etch::axis<0>))
  ETCH_EXAMPLE(etch::flip(a, etch::axis<0>))
  ETCH_EXAMPLE(etch::tril(m))
  ETCH_EXAMPLE(etch::triu(m))
  ETCH_EXAMPLE(etch::expand_dims(a, etch::axis<0>))
  ETCH_EXAMPLE(etch::squeeze(etch::expand_dims(a, etch::axis<0>), etch::axis<0>))
  ETCH_EXAMPLE(etch::matmul(m, etch::transpose(n)))
  ETCH_EXAMPLE(etch::einsum<"ij,kj->ik">(m, n))
  ETCH_EXAMPLE(etch::gather(m, ids, etch::axis<1>))
  ETCH_EXAMPLE(etch::scatter_add(a, ids, updates))
  ETCH_EXAMPLE(etch::take_along_axis(m, places, etch::axis<1>))
  ETCH_EXAMPLE(etch::add_along_axis(m, places, etch::take_along_axis(n, places, etch::axis<1>), etch::axis<1>))
  ETCH_EXAMPLE(etch::gather_nd<2>(m, places))
  ETCH_EXAMPLE(etch::scatter_nd<2>(m, places, updates))
  ETCH_EXAMPLE(etch::one_hot<3>(ids))
  ETCH_EXAMPLE(etch::arange<int>(etch::shape<5>{}))
  ETCH_EXAMPLE(etch::zeros(etch::shape<2, 3>{}))
  ETCH_EXAMPLE(etch::ones(etch::shape<2, 3>{}))
  ETCH_EXAMPLE(etch::full(etch::shape<2, 3>{}, 0.5_c))
  ETCH_EXAMPLE(etch::zeros_like(m))
  ETCH_EXAMPLE(etch::ones_like<int>(m))
  ETCH_EXAMPLE(etch::full_like(m, 0.5_c))
  ETCH_EXAMPLE(etch::random_uniform<"noise">(etch::shape<3>{}))
  ETCH_EXAMPLE(etch::random_normal<"noise">(etch::shape<3>{}))
}

}  // namespace
