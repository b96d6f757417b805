// SPDX-License-Identifier: MIT
#include "modes.hpp"

/// "Which integers the indices are of does not matter": each op that takes indices or labels gives what plain loops give, for every dtype
/// of integers, along axes of 300 and of 70,000 elements, more than 8 and 16 bits count; also where an index is negative or too large.
namespace {

using namespace etch;
using namespace etch::literals;
using line = std::vector<double>;

constexpr std::size_t rows = 6;
constexpr placeholder<"logits", float, rows, any<"n">> logits;
constexpr placeholder<"fixed", float, rows, 300> fixed;
constexpr placeholder<"table", float, any<"n">, 1> table;

/// What indices of T can be: in range, at the end where T counts so far, negative where T has a sign, else beyond the end where it can be.
template <class T>
std::vector<std::int64_t> indices_of(std::int64_t n) {
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const auto held = [&](std::int64_t i) { return static_cast<std::uint64_t>(i) <= most ? i : 127; };
  return {0, 5, held(261), held(n - 1), std::is_signed_v<T> ? -1 : held(n + 3), 5};
}
float number_at(std::size_t i) { return static_cast<float>(i * 37 % 101) * 0.125f; }
double clamped(std::int64_t i, std::int64_t n) { return number_at(static_cast<std::size_t>(i < 0 ? 0 : i >= n ? n - 1 : i)); }

void check(const line& got, const line& wanted, const std::string& what) {
  std::size_t wrong = got.size() == wanted.size() ? 0 : 1;
  for (std::size_t i = 0; i < got.size() && i < wanted.size(); ++i)
    wrong += std::abs(got[i] - wanted[i]) <= 2e-6 * (1 + wanted[i]) ? 0 : 1;
  laws::check_that(wrong == 0, what + ": " + std::to_string(wrong) + " of " + std::to_string(wanted.size()) + " are wrong");
}
template <class R>
line elements(const R& r) {
  return laws::described(r).elements;
}

/// The elements that are not 0 of rows of `width`: how many, and the place of the first.
template <class R>
line places(const R& r, std::size_t width) {
  const line all = elements(r);
  line found;
  for (std::size_t i = 0; i < rows; ++i) {
    std::size_t first = width, count = 0;
    for (std::size_t j = 0; j < width; ++j)
      if (all[i * width + j] != 0 && count++ == 0) first = j;
    found.push_back(static_cast<double>(count)), found.push_back(static_cast<double>(first));
  }
  return found;
}
line expected_places(const std::vector<std::int64_t>& at, std::int64_t width) {
  line r;
  for (const std::int64_t i : at) {
    const bool inside = i >= 0 && i < width;
    r.push_back(inside ? 1 : 0), r.push_back(static_cast<double>(inside ? i : width));
  }
  return r;
}

template <class T>
void check_dtype() {
  constexpr placeholder<"at", T, rows> at;
  constexpr placeholder<"each", T, rows, 1> each;
  constexpr auto few = one_hot<300>(at);
  constexpr auto many = one_hot<70000>(at);
  constexpr auto loss = nn::sparse_softmax_cross_entropy(logits, at);
  constexpr auto of_fixed = nn::sparse_softmax_cross_entropy(fixed, at);
  constexpr auto weighted = nn::weighted_sparse_softmax_cross_entropy(logits, at, reshape(table, shape<any<"n">>{}));
  constexpr auto taken = take_along_axis(logits, each, axis<1>);
  constexpr auto rows_of = nn::embedding(at, table);
  constexpr auto by_place = gather_nd(table, each);
  constexpr auto slope = gradient(sum(gather(table, at)), table);
  constexpr auto replaced = scatter_nd(table * 0_c, each, reshape(gather(table, at) * 0_c + 1_c, shape<rows, 1>{}), add);
  constexpr auto added = add_along_axis(logits * 0_c, each, reshape(gather(table, at) * 0_c + 1_c, shape<rows, 1>{}), axis<1>);
  session s(few, many, loss, of_fixed, weighted, taken, rows_of, by_place, slope, replaced, added);
  const std::string dtype = name_of_dtype(dtype_of<T>);
  for (const std::int64_t n : {300, 70000}) {
    const auto count = static_cast<std::size_t>(n);
    const std::string what = " of " + dtype + " along " + std::to_string(n);
    const std::vector<std::int64_t> indices = indices_of<T>(n);
    xt::xtensor<float, 2> x = xt::xtensor<float, 2>::from_shape({rows, count}),
                          column = xt::xtensor<float, 2>::from_shape({count, 1});
    xt::xtensor<float, 2> static_logits = xt::xtensor<float, 2>::from_shape({rows, 300});
    for (std::size_t i = 0; i < rows * count; ++i) x.data()[i] = number_at(i % count);
    for (std::size_t i = 0; i < rows * 300; ++i) static_logits.data()[i] = number_at(i % 300);
    for (std::size_t i = 0; i < count; ++i) column.data()[i] = number_at(i);
    xt::xtensor<T, 1> chosen = xt::xtensor<T, 1>::from_shape({rows});
    xt::xtensor<T, 2> chosen_each = xt::xtensor<T, 2>::from_shape({rows, 1});
    for (std::size_t i = 0; i < rows; ++i) chosen(i) = chosen_each(i, 0) = static_cast<T>(indices[i]);

    // By plain loops.
    line picked, hits(count), losses, static_losses, weighted_losses;
    const auto loss_of = [&](std::int64_t i, std::int64_t width, bool weighs) {
      double total = 0;
      for (std::int64_t j = 0; j < width; ++j) total += std::exp(double{number_at(static_cast<std::size_t>(j))} - 12.5);
      const bool inside = i >= 0 && i < width;
      const double logit = inside ? clamped(i, width) : 12.5;
      if (weighs) return inside ? clamped(i, width) * (std::log(total) + 12.5 - logit) : 0.0;
      return std::log(total) + 12.5 - logit;
    };
    for (const std::int64_t i : indices) {
      picked.push_back(clamped(i, n));
      hits[static_cast<std::size_t>(i < 0 ? 0 : i >= n ? n - 1 : i)] += 1;
      losses.push_back(loss_of(i, n, false));
      weighted_losses.push_back(loss_of(i, n, true));
      static_losses.push_back(loss_of(i, 300, false));
    }
    const auto check_all = [&](const auto& r, const std::string& where) {
      check(places(std::get<0>(r), 300), expected_places(indices, 300), "one_hot<300>" + where);
      check(places(std::get<1>(r), 70000), expected_places(indices, 70000), "one_hot<70000>" + where);
      check(elements(std::get<2>(r)), losses, "the loss" + where);
      check(elements(std::get<3>(r)), static_losses, "the loss of 300 classes" + where);
      check(elements(std::get<4>(r)), weighted_losses, "the weighted loss" + where);
      check(elements(std::get<5>(r)), picked, "take_along_axis" + where);
      check(elements(std::get<6>(r)), picked, "embedding" + where);
      check(elements(std::get<7>(r)), picked, "gather_nd" + where);
      check(elements(std::get<8>(r)), hits, "the gradient of gather" + where);
      check(elements(std::get<9>(r)), hits, "scatter_nd" + where);
      line one_each;
      for (const std::int64_t i : indices) one_each.push_back(i < 0 ? 0 : static_cast<double>(i >= n ? n - 1 : i));
      const line sums = elements(std::get<10>(r));
      for (std::size_t i = 0; i < rows; ++i)
        laws::check_that(sums[i * count + static_cast<std::size_t>(one_each[i])] == 1, "add_along_axis" + where);
    };
    const auto feeds = std::tuple(logits = x, fixed = static_logits, table = column, at = chosen, each = chosen_each);
    std::apply(
        [&](const auto&... fed) {
          check_all(s.run(few, many, loss, of_fixed, weighted, taken, rows_of, by_place, slope, replaced, added, fed...), what);
          if (n == 300)
            check_all(reference::run(few, many, loss, of_fixed, weighted, taken, rows_of, by_place, slope, replaced, added, fed...),
                      what + " by the reference");
        },
        feeds);
    const tensor<float, 2> now(x), columns(column);
    const tensor<T, 1> at_once(chosen);
    const tensor<T, 2> each_at_once(chosen_each);
    check(places(one_hot<300>(at_once), 300), expected_places(indices, 300), "one_hot at once" + what);
    check(elements(nn::sparse_softmax_cross_entropy(now, at_once)), losses, "the loss at once" + what);
    check(elements(nn::weighted_sparse_softmax_cross_entropy(now, at_once, gather(columns, tensor<int, 0>(0), axis<1>))),
          weighted_losses, "the weighted loss at once" + what);
    check(elements(take_along_axis(now, each_at_once, axis<1>)), picked, "take_along_axis at once" + what);
    check(elements(gather(columns, at_once)), picked, "gather at once" + what);
    check(elements(gather_nd<1>(columns, each_at_once)), picked, "gather_nd at once" + what);
  }
}

}  // namespace

TEST_CASE("law: labels and indices of 8 bits") { check_dtype<std::int8_t>(), check_dtype<std::uint8_t>(); }
TEST_CASE("law: labels and indices of 16 bits") { check_dtype<std::int16_t>(), check_dtype<std::uint16_t>(); }
TEST_CASE("law: labels and indices of 32 bits") { check_dtype<std::int32_t>(), check_dtype<std::uint32_t>(); }
TEST_CASE("law: labels and indices of 64 bits") { check_dtype<std::int64_t>(), check_dtype<std::uint64_t>(); }

/// Labels are compared in their own dtype where that holds all classes: the expression is the same as before.
static_assert(decltype(one_hot<128>(placeholder<"i", std::int8_t, 3>{}))::hash ==
              decltype(astype<float>(expand_dims(placeholder<"i", std::int8_t, 3>{}, axis<-1>) ==
                                     arange<std::int8_t>(shape<128>{})))::hash);
