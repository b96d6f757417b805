// SPDX-License-Identifier: MIT
// P10: what users write besides: rows of a table and a step on them, pictures as planes, Monte Carlo, short rows, attention. Against loops
// by hand.
#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include <etch/convolution.hpp>
#include <etch/optimizers.hpp>

#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

/// Gradient descent on 4,096 rows of a table of 100,000: 0.5 (row - target)^2. Results: every 1,000th row after a step.
struct embedding {
  static constexpr int rows = 100'000, width = 64, batch = 4'096;
  static constexpr etch::placeholder<"ids", std::int32_t, batch> id{};
  static constexpr etch::placeholder<"target", float, batch, width> wanted{};
  static constexpr auto kept = etch::variable<"table">(etch::zeros<float>(etch::shape<rows, width>{}));
  static constexpr auto step =
      etch::optimizers::sgd(0.1_c).minimize(etch::sum(etch::square(etch::gather(kept, id) - wanted)) * 0.5_c);
  xt::xtensor<std::int32_t, 1> ids = xt::zeros<std::int32_t>({batch});
  filled<float, rows, width> table{1};
  filled<float, batch, width> target{2};

  embedding() {
    for (std::uint32_t i = 0; i < batch; ++i) ids(i) = static_cast<std::int32_t>(i * 7919 % rows);
  }
  static std::vector<float> some(const float* table) {
    std::vector<float> v;
    for (int r = 0; r < rows; r += 1'000) v.insert(v.end(), table + r * width, table + (r + 1) * width);
    return v;
  }
};
void add_embedding(worker& w) {
  const char* const name = "P10 step on 4,096 rows of a table (100000, 64)";
  w.add(name, "etch", 0, 0, [] {
    using e = embedding;
    const auto data = std::make_shared<embedding>();
    const job step = state_job(
        e::step, e::kept, 1, [data](auto& session) { session.set(e::kept, data->table.values); },
        [data] { return e::id = data->ids; }, [data] { return e::wanted = data->target.values; });
    return job{step.repeat, [step] { return embedding::some(step.results().data()); }};
  });
  const auto by_hand = [](embedding& e, float* table) {
    for (int i = 0; i < embedding::batch; ++i) {
      float* const row = table + static_cast<std::ptrdiff_t>(e.ids(static_cast<std::size_t>(i))) * embedding::width;
      const float* const target = e.target.values.data() + i * embedding::width;
      for (int j = 0; j < embedding::width; ++j) row[j] -= 0.1f * (row[j] - target[j]);
    }
  };
  w.add(name, "loop", 0, 0, [by_hand] {
    const auto e = std::make_shared<embedding>();
    const auto table = std::make_shared<std::vector<float>>(e->table.values.begin(), e->table.values.end());
    return make_job([=] { by_hand(*e, table->data()); },
                    [=] {
                      std::copy(e->table.values.begin(), e->table.values.end(), table->begin());
                      by_hand(*e, table->data());
                      return embedding::some(table->data());
                    });
  });
}

/// Adam on the rows of that step, whose ids are all different, and no others. Results: every 1,000th row after two steps.
void add_sparse_adam(worker& w) {
  const char* const name = "P10 Adam on 4,096 rows of a table (100000, 64)";
  using e = embedding;
  w.add(name, "etch", 0, 0, [] {
    constexpr auto loss = etch::sum(etch::square(etch::gather(e::kept, e::id) - e::wanted)) * 0.5_c;
    const auto data = std::make_shared<e>();
    const job step = state_job(
        etch::optimizers::sparse(etch::optimizers::adam(0.1_c)).minimize(loss, e::kept, e::id), e::kept, 2,
        [data](auto& session) { session.set(e::kept, data->table.values); }, [data] { return e::id = data->ids; },
        [data] { return e::wanted = data->target.values; });
    return job{step.repeat, [step] { return e::some(step.results().data()); }};
  });
  struct by_hand : e {
    std::vector<float> w, m = std::vector<float>(rows * width), v = m;
    double first = 1, second = 1;  // powers of what the averages keep
    by_hand() : w(table.values.begin(), table.values.end()) {}
    void step() {
      first *= 0.9;
      second *= 0.999;
      const auto rate = static_cast<float>(0.1 * std::sqrt(1 - second) / (1 - first));
      for (int i = 0; i < batch; ++i) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(ids(static_cast<std::size_t>(i))) * width;
        const float* const goal = target.values.data() + i * width;
        for (int j = 0; j < width; ++j) {
          const float g = w[static_cast<std::size_t>(at + j)] - goal[j];
          float &mean = m[static_cast<std::size_t>(at + j)], &square = v[static_cast<std::size_t>(at + j)];
          mean = 0.9f * mean + 0.1f * g;
          square = 0.999f * square + 0.001f * (g * g);
          w[static_cast<std::size_t>(at + j)] -= rate * mean / (std::sqrt(square) + 1e-7f);
        }
      }
    }
  };
  w.add(name, "loop", 0, 0, [] {
    const auto made = std::make_shared<by_hand>();
    return make_job([made] { made->step(); },
                    [] {
                      by_hand anew;
                      anew.step();
                      anew.step();
                      return e::some(anew.w.data());
                    });
  });
}

