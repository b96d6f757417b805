// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <vector>

#include <format/damage.hpp>
#include <image/pictures.hpp>

/// Damaged and cut files: an image, or one error that names the file and the byte.
namespace {

using namespace etch;

/// `cut`: bytes at the end that nothing needs: the padding of BMP's last row.
void try_all(const std::string& file, std::size_t cut = 0) {
  std::uint64_t sum = 0;
  const auto is_read = [&](const std::string& damaged) {
    // Memory of exactly that size, so that a sanitizer sees what reads beyond.
    const std::vector<char> exact(damaged.begin(), damaged.end());
    const auto bytes = std::as_bytes(std::span(exact));
    const std::string error = files::error_of([&] {
      const image::pixels x = image::decode(bytes, {}, "x");
      for (std::int64_t i = 0; i < x.size(); ++i) sum += x.data()[i];
    });
    CHECK_MESSAGE((error.empty() || (error.starts_with("x: at byte ") && error.find('\n') == error.npos)), error);
    // Rows that are not needed hide no damage.
    const std::string other = files::error_of([&] { image::decode_resized<2, 3>(bytes, {}, "x"); });
    CHECK_MESSAGE(other.empty() == error.empty(), error, " ", other);
    return error.empty();
  };
  CHECK(is_read(file));
  for (std::size_t size = 0; size + cut < file.size(); ++size) CHECK_MESSAGE(!is_read(file.substr(0, size)), size);
  std::mt19937 random(35);
  for (int i = 0, all = files::mutations(); i < all; ++i) {
    std::string changed = file;
    for (auto n = random() % 4 + 1; n > 0; --n) {
      const std::size_t at = random() % changed.size(), count = 1 + random() % 8;
      const auto byte = static_cast<char>(random());
      switch (random() % 8) {
        case 0: changed.erase(at, count); break;
        case 1: changed.insert(at, count, byte); break;
        default: changed[at] = byte;
      }
      if (changed.empty()) changed = "x";
    }
    is_read(changed);
  }
  CHECK(sum > 0);
}

}  // namespace

TEST_CASE("image: damaged PNG files") {
  try_all(image::encode_png(pictures::noise(13, 11, 3)));
  try_all(pictures::png(2, 2, 8, 0, std::string("\0\1\0\2\0\3\4", 7), "", true));
  try_all(pictures::png(1, 2, 8, 3, std::string("\0\1\0", 3), pictures::chunk("PLTE", "abcdef") + pictures::chunk("tRNS", "x")));
}

TEST_CASE("image: damaged JPEG files") {
  try_all(image::encode_jpeg(pictures::slopes(37, 29, 3), {.quality = 70}));
  try_all(image::encode_jpeg(pictures::noise(17, 16, 3), {.quality = 60, .progressive = true}));
  try_all(image::encode_jpeg(pictures::noise(17, 16, 1)));
}

TEST_CASE("image: damaged BMP files") {
  try_all(pictures::bmp(2, 3, 24, 0, 0, "abcdefghijklmnopqrstuvwx"), 3);
  try_all(pictures::bmp(2, 3, 8, 0, 2, std::string("aaa bbb \0\1\1 \1\1\0", 15), 62));
}

TEST_CASE("image: bytes that nobody needs in front of a JPEG's end are no damage, cut scans are") {
  std::string file = image::encode_jpeg(pictures::slopes(16, 16, 3));
  const image::pixels whole = pictures::decoded(file);
  file.insert(file.size() - 2, 228, '\1');
  CHECK(pictures::are_equal(pictures::decoded(file), whole));
  // The same file with its end where pixels are missing.
  std::string noise = image::encode_jpeg(pictures::noise(32, 32, 3));
  noise.erase(noise.size() - 200, 198);
  const std::string error = files::error_of([&] { pictures::decoded(noise); });
  CHECK_MESSAGE(error.starts_with("x: at byte "), error);
  CHECK_MESSAGE(error.find("premature end of data segment") != error.npos, error);
}

// The sanitizers reserve more than any limit, and end the program where there is no memory.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ETCH_MALLOC_IS_THE_SANITIZERS
#endif
#endif
#if !defined(ETCH_MALLOC_IS_THE_SANITIZERS) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
namespace {
/// What f throws where no block of that size is to be had, nor any that is larger.
template <class F>
std::string error_without(std::size_t bytes, const F& f) {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  rlimit small = before;
  small.rlim_cur = (pages + 3000) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  std::vector<void*> held;
  held.reserve(100'000);
  REQUIRE(::setrlimit(RLIMIT_AS, &small) == 0);
  // What other tests have freed, too.
  while (void* const block = std::malloc(bytes)) held.push_back(block);
  const std::string error = files::error_of(f);
  for (void* const block : held) std::free(block);
  REQUIRE(::setrlimit(RLIMIT_AS, &before) == 0);
  return error;
}
std::size_t allocated() {
  const auto now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}
}  // namespace

TEST_CASE("image: a JPEG file that memory does not hold is an error, and leaves nothing behind") {
  const image::pixels big = pictures::noise(1700, 1700, 3);
  const image::jpeg_options best{.quality = 100};
  const std::string whole = image::encode_jpeg(big, best);
  REQUIRE(whole.size() > 5'000'000);
  // The bytes are moved to blocks of 4 KiB, 8 KiB and so on: those before the one that there is no memory for have been freed.
  const std::size_t before = allocated();
  const std::string error = error_without(4 << 20, [&] { static_cast<void>(image::encode_jpeg(big, best)); });
  CHECK(allocated() < before + 1'000'000);
  CHECK_MESSAGE(error.starts_with("image: JPEG: Insufficient memory"), error);
  CHECK(image::encode_jpeg(big, best) == whole);
}
#endif
