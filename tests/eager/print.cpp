// SPDX-License-Identifier: MIT
#include <limits>
#include <locale>
#include <sstream>

#include <doctest/doctest.h>

#include <base/decimal_comma.hpp>
#include <etch/eager.hpp>

#include "contents.hpp"

// What tensors print: the elements as NumPy 2.4.6 writes them, whose texts these are, around them what TensorFlow writes.

using namespace etch::literals;

namespace {
using contents::text;

template <class T, int Rank>
void check(const etch::tensor<T, Rank>& t, const char* elements) {
  CHECK(etch::elements_text(t) == elements);
}

}  // namespace

TEST_CASE("EAG-03: a tensor prints as elements, shape and dtype") {
  CHECK(text(etch::tensor<float, 2>{{2.f}}) == "etch.tensor([[2.]], shape=(1, 1), dtype=float32)");
  CHECK(text(etch::tensor<std::int32_t, 2>{{1, 2}, {3, 4}}) == "etch.tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)");
  CHECK(text(etch::tensor<float, 0>(1.f)) == "etch.tensor(1.0, shape=(), dtype=float32)");
  CHECK(text(etch::tensor<std::int32_t, 0>(0)) == "etch.tensor(0, shape=(), dtype=int32)");
  CHECK(text(etch::tensor<bool, 1>{true, false}) == "etch.tensor([ True False], shape=(2,), dtype=bool)");
  CHECK(text(etch::tensor<double>(etch::tensor<double, 1>{0.5})) == "etch.tensor([0.5], shape=(1,), dtype=float64)");
  check(etch::tensor<float, 1>{}, "[]");
  check(etch::tensor<float, 2>(etch::zeros(etch::shape<2, 0>{})), "[]");
}

TEST_CASE("EAG-03: no locale, of the program or of a stream, changes what a tensor prints") {
  struct grouped : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const auto texts = [](const std::locale& of_stream) {
    std::ostringstream out;
    out.imbue(of_stream);
    out << etch::tensor<etch::bfloat16, 1>{1, 2.5f, 0.3f} << etch::tensor<float, 1>{1234.5f, 1e-5f} << etch::tensor<double, 0>(0.1)
        << etch::tensor<std::int64_t, 2>{{1, -1234567}} << etch::tensor<float, 0>(1e20f);
    return out.str();
  };
  const std::string expected = texts(std::locale::classic());
  CHECK(expected.starts_with("etch.tensor([1 2.5 0.300781], shape=(3,), dtype=bfloat16)"));
  CHECK(texts(std::locale(std::locale::classic(), new grouped)) == expected);
  const decimal_comma comma;
  if (comma) CHECK(texts(std::locale::classic()) == expected);
}

