// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include <data/positions.hpp>
#include <etch/data/csv.hpp>
#include <etch/data/text_lines.hpp>
#include <format/damage.hpp>

namespace {
using namespace etch;
}

TEST_CASE("lines of a file") {
  const files::folder folder("data_text");
  files::write(folder / "x.txt", "one\ntwo\r\nthree");
  auto d = data::text_lines(folder / "x.txt");
  CHECK(d.size() == 3);
  std::string text;
  for (std::string line : d.skip(1)) text += line + ",";
  CHECK(text == "two,three,");
  CHECK(d.position().dataset == "text_lines(\"x.txt\", 14 bytes, 3 lines)");
  std::vector<std::int64_t> sizes;
  for (std::int64_t n : d.map([](const std::string& line) { return static_cast<std::int64_t>(line.size()); })) sizes.push_back(n);
  CHECK(sizes == std::vector<std::int64_t>{3, 3, 5});
}

TEST_CASE("rows of a CSV file, typed by columns") {
  const files::folder folder("data_text");
  const auto path = folder / "x.csv";
  files::write(path, "width,name,is_good\n1.5,\"a, b\",true\n-2,c,0\n");
  float widths = 0;
  std::string names;
  int good = 0;
  auto d = data::csv<float, std::string, bool>(path);
  for (auto [width, name, is_good] : d) {
    widths += width;
    names += name + ";";
    good += is_good;
  }
  CHECK(d.size() == 2);
  CHECK(widths == -0.5f);
  CHECK(names == "a, b;c;");
  CHECK(good == 1);
  CHECK(d.position().dataset == "csv(\"x.csv\", 42 bytes, 2 rows)");

  auto chosen = data::csv<bool, double>(path, {.columns = {"is_good", "width"}});
  for (auto [is_good, width] : chosen.take(1)) {
    CHECK(is_good);
    CHECK(width == 1.5);
  }
  CHECK(chosen.position().dataset == "csv(\"x.csv\", 42 bytes, 2 rows, \"is_good\", \"width\")");

  files::write(path, "1;2\n3;4\n");
  std::int64_t total = 0;
  for (auto [a, b] : data::csv<std::int64_t, std::int64_t>(path, {.header = false, .delimiter = ';'}))
    total = total * 100 + a * 10 + b;
  CHECK(total == 1234);
  files::write(path, "a\n");
  CHECK(data::csv<float>(path).size() == 0);
}

TEST_CASE("positions of lines and of rows of CSV: a loop goes on with the one that would have come") {
  const files::folder folder("data_text");
  const auto lines = folder / "x.txt", table = folder / "x.csv";
  std::string text, rows = "name,number\n";
  for (int i = 0; i < 9; ++i) {
    text += std::to_string(i * i) + (i % 2 == 0 ? "\n" : "\r\n");
    rows += "\"n, " + std::to_string(i) + "\"," + std::to_string(7 * i - 10) + "\n";
  }
  files::write(lines, text);
  files::write(table, rows);
  const auto number = [](const std::string& line) { return std::int64_t{std::stoll(line)}; };
  CHECK(all(data::text_lines(lines).map(number)) == std::vector<std::int64_t>{0, 1, 4, 9, 16, 25, 36, 49, 64});
  check_positions([&] { return data::text_lines(lines).map(number); });
  check_positions([&] { return data::text_lines(lines).shuffle(4, 1).map(number); });
  check_positions([&] { return data::text_lines(lines).map(number).shuffle(9, 2).repeat(2).skip(3); });
  check_positions([&] { return data::text_lines(lines).filter([](const std::string& line) { return line != "9"; }).map(number); });

  const auto numbers = [&] { return data::csv<std::int64_t>(table, {.columns = {"number"}}); };
  const auto both = [&] { return data::csv<std::string, std::int64_t>(table); };
  const auto joined = [](const std::string& name, std::int64_t n) { return 100 * std::int64_t{name.back() - '0'} + n; };
  CHECK(all(numbers()) == std::vector<std::int64_t>{-10, -3, 4, 11, 18, 25, 32, 39, 46});
  CHECK(all(both().map(joined))[8] == 846);
  check_positions(numbers);
  check_positions([&] {
    return numbers().shuffle(3, 5).batch(2).map([](const tensor<std::int64_t, 1>& b) { return 1000 * b(0) + b(b.extent(0) - 1); });
  });
  check_positions([&] { return both().shuffle(9, 5).map(joined).prefetch(2); });
  check_positions([&] { return both().filter([](const std::string&, std::int64_t n) { return n > 0; }).shuffle(3).map(joined); });

  // Files that have become longer are others.
  auto old_lines = data::text_lines(lines);
  auto old_rows = both();
  files::write(lines, text + "81\n");
  files::write(table, rows + "x,1\n");
  auto new_lines = data::text_lines(lines);
  auto new_rows = both();
  CHECK_THROWS_WITH_AS(new_lines.restore(old_lines.position()),
                       "data: a position of \"text_lines(\"x.txt\", 27 bytes, 9 lines)\" is no position of "
                       "\"text_lines(\"x.txt\", 30 bytes, 10 lines)\"",
                       error);
  CHECK_THROWS_WITH_AS(new_rows.restore(old_rows.position()),
                       "data: a position of \"csv(\"x.csv\", 102 bytes, 9 rows)\" is no position of "
                       "\"csv(\"x.csv\", 106 bytes, 10 rows)\"",
                       error);
}

