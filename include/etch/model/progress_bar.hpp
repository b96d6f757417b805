// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

#include <etch/base/formatted.hpp>
#include <etch/model/fit_batch.hpp>
#include <etch/model/history.hpp>

namespace etch {

/// The progress of one epoch of training. A terminal shows a line that is redrawn in place,
///
///     epoch 3/10 [###########>...] 45,000/60,000  loss 0.3421  812,345 samples/s  0:01 left
///
/// and any other stream gets one line when the epoch is finished.
class progress_bar {
 public:
  /// `total` is the number of samples in the epoch, 0 where that is not known; epochs count from 1. The clock starts here.
  explicit progress_bar(std::size_t total, std::size_t epoch = 1, std::size_t epochs = 1, std::FILE* stream = stdout)
      : total_(total), epoch_(epoch), epochs_(epochs), stream_(stream), terminal_(isatty(fileno(stream)) == 1) {}

  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// Leaves an unfinished bar, as when an exception ends the epoch, on a line of its own.
  ~progress_bar() {
    if (finished_ || !drawn_) return;
    std::fputc('\n', stream_);
    std::fflush(stream_);
  }

  /// `done` samples of the epoch are done, and `loss` is the mean over those since the last update. Draws at most ten
  /// times a second.
  void update(std::size_t done, double loss) {
    if (done > done_) {
      loss_sum_ += loss * static_cast<double>(done - done_);
      done_ = done;
    }
    if (!terminal_) return;
    const auto now = clock::now();
    if (drawn_ && now - last_draw_ < std::chrono::milliseconds(100)) return;
    last_draw_ = now;
    draw();
  }

  /// Draws the final state, with the time taken in place of the time left, and ends the line.
  void finish() {
    if (finished_) return;
    finished_ = true;
    draw();
  }

  /// Mean over the samples since the epoch's start; 0 before the first update.
  double mean_loss() const { return done_ == 0 ? 0.0 : loss_sum_ / static_cast<double>(done_); }

 private:
  using clock = std::chrono::steady_clock;

  /// Text in a fixed buffer, so that drawing does not allocate; what does not fit is dropped.
  struct line {
    std::array<char, 512> characters{};
    std::size_t size = 0;

    void add(char character, std::size_t count = 1) {
      for (; count > 0 && size < characters.size(); --count) characters[size++] = character;
    }
    void add(std::string_view text) {
      for (const char character : text) add(character);
    }
    std::string_view view() const { return {characters.data(), size}; }
    /// With commas: 45,000.
    void add_count(std::uint64_t number) {
      std::array<char, 32> digits{};
      std::size_t used = 0;
      for (std::size_t written = 0; written == 0 || number > 0; ++written, number /= 10) {
        if (written > 0 && written % 3 == 0) digits[used++] = ',';
        digits[used++] = static_cast<char>('0' + number % 10);
      }
      while (used > 0) add(digits[--used]);
    }
    /// 0:09, 12:34 or 1:02:03.
    void add_time(double seconds) {
      const auto whole = static_cast<std::uint64_t>(std::min(seconds, 3.6e8));
      const auto add_two_digits = [&](std::uint64_t number) {
        add(static_cast<char>('0' + number / 10));
        add(static_cast<char>('0' + number % 10));
      };
      if (whole >= 3600) {
        add_count(whole / 3600);
        add(':');
        add_two_digits(whole / 60 % 60);
      } else {
        add_count(whole / 60);
      }
      add(':');
      add_two_digits(whole % 60);
    }
    /// At most 13 characters, which a string keeps in itself.
    void add_loss(double loss) { add(etch::detail::formatted(std::abs(loss) < 1e6 ? "%.4f" : "%.4g", loss)); }
  };

  static std::size_t count_columns(std::uint64_t number) {
    line text;
    text.add_count(number);
    return text.size;
  }

