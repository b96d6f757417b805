// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include <locale.h>

#include <base/decimal_comma.hpp>
#include <etch/base/formatted.hpp>
#include <etch/core/diagnostics.hpp>

using etch::detail::formatted;

TEST_CASE("formatted: what printf writes, of any length") {
  CHECK(formatted("%s", "") == "");
  CHECK(formatted("%s has %d, %5.1f%%", "x", -3, 12.25) == "x has -3,  12.2%");
  CHECK(formatted("%g %g %.17g", 0.1, -std::numeric_limits<double>::infinity(), 0.1) == "0.1 -inf 0.10000000000000001");
  const std::string text(5000, 'a');
  CHECK(formatted("%s", text.c_str()) == text);
}

TEST_CASE("formatted: no locale of the program's changes a number") {
  const decimal_comma comma;
  if (!comma) return;
  char printed[32];
  std::snprintf(printed, sizeof printed, "%g", 0.5);
  REQUIRE(std::string(printed) == "0,5");
  CHECK(formatted("%g %.1f %.17g %.0f", 0.5, 1234567.5, 1e-7, 1e6) == "0.5 1234567.5 9.9999999999999995e-08 1000000");
  // The program keeps its own.
  std::snprintf(printed, sizeof printed, "%g", 0.5);
  CHECK(std::string(printed) == "0,5");
  CHECK(::uselocale(nullptr) == LC_GLOBAL_LOCALE);
}

TEST_CASE("formatted: a thread gets back the locale that it has chosen") {
  const decimal_comma comma;
  if (!comma) return;
  const locale_t own = ::duplocale(LC_GLOBAL_LOCALE);
  REQUIRE(own != nullptr);
  const locale_t before = ::uselocale(own);
  const std::string text = formatted("%g", 0.5);
  const locale_t after = ::uselocale(before);
  CHECK(text == "0.5");
  CHECK(after == own);
  ::freelocale(own);
}

TEST_CASE("errors have their numbers as the C locale writes them") {
  const decimal_comma comma;
  if (!comma) return;
  CHECK_THROWS_WITH_AS(etch::fail("crop: a fraction of %g", 1.5), "crop: a fraction of 1.5", etch::error);
}
