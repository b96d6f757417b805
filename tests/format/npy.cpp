// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>

#include <etch/format/npy.hpp>
#include <format/damage.hpp>

namespace {

using namespace etch;
using namespace etch::format;

std::string npy(const std::string& dict, const std::string& data) {
  const std::string header = dict + "\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}
array_view read_text(const std::string& text) {
  const files::bytes b = files::bytes_of(text);
  array_view a = read_npy(b, "x.npy");
  a.bytes = {};
  return a;
}
using extents = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("npy: bytes that are written down") {
  const std::string file = npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", std::string("\x01\x00\xfe\xff", 4));
  const files::bytes b = files::bytes_of(file);
  const array_view a = read_npy(b, "x.npy");
  CHECK(a.type == dtype::int16);
  CHECK(a.extents == extents{2});
  CHECK(a.bytes.data() == b.data() + file.size() - 4);
  CHECK(read_text(npy("{\"shape\":(),\"fortran_order\":True,\"descr\":\"|u1\"}", "7")).extents == extents{});
  CHECK(read_text(npy("{'descr': '<V2', 'fortran_order': True, 'shape': (1, 2)}", "abcd")).type == dtype::bfloat16);
  CHECK(read_text(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 3)}", "")).extents == extents{0, 3});

  const std::string header = npy_header(dtype::float32, extents{64, 32});
  CHECK(header.size() == 128);
  CHECK(header.starts_with(
      std::string_view("\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (64, 32), }    ", 73)));
  CHECK(header.ends_with(" \n"));
  CHECK(npy_header(dtype::boolean, extents{3}).find("'|b1', 'fortran_order': False, 'shape': (3,), }") == 20);
}

TEST_CASE("npy: what is no such file, or one of other arrays") {
  const auto refuses = [](const std::string& file, const char* text) { CHECK_THROWS_WITH_AS(read_text(file), text, error); };
  refuses("", "x.npy: at byte 0: it is no npy file: it does not begin with \\x93NUMPY");
  refuses(std::string("\x93NUMPY\x04\x00\x00\x00", 10), "x.npy: at byte 6: the version is 4, expected is 1, 2 or 3");
  refuses(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "12345678"),
          "x.npy: at byte 66: the header says float32 [3], but 8 bytes follow");
  refuses(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", ""),
          "x.npy: at byte 86: the header says float32 [4294967296, 4294967296], but 0 bytes follow");
  refuses(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", ""),
          "x.npy: at byte 79: an extent is greater than 2^63 - 1");
  refuses(npy("{'descr': '>f4', 'fortran_order': False, 'shape': (3,)}", ""),
          "x.npy: at byte 20: the dtype \">f4\" is none of those read: bool, integers, float32, float64, bfloat16, with the lowest "
          "byte first");
  refuses(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}", ""),
          "x.npy: at byte 20: an array of records ('descr' is a list) is no array of numbers");
  refuses(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2)}", ""),
          "x.npy: at byte 67: the array [3, 2] lies column by column ('fortran_order': True); save numpy.ascontiguousarray of it");
  refuses(npy("{'descr': '<f4', 'shape': (3,)}", ""),
          "x.npy: at byte 41: the header lacks one of 'descr', 'fortran_order', 'shape'");
  refuses(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", std::string("\x01\x02")),
          "x.npy: at byte 67: a bool is 0 or 1, found is 2");
  CHECK_THROWS_WITH_AS(read_npy("/no/such.npy"), "/no/such.npy: No such file or directory", error);
}

TEST_CASE("npy: damaged files") {
  const std::string header = npy_header(dtype::int32, extents{2, 3});
  const files::bytes whole = files::bytes_of(header + std::string(24, '\1'));
  files::check_damaged(whole, "x.npy: ", true, [](const files::bytes& b) {
    const array_view a = read_npy(b, "x.npy");
    CHECK(a.bytes.size() == static_cast<std::size_t>(count_elements(a.extents) * size_of_dtype(a.type)));
    CHECK(a.bytes.data() + a.bytes.size() == b.data() + b.size());
  });
}

TEST_CASE("npy: NumPy reads what is written, and the other way") {
  const files::folder folder("npy");
  const std::vector<extents> shapes = {{}, {0, 3}, {5}, {3, 4}, {2, 1, 3, 2}};
  std::vector<files::bytes> values;
  for (int type = 0; type < dtype_count; ++type)
    for (std::size_t s = 0; s < shapes.size(); ++s) {
      const auto d = static_cast<dtype>(type);
      files::bytes b(static_cast<std::size_t>(count_elements(shapes[s]) * size_of_dtype(d)));
      // Bytes of every value; bools are 0 and 1.
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<std::byte>(d == dtype::boolean ? i % 2 : i * 37 % 120);
      write_npy(folder / (std::to_string(type) + "_" + std::to_string(s) + ".npy"), {d, shapes[s], b});
      values.push_back(b);
    }
  const bool has_numpy = files::run_numpy(folder, R"(
codes = ['b1', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f4', 'f8', 'V2']
shapes = [(), (0, 3), (5,), (3, 4), (2, 1, 3, 2)]
for t, code in enumerate(codes):
  for s, shape in enumerate(shapes):
    a = np.load(folder + f'{t}_{s}.npy')
    bytes_of_all = np.arange(a.nbytes) * 37 % 120 if t else np.arange(a.nbytes) % 2
    expected = np.frombuffer(bytes_of_all.astype(np.uint8).tobytes(), code).reshape(shape)
    assert a.dtype == np.dtype(code) and a.shape == shape and a.tobytes() == expected.tobytes(), (code, shape, a)
    with open(folder + f'{t}_{s}.numpy.npy', 'wb') as f:
      np.lib.format.write_array(f, expected, version=[(1, 0), (2, 0), (3, 0)][s % 3])
)");
  for (std::size_t i = 0; has_numpy && i < values.size(); ++i) {
    const std::size_t s = i % shapes.size();
    const kept_array a = read_npy(folder / (std::to_string(i / shapes.size()) + "_" + std::to_string(s) + ".numpy.npy"));
    CHECK(a.array.type == static_cast<dtype>(i / shapes.size()));
    CHECK(a.array.extents == shapes[s]);
    CHECK(files::bytes(a.array.bytes.begin(), a.array.bytes.end()) == values[i]);
  }
}
