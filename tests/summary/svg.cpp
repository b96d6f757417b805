// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include <etch/summary/svg.hpp>

#include "../session/message_of.hpp"
#include "readers.hpp"

/// Curves as pictures.
namespace {

using namespace etch::summary;
using numbers = std::vector<double>;

int count_of(const std::string& text, std::string_view part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}
/// The labels of the ticks: texts of a class of lines, in order.
std::vector<std::string> texts_at(const std::string& svg, const std::string& anchor) {
  std::vector<std::string> all;
  const std::string begin = " text-anchor=\"" + anchor + "\">";
  for (std::size_t at = svg.find(begin); at != std::string::npos; at = svg.find(begin, at + 1)) {
    const std::size_t from = at + begin.size();
    all.push_back(svg.substr(from, svg.find('<', from) - from));
  }
  return all;
}
std::vector<std::string> y_labels(const numbers& y, bool log_y = false) {
  return texts_at(svg_text({{"", y}}, {.log_y = log_y}), "end");
}
using labels = std::vector<std::string>;

TEST_CASE("a picture of one curve, in full") {
  CHECK(svg_text({{"a<b", numbers{0, 1, 4}}}, {.title = "T & \"t\"", .x = "step", .y = "y", .width = 100, .height = 50}) ==
        R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="206.4" height="132.0" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
<text x="93.6" y="22.0" text-anchor="middle" font-size="15">T &amp; "t"</text>
<line x1="46.4" y1="36.0" x2="46.4" y2="86.0" stroke="#ddd"/>
<text x="46.4" y="102.0" text-anchor="middle">0</text>
<line x1="93.6" y1="36.0" x2="93.6" y2="86.0" stroke="#ddd"/>
<text x="93.6" y="102.0" text-anchor="middle">1</text>
<line x1="140.8" y1="36.0" x2="140.8" y2="86.0" stroke="#ddd"/>
<text x="140.8" y="102.0" text-anchor="middle">2</text>
<line x1="43.6" y1="84.6" x2="143.6" y2="84.6" stroke="#ddd"/>
<text x="37.6" y="88.6" text-anchor="end">0</text>
<line x1="43.6" y1="72.8" x2="143.6" y2="72.8" stroke="#ddd"/>
<text x="37.6" y="76.8" text-anchor="end">1</text>
<line x1="43.6" y1="61.0" x2="143.6" y2="61.0" stroke="#ddd"/>
<text x="37.6" y="65.0" text-anchor="end">2</text>
<line x1="43.6" y1="49.2" x2="143.6" y2="49.2" stroke="#ddd"/>
<text x="37.6" y="53.2" text-anchor="end">3</text>
<line x1="43.6" y1="37.4" x2="143.6" y2="37.4" stroke="#ddd"/>
<text x="37.6" y="41.4" text-anchor="end">4</text>
<rect x="43.6" y="36.0" width="100.0" height="50.0" fill="none" stroke="#888"/>
<text x="93.6" y="122.0" text-anchor="middle">step</text>
<text transform="translate(16.0 61.0) rotate(-90)" text-anchor="middle">y</text>
<polyline points="46.4,84.6 93.6,72.8 140.8,37.4" fill="none" stroke="#1f77b4" stroke-width="1.5" stroke-linejoin="round"/>
<line x1="151.6" y1="44.0" x2="169.6" y2="44.0" stroke="#1f77b4" stroke-width="3"/>
<text x="175.6" y="48.0">a&lt;b</text>
</svg>
)svg");
}

TEST_CASE("ticks are multiples of 1, 2 or 5 times a power of ten") {
  CHECK(y_labels({0, 1}) == labels{"0", "1"});  // between integers there are none
  CHECK(y_labels({0, 0.5, 1}) == labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(y_labels({0, 937}) == labels{"0", "200", "400", "600", "800"});
  CHECK(y_labels({-3e6, 2.5e6}) == labels{"-3e6", "-2e6", "-1e6", "0", "1e6", "2e6"});
  CHECK(y_labels({0.9871, 0.98805}) == labels{"0.9872", "0.9874", "0.9876", "0.9878", "0.9880"});
  CHECK(y_labels({0, 3e-7}) == labels{"0", "1e-7", "2e-7", "3e-7"});
  CHECK(y_labels({0, 2.5e-7}) == labels{"0", "5.0e-8", "1.0e-7", "1.5e-7", "2.0e-7", "2.5e-7"});
  CHECK(y_labels({1e9 + 1, 1e9 + 3}) == labels{"1000000001", "1000000002", "1000000003"});
  CHECK(y_labels({5, 5, 5}) == labels{"3", "4", "5", "6", "7"});
  CHECK(y_labels({0, 0}) == labels{"0"});
  CHECK(y_labels({}) == labels{"0", "1"});
}

TEST_CASE("logarithmic axes have ticks at powers of ten; where these are few, at 2 and 5 times them") {
  CHECK(y_labels({1, 1e4}, true) == labels{"1", "10", "100", "1000", "10000"});
  CHECK(y_labels({1e-9, 1e6}, true) == labels{"1e-9", "1e-6", "0.001", "1", "1000", "1e6"});
  CHECK(y_labels({0.02, 2.4}, true) == labels{"0.1", "1"});
  CHECK(y_labels({0.1, 2.4}, true) == labels{"0.1", "0.2", "0.5", "1", "2"});
  CHECK(y_labels({0.9, 0.95}, true) == labels{"0.90", "0.91", "0.92", "0.93", "0.94", "0.95"});
  // Values that are not positive are on none of them.
  CHECK(y_labels({0, -5, 1, 1e4}, true) == y_labels({1, 1e4}, true));
}

TEST_CASE("points lie where their values are") {
  const std::string linear = svg_text({{"", numbers{0, 10, 20}, numbers{0, 50, 100}}}, {.width = 106, .height = 106});
  // Margins of 3 % of 100 values are 3 of 106 pixels.
  CHECK(linear.find("points=\"41.8,115.0 91.8,65.0 141.8,15.0\"") != std::string::npos);
  const std::string logarithmic =
      svg_text({{"", numbers{1, 10, 100}, numbers{1, 10, 100}}}, {.log_x = true, .log_y = true, .width = 106, .height = 106});
  CHECK(logarithmic.find("points=\"41.8,115.0 91.8,65.0 141.8,15.0\"") != std::string::npos);
}

TEST_CASE("gaps, single points, legend") {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const std::string svg =
      svg_text({{"one", numbers{1, 2, nan, 3, infinity, 4, 5, 6, -infinity}}, {"größer & <2>", std::vector<float>{1, 2}}});
  CHECK(count_of(svg, "<polyline") == 3);
  CHECK(count_of(svg, "<circle") == 1);
  CHECK(count_of(svg, "#1f77b4") == 4);  // two parts, a point and its line in the legend
  CHECK(count_of(svg, ">one</text>") == 1);
  CHECK(count_of(svg, ">größer &amp; &lt;2></text>") == 1);
  CHECK(count_of(svg_text({{"", numbers{nan, nan}}}), "<polyline") == 0);
}

TEST_CASE("a curve of 100,000 points is a small picture with its peaks") {
  numbers y(100000, 0.5);
  y[31234] = 9;
  y[71234] = -9;
  const std::string svg = svg_text({{"", y}});
  CHECK(svg.size() < 60000);
  CHECK(svg.find(",20.5 ") != std::string::npos);   // 3 % of 300 pixels below 12
  CHECK(svg.find(",303.5 ") != std::string::npos);  // and above 312
}

TEST_CASE("numbers of every magnitude give finite places, few ticks and well-formed XML") {
  std::mt19937_64 random(7);
  const readers::folder folder("svg");
  std::filesystem::create_directory(folder.path);
  for (int i = 0; i < 2000; ++i) {
    numbers y(3);
    const std::uint64_t base = random();
    for (double& v : y) v = std::bit_cast<double>(i % 2 ? random() : base ^ random() >> (12 + i % 52));
    const std::string svg = svg_text({{"y", y}}, {.log_y = i % 4 > 1});
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf") == std::string::npos);
    CHECK(svg.size() < 20000);
    if (i % 100 == 0) etch::summary::svg(folder.path / (std::to_string(i) + ".svg"), {{"y\x01<&>\"", y}});
  }
  if (readers::has_python())
    CHECK(readers::lines_of(
              "python3 -c 'import glob, xml.dom.minidom as m; [print(m.parse(f).documentElement.tagName) for f in glob.glob(\"" +
              folder.path.string() + "/*\")]'") == std::vector<std::string>(20, "svg"));
  else
    MESSAGE("skipped: no python3 reads the pictures");
}

TEST_CASE("errors") {
  CHECK(message_of([] { curve("a", numbers{1, 2, 3}, numbers{1, 2}); }) == "svg: curve \"a\" has 2 values over 3 places");
  CHECK(message_of([] { svg("/no/such/folder/loss.svg", {{"a", numbers{1}}}); }) ==
        "/no/such/folder/loss.svg: No such file or directory");
  CHECK(message_of([] { svg("/dev/full", {{"a", numbers{1}}}); }) == "/dev/full: No space left on device");
  CHECK(message_of([] { svg_text({{"\xff", numbers{1}}}); }) == "\"\xff\" is not UTF-8");
}

}  // namespace
