#include "schedule.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <string>
#include <utility>

#include "journal.hpp"

namespace array_interface::sycl::interposer {

CommandPointer Schedule::Prepare(const std::shared_ptr<Queue>& queue, const char* what,
                                 bool is_barrier, std::vector<CommandPointer> awaited,
                                 std::vector<void*> awaited_events) {
  auto command = std::make_shared<Command>();
  command->number = next_++;
  command->queue_number = queue->number;
  command->what = what;
  command->in_order = queue->in_order;
  command->queue = queue;
  std::vector<CommandPointer> before = awaited;
  if (queue->in_order) {
    if (queue->last != nullptr) before.push_back(queue->last);
  } else if (is_barrier && awaited.empty() && awaited_events.empty()) {
    for (auto& earlier : PendingOf(queue.get(), command->number)) before.push_back(earlier);
  } else if (queue->barrier != nullptr) {
    before.push_back(queue->barrier);
  }
  for (auto& earlier : before) {
    if (!earlier->submitted) command->prerequisites.push_back(std::move(earlier));
  }
  command->awaited = std::move(awaited);
  command->awaited_events = std::move(awaited_events);
  return command;
}

bool Schedule::GoesNow(const Command& command) {
  if (settings_.order == Order::kLazy || !IsReady(command)) return false;
  return settings_.order == Order::kEager || settings_.Random(2) == 0;
}

void Schedule::Add(const CommandPointer& command, bool is_barrier, void* event,
                   Submission submission) {
  const auto queue = command->queue;
  queue->last = command;
  if (is_barrier && !queue->in_order) queue->barrier = command;
  if (submission == nullptr) {
    command->event = event;
    command->submitted = true;
    command->queue = nullptr;
    command->awaited.clear();
  } else {
    command->submission = std::move(submission);
    pending_[command->number] = command;
  }
  if (settings_.order != Order::kRandom || pending_.empty() || settings_.Random(2) == 0) return;
  const auto chosen = static_cast<std::ptrdiff_t>(settings_.Random(pending_.size()));
  Force(CommandPointer(std::next(pending_.begin(), chosen)->second));
}

bool Schedule::IsHeld(const Command& command) const {
  return command.number >= command.queue->held_from ||
         command.number >= held_from_[command.queue->device];
}

bool Schedule::IsReady(const Command& command) const {
  const auto& before = command.prerequisites;
  return !IsHeld(command) && std::all_of(before.begin(), before.end(),
                                         [](const auto& earlier) { return earlier->submitted; });
}

void Schedule::Submit(Command& command) {
  std::vector<void*> events = std::move(command.awaited_events);
  for (const auto& earlier : command.awaited) {
    if (earlier->event != nullptr) events.push_back(earlier->event);
  }
  std::string refusal = "null";
  try {
    command.event = command.submission(events.data(), events.size());
  } catch (const std::exception& error) {
    refusal = error.what();
  } catch (...) {
    refusal = "an exception";
  }
  if (command.event == nullptr) {
    command.ended = true;
    journal_.Fault("the runtime refused command " + std::to_string(command.number) + " (" +
                   command.what + ") when it was submitted later: " + refusal);
  }
  journal_.Note({"submit", command.queue_number, command.number, {}});
  command.submitted = true;
  command.submission = nullptr;
  command.queue = nullptr;
  command.prerequisites.clear();
  command.awaited.clear();
}

bool Schedule::Force(const CommandPointer& command) {
  if (command->submitted) return true;
  // prerequisites have smaller numbers
  std::map<std::uint64_t, CommandPointer> needed;
  std::vector<CommandPointer> found = {command};
  while (!found.empty()) {
    CommandPointer next = std::move(found.back());
    found.pop_back();
    if (next->submitted || needed.count(next->number) > 0) continue;
    if (IsHeld(*next)) return false;
    found.insert(found.end(), next->prerequisites.begin(), next->prerequisites.end());
    const std::uint64_t number = next->number;
    needed.emplace(number, std::move(next));
  }
  for (const auto& [number, one] : needed) {
    Submit(*one);
    pending_.erase(number);
  }
  return true;
}

void Schedule::ForceWhenReleased(const CommandPointer& command, Lock& lock) {
  while (!Force(command)) released_.wait(lock);
}

std::vector<CommandPointer> Schedule::PendingOf(const Queue* queue, std::uint64_t before) const {
  std::vector<CommandPointer> commands;
  for (const auto& [number, command] : pending_) {
    if (number >= before) break;
    if (queue == nullptr || command->queue.get() == queue) commands.push_back(command);
  }
  return commands;
}

void Schedule::ForceAll(const Queue* queue, Lock& lock) {
  for (const auto& command : PendingOf(queue, next_)) ForceWhenReleased(command, lock);
}

bool Schedule::Look(const CommandPointer& command) {
  if (!command->submitted && ++command->looks >= settings_.looks) Force(command);
  return command->submitted;
}

void Schedule::Release(Queue& queue) {
  queue.held_from = Queue::kNever;
  SubmitReady();
}

void Schedule::Release(Mark device) {
  held_from_[device] = Queue::kNever;
  SubmitReady();
}

void Schedule::SubmitReady() {
  if (settings_.order == Order::kEager) {
    for (auto next = pending_.begin(); next != pending_.end();) {
      const auto command = next->second;
      if (IsReady(*command)) {
        Submit(*command);
        next = pending_.erase(next);
      } else {
        ++next;
      }
    }
  }
  released_.notify_all();
}

}  // namespace array_interface::sycl::interposer
