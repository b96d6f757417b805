// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <etch/base/affinity.hpp>
#include <etch/base/executor.hpp>
#include <etch/core/diagnostics.hpp>

namespace etch {

/// Threads that wait for tasks. `thread_pool two(2); session.set_executor(&two);`: the thread that calls `run` does its share, so
/// that one more is started. Between runs they sleep, but for 50 to 100 microseconds after a task, in which they spin. The pool
/// must outlive the sessions and the bound steps that use it.
class thread_pool final : public executor {
 public:
  /// workers: the caller's thread among them; at most 256. Throws `etch::error` where it is not in [1, 256], and what
  /// std::thread throws where the system has no more.
  explicit thread_pool(int workers) {
    if (workers < 1 || workers > most_workers) fail("thread_pool: it has 1 to %d workers, not %d", most_workers, workers);
    parts_ = std::vector<part>(static_cast<std::size_t>(workers));
    threads_.reserve(static_cast<std::size_t>(workers - 1));
    try {
      for (int w = 1; w < workers; ++w) threads_.emplace_back([this, w] { work(w); });
    } catch (...) {
      stop();
      throw;
    }
  }
  /// As many as the machine runs at the same time.
  thread_pool() : thread_pool(std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_workers)) {}
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;
  ~thread_pool() { stop(); }

  int workers() const noexcept override { return static_cast<int>(threads_.size()) + 1; }

  /// Where its threads are at work for another caller, the calling one does all tasks by itself.
  void run(int tasks, task_function f, void* work) noexcept override {
    if (tasks <= 1 || threads_.empty() || in_use_.exchange(true, std::memory_order_acquire)) {
      for (int t = 0; t < tasks; ++t) f(work, t, 0);
      return;
    }
    const std::uint32_t before = job_.load(std::memory_order_relaxed), job = before + 1;
    const int crew = crew_of(tasks);
    // A thread that reads what the new job is must not take a task of the one before for one of it: there is none left to take.
    for (int w = crew_of(tasks_.load(std::memory_order_relaxed)); w-- > 0;)
      part_of(w).next.store(ticket(before, no_task), std::memory_order_release);
    function_.store(f, std::memory_order_release);
    work_.store(work, std::memory_order_release);
    tasks_.store(tasks, std::memory_order_release);
    done_.store(0, std::memory_order_relaxed);
    for (int w = 0; w < crew; ++w) part_of(w).next.store(ticket(job, first_of(w, crew, tasks)), std::memory_order_release);
    job_.store(job, std::memory_order_seq_cst);
    if (sleeping_.load(std::memory_order_seq_cst) > 0) {
      const int here = sleeper_affinity::processor();
      for (int w = 1; w < crew; ++w) part_of(w).affinity.keep_off(here);
      wake();
    }
    take_tasks(job, 0);
    for (int turn = 0; done_.load(std::memory_order_acquire) < tasks; ++turn) wait_a_little(turn);
    in_use_.store(false, std::memory_order_release);
  }

 private:
  static constexpr int most_workers = 256;
  /// Turns of spinning before a thread sleeps, each of a pause of 15 to 45 ns.
  static constexpr int patience = 2000;

  /// The next task of a worker's part of a job, as one number, so that a thread that comes late takes none of another job.
  static constexpr std::uint64_t ticket(std::uint32_t job, std::uint32_t task) { return std::uint64_t{job} << 32 | task; }
  static constexpr std::uint32_t job_of(std::uint64_t t) { return static_cast<std::uint32_t>(t >> 32); }
  static constexpr std::uint32_t task_of(std::uint64_t t) { return static_cast<std::uint32_t>(t); }
  static constexpr std::uint32_t no_task = 0xffffffff;  ///< more than any job has

