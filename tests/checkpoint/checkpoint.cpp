// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <csignal>

#include <sys/resource.h>

#include <checkpoint/model.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;

/// Trains until `steps` steps are done; the losses of the steps that it made.
template <class Session, class Data>
std::vector<float> train(Session& session, Data& data, std::int64_t& step, std::int64_t steps) {
  std::vector<float> losses;
  while (step < steps)
    for (auto [a, b] : data) {
      losses.push_back(session.run(model::loss, model::train, model::x = a, model::y = b));
      if (++step == steps) break;
    }
  return losses;
}

}  // namespace

TEST_CASE("CKPT-02, CKPT-05: a program that goes on from a checkpoint is the one that did not stop, bit by bit") {
  const files::folder folder("checkpoint_goes_on");
  const auto [a, b] = model::samples();
  const auto make_data = [&] { return data::slices(a, b).shuffle(40, 7).batch(8); };
  session whole(model::loss, model::train);
  whole.initialize(3);
  auto whole_data = make_data();
  std::int64_t whole_step = 0;
  const std::vector<float> expected = train(whole, whole_data, whole_step, 33);

  for (const char* name : {"saved", "saved.safetensors", "saved.npz"}) {
    CAPTURE(name);
    const auto path = folder / name;
    {
      session stopped(model::loss, model::train);
      stopped.initialize(3);
      auto data = make_data();
      std::int64_t step = 0;
      std::vector<float> losses = train(stopped, data, step, 13);
      std::string note = "half way, \"é\"";
      checkpoint checkpoint;
      checkpoint.track("model", stopped).track("data", data).track("step", step).track("losses", losses).track("note", note);
      checkpoint.save(path);
      CHECK(checkpoint.saves() == 1);
      checkpoint.save(path);
      CHECK(checkpoint.saves() == 2);
    }
    session resumed(model::loss, model::train);  // not initialised: all that it needs is in the file
    auto data = make_data();
    std::int64_t step = 0;
    std::vector<float> losses;
    std::string note;
    checkpoint checkpoint;
    checkpoint.track("model", resumed).track("data", data).track("step", step).track("losses", losses).track("note", note);
    checkpoint.restore(path);
    CHECK(checkpoint.saves() == 2);
    CHECK(step == 13);
    CHECK(note == "half way, \"é\"");
    CHECK(losses == std::vector<float>(expected.begin(), expected.begin() + 13));
    const std::vector<float> others = train(resumed, data, step, 33);
    CHECK(others == std::vector<float>(expected.begin() + 13, expected.end()));
    CHECK(model::values_of(resumed) == model::values_of(whole));
    CHECK(resumed.random_state() == whole.random_state());
  }
}

TEST_CASE("values of a program: numbers of each dtype, strings, vectors, arrays") {
  const files::folder folder("checkpoint_values");
  for (const char* name : {"values", "values.safetensors"}) {
    bool flag = true;
    std::int8_t small = -3;
    unsigned long long large = ~0ull;
    double real = 1e300;
    std::string text(1000, 'x'), empty;
    std::vector<std::int16_t> numbers = {1, -2, 3};
    xt::xtensor<float, 2> array = {{1, 2, 3}, {4, 5, 6}};
    xt::xarray<int> dynamic = {{1, 2}, {3, 4}};
    xt::xtensor<int, 2, xt::layout_type::column_major> columns = {{1, 2, 3}, {4, 5, 6}};
    checkpoint values;
    values.track("flag", flag).track("small", small).track("large", large).track("real", real).track("text", text);
    values.track("empty", empty).track("numbers", numbers).track("array", array).track("dynamic", dynamic);
    values.track("a.b/columns", columns);
    values.save(folder / name);
    flag = false;
    small = 0, large = 0, real = 0;
    text.clear();
    empty = "not";
    numbers.clear();
    array.fill(0);
    dynamic.fill(0);
    columns.fill(0);
    values.restore(folder / name);
    CHECK(flag);
    CHECK(small == -3);
    CHECK(large == ~0ull);
    CHECK(real == 1e300);
    CHECK(text == std::string(1000, 'x'));
    CHECK(empty.empty());
    CHECK(numbers == std::vector<std::int16_t>{1, -2, 3});
    CHECK(array == xt::xtensor<float, 2>{{1, 2, 3}, {4, 5, 6}});
    CHECK(dynamic == xt::xarray<int>{{1, 2}, {3, 4}});
    CHECK(columns(0, 2) == 3);
    CHECK(columns(1, 0) == 4);
  }
}