  void draw() {
    const double elapsed = std::chrono::duration<double>(clock::now() - start_).count();
    const double rate = elapsed > 0 ? static_cast<double>(done_) / elapsed : 0.0;

    line text, numbers;
    if (terminal_) text.add('\r');
    text.add("epoch ");
    text.add_count(epoch_);
    text.add('/');
    text.add_count(epochs_);
    text.add(' ');
    const std::size_t total_columns = count_columns(total_), done_columns = count_columns(done_);
    numbers.add(' ', total_columns - std::min(done_columns, total_columns));
    numbers.add_count(done_);
    if (total_ > 0) {
      numbers.add('/');
      numbers.add_count(total_);
    }
    numbers.add("  loss ");
    numbers.add_loss(mean_loss());
    numbers.add("  ");
    numbers.add_count(static_cast<std::uint64_t>(rate));
    numbers.add(" samples/s");
    if (finished_) {
      numbers.add("  ");
      numbers.add_time(std::round(elapsed));
    } else if (rate > 0 && total_ > 0) {
      numbers.add("  ");
      numbers.add_time(std::ceil(static_cast<double>(total_ - std::min(done_, total_)) / rate));
      numbers.add(" left");
    }
    // The numbers that change get a fixed width, so that the bar keeps its own.
    constexpr std::string_view widest_rest = "/  loss 0.0000  9,999,999 samples/s  0:00 left";
    const std::size_t columns = terminal_ ? terminal_columns() : 0;
    if (terminal_ && total_ > 0) add_bar(text, columns, std::max(numbers.size, 2 * total_columns + widest_rest.size()));
    text.add(numbers.view());
    if (terminal_) {
      text.size = std::min(text.size, columns);  // a line that wraps cannot be redrawn in place
      text.add("\x1b[K");                        // erases what a longer line left
    }
    if (finished_) text.add('\n');
    std::fwrite(text.characters.data(), 1, text.size, stream_);
    std::fflush(stream_);
    drawn_ = true;
  }

  std::size_t terminal_columns() const {
    winsize size{};
    return ioctl(fileno(stream_), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
  }

  /// As wide as `columns` has room for beside `text` and the columns that follow; left out where that is too little.
  void add_bar(line& text, std::size_t columns, std::size_t following) const {
    constexpr std::size_t widest = 30, narrowest = 4, brackets = 3;
    const std::size_t used = text.size + following + brackets;  // with \r, which leaves the last column free
    if (columns < used + narrowest) return;
    const std::size_t width = std::min(widest, columns - used);
    const std::size_t filled = std::min(done_, total_) * width / total_;
    text.add('[');
    text.add('#', filled);
    if (filled < width) {
      text.add('>');
      text.add('.', width - filled - 1);
    }
    text.add("] ");
  }

  std::size_t total_, epoch_, epochs_;
  std::FILE* stream_;
  bool terminal_;
  bool drawn_ = false;
  bool finished_ = false;
  std::size_t done_ = 0;
  double loss_sum_ = 0.0;
  clock::time_point start_ = clock::now();
  clock::time_point last_draw_{};
};

/// A callback of `fit`: a `progress_bar` for each epoch. The first epoch of a dataset has no bar, as how many samples it has is not known.
class show_progress {
 public:
  explicit show_progress(std::FILE* stream = stdout) : stream_(stream) {}

  template <class Model, class X, class T>
  void after_batch(Model& model, const fit_batch& b, const X&, const T&) {
    const auto now = std::chrono::steady_clock::now();
    if (b.number == 0) {
      updated_ = 0;
      sum_ = 0;
      bar_.emplace(static_cast<std::size_t>(b.total), static_cast<std::size_t>(b.epoch), static_cast<std::size_t>(b.epochs),
                   stream_);
    }
    done_ = b.samples;
    // The loss is a run of a plan: not for each batch.
    if (b.number > 0 && now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    update(model.results()[0]);
  }
  template <class Model>
  void operator()(Model&, const history& h) {
    if (!bar_) return;
    update(h["loss"].back());
    bar_->finish();
    bar_.reset();
  }

 private:
  /// mean: over all samples of the epoch so far.
  void update(double mean) {
    const double total = mean * static_cast<double>(done_);
    if (done_ > updated_) bar_->update(static_cast<std::size_t>(done_), (total - sum_) / static_cast<double>(done_ - updated_));
    updated_ = done_;
    sum_ = total;
  }

  std::FILE* stream_;
  std::optional<progress_bar> bar_;
  std::chrono::steady_clock::time_point last_{};
  std::int64_t done_ = 0, updated_ = 0;
  double sum_ = 0;
};

}  // namespace etch