TEST_CASE("EAG-03: elements are written in columns, with as many digits as tell them apart") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
  check(etch::tensor<float, 1>{1e-01f, 1e+30f}, "[1.e-01 1.e+30]");
  check(etch::tensor<float, 1>{1e+00f, 2.5e+00f, -3e+00f}, "[ 1.   2.5 -3. ]");
  check(etch::tensor<float, 1>{1e-01f, 2.5e-01f, 1e+02f}, "[  0.1    0.25 100.  ]");
  check(etch::tensor<float, 1>{1e-05f, 1e+00f}, "[1.e-05 1.e+00]");
  check(etch::tensor<float, 1>{1.5e+00f, nan, -far, far}, "[ 1.5  nan -inf  inf]");
  check(etch::tensor<float, 1>{1e+00f, nan}, "[ 1. nan]");
  check(etch::tensor<float, 1>{nan, nan}, "[nan nan]");
  check(etch::tensor<float, 1>{far, 2e+00f}, "[inf  2.]");
  check(etch::tensor<float, 1>{-far, 1e-07f}, "[  -inf 1.e-07]");
  check(etch::tensor<float, 1>{3.1415927e+00f, 2.71828e+00f}, "[3.1415927 2.71828  ]");
  check(etch::tensor<float, 1>{3.3333334e-01f, 6.666667e-01f, 1e+02f}, "[  0.33333334   0.6666667  100.        ]");
  check(etch::tensor<float, 1>{1.234567e+05f, 1.5e+00f}, "[1.234567e+05 1.500000e+00]");
  check(etch::tensor<float, 1>{1e+08f, 1e+00f}, "[1.e+08 1.e+00]");
  check(etch::tensor<float, 1>{1e-03f, 1e+02f}, "[1.e-03 1.e+02]");
  check(etch::tensor<float, 1>{-5e-01f, 5e-01f}, "[-0.5  0.5]");
  check(etch::tensor<float, 2>{{1e+00f, 2e+00f}, {3e+00f, 4e+00f}},
        "[[1. 2.]\n"
        " [3. 4.]]");
  check(etch::tensor<float, 1>{1e-20f, 2e-20f}, "[1.e-20 2.e-20]");
  check(etch::tensor<float, 1>{1.5e-10f, -2.25e+20f, 3e+00f}, "[ 1.50e-10 -2.25e+20  3.00e+00]");
  check(etch::tensor<float, 1>{1.2e-04f, 3.5e-04f}, "[0.00012 0.00035]");
  check(etch::tensor<float, 1>{0e+00f, -0e+00f}, "[ 0. -0.]");
  check(etch::tensor<float, 1>{9.99999e+05f, 9.999985e+05f}, "[999999.  999998.5]");
  check(etch::tensor<float, 1>{1e+06f, 2e+06f}, "[1.e+06 2.e+06]");
  check(etch::tensor<float, 1>{1.6777216e+07f, 1.6777215e+07f}, "[1.6777216e+07 1.6777215e+07]");
  check(etch::tensor<float, 1>{-1e-38f, 1e+38f}, "[-1.e-38  1.e+38]");
  check(etch::tensor<float, 3>{{{0e+00f, 2.5e-01f, 5e-01f}, {7.5e-01f, 1e+00f, 1.25e+00f}},
                               {{1.5e+00f, 1.75e+00f, 2e+00f}, {2.25e+00f, 2.5e+00f, 2.75e+00f}}},
        "[[[0.   0.25 0.5 ]\n"
        "  [0.75 1.   1.25]]\n"
        "\n"
        " [[1.5  1.75 2.  ]\n"
        "  [2.25 2.5  2.75]]]");
  check(etch::tensor<std::int32_t, 2>{{1, 20}, {-3, 4}},
        "[[ 1 20]\n"
        " [-3  4]]");
  check(etch::tensor<bool, 2>{{true, false}, {false, false}},
        "[[ True False]\n"
        " [False False]]");
  check(etch::tensor<std::uint8_t, 1>{1, 255}, "[  1 255]");
  check(etch::tensor<std::int64_t, 1>{-9223372036854775807 - 1, 1}, "[-9223372036854775808                    1]");
  check(etch::tensor<bool, 1>{true, true, true, true, true, true, true, true, true, true,
                              true, true, true, true, true, true, true, true, true, true},
        "[ True  True  True  True  True  True  True  True  True  True  True  True\n"
        "  True  True  True  True  True  True  True  True]");
  check(etch::tensor<float, 1>{0e+00f,   1.5e+00f,  3e+00f,   4.5e+00f,  6e+00f,   7.5e+00f,  9e+00f,   1.05e+01f,
                               1.2e+01f, 1.35e+01f, 1.5e+01f, 1.65e+01f, 1.8e+01f, 1.95e+01f, 2.1e+01f, 2.25e+01f,
                               2.4e+01f, 2.55e+01f, 2.7e+01f, 2.85e+01f, 3e+01f,   3.15e+01f, 3.3e+01f, 3.45e+01f,
                               3.6e+01f, 3.75e+01f, 3.9e+01f, 4.05e+01f, 4.2e+01f, 4.35e+01f},
        "[ 0.   1.5  3.   4.5  6.   7.5  9.  10.5 12.  13.5 15.  16.5 18.  19.5\n"
        " 21.  22.5 24.  25.5 27.  28.5 30.  31.5 33.  34.5 36.  37.5 39.  40.5\n"
        " 42.  43.5]");
  check(etch::tensor<double, 1>{1e+100, 1e-100, 1.0}, "[1.e+100 1.e-100 1.e+000]");
  check(etch::tensor<double, 1>{3.141592653589793, 2.718281828459045}, "[3.14159265 2.71828183]");
  check(etch::tensor<double, 1>{0.3333333333333333, 0.6666666666666666, 1000.0}, "[3.33333333e-01 6.66666667e-01 1.00000000e+03]");
  check(etch::tensor<double, 1>{1e+16, 1.0}, "[1.e+16 1.e+00]");
  check(etch::tensor<double, 1>{99999999.0, 1.0}, "[9.9999999e+07 1.0000000e+00]");
  check(etch::tensor<double, 1>{12345678.9, 100000.0}, "[12345678.9   100000. ]");
  check(etch::tensor<float, 2>{{0e+00f, 0e+00f, 0e+00f}, {0e+00f, 0e+00f, 0e+00f}, {0e+00f, 0e+00f, 0e+00f}},
        "[[0. 0. 0.]\n"
        " [0. 0. 0.]\n"
        " [0. 0. 0.]]");
  check(etch::tensor<float, 2>{{3.4558418e-01f, 8.2161814e-01f, 3.3043706e-01f, -1.3031572e+00f, 9.053559e-01f},
                               {4.4637457e-01f, -5.369532e-01f, 5.811181e-01f, 3.645724e-01f, 2.941325e-01f},
                               {2.8422242e-02f, 5.46713e-01f, -7.3645407e-01f, -1.6290995e-01f, -4.8211932e-01f}},
        "[[ 0.34558418  0.82161814  0.33043706 -1.3031572   0.9053559 ]\n"
        " [ 0.44637457 -0.5369532   0.5811181   0.3645724   0.2941325 ]\n"
        " [ 0.02842224  0.546713   -0.73645407 -0.16290995 -0.48211932]]");
  check(etch::tensor<double, 3>{{{598.8462126346276, 39.72210748165899}, {-292.4567509650886, -781.908462356842}},
                                {{-257.1922406188707, 8.142180518343508}, {-275.60290529937043, 1294.0638143982073}}},
        "[[[ 598.84621263   39.72210748]\n"
        "  [-292.45675097 -781.90846236]]\n"
        "\n"
        " [[-257.19224062    8.14218052]\n"
        "  [-275.6029053  1294.0638144 ]]]");
  check(etch::tensor<float, 1>{1.0067243e-03f, -2.7111624e-03f, -1.8890132e-03f, -1.747721e-04f,  -4.221904e-04f,
                               2.13643e-04f,   2.1732193e-04f,  2.1178387e-03f,  -1.1120208e-03f, -3.77605e-04f,
                               2.0427715e-03f, 6.46703e-04f,    6.630634e-04f,   -5.1400636e-04f, -1.6480752e-03f,
                               1.6746475e-04f, 1.0901409e-04f,  -1.2273521e-03f, -6.832267e-04f,  -7.204368e-05f,
                               -9.447516e-04f, -9.826997e-05f,  9.5483025e-05f,  3.5586236e-05f,  -5.0629163e-04f},
        "[ 1.0067243e-03 -2.7111624e-03 -1.8890132e-03 -1.7477210e-04\n"
        " -4.2219041e-04  2.1364300e-04  2.1732193e-04  2.1178387e-03\n"
        " -1.1120208e-03 -3.7760500e-04  2.0427715e-03  6.4670300e-04\n"
        "  6.6306337e-04 -5.1400636e-04 -1.6480752e-03  1.6746475e-04\n"
        "  1.0901409e-04 -1.2273521e-03 -6.8322668e-04 -7.2043680e-05\n"
        " -9.4475161e-04 -9.8269971e-05  9.5483025e-05  3.5586236e-05\n"
        " -5.0629163e-04]");
  check(etch::tensor<std::int32_t, 2>{{90, 639, -862, 366, 518, 574, 746},
                                      {-617, 110, 604, -285, -618, -42, -837},
                                      {-561, 710, 335, 722, 680, 753, -379},
                                      {-57, 234, -452, 838, -986, 676, 291}},
        "[[  90  639 -862  366  518  574  746]\n"
        " [-617  110  604 -285 -618  -42 -837]\n"
        " [-561  710  335  722  680  753 -379]\n"
        " [ -57  234 -452  838 -986  676  291]]");
  check(etch::tensor<float, 0>(1e+00f), "1.0");
  check(etch::tensor<float, 0>(1e-01f), "0.1");
  check(etch::tensor<float, 0>(1e+30f), "1e+30");
  check(etch::tensor<float, 0>(1e-08f), "1e-08");
  check(etch::tensor<float, 0>(1e-04f), "1e-04");
  check(etch::tensor<float, 0>(1.2345678e+05f), "123456.78");
  check(etch::tensor<float, 0>(9.999995e+05f), "999999.5");
  check(etch::tensor<float, 0>(1e+06f), "1e+06");
  check(etch::tensor<float, 0>(1.2345679e+08f), "1.2345679e+08");
  check(etch::tensor<float, 0>(nan), "nan");
  check(etch::tensor<float, 0>(far), "inf");
  check(etch::tensor<float, 0>(-0e+00f), "-0.0");
  check(etch::tensor<float, 0>(0e+00f), "0.0");
  check(etch::tensor<float, 0>(-2.5e+00f), "-2.5");
  check(etch::tensor<float, 0>(3.3333334e-01f), "0.33333334");
  check(etch::tensor<double, 0>(0.3333333333333333), "0.3333333333333333");
  check(etch::tensor<double, 0>(1000000000000000.0), "1000000000000000.0");
  check(etch::tensor<double, 0>(1e+16), "1e+16");
  check(etch::tensor<double, 0>(123456789012.5), "123456789012.5");
  check(etch::tensor<double, 0>(0.0001), "0.0001");
  check(etch::tensor<double, 0>(1e-05), "1e-05");
  check(etch::tensor<double, 0>(5e-324), "5e-324");
}

