// SPDX-License-Identifier: MIT
/// The data loader and the progress bar of the examples. Link with zlib.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <zlib.h>

#include "../../examples/data/fashion_mnist.hpp"
#include "../../examples/data/idx.hpp"
#include "../../examples/progress_bar.hpp"

namespace {

namespace fs = std::filesystem;
using bytes = std::vector<std::uint8_t>;

struct temporary_directory {
  fs::path path;
  temporary_directory() {
    std::string name = (fs::temp_directory_path() / "etch-data-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  ~temporary_directory() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

/// The bytes of an idx file of unsigned bytes.
bytes idx_bytes(const std::vector<std::uint32_t>& shape, const bytes& values) {
  bytes out{0, 0, 8, static_cast<std::uint8_t>(shape.size())};
  for (const std::uint32_t extent : shape)
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(extent >> shift));
  out.insert(out.end(), values.begin(), values.end());
  return out;
}

void write_plain(const fs::path& path, const bytes& content) {
  std::ofstream file(path, std::ios::binary);
  for (const std::uint8_t value : content) file.put(static_cast<char>(value));
  REQUIRE(file.good());
}

void write_gzip(const fs::path& path, const bytes& content) {
  gzFile file = gzopen(path.string().c_str(), "wb");
  REQUIRE(file != nullptr);
  REQUIRE(gzwrite(file, content.data(), static_cast<unsigned>(content.size())) == static_cast<int>(content.size()));
  REQUIRE(gzclose(file) == Z_OK);
}

bytes file_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Values that deflate cannot shrink.
bytes noise(std::size_t count) {
  std::mt19937 random(1);
  bytes out(count);
  for (auto& value : out) value = static_cast<std::uint8_t>(random());
  return out;
}

/// What `call` throws as data::error, with the name of the temporary directory taken out.
template <class F>
std::string sentence(const temporary_directory& directory, F call) {
  std::string text = "(nothing was thrown)";
  try {
    call();
  } catch (const data::error& e) {
    text = e.what();
  }
  const std::string prefix = directory.path.string() + '/';
  for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) text.erase(at, prefix.size());
  return text;
}

std::string read_sentence(const temporary_directory& directory, const std::string& name, std::uint8_t axes = 1) {
  return sentence(directory, [&] { data::read_idx(directory.path / name, axes); });
}

/// Writes a small pair of files in the form of Fashion-MNIST.
void write_set(const fs::path& directory, const std::string& prefix, std::vector<std::uint32_t> shape, bytes labels) {
  std::uint32_t total = 1;
  for (const std::uint32_t extent : shape) total *= extent;
  write_gzip(directory / (prefix + "-images-idx3-ubyte.gz"), idx_bytes(shape, noise(total)));
  const auto count = static_cast<std::uint32_t>(labels.size());
  write_gzip(directory / (prefix + "-labels-idx1-ubyte.gz"), idx_bytes({count}, labels));
}

}  // namespace

TEST_CASE("idx: reads gzip-compressed and plain files") {
  temporary_directory directory;
  const bytes values = noise(3'000'000);  // more than one block of the reader
  const bytes content = idx_bytes({3, 1000, 1000}, values);
  write_gzip(directory.path / "a.gz", content);
  write_plain(directory.path / "a", content);
  for (const char* name : {"a.gz", "a"}) {
    const data::idx read = data::read_idx(directory.path / name, 3);
    CHECK(read.shape == std::vector<std::uint32_t>{3, 1000, 1000});
    CHECK(read.values == values);
  }
  write_gzip(directory.path / "empty.gz", idx_bytes({0, 0xffffffff, 0xffffffff}, {}));
  CHECK(data::read_idx(directory.path / "empty.gz", 3).values.empty());
  const bytes largest(1, 7);
  write_plain(directory.path / "one", idx_bytes({1}, largest));
  CHECK(data::read_idx(directory.path / "one", 1, 1).values == largest);
}

TEST_CASE("idx: a file that cannot be opened or read") {
  temporary_directory directory;
  CHECK(read_sentence(directory, "missing.gz") == "\"missing.gz\" cannot be opened: No such file or directory");
  fs::create_directory(directory.path / "folder");
  CHECK(read_sentence(directory, "folder") == "\"folder\" cannot be read: Is a directory");
  if (geteuid() != 0) {  // root may read everything
    write_plain(directory.path / "secret", idx_bytes({1}, {1}));
    fs::permissions(directory.path / "secret", fs::perms::none);
    CHECK(read_sentence(directory, "secret") == "\"secret\" cannot be opened: Permission denied");
  }
}

TEST_CASE("idx: a header that is wrong") {
  temporary_directory directory;
  write_gzip(directory.path / "labels.gz", idx_bytes({2}, {1, 2}));
  CHECK(read_sentence(directory, "labels.gz", 3) ==
        "\"labels.gz\" has the wrong magic number: got 0x00000801, expected 0x00000803 (idx, unsigned bytes, axes: 3)");
  write_plain(directory.path / "page", {'<', 'h', 't', 'm', 'l', '>'});
  CHECK(read_sentence(directory, "page") ==
        "\"page\" has the wrong magic number: got 0x3c68746d, expected 0x00000801 (idx, unsigned bytes, axes: 1)");
  for (std::size_t length = 0; length < 8; ++length) {
    bytes content = idx_bytes({2}, {});
    content.resize(length);
    write_plain(directory.path / "short", content);
    CHECK(read_sentence(directory, "short") == "\"short\" ends inside its idx header");
    write_gzip(directory.path / "short.gz", content);
    CHECK(read_sentence(directory, "short.gz") == "\"short.gz\" ends inside its idx header");
  }
  write_plain(directory.path / "absurd", idx_bytes({0xffffffff, 0xffffffff, 0xffffffff}, {1, 2, 3}));
  CHECK(read_sentence(directory, "absurd", 3) ==
        "\"absurd\" has a header that says the shape [4294967295, 4294967295, 4294967295], which is more than "
        "4294967296 bytes");
  CHECK(sentence(directory, [&] { data::read_idx(directory.path / "labels.gz", 1, 1); }) ==
        "\"labels.gz\" has a header that says the shape [2], which is more than 1 bytes");
}

TEST_CASE("idx: fewer or more bytes than the header says") {
  temporary_directory directory;
  write_gzip(directory.path / "fewer.gz", idx_bytes({2, 2}, {1, 2, 3}));
  CHECK(read_sentence(directory, "fewer.gz", 2) ==
        "\"fewer.gz\" holds fewer bytes than its header says: got 3, expected 4 for the shape [2, 2]");
  write_plain(directory.path / "lie", idx_bytes({0xffffffff}, {1, 2, 3}));
  CHECK(read_sentence(directory, "lie") ==
        "\"lie\" holds fewer bytes than its header says: got 3, expected 4294967295 for the shape [4294967295]");
  write_gzip(directory.path / "more.gz", idx_bytes({2, 2}, {1, 2, 3, 4, 5}));
  CHECK(read_sentence(directory, "more.gz", 2) ==
        "\"more.gz\" holds more bytes than its header says: expected 4 for the shape [2, 2]");
  write_plain(directory.path / "more_than_none", idx_bytes({0}, {1}));
  CHECK(read_sentence(directory, "more_than_none") ==
        "\"more_than_none\" holds more bytes than its header says: expected 0 for the shape [0]");
}

TEST_CASE("idx: a gzip file that is cut off anywhere or has one wrong byte is never accepted") {
  temporary_directory directory;
  write_gzip(directory.path / "whole.gz", idx_bytes({100}, noise(100)));
  const bytes whole = file_bytes(directory.path / "whole.gz");
  for (std::size_t length = 2; length < whole.size(); ++length) {
    write_plain(directory.path / "cut.gz", bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
    CAPTURE(length);
    CHECK(read_sentence(directory, "cut.gz") == "\"cut.gz\" is a gzip file that is cut off before its end");
  }

  const data::idx right = data::read_idx(directory.path / "whole.gz", 1);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    bytes damaged = whole;
    damaged[at] ^= 0x10;
    write_plain(directory.path / "damaged.gz", damaged);
    CAPTURE(at);
    // Some bits mean nothing: the date and the system in gzip's header, the padding before a stored block.
    data::idx read;
    const std::string text = sentence(directory, [&] { read = data::read_idx(directory.path / "damaged.gz", 1); });
    const bool noticed = text.starts_with("\"damaged.gz\" ");
    CHECK((noticed || read.values == right.values));
    CHECK((noticed || (at >= 4 && at <= 10)));
  }
  bytes damaged = whole;
  damaged[whole.size() - 8] ^= 1;
  write_plain(directory.path / "sum.gz", damaged);
  CHECK(read_sentence(directory, "sum.gz") == "\"sum.gz\" is a corrupt gzip file: incorrect data check");
  damaged = whole;
  damaged[whole.size() - 1] ^= 1;
  write_plain(directory.path / "length.gz", damaged);
  CHECK(read_sentence(directory, "length.gz") == "\"length.gz\" is a corrupt gzip file: incorrect length check");
}

TEST_CASE("fashion_mnist: small files, and what is wrong with them") {
  temporary_directory directory;
  const auto load = [&] { return data::load_fashion_mnist(directory.path / "set"); };
  const auto load_sentence = [&] { return sentence(directory, load); };
  CHECK(load_sentence() ==
        "\"set\" is not a folder: install Debian's package dataset-fashion-mnist or name the folder that holds the "
        "files of Fashion-MNIST");
  fs::create_directory(directory.path / "set");
  const fs::path set = directory.path / "set";
  CHECK(load_sentence() == "\"set/train-images-idx3-ubyte.gz\" cannot be opened: No such file or directory");

  write_set(set, "train", {3, 28, 28}, {0, 9, 5});
  write_set(set, "t10k", {2, 28, 28}, {1, 2});
  {
    const auto [train, test] = load();
    CHECK(train.size() == 3);
    CHECK(test.size() == 2);
    const bytes values = noise(3 * 784);
    CHECK(std::equal(values.begin(), values.end(), train.images.data()));
    for (std::size_t i = 0; i < values.size(); ++i) REQUIRE(train.pixels.data()[i] == static_cast<float>(values[i]) / 255.0f);
    CHECK(train.labels == xt::xtensor<std::int32_t, 1>{0, 9, 5});
    CHECK(test.labels == xt::xtensor<std::int32_t, 1>{1, 2});
  }
  {  // the decompressed files do as well
    write_plain(set / "t10k-labels-idx1-ubyte", idx_bytes({2}, {3, 4}));
    fs::remove(set / "t10k-labels-idx1-ubyte.gz");
    CHECK(load().test.labels == xt::xtensor<std::int32_t, 1>{3, 4});
  }
  write_set(set, "t10k", {2, 28, 27}, {1, 2});
  CHECK(load_sentence() == "\"set/t10k-images-idx3-ubyte.gz\" does not hold images of 28 x 28 pixels: its shape is [2, 28, 27]");
  write_set(set, "t10k", {2, 28, 28}, {1, 2, 3});
  CHECK(load_sentence() ==
        "\"set/t10k-labels-idx1-ubyte.gz\" holds 3 labels, but \"set/t10k-images-idx3-ubyte.gz\" holds 2 images");
  write_set(set, "t10k", {2, 28, 28}, {1, 10});
  CHECK(load_sentence() == "\"set/t10k-labels-idx1-ubyte.gz\" holds a label that is not 0 to 9: 10 at index 1");
  write_set(set, "t10k", {0, 28, 28}, {});
  CHECK(load_sentence() == "\"set/t10k-images-idx3-ubyte.gz\" holds no images");
}

TEST_CASE("fashion_mnist: Debian's package") {
  if (!fs::is_directory(data::fashion_mnist_directory)) {
    MESSAGE("skipped: dataset-fashion-mnist is not installed");
    return;
  }
  const auto [train, test] = data::load_fashion_mnist();
  CHECK(train.pixels.shape() == std::array<std::size_t, 2>{60000, 784});
  CHECK(test.pixels.shape() == std::array<std::size_t, 2>{10000, 784});
  for (const auto* set : {&train, &test}) {
    std::array<std::size_t, 10> counts{};
    for (const std::int32_t label : set->labels) ++counts.at(static_cast<std::size_t>(label));
    for (const std::size_t count : counts) CHECK(count == set->size() / 10);
    const auto [least, most] = std::ranges::minmax_element(set->pixels.storage());
    CHECK(*least == 0.0f);
    CHECK(*most == 1.0f);
  }
  CHECK(test.labels(0) == 9);
  const double sum = std::accumulate(train.pixels.storage().begin(), train.pixels.storage().end(), 0.0);
  CHECK(sum / static_cast<double>(train.pixels.size()) == doctest::Approx(0.2860).epsilon(0.0005));
}

TEST_CASE("progress_bar: one line per epoch if the stream is not a terminal") {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  REQUIRE(file != nullptr);
  {
    progress_bar bar(60000, 3, 10, file.get());
    bar.update(20000, 1.0);
    bar.update(60000, 0.25);
    CHECK(bar.mean_loss() == doctest::Approx(0.5));
    bar.finish();
    bar.finish();
  }
  {
    progress_bar abandoned(10, 1, 1, file.get());
    abandoned.update(5, 1.0);
  }
  std::rewind(file.get());
  std::array<char, 1000> text{};
  const std::string_view read(text.data(), std::fread(text.data(), 1, text.size(), file.get()));
  CHECK(read.starts_with("epoch 3/10 60,000/60,000  loss 0.5000  "));
  CHECK(read.ends_with(" images/s  0:00\n"));
  CHECK(std::ranges::count(read, '\n') == 1);
  CHECK(std::ranges::count(read, '\r') == 0);
}

TEST_CASE("progress_bar: redraws in place on a terminal") {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
    MESSAGE("skipped: there are no pseudo-terminals");
    return;
  }
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
  REQUIRE(slave >= 0);
  const auto output = [&](unsigned short columns, auto use) {
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    REQUIRE(ioctl(slave, TIOCSWINSZ, &size) == 0);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(fdopen(dup(slave), "w"), std::fclose);
    use(stream.get());
    std::string text;  // the kernel may hand it over in pieces
    pollfd ready{.fd = master, .events = POLLIN, .revents = 0};
    while (!text.ends_with('\n') && poll(&ready, 1, 5000) == 1) {
      std::array<char, 1000> piece{};
      const auto got = read(master, piece.data(), piece.size());
      if (got <= 0) break;
      text.append(piece.data(), static_cast<std::size_t>(got));
    }
    return text;
  };
  const auto epoch = [](std::FILE* stream) {
    progress_bar bar(60000, 3, 10, stream);
    for (std::size_t done = 100; done <= 60000; done += 100) bar.update(done, 0.25);
    bar.finish();
  };

  const std::string wide = output(120, epoch);
  INFO(wide);
  CHECK(wide.starts_with("\repoch 3/10 [>.............................]    100/60,000  loss 0.2500  "));
  CHECK(wide.find("\repoch 3/10 [##############################] 60,000/60,000  loss 0.2500  ") != std::string::npos);
  CHECK(std::ranges::count(wide, '\r') <= 20);  // of 600 updates: they take far less than a second
  CHECK(std::ranges::count(wide, '\n') == 1);

  const std::string narrow = output(40, epoch);  // no room for a bar, nor for the speed
  CHECK(narrow.starts_with("\repoch 3/10    100/60,000  loss 0.2500  "));
  CHECK(narrow.find("\x1b[K") == 40);

  const std::string abandoned = output(80, [](std::FILE* stream) {
    progress_bar bar(10, 1, 1, stream);
    bar.update(5, 1.0);
  });
  CHECK(abandoned.find("]  5/10  loss 1.0000  ") != std::string::npos);
  CHECK(abandoned.ends_with("left\x1b[K\r\n"));
  close(slave);
  close(master);
}
