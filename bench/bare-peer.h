/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

/*
 * The loop of programs that publish or subscribe with a library of its own and nothing else. Lines
 * on the standard input, each answered by one line:
 *
 *   topic NAME TYPE LENGTH   a writer of messages of so many bytes, or a reader
 *   match                    waits until each has a partner
 *   run TICKS MICROSECONDS   writes one message of each topic in every tick; the answer has the
 *                            nanoseconds of CLOCK_MONOTONIC at which each tick began
 *   start MICROSECONDS       the same for ever, on a thread of its own
 *   take                     what was read since the last time: messages, bytes, and when each came
 */
class BarePeer {
public:
  virtual ~BarePeer () = default;
  virtual void open (const std::string &name, const std::string &type, size_t length) = 0;
  virtual bool is_matched () = 0;
  virtual void write () = 0;

  static int64_t now ()
  {
    auto since = std::chrono::steady_clock::now ().time_since_epoch ();

    return std::chrono::duration_cast<std::chrono::nanoseconds> (since).count ();
  }

  void note (size_t length)
  {
    int64_t at = now ();
    std::lock_guard<std::mutex> guard (lock);

    n_messages++;
    n_bytes += length;
    if (times.size () < MAX_TIMES)
      times.push_back (at);
  }

  int serve ()
  {
    std::string line, word;

    std::cout << "ready" << std::endl;
    while (std::getline (std::cin, line)) {
      std::istringstream words (line);

      words >> word;
      std::cout << answer (word, words) << std::endl;
    }
    /* Threads of the library may still run. */
    std::quick_exit (0);
  }

private:
  static const size_t MAX_TIMES = 10000;

  std::mutex lock;
  std::vector<int64_t> times;
  uint64_t n_messages = 0, n_bytes = 0;

  std::string answer (const std::string &word, std::istream &words)
  {
    std::string name, type;
    size_t length = 0;
    int n = 0, period = 0;

    if (word == "topic" && words >> name >> type >> length) {
      open (name, type, length);
      return "ok";
    }
    if (word == "match")
      return wait_for_partners () ? "matched" : "alone";
    if (word == "run" && words >> n >> period)
      return "times" + run (n, period);
    if (word == "start" && words >> period) {
      std::thread ([this, period] { run (INT32_MAX, period); }).detach ();
      return "started";
    }
    if (word == "take")
      return take ();
    return "what?";
  }

  bool wait_for_partners ()
  {
    for (int i = 0; i < 3000; i++) {
      if (is_matched ())
        return true;
      std::this_thread::sleep_for (std::chrono::milliseconds (10));
    }
    return false;
  }

  std::string run (int n, int period)
  {
    auto due = std::chrono::steady_clock::now ();
    std::string said;

    for (int i = 0; i < n; i++) {
      due += std::chrono::microseconds (period);
      std::this_thread::sleep_until (due);
      if (n < INT32_MAX)
        said += " " + std::to_string (now ());
      write ();
    }
    return said;
  }

  std::string take ()
  {
    std::lock_guard<std::mutex> guard (lock);
    std::string said = "taken " + std::to_string (n_messages) + " " + std::to_string (n_bytes);

    for (auto time : times)
      said += " " + std::to_string (time);
    times.clear ();
    n_messages = n_bytes = 0;
    return said;
  }
};
