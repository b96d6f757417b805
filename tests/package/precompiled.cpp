// SPDX-License-Identifier: MIT
// Includes nothing: etch is there, since etch_precompile_headers has put it before the first line.
#ifndef ETCH_VERSION_MAJOR
#error "etch is not precompiled"
#endif

int main() {
  constexpr etch::placeholder<"x", float, 2> x;
  etch::session session(etch::sum(x));
  return session.run(etch::sum(x), x = {1, 2}) == 3 ? 0 : 1;
}
