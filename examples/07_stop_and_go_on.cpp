// SPDX-License-Identifier: MIT
// Training that stops half way and goes on from a file, in another session: bit by bit as if it had not stopped, dropout too.
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <etch/etch.hpp>

using namespace etch::literals;

namespace {

constexpr etch::placeholder<"x", float, etch::any<"batch">, 1> x;
constexpr etch::placeholder<"y", float, etch::any<"batch">, 1> y;
constexpr auto hidden = etch::dropout<"hidden">(etch::tanh(etch::nn::dense<"first", 16>(x)), 0.2_c);
constexpr auto loss = etch::nn::mean_squared_error(etch::nn::dense<"last", 1>(hidden), y);
constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);

/// Names and bytes of all variables, those of the optimizer among them, and where the random draws stand.
void save(const auto& session, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (const auto variable : session.variables()) {
    std::vector<char> bytes(static_cast<std::size_t>(variable.bytes()));
    variable.copy_to(bytes.data());
    file << variable.name() << '\n' << bytes.size() << '\n';
    file.write(bytes.data(), variable.bytes());
  }
  const etch::random_state draws = session.random_state();
  file << draws.seed << ' ' << draws.runs << '\n';
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void load(auto& session, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string name, size;
  for (auto variable : session.variables()) {
    std::vector<char> bytes(static_cast<std::size_t>(variable.bytes()));
    if (!std::getline(file, name) || name != variable.name() || !std::getline(file, size) || size != std::to_string(bytes.size()) ||
        !file.read(bytes.data(), variable.bytes()))
      throw std::runtime_error(path + " does not hold " + variable.name());
    variable.copy_from(bytes.data());
  }
  etch::random_state draws;
  if (!(file >> draws.seed >> draws.runs)) throw std::runtime_error(path + " ends early");
  session.set_random_state(draws);
}

}  // namespace

int main() {
  xt::xtensor<float, 2> inputs = xt::zeros<float>({64, 1}), targets = inputs;
  for (std::size_t i = 0; i < 64; ++i) {
    inputs(i, 0) = static_cast<float>(i) / 32 - 1;
    targets(i, 0) = inputs(i, 0) * inputs(i, 0);
  }
  const auto steps = [&](auto& session, int count) {
    float last = 0;
    for (int i = 0; i < count; ++i) last = session.run(loss, train, x = inputs, y = targets);
    return last;
  };

  etch::session whole(loss, train);
  whole.initialize(/*seed*/ 42);
  const float expected = steps(whole, 200);

  const std::string path = "stop_and_go_on.saved";
  {
    etch::session stopped(loss, train);
    stopped.initialize(/*seed*/ 42);
    steps(stopped, 100);
    save(stopped, path);
  }
  etch::session resumed(loss, train);  // not initialised: all that it needs is in the file
  load(resumed, path);
  const float reached = steps(resumed, 100);
  std::printf("loss after 200 steps: %.9g, with a stop after 100: %.9g\n", static_cast<double>(expected),
              static_cast<double>(reached));

  bool same = reached == expected && resumed.random_state() == whole.random_state();
  for (const auto variable : whole.variables()) {
    const auto bytes_of = [](const auto& v) {
      std::vector<char> bytes(static_cast<std::size_t>(v.bytes()));
      v.copy_to(bytes.data());
      return bytes;
    };
    same = same && bytes_of(variable) == bytes_of(resumed.variables().at(variable.name()));
  }
  std::remove(path.c_str());
  return same && reached < 0.1f ? 0 : 1;
}