TEST_CASE("a CSV file of more rows than the first memory for them") {
  const files::folder folder("data_text");
  std::string text = "number,name\n";
  for (int i = 0; i < 5000; ++i) text += std::to_string(i) + ",n" + std::to_string(i) + "\n";
  files::write(folder / "x.csv", text);
  int next = 0;
  for (auto [number, name] : data::csv<int, std::string>(folder / "x.csv")) {
    CHECK(number == next);
    CHECK(name == "n" + std::to_string(next++));
  }
  CHECK(next == 5000);
}

TEST_CASE("a CSV file that is wrong says the byte, the line and the column") {
  const files::folder folder("data_text");
  const auto path = folder / "x.csv";
  const std::string name = path.string();
  const auto refuses = [&](const char* text, const std::string& why, auto read) {
    files::write(path, text);
    CHECK(files::error_of(read) == why);
  };
  const auto two = [&] { data::csv<int, float>(path); };
  refuses("", name + ": it is empty, expected is a row with the names of columns", two);
  refuses("a,b,c\n", name + ": at byte 0: line 1: a row has 3 fields, expected are 2", two);
  refuses("a,b\n1,2\n3\n", name + ": at byte 8: line 3: a row has 1 fields, expected are 2", two);
  refuses("a,b\n1,\n", name + ": at byte 6: line 2: column 2 (\"b\") is \"\", expected is float32", two);
  refuses("a,b\n\"x\n\",2\n", name + ": at byte 4: line 2: column 1 (\"a\") is \"x\\x0a\", expected is int32", two);
  refuses("a,b\n", name + ": it has no column \"c\", but \"a\", \"b\"", [&] { data::csv<int>(path, {.columns = {"c"}}); });
  refuses("a,c,c\n", name + ": it has two columns \"c\"", [&] { data::csv<int>(path, {.columns = {"c"}}); });
  refuses("a,b\n", "data::csv: there are 1 types and 2 names of columns", [&] { data::csv<int>(path, {.columns = {"a", "b"}}); });
  CHECK(files::error_of([&] { data::csv<int>(folder / "y.csv"); }) == (folder / "y.csv").string() + ": No such file or directory");
}

TEST_CASE("CSV: damaged files give values or one error") {
  const files::folder folder("data_text");
  const auto path = folder / "x.csv";
  // What is cut behind a row, or between two digits, is a right file.
  const files::bytes whole = files::bytes_of("a,b,c\n1.5,12,\"x\"\n-2e3,7,y\n");
  files::check_damaged(whole, path.string() + ": ", false, [&](const files::bytes& b) {
    files::write(path, {reinterpret_cast<const char*>(b.data()), b.size()});
    auto d = data::csv<float, int, std::string>(path);
    // The values are what C reads of the fields.
    const std::string file = "x.csv";
    format::csv_reader fields(b, file);
    fields.next();  // the header, of a file that is empty as well
    std::int64_t rows = 0;
    for (auto [x, n, name] : d) {
      REQUIRE(fields.next());
      REQUIRE(fields.size() == 3);
      const float expected = std::strtof(std::string(fields.field(0)).c_str(), nullptr);
      CHECK((x == expected || (std::isnan(x) && std::isnan(expected))));
      CHECK(n == std::strtol(std::string(fields.field(1)).c_str(), nullptr, 10));
      CHECK(name == fields.field(2));
      ++rows;
    }
    CHECK(rows == d.size());
    CHECK(!fields.next());
  });
}