  struct alignas(64) part {
    std::atomic<std::uint64_t> next = 0;
    sleeper_affinity affinity;  ///< of the worker's thread
  };
  part& part_of(int worker) noexcept { return parts_[static_cast<std::size_t>(worker)]; }
  /// Who has a part of so many tasks.
  int crew_of(int tasks) const noexcept { return tasks < workers() ? tasks : workers(); }
  static constexpr std::uint32_t first_of(int worker, int crew, int tasks) noexcept {
    return static_cast<std::uint32_t>(std::int64_t{worker} * tasks / crew);
  }

  static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }
  /// Where other programs want the cores, the thread that is waited for may not be running.
  static void wait_a_little(int turn) noexcept {
    if (turn < patience)
      pause();
    else
      std::this_thread::yield();
  }

  void work(int worker) noexcept {
    std::uint32_t seen = 0;
    part_of(worker).affinity.begin();
    for (int turn = 0;;) {
      const std::uint32_t job = job_.load(std::memory_order_acquire);
      if (job != seen) {
        seen = job;
        take_tasks(job, worker);
        turn = 0;
      } else if (stops_.load(std::memory_order_relaxed)) {
        return;
      } else if (++turn < patience) {
        pause();
      } else {
        sleep(seen, part_of(worker).affinity);
        turn = 0;
      }
    }
  }
  /// Those of a worker's own part, then of the others' (work stealing).
  void take_tasks(std::uint32_t job, int worker) noexcept {
    const int crew = crew_of(tasks_.load(std::memory_order_acquire));
    for (int w = 0; w < crew; ++w) take_tasks_of((worker + w) % crew, job, worker);
  }
  /// What it reads of the job holds if it then gets a task: the next job begins when all tasks are done.
  void take_tasks_of(int owner, std::uint32_t job, int worker) noexcept {
    std::atomic<std::uint64_t>& next = part_of(owner).next;
    std::uint64_t t = next.load(std::memory_order_acquire);
    while (job_of(t) == job) {
      const auto f = function_.load(std::memory_order_acquire);
      void* const work = work_.load(std::memory_order_acquire);
      const int tasks = tasks_.load(std::memory_order_acquire), crew = crew_of(tasks);
      if (owner >= crew || task_of(t) >= first_of(owner + 1, crew, tasks)) return;
      if (!next.compare_exchange_weak(t, t + 1, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
      f(work, static_cast<int>(task_of(t)), worker);
      done_.fetch_add(1, std::memory_order_release);
      t = next.load(std::memory_order_acquire);
    }
  }

  void sleep(std::uint32_t seen, sleeper_affinity& affinity) noexcept {
    const std::uint32_t alarm = alarm_.load(std::memory_order_seq_cst);
    affinity.before_sleep();
    sleeping_.fetch_add(1, std::memory_order_seq_cst);
    // Whoever has set a job before it saw a sleeper has set it before this looks.
    if (job_.load(std::memory_order_seq_cst) == seen && !stops_.load(std::memory_order_seq_cst)) alarm_.wait(alarm);
    sleeping_.fetch_sub(1, std::memory_order_seq_cst);
    affinity.after_sleep();
  }
  void wake() noexcept {
    alarm_.fetch_add(1, std::memory_order_seq_cst);
    alarm_.notify_all();
  }
  void stop() noexcept {
    stops_.store(true, std::memory_order_seq_cst);
    wake();
    for (std::thread& t : threads_) t.join();
  }

  std::atomic<bool> in_use_ = false, stops_ = false;
  std::atomic<task_function> function_ = nullptr;
  std::atomic<void*> work_ = nullptr;
  std::atomic<int> tasks_ = 0;
  alignas(64) std::atomic<std::uint32_t> job_ = 0;
  alignas(64) std::atomic<int> done_ = 0;
  alignas(64) std::atomic<int> sleeping_ = 0;
  std::atomic<std::uint32_t> alarm_ = 0;
  std::vector<part> parts_;  ///< of the workers
  std::vector<std::thread> threads_;
};

}  // namespace etch
