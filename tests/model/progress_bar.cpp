// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <base/decimal_comma.hpp>
#include <etch/model/progress_bar.hpp>

using etch::progress_bar;

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
  CHECK(read.ends_with(" samples/s  0:00\n"));
  CHECK(std::ranges::count(read, '\n') == 1);
  CHECK(std::ranges::count(read, '\r') == 0);
}

TEST_CASE("progress_bar: a loss has a point where the program's language has a comma") {
  const decimal_comma comma;
  if (!comma) return;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  REQUIRE(file != nullptr);
  for (const double loss : {0.25, -1234567.0}) {
    progress_bar bar(1000, 1, 1, file.get());
    bar.update(1000, loss);
    bar.finish();
  }
  std::rewind(file.get());
  std::array<char, 1000> text{};
  const std::string_view read(text.data(), std::fread(text.data(), 1, text.size(), file.get()));
  CHECK(read.starts_with("epoch 1/1 1,000/1,000  loss 0.2500  "));
  CHECK(read.find("\nepoch 1/1 1,000/1,000  loss -1.235e+06  ") != read.npos);
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
