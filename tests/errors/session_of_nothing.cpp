// SPDX-License-Identifier: MIT
// SES-01.
// error: a_session_is_made_of_expressions_name_at_least_one
// error: {"session s(y)"}
#include <etch/etch.hpp>

using namespace etch;

int main() {
  session s;  // wrong
}
