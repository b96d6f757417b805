// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <etch/backend/cpu/map/map.hpp>

/// "What is narrow in memory is computed as what it is cast to": loads and stores of one dtype, registers of another.
namespace {

using namespace etch;
using namespace etch::literals;

/// x -> x + x in registers of D, from elements of In to elements of Out that lie `Mode` apart.
template <dtype In, dtype D, dtype Out, lane Mode>
constexpr auto doubling() {
  constexpr auto word = [](int k) {
    instruction i;
    i.type = D;
    if (k / 2 == 0) {
      i.code = opcode::load;
      i.memory = In;
      i.mode = Mode;
    } else if (k / 2 == 1) {
      i.code = opcode::apply;
      i.payload = info_of<struct add>.id;
    } else {
      i.code = opcode::store;
      i.memory = Out;
      i.mode = Mode;
      i.a = 1;
      i.slot = 1;
    }
    return k % 2 == 0 ? i.word() : i.payload;
  };
  return program<word(0), word(1), word(2), word(3), word(4), word(5)>{};
}

/// The values, and the doubles of them that are due; n of them, which fills vectors and leaves a rest.
template <dtype In, dtype D, dtype Out, lane Mode>
void check_doubling() {
  using A = value_type_of<In>;
  using B = value_type_of<Out>;
  using P = decltype(doubling<In, D, Out, Mode>());
  static_assert(lane_bytes_of(D) < 0 || P::lane_bytes() == size_of_dtype(D));
  constexpr int step = Mode == lane::strided ? 3 : 1;
  for (int n : {0, 1, 5, 16, 43}) {
    // One element more, which must stay.
    std::vector<A> x(static_cast<std::size_t>(n * step) + 1);
    std::vector<B> y(x.size(), B(77));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<A>(static_cast<int>(i % 60) - (std::is_signed_v<A> ? 30 : 0));
    cpu::nest<1, 2> nest;
    nest.extents[0] = n;
    nest.data[0] = reinterpret_cast<char*>(x.data());
    nest.data[1] = reinterpret_cast<char*>(y.data());
    nest.stride[0][0] = step * static_cast<int>(sizeof(A));
    nest.stride[1][0] = step * static_cast<int>(sizeof(B));
    cpu::map_kernel<P, 1>::run(nest);
    bool right = true;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool written = i % step == 0 && i < static_cast<std::size_t>(n * step);
      right = right && y[i] == (written ? static_cast<B>(2 * static_cast<int>(x[i])) : B(77));
    }
    laws::check_that(
        right, std::string(name_of_dtype(In)) + " as " + name_of_dtype(D) + " as " + name_of_dtype(Out) + ", " + std::to_string(n));
  }
}
template <dtype In, dtype D, dtype Out>
void check_doubling() {
  check_doubling<In, D, Out, lane::next>();
  check_doubling<In, D, Out, lane::strided>();
}

}  // namespace

TEST_CASE("law: elements in memory are converted to a register's dtype and back") {
  using enum dtype;
  check_doubling<uint8, float32, float32>();
  check_doubling<uint8, int32, uint8>();
  check_doubling<uint8, int64, uint8>();
  check_doubling<uint8, float64, int16>();
  check_doubling<int8, float32, int8>();
  check_doubling<int8, int64, int16>();
  check_doubling<int16, int32, int16>();
  check_doubling<int16, float64, float64>();
  check_doubling<uint16, float32, uint16>();
  check_doubling<uint16, int64, uint32>();
  check_doubling<int32, float32, int32>();
  check_doubling<int64, float64, int64>();
  check_doubling<float64, float32, float64>();
  check_doubling<uint8, uint16, uint16>();
  check_doubling<uint8, uint64, float32>();
}

TEST_CASE("law: a register of a narrow dtype wraps as that dtype, whatever it is stored as") {
  using P = decltype(doubling<dtype::uint8, dtype::uint8, dtype::int32, lane::next>());
  std::uint8_t x[20];
  std::int32_t y[20];
  for (int i = 0; i < 20; ++i) x[i] = static_cast<std::uint8_t>(240 + i % 16);
  cpu::nest<1, 2> nest;
  nest.extents[0] = 20;
  nest.data[0] = reinterpret_cast<char*>(x);
  nest.data[1] = reinterpret_cast<char*>(y);
  nest.stride[0][0] = 1;
  nest.stride[1][0] = 4;
  cpu::map_kernel<P, 1>::run(nest);
  for (int i = 0; i < 20; ++i) CHECK(y[i] == 2 * (240 + i % 16) - 256);
}

TEST_CASE_TEMPLATE("law: casts of narrow integers in memory are those of the reference, wherever they are read", T, std::uint8_t,
                   std::int8_t, std::int16_t, std::uint16_t) {
  static constexpr placeholder<"x", T, any<"n">, 20> x;
  static constexpr placeholder<"row", T, 20> row;
  static constexpr placeholder<"column", T, any<"n">, 1> column;
  static constexpr placeholder<"w", float, 20, 5> w;
  static constexpr placeholder<"i", std::int32_t, any<"n">> i;
  constexpr auto real = astype<float>(x);
  const auto all = std::tuple(
      real * 0.5_c + astype<float>(row), astype<double>(x) - astype<double>(column), astype<float>(transpose(x)) * 2_c,
      astype<std::int64_t>(flip(x)) + 1_c, mean(real, axis<1>), mean(real, axis<0>), softmax(real * 0.0078125_c), matmul(real, w),
      matmul(slice(real, section<>, section<0, 20>), w) + astype<float>(slice(x, section<>, section<3, 8>)),
      matmul(real, w) * astype<float>(arange<T>(shape<5>{})), astype<float>(gather(x, i)) + real, x + row, astype<float>(x + row),
      sum(real * astype<float>(column), axis<1>) * astype<float>(reshape(column, shape<any<"n">>{})),
      where(real > astype<float>(row), real, 0_c), astype<float>(x) + astype<float>(x > row));
  std::apply(
      [&](auto... e) {
        session s(e...);
        std::mt19937 generator(31);
        for (const int n : {1, 3, 17, 33}) {
          auto a = laws::random_array<T>(generator, n, 20);
          for (std::size_t k = 0; k < a.size(); ++k) a.data()[k] = static_cast<T>(a.data()[k] * 13);
          const auto b = laws::random_array<T>(generator, 20);
          const auto c = laws::random_array<T>(generator, n, 1);
          auto weights = laws::random_array<std::int32_t>(generator, 20, 5);
          const xt::xtensor<float, 2> v = xt::cast<float>(weights);
          const auto indices = laws::random_array<std::int32_t>(generator, n);
          static constexpr std::int64_t bounds[] = {0, 0, 0, 0, 1, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0};
          laws::check_agreement(s.run(e..., x = a, row = b, column = c, w = v, i = indices),
                                reference::run(e..., x = a, row = b, column = c, w = v, i = indices), nullptr, bounds,
                                std::to_string(n) + " rows");
        }
      },
      all);
}
