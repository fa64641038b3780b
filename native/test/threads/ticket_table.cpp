#include "threads/ticket_table.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sections.hpp"
#include "test/support/check.hpp"

using namespace array_interface;

namespace {

using Memory = std::shared_ptr<int>;
using Table = TicketTable<Memory>;

constexpr int kThreads = 4;
constexpr int kRounds = 20'000;

/// Two threads try to open each ticket, while all threads add and end tickets of their own.
void check_threads() {
  const Subject named("tickets that several threads open at once");
  const auto memory = std::make_shared<int>(0);
  std::atomic<int> opened{0};
  const auto open = [&](int thread) {
    Table& table = Table::Get();  // as each thread finds it
    for (int i = 0; i < kRounds; ++i) {
      const std::string token = std::to_string(thread / 2) + '/' + std::to_string(i);
      table.Add(std::to_string(thread) + "own", {&opened, memory, ""});
      if (table.Take(token)) ++opened;
      if (i % 100 == 0) table.End(&opened);
    }
    table.End(&opened);
  };
  for (int thread = 0; thread < kThreads / 2; ++thread) {
    for (int i = 0; i < kRounds; ++i) {
      Table::Get().Add(std::to_string(thread) + '/' + std::to_string(i), {nullptr, memory, ""});
    }
  }
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(open, i);
  for (auto& thread : threads) thread.join();
  CHECK(opened == kThreads / 2 * kRounds);
  CHECK(memory.use_count() == 1);
}

}  // namespace

void check_ticket_table() {
  Table& table = Table::Get();
  const int one = 0;
  const int other = 0;
  const auto memory = std::make_shared<int>(7);
  for (const char* token : {"a", "b"}) table.Add(token, {&one, memory, token});
  table.Add("c", {&other, memory, "c"});
  table.Add("a", {&other, nullptr, "another of that name"});
  CHECK(memory.use_count() == 4);
  {
    const auto taken = table.Take("a");
    CHECK(taken && taken->memory == memory && taken->text == "a");
    CHECK(!table.Take("a"));
  }
  CHECK(memory.use_count() == 3);
  table.End(&one);
  CHECK(!table.Take("b"));
  CHECK(memory.use_count() == 2);
  table.Leave(&other);
  table.End(&other);
  CHECK(memory.use_count() == 2);
  table.End(nullptr);  // those that were left, which no environment ends
  CHECK(!table.Take("c"));
  CHECK(memory.use_count() == 1);
  check_threads();
}
