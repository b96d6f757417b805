// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace etch::summary::detail {

/// A number as axes have it: `0.001`, `2500`, `1.5e6`. The program's locale does not matter.
inline std::string number_text(double value, std::chars_format format, int precision) {
  char digits[400];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, value, format, precision).ptr);
  if (const std::size_t e = text.find('e'); e != std::string::npos) {
    if (text[e + 1] == '+') text.erase(e + 1, 1);
    const std::size_t zero = text.find_first_of("0123456789", e);
    if (text[zero] == '0') text.erase(zero, 1);
  }
  return text;
}

struct tick {
  double at = 0;      ///< as a value of a curve
  std::string label;  ///< empty: a thinner line only
};

/// What values an axis shows, and where: from 0 at its begin to 1 at its end. A logarithmic one shows positive values.
class plot_axis {
 public:
  plot_axis(bool is_logarithmic, int most_ticks) : is_logarithmic_(is_logarithmic), most_ticks_(most_ticks) {}

  bool shows(double v) const { return std::isfinite(v) && (!is_logarithmic_ || v > 0); }
  /// Makes the axis long enough.
  void add(double v) {
    if (!shows(v)) return;
    has_fractions_ = has_fractions_ || v != std::floor(v);
    low_ = std::min(low_, scaled(v));
    high_ = std::max(high_, scaled(v));
  }
  /// Once all values are there: a margin of 3 %, and room where they are all the same.
  void close() {
    if (low_ > high_) low_ = 0, high_ = 1;
    const double greatest = std::max(std::abs(low_), std::abs(high_));
    double margin = half_length() * 0.06;
    if (half_length() <= 1e-13 * greatest || half_length() < 1e-300)
      margin = is_logarithmic_ || greatest < 1e-300 ? 0.5 : greatest / 2;
    constexpr double limit = std::numeric_limits<double>::max();
    low_ = std::max(low_ - margin, is_logarithmic_ ? -323.0 : -limit);
    high_ = std::min(high_ + margin, is_logarithmic_ ? 308.2 : limit);
  }
  double place(double v) const { return (scaled(v) / 2 - low_ / 2) / half_length(); }

  std::vector<tick> ticks() const {
    if (!is_logarithmic_) return linear_ticks(low_, high_);
    std::vector<tick> all;
    const int first = static_cast<int>(std::floor(low_)), last = static_cast<int>(std::floor(high_));
    const bool is_short = high_ - low_ < 2;
    const int stride = (last - first) / most_ticks_ + 1;
    int labels = 0;
    for (int decade = first; decade <= last; ++decade)
      for (int m = 1; m < 10 && (stride == 1 || m == 1); ++m) {
        const double value = m * std::pow(10.0, decade), at = decade + std::log10(m);
        const bool has_label = is_short ? m == 1 || m == 2 || m == 5 : m == 1 && decade % stride == 0;
        if (at < low_ || at > high_ || (stride > 5 && !has_label)) continue;
        labels += has_label;
        all.push_back({value, has_label ? number_text(value, std::chars_format::general, 6) : ""});
      }
    return labels < 3 && is_short ? linear_ticks(std::pow(10.0, low_), std::pow(10.0, high_)) : all;
  }

 private:
  double scaled(double v) const { return is_logarithmic_ ? std::log10(v) : v; }
  /// Of halves: the difference of two doubles may be beyond them.
  double half_length() const { return high_ / 2 - low_ / 2; }

  /// Multiples of 1, 2 or 5 times a power of ten.
  std::vector<tick> linear_ticks(double low, double high) const {
    const double least = (high / 2 - low / 2) / most_ticks_ * 2, power = std::pow(10.0, std::floor(std::log10(least)));
    double step = power * 10;
    for (const double m : {5, 2, 1})
      if (m * power >= least) step = m * power;
    if (!has_fractions_) step = std::max(step, 1.0);
    if (!(step > 0)) return {};
    const int magnitude = static_cast<int>(std::floor(std::log10(std::max(std::abs(low), std::abs(high)))));
    const int decimals = -static_cast<int>(std::floor(std::log10(step) + 1e-9));
    const bool is_plain = decimals <= 5 && (magnitude < 6 || (magnitude < 15 && magnitude + decimals > 3));
    std::vector<tick> all;
    for (double i = std::ceil(low / step); i <= std::floor(high / step); ++i) {
      const double value = i * step + 0.0;  // no -0
      all.push_back({value, value == 0 ? "0"
                            : is_plain ? number_text(value, std::chars_format::fixed, std::max(decimals, 0))
                                       : number_text(value, std::chars_format::scientific, std::max(magnitude + decimals, 0))});
    }
    return all;
  }

  bool is_logarithmic_, has_fractions_ = false;
  int most_ticks_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

}  // namespace etch::summary::detail