TEST_CASE("variables without a name in front") {
  const files::folder folder("checkpoint_unnamed");
  session s(model::loss, model::train);
  s.initialize(1);
  const auto before = model::values_of(s);
  checkpoint c;
  c.track("", s);
  c.save(folder / "x.safetensors");
  const format::safetensors_reader reader(folder / "x.safetensors");
  CHECK(std::ranges::count(reader.tensors(), "first/kernel", &format::named_tensor::name) == 1);
  s.initialize(2);
  CHECK(model::values_of(s) != before);
  c.restore(folder / "x.safetensors");
  CHECK(model::values_of(s) == before);
}

TEST_CASE("CKPT-05: what does not fit is an error with all of it, and changes nothing") {
  const files::folder folder("checkpoint_strict");
  for (const char* name : {"x", "x.safetensors"}) {
    const auto path = folder / name;
    std::int32_t number = 1;
    float other = 2;
    std::vector<double> more = {1, 2, 3};
    xt::xtensor<float, 1> array = {1, 2, 3};
    {
      checkpoint c;
      c.track("a/number", number).track("other", other).track("more", more).track("array", array);
      c.save(path);
    }
    std::int64_t wide = 5;
    xt::xtensor<float, 1> longer = {7, 8, 9, 10};
    std::vector<double> kept = {4};
    std::int32_t absent = 6;
    checkpoint c;
    c.track("a/number", wide).track("array", longer).track("more", kept).track("absent", absent);
    CHECK(
        files::error_of([&] { c.restore(path); }) ==
        path.string() +
            ": the checkpoint does not fit the program: 2 are of another dtype or shape: \"a/number\" (expected int64 [], found "
            "int32 []), \"array\" (expected float32 [4], found float32 [3]); 1 is missing: \"absent\"; 1 is left over: \"other\"");
    CHECK(wide == 5);
    CHECK(kept == std::vector<double>{4});
    CHECK(longer(0) == 7);
    const restore_report report = c.restore_partial(path);
    CHECK(!report.is_complete());
    CHECK(report.restored == std::vector<std::string>{"more"});
    CHECK(report.missing == std::vector<std::string>{"absent"});
    CHECK(report.left_over == std::vector<std::string>{"other"});
    REQUIRE(report.different.size() == 2);
    CHECK(report.different[1].name == "array");
    CHECK(report.different[1].expected == "float32 [4]");
    CHECK(report.different[1].found == "float32 [3]");
    CHECK(kept == more);
    CHECK(wide == 5);
    CHECK(absent == 6);
  }
  CHECK(files::error_of([&] { checkpoint().restore(folder / "none"); }) ==
        (folder / "none.index").string() + ": No such file or directory");
  int i = 0;
  CHECK(files::error_of([&] { checkpoint().track("", i); }) ==
        "checkpoint: only a session or a model can be tracked without a name");
}

TEST_CASE("two things of one name are not saved, whatever they are, and the checkpoint that was there stays") {
  const files::folder folder("checkpoint_one_name");
  for (const char* name : {"x", "x.safetensors", "x.npz"}) {
    CAPTURE(name);
    const auto path = folder / name;
    std::string note = "good";
    int i = 1;
    std::int64_t count = 2;
    checkpoint().track("note", note).save(path);
    const auto error_of_save = [&](auto& first, auto& second, const char* both) {
      checkpoint c;
      c.track(both, first).track(both, second);
      const std::string error = files::error_of([&] { c.save(path); });
      CHECK(files::error_of([&] { c.save_in_background(path); }) == error);
      return error;
    };
    CHECK(error_of_save(i, i, "note") == "checkpoint: two things have the name \"note\"");
    CHECK(error_of_save(note, i, "note") == "checkpoint: two things have the name \"note\"");
    CHECK(error_of_save(i, note, "note") == "checkpoint: two things have the name \"note\"");
    CHECK(error_of_save(note, note, "note") == "checkpoint: two things have the name \"note\"");
    checkpoint own;
    own.track("save_counter", count);
    CHECK(files::error_of([&] { own.save(path); }) == "checkpoint: two things have the name \"save_counter\"");
    note = "other";
    checkpoint().track("note", note).restore(path);
    CHECK(note == "good");
  }
}