TEST_CASE("EAG-03: of more than 1000 elements the first and the last along each axis are written") {
  check(etch::tensor(etch::arange<std::int32_t>(etch::shape<1001>{})), "[   0    1    2 ...  998  999 1000]");
  check(etch::tensor(etch::reshape(etch::arange<float>(etch::shape<1600>{}) / 8_c, etch::shape<40, 40>{})),
        "[[0.00000e+00 1.25000e-01 2.50000e-01 ... 4.62500e+00 4.75000e+00\n"
        "  4.87500e+00]\n"
        " [5.00000e+00 5.12500e+00 5.25000e+00 ... 9.62500e+00 9.75000e+00\n"
        "  9.87500e+00]\n"
        " [1.00000e+01 1.01250e+01 1.02500e+01 ... 1.46250e+01 1.47500e+01\n"
        "  1.48750e+01]\n"
        " ...\n"
        " [1.85000e+02 1.85125e+02 1.85250e+02 ... 1.89625e+02 1.89750e+02\n"
        "  1.89875e+02]\n"
        " [1.90000e+02 1.90125e+02 1.90250e+02 ... 1.94625e+02 1.94750e+02\n"
        "  1.94875e+02]\n"
        " [1.95000e+02 1.95125e+02 1.95250e+02 ... 1.99625e+02 1.99750e+02\n"
        "  1.99875e+02]]");
  check(etch::tensor(etch::reshape(etch::arange<float>(etch::shape<1100>{}), etch::shape<10, 10, 11>{})),
        "[[[0.000e+00 1.000e+00 2.000e+00 ... 8.000e+00 9.000e+00 1.000e+01]\n"
        "  [1.100e+01 1.200e+01 1.300e+01 ... 1.900e+01 2.000e+01 2.100e+01]\n"
        "  [2.200e+01 2.300e+01 2.400e+01 ... 3.000e+01 3.100e+01 3.200e+01]\n"
        "  ...\n"
        "  [7.700e+01 7.800e+01 7.900e+01 ... 8.500e+01 8.600e+01 8.700e+01]\n"
        "  [8.800e+01 8.900e+01 9.000e+01 ... 9.600e+01 9.700e+01 9.800e+01]\n"
        "  [9.900e+01 1.000e+02 1.010e+02 ... 1.070e+02 1.080e+02 1.090e+02]]\n"
        "\n"
        " [[1.100e+02 1.110e+02 1.120e+02 ... 1.180e+02 1.190e+02 1.200e+02]\n"
        "  [1.210e+02 1.220e+02 1.230e+02 ... 1.290e+02 1.300e+02 1.310e+02]\n"
        "  [1.320e+02 1.330e+02 1.340e+02 ... 1.400e+02 1.410e+02 1.420e+02]\n"
        "  ...\n"
        "  [1.870e+02 1.880e+02 1.890e+02 ... 1.950e+02 1.960e+02 1.970e+02]\n"
        "  [1.980e+02 1.990e+02 2.000e+02 ... 2.060e+02 2.070e+02 2.080e+02]\n"
        "  [2.090e+02 2.100e+02 2.110e+02 ... 2.170e+02 2.180e+02 2.190e+02]]\n"
        "\n"
        " [[2.200e+02 2.210e+02 2.220e+02 ... 2.280e+02 2.290e+02 2.300e+02]\n"
        "  [2.310e+02 2.320e+02 2.330e+02 ... 2.390e+02 2.400e+02 2.410e+02]\n"
        "  [2.420e+02 2.430e+02 2.440e+02 ... 2.500e+02 2.510e+02 2.520e+02]\n"
        "  ...\n"
        "  [2.970e+02 2.980e+02 2.990e+02 ... 3.050e+02 3.060e+02 3.070e+02]\n"
        "  [3.080e+02 3.090e+02 3.100e+02 ... 3.160e+02 3.170e+02 3.180e+02]\n"
        "  [3.190e+02 3.200e+02 3.210e+02 ... 3.270e+02 3.280e+02 3.290e+02]]\n"
        "\n"
        " ...\n"
        "\n"
        " [[7.700e+02 7.710e+02 7.720e+02 ... 7.780e+02 7.790e+02 7.800e+02]\n"
        "  [7.810e+02 7.820e+02 7.830e+02 ... 7.890e+02 7.900e+02 7.910e+02]\n"
        "  [7.920e+02 7.930e+02 7.940e+02 ... 8.000e+02 8.010e+02 8.020e+02]\n"
        "  ...\n"
        "  [8.470e+02 8.480e+02 8.490e+02 ... 8.550e+02 8.560e+02 8.570e+02]\n"
        "  [8.580e+02 8.590e+02 8.600e+02 ... 8.660e+02 8.670e+02 8.680e+02]\n"
        "  [8.690e+02 8.700e+02 8.710e+02 ... 8.770e+02 8.780e+02 8.790e+02]]\n"
        "\n"
        " [[8.800e+02 8.810e+02 8.820e+02 ... 8.880e+02 8.890e+02 8.900e+02]\n"
        "  [8.910e+02 8.920e+02 8.930e+02 ... 8.990e+02 9.000e+02 9.010e+02]\n"
        "  [9.020e+02 9.030e+02 9.040e+02 ... 9.100e+02 9.110e+02 9.120e+02]\n"
        "  ...\n"
        "  [9.570e+02 9.580e+02 9.590e+02 ... 9.650e+02 9.660e+02 9.670e+02]\n"
        "  [9.680e+02 9.690e+02 9.700e+02 ... 9.760e+02 9.770e+02 9.780e+02]\n"
        "  [9.790e+02 9.800e+02 9.810e+02 ... 9.870e+02 9.880e+02 9.890e+02]]\n"
        "\n"
        " [[9.900e+02 9.910e+02 9.920e+02 ... 9.980e+02 9.990e+02 1.000e+03]\n"
        "  [1.001e+03 1.002e+03 1.003e+03 ... 1.009e+03 1.010e+03 1.011e+03]\n"
        "  [1.012e+03 1.013e+03 1.014e+03 ... 1.020e+03 1.021e+03 1.022e+03]\n"
        "  ...\n"
        "  [1.067e+03 1.068e+03 1.069e+03 ... 1.075e+03 1.076e+03 1.077e+03]\n"
        "  [1.078e+03 1.079e+03 1.080e+03 ... 1.086e+03 1.087e+03 1.088e+03]\n"
        "  [1.089e+03 1.090e+03 1.091e+03 ... 1.097e+03 1.098e+03 1.099e+03]]]");
  check(etch::tensor(etch::reshape(etch::arange<float>(etch::shape<1100>{}), etch::shape<2, 550>{})),
        "[[0.000e+00 1.000e+00 2.000e+00 ... 5.470e+02 5.480e+02 5.490e+02]\n"
        " [5.500e+02 5.510e+02 5.520e+02 ... 1.097e+03 1.098e+03 1.099e+03]]");
  check(etch::tensor(etch::zeros(etch::shape<5, 300>{})),
        "[[0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]\n"
        " [0. 0. 0. ... 0. 0. 0.]]");
  const std::string whole = etch::elements_text(etch::tensor(etch::arange<std::int32_t>(etch::shape<1000>{})));
  CHECK(whole.find("...") == std::string::npos);
  CHECK(whole.rfind("[  0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17\n  18  19", 0) == 0);
  CHECK(whole.substr(whole.size() - 9) == " 998 999]");
}
