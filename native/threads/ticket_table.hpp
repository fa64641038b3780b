#pragma once

#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace array_interface {

/// What tickets hold for threads of this process: memory, and a text for whoever opens the ticket.
/// A ticket is identified by its token, and opened once. Safe to use from any thread.
template <class Memory>
class TicketTable {
 public:
  struct Ticket {
    const void* exporter;  ///< the environment that it ends with, or null
    Memory memory;
    std::string text;
  };

  /// Returns the table that all threads of the process share. It is never destroyed.
  static TicketTable& Get() {
    static auto& table = *new TicketTable;
    return table;
  }

  void Add(const std::string& token, Ticket ticket) {
    const std::lock_guard lock(mutex_);
    tickets_.emplace(token, std::move(ticket));
  }

  /// Removes and returns a ticket. Returns nothing if it was opened or has ended.
  std::optional<Ticket> Take(const std::string& token) {
    const std::lock_guard lock(mutex_);
    const auto found = tickets_.find(token);
    if (found == tickets_.end()) return std::nullopt;
    std::optional<Ticket> taken(std::move(found->second));
    tickets_.erase(found);
    return taken;
  }

  /// Ends the tickets of an environment that have not been opened.
  void End(const void* exporter) {
    std::map<std::string, Ticket> ended;  // outlives the lock: destroying tickets may take long
    const std::lock_guard lock(mutex_);
    for (auto at = tickets_.begin(); at != tickets_.end();) {
      const auto next = std::next(at);
      if (at->second.exporter == exporter) ended.insert(tickets_.extract(at));
      at = next;
    }
  }

  /// Lets the tickets of an environment outlive it.
  void Leave(const void* exporter) {
    const std::lock_guard lock(mutex_);
    for (auto& [token, ticket] : tickets_) {
      if (ticket.exporter == exporter) ticket.exporter = nullptr;
    }
  }

 private:
  TicketTable() = default;

  std::mutex mutex_;
  std::map<std::string, Ticket> tickets_;
};

}  // namespace array_interface
