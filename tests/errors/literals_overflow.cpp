// SPDX-License-Identifier: MIT
// error: the_result_of_these_literals_is_out_of_range_cast_one_of_them_first
// error: in_op<etch::multiply>
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"counts", std::int64_t, 3> counts;

int main() {
  constexpr auto y = counts + 4'000'000'000_c * 4'000'000'000_c;  // wrong
}
