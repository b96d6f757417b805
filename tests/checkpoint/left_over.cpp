// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <etch/checkpoint.hpp>
#include <format/files.hpp>

/// What a checkpoint has and the program does not.
using namespace etch;

TEST_CASE("a text may be left over in safetensors, where tools note what they like, and in no other format") {
  const files::folder folder("checkpoint_text");
  std::string note = "n";
  int i = 1;
  for (const char* name : {"x", "x.safetensors", "x.npz"}) {
    CAPTURE(name);
    checkpoint().track("note", note).track("i", i).save(folder / name);
    const std::string error = files::error_of([&] { checkpoint().track("i", i).restore(folder / name); });
    CHECK(error.ends_with(": 1 is left over: \"note\"") == (name != std::string("x.safetensors")));
  }
}
TEST_CASE("what is left over of TensorFlow's format may be damaged for restore_partial, and not for restore") {
  const files::folder folder("checkpoint_damaged");
  std::vector<float> kept(10, 1.f), other(10, 2.f);
  checkpoint().track("kept", kept).track("other", other).save(folder / "x");
  const auto data = folder / "x.data-00000-of-00001";
  std::string bytes = files::read(data);
  const float two = 2;
  bytes.at(bytes.find(std::string(reinterpret_cast<const char*>(&two), sizeof two))) ^= 1;
  files::write(data, bytes);
  CHECK(files::error_of([&] {
          checkpoint().track("kept", kept).track("other", other).restore(folder / "x");
        }).find("another checksum") != std::string::npos);
  CHECK(checkpoint().track("kept", kept).restore_partial(folder / "x").restored == std::vector<std::string>{"kept"});
}
