// SPDX-License-Identifier: MIT
#if __has_include(<etch/etch.hpp>)
#include <etch/etch.hpp>
#else
#include <etch/config.hpp>
#endif

#include <cstdio>

int main() { std::printf("%d.%d.%d\n", ETCH_VERSION_MAJOR, ETCH_VERSION_MINOR, ETCH_VERSION_PATCH); }
