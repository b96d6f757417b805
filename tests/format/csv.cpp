// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include <etch/format/csv.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;
using namespace etch::format;
using table = std::vector<std::vector<std::string>>;

table rows_of(const files::bytes& b, char delimiter = ',') {
  static const std::string name = "x.csv";
  csv_reader reader(b, name, delimiter);
  table rows;
  while (reader.next()) {
    rows.emplace_back();
    for (std::size_t i = 0; i < reader.size(); ++i) rows.back().emplace_back(reader.field(i));
  }
  return rows;
}
table rows_of(const std::string& text, char delimiter = ',') { return rows_of(files::bytes_of(text), delimiter); }

template <class T>
T value_of(const char* text) {
  T value{};
  CHECK_MESSAGE(parse_value(std::string_view(text), value), text);
  return value;
}
template <class T>
bool is_value(const char* text) {
  T value{};
  return parse_value(std::string_view(text), value);
}

}  // namespace

TEST_CASE("CSV: bytes that are written down") {
  CHECK(rows_of("") == table{});
  CHECK(rows_of("\xef\xbb\xbf"
                "a,b\n1,2") == table{{"a", "b"}, {"1", "2"}});
  CHECK(rows_of("a,b\r\n\r\n\n1,\r\n") == table{{"a", "b"}, {"1", ""}});
  CHECK(rows_of(",\n,,") == table{{"", ""}, {"", "", ""}});
  CHECK(rows_of("\"a,\"\"b\"\"\",\"x\ny\"\r\n\"\",5\" pipe\n") == table{{"a,\"b\"", "x\ny"}, {"", "5\" pipe"}});
  CHECK(rows_of("a\tb,c\n", '\t') == table{{"a", "b,c"}});
  CHECK(rows_of("a\rb,c\r") == table{{"a\rb", "c"}});
  CHECK(rows_of("a\r\n\"b\"\r") == table{{"a"}, {"b"}});
  CHECK(rows_of("a,\r") == table{{"a", ""}});
  CHECK(rows_of("a\n\r") == table{{"a"}});
}

TEST_CASE("CSV: what is wrong says where") {
  CHECK_THROWS_WITH_AS(rows_of("a\n1,\"x\ny"), "x.csv: at byte 4: line 2: a field that begins with a quote does not end with one",
                       error);
  CHECK_THROWS_WITH_AS(rows_of("\"x\ny\",2\n\"a\"b,1"),
                       "x.csv: at byte 11: line 3: a field is over with its quote, but \"b\" follows", error);
}

TEST_CASE("CSV: values of types") {
  CHECK(value_of<float>(" +1.5e1 ") == 15);
  CHECK(value_of<double>("-inf") < 0);
  CHECK(value_of<double>("nan") != value_of<double>("NaN"));
  CHECK(value_of<std::uint8_t>("255") == 255);
  CHECK(value_of<std::int8_t>("-128") == -128);
  CHECK(value_of<bool>("True"));
  CHECK_FALSE(value_of<bool>("0"));
  CHECK(value_of<std::string>(" x ") == " x ");
  for (const char* text : {"", " ", "1.5", "256", "-1", "0x10", "1 2", "+-1", "--1", "++1"})
    CHECK_MESSAGE(!is_value<std::uint8_t>(text), text);
  for (const char* text : {"", "1,5", "1e999", "one"}) CHECK_MESSAGE(!is_value<float>(text), text);
  CHECK_FALSE(is_value<bool>("2"));
}

TEST_CASE("CSV: damaged files") {
  // What is read is the same when each of its fields is written in quotes, and read again.
  const auto quoted = [](const table& rows) {
    std::string text;
    for (const auto& row : rows) {
      for (const std::string& field : row) {
        text += &field == row.data() ? "\"" : ",\"";
        for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += '"';
      }
      text += '\n';
    }
    return text;
  };
  CHECK(quoted({{"a", "b\"\n"}, {""}}) == "\"a\",\"b\"\"\n\"\n\"\"\n");
  files::check_damaged(files::bytes_of("a,\"b\"\"\n\",c\r\n1,2,\"3\"\n"), "x.csv: ", false, [&](const files::bytes& b) {
    const table rows = rows_of(b);
    CHECK(rows_of(quoted(rows)) == rows);
    // What fields and delimiters leave over are quotes, ends of lines and a byte order mark.
    const std::string_view text(reinterpret_cast<const char*>(b.data()), b.size());
    std::size_t seen = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    for (const auto& row : rows) {
      seen += row.size() - 1;
      for (const std::string& field : row) seen += field.size();
    }
    CHECK(seen <= text.size());
    CHECK(text.size() <=
          seen + static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c == '"' || c == '\n' || c == '\r'; })));
  });
}

TEST_CASE("CSV: Python's module reads the same") {
  const files::folder folder("csv");
  const std::string text = "a,\"b, \"\"c\"\"\",\"d\ne\"\r\n,\"\",5\" x\n1.5,-2,3\r";
  files::write(folder / "x.csv", text);
  std::string seen;
  for (const auto& row : rows_of(text)) {
    for (const std::string& field : row) seen += field + '\x1f';
    seen += '\x1e';
  }
  files::write(folder / "seen", seen);
  files::run_python("/usr/bin/python3", "csv", folder, R"(
import csv
rows = list(csv.reader(open(folder + 'x.csv', newline='')))
assert ''.join(''.join(f + '\x1f' for f in row) + '\x1e' for row in rows) == open(folder + 'seen', newline='').read(), rows
)");
}