/// The rows of that table.
void add_lookup(worker& w) {
  static constexpr int rows = embedding::rows, width = embedding::width, batch = embedding::batch;
  static constexpr etch::placeholder<"table", float, rows, width> table;
  struct operands : embedding {
    std::vector<float> y = std::vector<float>(batch * width);
    std::vector<float> result() const { return y; }
  };
  const char* const name = "P10 4,096 rows of a table (100000, 64)";
  w.add(name, "etch", 0, 8.0 * batch * width, [] {
    const auto v = std::make_shared<operands>();
    return etch_job(
        etch::gather(table, embedding::id), [v] { return table = v->table.values; }, [v] { return embedding::id = v->ids; });
  });
  add_library<operands>(w, name, "loop of memcpy", [](operands& v) {
    for (int i = 0; i < batch; ++i)
      std::memcpy(v.y.data() + i * width, v.table.values.data() + static_cast<std::ptrdiff_t>(v.ids.data()[i]) * width,
                  width * sizeof(float));
  });
}

/// Bytes (224, 224, 3) to floats, less a mean, times a factor, as three planes.
void add_picture(worker& w) {
  static constexpr etch::placeholder<"picture", std::uint8_t, 224, 224, 3> picture;
  static constexpr etch::placeholder<"mean", float, 3> mean;
  static constexpr etch::placeholder<"factor", float, 3> factor;
  struct operands {
    filled<std::uint8_t, 224, 224, 3> picture{1};
    filled<float, 3> mean{2}, factor{3, 0.5f, 1.0f};
    std::vector<float> y = std::vector<float>(3 * 224 * 224);
    std::vector<float> result() const { return y; }
  };
  const char* const name = "P10 picture (224, 224, 3) of bytes to normalised planes";
  w.add(name, "etch", 0, 150'528 * 5.0, [] {
    const auto v = std::make_shared<operands>();
    return etch_job(
        etch::transpose((etch::astype<float>(picture) - mean) * factor, etch::axis<2, 0, 1>),
        [v] { return picture = v->picture.values; }, [v] { return mean = v->mean.values; },
        [v] { return factor = v->factor.values; });
  });
  add_library<operands>(w, name, "loop", [](operands& v) {
    for (std::size_t k = 0; k < 3; ++k) {
      const float m = v.mean.values(k), f = v.factor.values(k);
      const std::uint8_t* const from = v.picture.values.data() + k;
      float* const to = v.y.data() + k * 224 * 224;
      for (std::size_t i = 0; i < 224 * 224; ++i) to[i] = (static_cast<float>(from[3 * i]) - m) * f;
    }
  });
}

/// A picture of bytes to another size, bilinear, less a mean, times a factor.
void add_resized(worker& w) {
  static constexpr etch::placeholder<"picture", std::uint8_t, 480, 640, 3> picture;
  static constexpr etch::placeholder<"mean", float, 3> mean;
  static constexpr etch::placeholder<"factor", float, 3> factor;
  struct operands {
    filled<std::uint8_t, 480, 640, 3> picture{1};
    filled<float, 3> mean{2}, factor{3, 0.5f, 1.0f};
  };
  w.add("P10 picture (480, 640, 3) of bytes to (224, 224), normalised", "etch", 0, 0, [] {
    const auto v = std::make_shared<operands>();
    return etch_job((etch::resize(picture, etch::shape<224, 224>{}, etch::bilinear) - mean) * factor,
                    [v] { return picture = v->picture.values; }, [v] { return mean = v->mean.values; },
                    [v] { return factor = v->factor.values; });
  });
}

