// SPDX-License-Identifier: MIT
// What a checkpoint of 1 GiB costs, in turns: bytes of that size by write() of 1 MiB and fsync(), as `dd bs=1M conv=fsync` does; the
// checkpoint; how long a program waits for one that is written in the background, and for a copy of the same arrays in memory.
// Usage: checkpoint [FOLDER [TURNS]]. It needs 3 GiB of memory and 2 GiB of disk.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include <etch/checkpoint.hpp>
#include <etch/etch.hpp>

namespace {

constexpr std::size_t arrays = 16, elements = std::size_t{1} << 24;

void write_plainly(const std::string& path, const std::vector<std::vector<float>>& values) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  for (const auto& v : values) {
    const char* at = reinterpret_cast<const char*>(v.data());
    for (std::size_t left = v.size() * sizeof(float); left > 0;) {
      const ssize_t n = ::write(file, at, std::min(left, std::size_t{1} << 20));
      if (n <= 0) std::abort();
      at += n;
      left -= static_cast<std::size_t>(n);
    }
  }
  if (::fsync(file) != 0 || ::close(file) != 0) std::abort();
}

template <class F>
double seconds_of(const F& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
  const std::string folder = count > 1 ? arguments[1] : ".";
  const int turns = count > 2 ? std::atoi(arguments[2]) : 5;
  std::vector<std::vector<float>> values(arrays), copies(arrays);
  etch::checkpoint checkpoint;
  for (std::size_t i = 0; i < arrays; ++i) {
    values[i].resize(elements);
    for (std::size_t k = 0; k < elements; ++k) values[i][k] = static_cast<float>(k * (i + 1));
    copies[i] = values[i];
    checkpoint.track("array_" + std::to_string(i), values[i]);
  }
  const auto plain = folder + "/plain", saved = folder + "/saved";
  std::vector<double> of_plain, of_save, of_wait, of_copy;
  for (int turn = 0; turn <= turns; ++turn) {
    const double p = seconds_of([&] { write_plainly(plain, values); });
    std::filesystem::remove(plain);
    const double s = seconds_of([&] { checkpoint.save(saved); });
    const double w = seconds_of([&] { checkpoint.save_in_background(saved); });
    checkpoint.wait();
    const double c = seconds_of([&] {
      for (std::size_t i = 0; i < arrays; ++i) std::memcpy(copies[i].data(), values[i].data(), elements * sizeof(float));
    });
    if (turn == 0) continue;  // memory comes then
    of_plain.push_back(p);
    of_save.push_back(s);
    of_wait.push_back(w);
    of_copy.push_back(c);
  }
  std::printf("1 GiB, medians of %d turns\n", turns);
  std::printf("write and fsync        %.3f s\n", median(of_plain));
  std::printf("save                   %.3f s, %.2f of the speed of write and fsync\n", median(of_save),
              median(of_plain) / median(of_save));
  std::printf("copy in memory         %.3f s\n", median(of_copy));
  std::printf("save_in_background     %.3f s until the program goes on, %.2f of the copy\n", median(of_wait),
              median(of_wait) / median(of_copy));
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().filename().string().starts_with("saved.")) std::filesystem::remove(file.path());
}