TEST_CASE("a position of other data is refused before anything changes") {
  const files::folder folder("checkpoint_position");
  const std::vector<int> ten(10), nine(9);
  auto data = data::slices(ten, ten).batch(3), other = data::slices(nine, nine).batch(3);
  std::int64_t step = 4;
  {
    checkpoint c;
    c.track("step", step).track("data", data);
    c.save(folder / "x");
  }
  step = 1;
  checkpoint c;
  c.track("step", step).track("data", other);
  const std::string error = files::error_of([&] { c.restore(folder / "x"); });
  CHECK(error == (folder / "x").string() + ": \"data\": data: a position of \"" + data.position().dataset +
                     "\" is no position of \"" + other.position().dataset + "\"");
  CHECK(step == 1);
}

TEST_CASE("a session without values cannot be saved, a closed one not be restored") {
  const files::folder folder("checkpoint_session");
  session s(model::loss, model::train);
  int step = 1;
  checkpoint c;
  c.track("step", step).track("model", s);
  CHECK(files::error_of([&] { c.save(folder / "x"); }).find("has no value") != std::string::npos);
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(c.saves() == 0);
  s.initialize();
  c.save(folder / "x");
  s.close();
  step = 2;
  CHECK(files::error_of([&] { c.restore(folder / "x"); }).find("closed") != std::string::npos);
  CHECK(step == 2);
}

TEST_CASE("a disk without space leaves the checkpoint that was there") {
  const files::folder folder("checkpoint_full");
  std::signal(SIGXFSZ, SIG_IGN);
  for (const char* name : {"x", "x.safetensors", "x.npz"}) {
    std::vector<double> values(10'000, 1);
    checkpoint c;
    c.track("values", values);
    c.save(folder / name);
    values.assign(100'000, 2);
    rlimit before = {};
    ::getrlimit(RLIMIT_FSIZE, &before);
    // In place of a full disk: the kernel refuses to write behind so many bytes.
    const rlimit small = {200'000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    const std::string error = files::error_of([&] { c.save(folder / name); });
    ::setrlimit(RLIMIT_FSIZE, &before);
    CHECK(error.starts_with((folder / name).string()));
    CHECK(error.ends_with(": it cannot be written: File too large"));
    CHECK(c.saves() == 1);
    c.restore(folder / name);
    CHECK(values == std::vector<double>(10'000, 1));
  }
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder.path())) ++count;
  CHECK(count == 4);
}

TEST_CASE("a folder that nothing may be written into keeps the checkpoint that was there") {
  const files::folder folder("checkpoint_read_only");
  for (const char* name : {"x", "x.safetensors", "x.npz"}) {
    CAPTURE(name);
    int value = 1;
    checkpoint c;
    c.track("value", value);
    c.save(folder / name);
    value = 2;
    {
      const files::read_only closed(folder.path());
      const std::string error = files::error_of([&] { c.save(folder / name); });
      CHECK(error.starts_with((folder / name).string()));
      CHECK(error.ends_with(": it cannot be written: Permission denied"));
    }
    CHECK(c.saves() == 1);
    c.restore(folder / name);
    CHECK(value == 1);
  }
}

TEST_CASE("a damaged checkpoint is an error with the file's name, and changes nothing") {
  const files::folder folder("checkpoint_damaged");
  session s(model::loss);
  s.initialize(1);
  std::string note = "as it was";
  checkpoint c;
  c.track("model", s).track("note", note);
  const auto before = model::values_of(s);
  c.save(folder / "x");
  c.save(folder / "x.npz");
  int whole = 0;
  for (const char* file : {"x.index", "x.data-00000-of-00001", "x.npz"}) {
    files::try_damaged(folder / file, [&] {
      s.initialize(2);
      const auto others = model::values_of(s);
      note = "other";
      try {
        c.restore(folder / (std::string_view(file) == "x.npz" ? "x.npz" : "x"));
        CHECK(model::values_of(s) == before);
        CHECK(note == "as it was");
        ++whole;
      } catch (const error&) {
        CHECK(model::values_of(s) == others);
        CHECK(note == "other");
        throw;
      }
    });
  }
  // Nearly all is behind checksums.
  CHECK(whole < files::mutations() * 3 / 20);
}
