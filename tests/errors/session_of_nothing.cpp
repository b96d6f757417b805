// SPDX-License-Identifier: MIT
// error: session: name at least one expression
#include <etch/etch.hpp>

using namespace etch;

int main() {
  session s;  // wrong
}
