// SPDX-License-Identifier: MIT
// error: name_the_number_of_classes_in_angle_brackets
// error: {"one_hot"}
// error: {"labels"}, int, etch::shape<3>
// error: {"one_hot<10>(labels)"}
#include <etch/etch.hpp>

using namespace etch;
constexpr placeholder<"labels", int, 3> labels;

int main() {
  constexpr auto y = one_hot(labels);  // wrong
}
