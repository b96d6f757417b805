// SPDX-License-Identifier: MIT
#include <set>

#include <etch/convolution.hpp>
#include <etch/print.hpp>

#include "compare.hpp"

/// "The shape rule agrees with the result", and "printing is stable".
namespace {

using namespace etch;

constexpr placeholder<"x", float, any<"n">, any<"m">> x;
constexpr placeholder<"row", float, any<"m">> row;
constexpr placeholder<"cube", float, 2, 3, 4> cube;
constexpr placeholder<"w", float, any<"m">, 6> w;
constexpr placeholder<"i", std::int32_t, 2, any<"n">> i;

/// An expression and the extents that NumPy gives its result.
template <class E>
struct shaped {
  E expression;
  std::vector<std::size_t> extents;
};
template <class E>
shaped(E, std::vector<std::size_t>) -> shaped<E>;

/// The extents in the type of an expression, with its names bound: n = 5, m = 7.
template <class E>
std::vector<std::size_t> extents_in_type() {
  extent_table table;
  const tensor_type type = E::shape_type::value(table, E::type);
  std::int64_t bound[extent_table::max_symbols] = {};
  for (int s = 0; s < table.symbol_count(); ++s) bound[s] = std::string(table.symbol_at(s).name) == "n" ? 5 : 7;
  std::vector<std::size_t> extents;
  for (int axis = 0; axis < type.rank; ++axis)
    extents.push_back(static_cast<std::size_t>(table.evaluate(type.extents[axis], bound)));
  return extents;
}

template <class... E>
void check_shapes(shaped<E>... cases) {
  std::mt19937 generator(21);
  const auto vx = laws::random_array<float>(generator, 5, 7);
  const auto vrow = laws::random_array<float>(generator, 7);
  const auto vcube = laws::random_array<float>(generator, 2, 3, 4);
  const auto vw = laws::random_array<float>(generator, 7, 6);
  const auto vi = laws::random_array<std::int32_t>(generator, 2, 5);
  const auto results = reference::run(E{}..., x = vx, row = vrow, cube = vcube, w = vw, i = vi);
  int number = 0;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (
        [&] {
          const auto& shape = std::get<I>(results).shape();
          const std::vector<std::size_t> got(shape.begin(), shape.end());
          const std::string text = "expression " + std::to_string(number++);
          laws::check_that(got == cases.extents, text + " has the shape that NumPy gives");
          laws::check_that(extents_in_type<E>() == cases.extents, text + " has it in its type");
        }(),
        ...);
  }(std::index_sequence_for<E...>{});
}

template <class... Op>
void add_names(std::multiset<std::string>& names, op_list<Op...>) {
  (names.insert(Op::name), ...);
}

}  // namespace

TEST_CASE("law: shape rules agree with the results, and with NumPy") {
  using list = std::vector<std::size_t>;
  check_shapes(shaped{x + row, list{5, 7}}, shaped{expand_dims(x, axis<-1>) * row, list{5, 7, 7}}, shaped{sum(x, axis<0>), list{7}},
               shaped{sum(x, axis<-1>, keep_dims), list{5, 1}}, shaped{max(cube, axis<0, 2>), list{3}},
               shaped{mean(cube, axis<1>, keep_dims), list{2, 1, 4}}, shaped{argmax(cube, axis<1>), list{2, 4}},
               shaped{cumsum(x, axis<0>), list{5, 7}}, shaped{transpose(cube), list{4, 3, 2}}, shaped{transpose(x), list{7, 5}},
               shaped{transpose(cube, axis<1, 0, 2>), list{3, 2, 4}}, shaped{reshape(x, shape<inferred>{}), list{35}},
               shaped{reshape(cube, shape<6, inferred>{}), list{6, 4}}, shaped{expand_dims(x, axis<1>), list{5, 1, 7}},
               shaped{broadcast_to(row, shape<3, any<"m">>{}), list{3, 7}},
               shaped{slice(cube, section<1>, section<0, 3, 2>, section<-3, -1>), list{1, 2, 2}},
               shaped{slice(cube, section<>, section<2, 0, -1>), list{2, 2, 4}}, shaped{slice(x, section<2>), list{3, 7}},
               shaped{flip(x), list{5, 7}}, shaped{pad(x, padding<1, 2>, padding<0, 3>), list{8, 10}},
               shaped{concat(axis<0>, x, x, x), list{15, 7}},
               shaped{concat(axis<-1>, x, broadcast_to(0_c, shape<any<"n">, 2>{})), list{5, 9}},
               shaped{stack(axis<1>, x, x), list{5, 2, 7}}, shaped{matmul(x, w), list{5, 6}},
               shaped{matmul(transpose(cube, axis<0, 2, 1>), cube), list{2, 4, 4}},
               shaped{matmul(cube, reshape(cube, shape<1, 4, 6>{})), list{2, 3, 6}}, shaped{gather(x, i), list{2, 5, 7}},
               shaped{scatter_add(x, i, gather(x, i)), list{5, 7}}, shaped{one_hot<9>(i), list{2, 5, 9}},
               shaped{gradient(sum(matmul(x, w)), w), list{7, 6}}, shaped{random_normal<"z">(shape<3, 2>{}), list{3, 2}},
               shaped{arange<int>(shape<4>{}), list{4}}, shaped{layer_norm(x, row, row), list{5, 7}});
}

TEST_CASE("law: printing is stable: the same text for the same expression, however often it is made") {
  const auto text = [] {
    const auto hidden = relu(matmul(x, w) + 1_c);
    return to_text(sum(hidden * hidden, axis<1>), transpose(x), slice(pad(row, padding<1>), section<2>), gather(x, i));
  };
  CHECK(text() == text());
  CHECK(text() ==
        "constant = constant 0 : float32[]\n"
        "constant_1 = constant 1 : float32[]\n"
        "w = placeholder : float32[m, 6]\n"
        "x = placeholder : float32[n, m]\n"
        "matmul = matmul x w : float32[n, 6]\n"
        "add = add matmul constant_1 : float32[n, 6]\n"
        "maximum = maximum add constant : float32[n, 6]\n"
        "multiply = multiply maximum maximum : float32[n, 6]\n"
        "sum = sum axis=1 multiply : float32[n]\n"
        "transpose = transpose (1,0) x : float32[m, n]\n"
        "row = placeholder : float32[m]\n"
        "pad = pad (1,1,1) row : float32[m+2]\n"
        "slice = slice (2,end,1) pad : float32[m]\n"
        "i = placeholder : int32[2, n]\n"
        "gather = gather (0) x i : float32[2, n, m]\n"
        "fetch sum transpose slice gather\n");
}

TEST_CASE("law: no two ops print alike") {
  std::multiset<std::string> names;
  add_names(names, elementwise_ops{});
  add_names(names, reduction_ops{});
  add_names(names, movement_ops{});
  add_names(names, other_ops{});
  add_names(names, window_ops{});
  for (const std::string& name : names) laws::check_that(names.count(name) == 1, name);
}
