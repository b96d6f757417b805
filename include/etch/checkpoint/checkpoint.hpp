// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <set>

#include <etch/checkpoint/background.hpp>
#include <etch/checkpoint/eager_values.hpp>
#include <etch/checkpoint/file.hpp>
#include <etch/checkpoint/report.hpp>
#include <etch/checkpoint/tracked.hpp>

namespace etch {

/// What of a program is saved and restored, by name. It refers to it: what is tracked must live, and stay where it is.
///
///     etch::checkpoint checkpoint;
///     checkpoint.track("model", session).track("data", dataset).track("epoch", epoch);
///     checkpoint.save("saved/first");
///     checkpoint.restore("saved/first");
///
/// A path ending with .safetensors or .npz is a file of that format; any other is the prefix of TensorFlow's files, `saved/first.index` and
/// `saved/first.data-00000-of-00001`.
class checkpoint {
 public:
  /// - a session, a model, or a function with variables: `model/dense/kernel` and so on; without a name, "", as `dense/kernel`. Of a session,
  ///   and so of a model, also the state of its random draws, `model/.random_state`;
  /// - a module: the same of all that it has, by the members that lead there;
  /// - a dataset: its position;
  /// - a number, a std::string, a std::vector of numbers, which takes any length;
  /// - an array of xtensor's, a variable or a tensor of eager code, which keep their shapes.
  template <class T>
    requires(!detail::is_variable_list<T>)
  checkpoint& track(std::string name, T& value) {
    constexpr bool is_eager = detail::is_eager_variable<T> || detail::is_eager_tensor<T>;
    constexpr bool is_value = element<T> || std::is_same_v<T, std::string> || detail::growing_numbers_or_array<T>;
    constexpr bool has_session = requires { value.session().variables(); };
    constexpr bool needs_name = !detail::lists_variables<T> && !has_session;
    static_assert(detail::lists_variables<T> || has_session || detail::has_position<T> || is_eager || is_value,
                  "checkpoint: a session, a model, a function, a dataset, a variable or tensor of eager code, a number, a string, "
                  "a vector of numbers or an array of xtensor's can be tracked");
    if (name.empty() && needs_name) fail("checkpoint: only a session or a model can be tracked without a name");
    if constexpr (detail::lists_variables<T>)
      parts_.push_back(std::make_unique<detail::variables_part<T&>>(std::move(name), value));
    else if constexpr (has_session)
      return track(std::move(name), value.session());
    else if constexpr (detail::has_position<T>)
      parts_.push_back(std::make_unique<detail::dataset_part<T>>(std::move(name), value));
    else if constexpr (is_eager)
      parts_.push_back(std::make_unique<detail::eager_part<T>>(std::move(name), value));
    else if constexpr (is_value)
      parts_.push_back(std::make_unique<detail::value_part<T>>(std::move(name), value));
    return *this;
  }
  /// Variables of a call: `f.variables(x)`.
  template <class Memory>
  checkpoint& track(std::string name, variable_list<Memory> variables) {
    parts_.push_back(std::make_unique<detail::variables_part<variable_list<Memory>>>(std::move(name), variables));
    return *this;
  }

  /// Writes all of it, in place of a checkpoint of this path, which is there until the new one is whole and on the disk. Throws `etch::error`
  /// where a variable has no value, where two things have one name, and where the file cannot be written.
  void save(const std::filesystem::path& path) { save_to_each({path}); }
  /// The same at each of several paths, one after another.
  void save_to_each(const std::vector<std::filesystem::path>& paths) {
    collect(false);
    for (const std::filesystem::path& path : paths) detail::write_checkpoint(path, values_->tensors());
    ++saves_;
  }
  /// The same as `save`, where the program waits for a copy of the values in memory only, and a thread writes it: the memory is kept for the next
  /// one. then(): is called on that thread when the checkpoint is on the disk. One is written at a time: the next call waits for the one
  /// before. What the thread throws, the next call of the checkpoint throws, or `wait`.
  template <class Then>
  void save_in_background(const std::filesystem::path& path, Then then) {
    save_to_each_in_background({path}, std::move(then));
  }
  void save_in_background(const std::filesystem::path& path) {
    save_in_background(path, [] {});
  }
  template <class Then>
  void save_to_each_in_background(const std::vector<std::filesystem::path>& paths, Then then) {
    collect(true);
    background_.start([paths, then = std::move(then), values = values_]() mutable {
      for (const std::filesystem::path& path : paths) detail::write_checkpoint(path, values->tensors());
      then();
    });
  }
  /// Until what `save_in_background` writes is on the disk. Throws `etch::error` where it could not be written. A checkpoint that goes waits
  /// as well, and says nothing.
  void wait() {
    if (!background_.is_started()) return;
    background_.wait();
    ++saves_;
  }

