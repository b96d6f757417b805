// SPDX-License-Identifier: MIT
#include <docs/op_examples.hpp>

// Examples of the reference: ops that are about variables, and layers.

namespace {

using namespace op_operands;

TEST_CASE("docs: the reference's examples of assignments and layers") {
  op_examples examples("golden/op_examples_graphs.txt");
  ETCH_GRAPH_EXAMPLE(etch::assign(w, w * 2_c))
  ETCH_GRAPH_EXAMPLE(etch::assign_add(w, 1_c))
  ETCH_GRAPH_EXAMPLE(etch::assign_sub(w, 1_c))
  ETCH_GRAPH_EXAMPLE(etch::group(etch::assign(w, w * 2_c)))
  ETCH_GRAPH_EXAMPLE(etch::after(w, etch::assign(w, w * 2_c)))
  ETCH_GRAPH_EXAMPLE(etch::mean(x))
  ETCH_GRAPH_EXAMPLE(etch::arange<int>(etch::shape<5>{}))
  ETCH_GRAPH_EXAMPLE(etch::conv1d(series, etch::ones(etch::shape<3, 2, 4>{})))
  ETCH_GRAPH_EXAMPLE(etch::nn::dense<"first", 3>(x))
  ETCH_GRAPH_EXAMPLE(etch::nn::conv1d<"first", 8, 3>(series))
  ETCH_GRAPH_EXAMPLE(etch::nn::conv2d<"first", 8, 3>(images, etch::same_padding))
  ETCH_GRAPH_EXAMPLE(etch::nn::layer_norm<"norm">(x))
  ETCH_GRAPH_EXAMPLE(etch::nn::batch_norm<"norm">(x))
  ETCH_GRAPH_EXAMPLE(etch::nn::embedding<"words", 1000, 64>(words))
}

}  // namespace
