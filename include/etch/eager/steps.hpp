// SPDX-License-Identifier: MIT
#pragma once
#include <vector>

#include <etch/eager/evaluate.hpp>

/// The outputs of a loop's steps as one tensor.
namespace etch {

/// Along a new first axis of that length, -1 for as many as there are; zeros stand for steps that were not made. Throws `etch::error` where
/// two differ in shape, where one more axis would be too many, and where arrays are asked for of which there is none.
template <class T, int Rank>
auto stack_steps(const std::vector<tensor<T, Rank>>& steps, std::int64_t length, const char* function) {
  constexpr dtype type = dtype_of<T>;
  using result = tensor<T, Rank == any_rank ? any_rank : Rank + 1>;
  const auto made = static_cast<std::int64_t>(steps.size());
  if (length < 0) length = made;
  if (made == 0 && Rank != 0) fail("%s: no step is made, so that the shape of its outputs is not known", function);
  tensor_type one;
  one.type = type;
  if (made > 0) one = steps[0].described();
  if (one.rank == max_rank)
    fail("%s: an output of %d axes has no room for that of the steps, there may be at most %d", function, one.rank, max_rank);
  tensor_type row = one;
  ++row.rank;
  row.extents[0] = 1;
  for (int i = 0; i < one.rank; ++i) row.extents[i + 1] = one.extents[i];
  std::vector<eager::value> rows(steps.size());
  std::vector<const eager::value*> in;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (!steps[k].described().same_shape(one))
      fail("%s: the outputs of two steps differ in shape: %s and %s", function, to_string(eager::no_names, one).c_str(),
           to_string(eager::no_names, steps[k].described()).c_str());
    eager::apply_as<struct reshape, type>(words(), row, steps[k], rows[k]);
    in.push_back(&rows[k]);
  }
  row.extents[0] = length - made;
  eager::value rest;
  if (length > made || made == 0) {
    rest = eager::value(row);
    std::memset(rest.bytes(), 0, static_cast<std::size_t>(rest.size()) * sizeof(T));
    in.push_back(&rest);
  }
  result all{eager::unmade{}};
  eager::apply<struct concat, type, type>(words(0), in.data(), static_cast<int>(in.size()), all);
  return all;
}

}  // namespace etch
