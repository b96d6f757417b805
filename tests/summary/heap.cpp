// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <heap/allocations.hpp>

#ifndef ETCH_HEAP_IS_THE_SANITIZERS
#include <etch/summary.hpp>

#include "readers.hpp"

TEST_CASE("P8: a scalar is written without touching the heap") {
  const readers::folder folder("heap");
  etch::summary::file_writer writer(folder.path);
  writer.scalar("loss", 0, 0);
  const long before = allocations;
  for (int i = 1; i < 10000; ++i) writer.scalar("a tag that is longer than what a std::string holds without the heap", i, i);
  writer.flush();
  CHECK(allocations == before);
}
#endif