/// An option's price from 1,000,000 paths, drawn in the step; to a half, since each side draws its own.
void add_paths(worker& w) {
  const char* const name = "P10 price of an option by 1,000,000 normal paths";
  const auto to_a_half = [](float price) { return std::vector<float>{std::round(2 * price) / 2}; };
  w.add(name, "etch", 0, 0, [to_a_half] {
    constexpr auto end = 100_c * etch::exp(0.03_c + 0.2_c * etch::random_normal<"z">(etch::shape<1'000'000>{}));
    job j = etch_job(etch::exp(-0.05_c) * etch::mean(etch::maximum(end - 105_c, 0_c)));
    return job{j.repeat, [j, to_a_half] { return to_a_half(j.results()[0]); }};
  });
  w.add(name, "loop, std::normal_distribution", 0, 0, [to_a_half] {
    struct state {
      std::mt19937 generator{1};
      std::normal_distribution<float> normal;
      float price = 0;
    };
    const auto s = std::make_shared<state>();
    const auto run = [s] {
      double sum = 0;
      for (int i = 0; i < 1'000'000; ++i) sum += std::max(100 * std::exp(0.03f + 0.2f * s->normal(s->generator)) - 105, 0.f);
      s->price = static_cast<float>(std::exp(-0.05) * sum / 1e6);
    };
    return make_job(run, [=] {
      run();
      return to_a_half(s->price);
    });
  });
}

template <int Rows, int Row>
void add_rows(worker& w) {
  static constexpr etch::placeholder<"x", float, Rows, Row> x;
  static constexpr etch::placeholder<"b", float, Row> b;
  struct operands {
    filled<float, Rows, Row> x{1};
    filled<float, Row> b{2};
    std::vector<float> y = std::vector<float>(Rows * Row);
    std::vector<float> result() const { return y; }
  };
  const std::string name = "P10 bias and relu of (" + std::to_string(Rows) + ", " + std::to_string(Row) + ")";
  w.add(name, "etch", 0, 8.0 * Rows * Row, [] {
    const auto v = std::make_shared<operands>();
    return etch_job(etch::relu(x + b), [v] { return x = v->x.values; }, [v] { return b = v->b.values; });
  });
  add_library<operands>(w, name, "loop", [](operands& v) {
    for (std::size_t i = 0; i < Rows; ++i)
      for (std::size_t j = 0; j < Row; ++j) v.y[i * Row + j] = std::max(v.x.values.data()[i * Row + j] + v.b.values.data()[j], 0.f);
  });
}

/// Scores of each query and all keys, their softmax, the mean of the values by it.
template <int Tokens>
void add_attention(worker& w) {
  static constexpr etch::placeholder<"q", float, 4, Tokens, 64> q;
  static constexpr etch::placeholder<"k", float, 4, Tokens, 64> k;
  static constexpr etch::placeholder<"v", float, 4, Tokens, 64> v;
  struct operands {
    filled<float, 4, Tokens, 64> q{1}, k{2}, v{3};
  };
  w.add("P10 attention, 4 heads of 64, " + std::to_string(Tokens) + " tokens", "etch", 4.0 * 4 * Tokens * Tokens * 64, 0, [] {
    const auto data = std::make_shared<operands>();
    return etch_job(
        etch::attention(q, k, v), [data] { return q = data->q.values; }, [data] { return k = data->k.values; },
        [data] { return v = data->v.values; });
  });
}

}  // namespace

int main() {
  worker w;
  add_embedding(w);
  add_sparse_adam(w);
  add_lookup(w);
  add_picture(w);
  add_resized(w);
  add_paths(w);
  add_rows<10'000, 3>(w);
  add_rows<1'000, 10>(w);
  add_rows<1'000, 50>(w);
  add_attention<256>(w);
  add_attention<512>(w);
  add_attention<1024>(w);
  add_attention<2048>(w);
  return w.serve();
}