  /// Reads all of it. Throws `etch::error`, and changes nothing, where a file is damaged, and where the checkpoint does not fit: something
  /// is missing, left over, or of another dtype or shape. Texts of safetensors may be left over: tools note there where a file
  /// is from.
  void restore(const std::filesystem::path& path) {
    read(path, [&](const restore_report& report) {
      if (!report.is_complete())
        fail("%s: the checkpoint does not fit the program: %s", path.string().c_str(), report.text().c_str());
    });
  }
  /// Reads what fits, and says what did not. Throws `etch::error`, and changes nothing, where a file is damaged; what of
  /// TensorFlow's format does not fit is not read, so that damage there is not seen.
  restore_report restore_partial(const std::filesystem::path& path) {
    return read(path, [](const restore_report&) {});
  }

  /// How often it was saved, over all programs that went on from one another: TensorFlow's `save_counter`.
  std::int64_t saves() {
    wait();
    return saves_;
  }

 private:
  static constexpr const char* save_counter = "save_counter";

  template <class Check>
  restore_report read(const std::filesystem::path& path, const Check& check) {
    wait();
    detail::checkpoint_file file(path);
    std::vector<detail::expected_tensor> expected;
    for (const auto& part : parts_) part->expect(expected);
    restore_report report;
    std::vector<const format::named_tensor*> fitting;
    std::set<std::string> names;
    for (const detail::expected_tensor& e : expected) {
      if (!names.insert(e.name).second) fail("checkpoint: two things have the name \"%s\"", e.name.c_str());
      const format::named_tensor* found = file.find(e.name);
      if (found == nullptr) {
        report.missing.push_back(e.name);
      } else if (!e.is_taken_by(*found)) {
        report.different.push_back({e.name, e.type_text(), found->type_text()});
      } else {
        report.restored.push_back(e.name);
        fitting.push_back(found);
      }
    }
    std::int64_t saves = saves_;
    for (const format::named_tensor& t : file.tensors()) {
      if (names.contains(t.name)) continue;
      if (file.may_be_left(t)) {
        file.read(t);  // for its checksum: a damaged file is refused, whatever of it is damaged
        continue;
      }
      if (t.name == save_counter && t.array.type == dtype::int64 && t.array.extents.empty())
        detail::copy_value(file.read(t), &saves);
      else
        report.left_over.push_back(t.name);
    }
    check(report);

    detail::restored_values values;
    for (const format::named_tensor* t : fitting) values.emplace(t->name, file.read(*t));
    for (const auto& part : parts_) {
      try {
        part->check(values);
      } catch (const error& e) {
        fail("%s: \"%s\": %s", path.string().c_str(), part->name().c_str(), e.what());
      }
    }
    for (const auto& part : parts_) part->restore(values);
    saves_ = saves;
    return report;
  }

  void collect(bool copies) {
    wait();
    values_->begin(copies);
    for (const auto& part : parts_) part->save(*values_);
    const std::int64_t saves = saves_ + 1;
    std::memcpy(values_->add(save_counter, dtype::int64, {}), &saves, sizeof saves);
    // Formats keep texts apart from numbers, and so would write a text and a number of one name, which no program could restore.
    std::set<std::string_view> names;
    for (const format::named_tensor& t : values_->tensors())
      if (!names.insert(t.name).second) fail("checkpoint: two things have the name \"%s\"", t.name.c_str());
  }

  std::vector<std::unique_ptr<detail::checkpoint_part>> parts_;
  std::int64_t saves_ = 0;
  /// The thread's too: a checkpoint that is assigned to loses them before it waits.
  std::shared_ptr<detail::saved_values> values_ = std::make_shared<detail::saved_values>();
  detail::background background_;
};

}  // namespace etch
