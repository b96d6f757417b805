// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <format/client.hpp>
#include <format/files.hpp>

namespace {

/// The numbers of each name, of lines as `inline constexpr double auc = 0.5;` and `... matrix[] = {1, 2};`.
std::map<std::string, std::vector<double>> constants(const std::string& header) {
  std::map<std::string, std::vector<double>> all;
  std::istringstream lines(header);
  const std::string start = "inline constexpr double ";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(start)) continue;
    const std::size_t equals = line.find(" = ");
    REQUIRE(equals != std::string::npos);
    std::vector<double>& values = all[line.substr(start.size(), equals - start.size())];
    for (const char* at = line.c_str() + equals; *at != '\0';) {
      char* end = nullptr;
      const double value = std::strtod(at, &end);
      if (end != at) values.push_back(value);
      at = end != at ? end : at + 1;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("MET: the values that tests compare with are those of Keras and scikit-learn that are there") {
  if (!client::is_there("keras") || !client::is_there("sklearn")) return;
  const files::folder folder("metrics_client");
  const std::string file = (folder / "values.hpp").string();
  REQUIRE(std::system(("TF_CPP_MIN_LOG_LEVEL=3 " + client::python() + " metrics/clients/metrics.py > " + file).c_str()) == 0);
  const auto found = constants(files::read(file)), expected = constants(files::read("metrics/values.hpp"));
  CHECK(expected.size() == 30);
  REQUIRE(found.size() == expected.size());
  for (const auto& [name, values] : expected) {
    CAPTURE(name);
    REQUIRE(found.contains(name));
    const std::vector<double>& others = found.at(name);
    REQUIRE(others.size() == values.size());
    // Another version may add up in another order.
    for (std::size_t i = 0; i < values.size(); ++i) CHECK(std::abs(others[i] - values[i]) <= 1e-13 * std::abs(values[i]));
  }
}
