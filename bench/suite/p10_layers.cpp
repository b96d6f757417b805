// SPDX-License-Identifier: MIT
// P10: layers forward, with weights in variables: dense networks with few rows; a step of k-means, one token behind a cache of keys and
// values.
#include <cmath>
#include <memory>

#include "networks.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

template <int Batch>
void add_dense_network(worker& w) {
  using network = dense_network<Batch, true>;
  w.add("P10 784-512-512-10 forward, batch " + std::to_string(Batch), "etch", 2.0 * Batch * (784 * 512 + 512 * 512 + 512 * 10), 0,
        [] {
          const auto images = std::make_shared<typename network::images>(1u, 0.5f, 0.5f);
          const auto scale = [](float inputs) { return std::sqrt(3 / inputs); };
          return layers_job(
              network::logits(),
              {{"first/kernel", 10, scale(784)}, {"second/kernel", 11, scale(512)}, {"logits/kernel", 12, scale(512)}},
              [images] { return network::x = images->values; });
        });
}

/// Centres become the means of the points that are nearest to them.
void add_k_means(worker& w) {
  static constexpr int n = 10'000, width = 64, count = 100;
  static constexpr etch::placeholder<"points", float, n, width> points;
  static constexpr etch::placeholder<"centres", float, count, width> centres;
  static constexpr auto nearest = etch::argmin(
      etch::sum(etch::square(centres), etch::axis<1>) - 2_c * etch::matmul(points, etch::transpose(centres)), etch::axis<1>);
  static constexpr auto sums = etch::scatter_add(etch::zeros<float>(etch::shape<count, width>{}), nearest, points);
  static constexpr auto counts =
      etch::scatter_add(etch::zeros<float>(etch::shape<count>{}), nearest, etch::ones<float>(etch::shape<n>{}));
  struct operands {
    filled<float, n, width> points{1};
    filled<float, count, width> centres{2};
    std::vector<float> y = std::vector<float>(count * width);
    std::vector<float> result() const { return y; }
  };
  const char* const name = "P10 step of k-means, 10,000 points of 64, 100 centres";
  w.add(name, "etch", 2.0 * n * width * count, 0, [] {
    const auto v = std::make_shared<operands>();
    return etch_job(
        sums / etch::expand_dims(etch::maximum(counts, 1_c), etch::axis<1>), [v] { return points = v->points.values; },
        [v] { return centres = v->centres.values; });
  });
  add_library<operands>(w, name, "loop", [](operands& v) {
    static float turned[width][count], sum[count][width], of_centre[count];
    for (int c = 0; c < count; ++c) {
      of_centre[c] = 0;
      for (int j = 0; j < width; ++j) {
        const float a = v.centres.values.data()[c * width + j];
        turned[j][c] = -2 * a;
        sum[c][j] = 0;
        of_centre[c] += a * a;
      }
    }
    int members[count] = {};
    for (int i = 0; i < n; ++i) {
      const float* const p = v.points.values.data() + i * width;
      float far[count];
      for (int c = 0; c < count; ++c) far[c] = of_centre[c];
      for (int j = 0; j < width; ++j)
        for (int c = 0; c < count; ++c) far[c] += p[j] * turned[j][c];
      int best = 0;
      for (int c = 1; c < count; ++c)
        if (far[c] < far[best]) best = c;
      ++members[best];
      for (int j = 0; j < width; ++j) sum[best][j] += p[j];
    }
    for (int c = 0; c < count; ++c)
      for (int j = 0; j < width; ++j)
        v.y[static_cast<std::size_t>(c * width + j)] = sum[c][j] / static_cast<float>(std::max(members[c], 1));
  });
}

/// (rows, 256) as 4 heads of (rows, 64).
template <int Rows>
constexpr auto by_head(auto x) {
  return etch::transpose(etch::reshape(x, etch::shape<Rows, 4, 64>{}), etch::axis<1, 0, 2>);
}

/// Attention of one token, 4 heads of 64: its key and value are written into caches of 512, of which it sees those up to its own.
struct decoder {
  static constexpr int width = 256, heads = 4, length = 512;
  static constexpr etch::placeholder<"x", float, 1, width> x{};
  static constexpr etch::placeholder<"position", std::int32_t, 1> position{};
  static constexpr auto keys = etch::variable<"keys">(etch::zeros<float>(etch::shape<length, width>{}), etch::not_trainable);
  static constexpr auto values = etch::variable<"values">(etch::zeros<float>(etch::shape<length, width>{}), etch::not_trainable);
  static constexpr auto keys_now =
      etch::scatter_nd(keys, etch::expand_dims(position, etch::axis<1>), etch::nn::dense<"key", width>(x));
  static constexpr auto values_now =
      etch::scatter_nd(values, etch::expand_dims(position, etch::axis<1>), etch::nn::dense<"value", width>(x));
  static constexpr auto scores = etch::matmul(by_head<1>(etch::nn::dense<"query", width>(x)),
                                              etch::transpose(by_head<length>(keys_now), etch::axis<0, 2, 1>)) *
                                 0.125_c;
  static constexpr auto seen = etch::arange<std::int32_t>(etch::shape<length>{}) <= position;
  static constexpr auto mixed =
      etch::matmul(etch::softmax(etch::where(seen, scores, -1e9_c), etch::axis<2>), by_head<length>(values_now));
  static constexpr auto y = etch::nn::dense<"out", width>(etch::reshape(mixed, etch::shape<1, width>{}));
  static constexpr auto kept = etch::group(etch::assign(keys, keys_now), etch::assign(values, values_now));
};
void add_decoder(worker& w) {
  const char* const name = "P10 one token of 256 behind a cache of 512";
  static constexpr int width = decoder::width, length = decoder::length, at = 300;
  static const float scale = std::sqrt(3 / static_cast<float>(width));
  w.add(name, "etch", 0, 0, [] {
    using d = decoder;
    const auto session = std::make_shared<decltype(etch::session(d::y, d::kept))>(d::y, d::kept);
    session->set_executor(pool());
    session->initialize();
    for (const weight& given :
         {weight{"query/kernel", 10, scale}, {"key/kernel", 11, scale}, {"value/kernel", 12, scale}, {"out/kernel", 13, scale}})
      set_weight(*session, given);
    session->set(d::keys, filled<float, length, width>{2}.values);
    session->set(d::values, filled<float, length, width>{3}.values);
    const auto input = std::make_shared<filled<float, 1, width>>(1u);
    const auto position = std::make_shared<xt::xtensor<std::int32_t, 1>>(std::array<std::size_t, 1>{1}, at);
    const auto bind = [=] { return session->bind(d::y, d::kept, d::x = input->values, d::position = *position); };
    const auto bound = std::make_shared<decltype(bind())>(bind());
    return make_job([session, input, position, bound] { (*bound)(); },
                    [session, input, position, bound] {
                      const auto& y = (*bound)();
                      return std::vector<float>(y.begin(), y.end());
                    });
  });
  struct by_hand {
    filled<float, 1, width> x{1};
    filled<float, length, width> keys{2}, values{3};
    filled<float, width, width> query{10, scale}, key{11, scale}, value{12, scale}, out{13, scale};
    std::vector<float> y = std::vector<float>(width);
    std::vector<float> result() const { return y; }
    static void product(const float* __restrict x, const float* __restrict kernel, float* __restrict y) {
      for (int j = 0; j < width; ++j) y[j] = 0;
      for (int k = 0; k < width; ++k)
        for (int j = 0; j < width; ++j) y[j] += x[k] * kernel[k * width + j];
    }
    void run() {
      constexpr int part = width / decoder::heads, lanes = 16;
      float q[width], mixed[width], p[length];
      product(x.values.data(), query.values.data(), q);
      product(x.values.data(), key.values.data(), keys.values.data() + at * width);
      product(x.values.data(), value.values.data(), values.values.data() + at * width);
      for (int h = 0; h < width; h += part) {
        float most = -1e9f, sum = 0;
        for (int t = 0; t <= at; ++t) {
          float sums[lanes] = {}, s = 0;
          for (int j = 0; j < part; j += lanes)
            for (int i = 0; i < lanes; ++i) sums[i] += q[h + j + i] * keys.values.data()[t * width + h + j + i];
          for (const float v : sums) s += v;
          p[t] = 0.125f * s;
          most = std::max(most, p[t]);
        }
        for (int t = 0; t <= at; ++t) sum += p[t] = std::exp(p[t] - most);
        float mean[part] = {};
        for (int t = 0; t <= at; ++t)
          for (int j = 0; j < part; ++j) mean[j] += p[t] * values.values.data()[t * width + h + j];
        for (int j = 0; j < part; ++j) mixed[h + j] = mean[j] / sum;
      }
      product(mixed, out.values.data(), y.data());
    }
  };
  add_library<by_hand>(w, name, "loop", [](by_hand& v) { v.run(); });
}

}  // namespace

int main() {
  worker w;
  add_dense_network<2>(w);
  add_dense_network<4>(w);
  add_dense_network<16>(w);
  add_dense_network<64>(w);
  add_dense_network<256>(w);
  add_k_means(w);
  add_decoder(w);
  return w.serve();
}
