#include "world.hpp"

#include <algorithm>
#include <utility>

#include "functions.hpp"

namespace array_interface::sycl::interposer {

namespace {

std::string Name(const Command& command) {
  return "command " + std::to_string(command.number) + " (" + command.what + " on queue " +
         std::to_string(command.queue_number) + ")";
}

}  // namespace

World& World::Instance() {
  static auto* world = new World();
  return *world;
}

std::mutex& Visit::Mutex() {
  static auto* mutex = new std::mutex();
  return *mutex;
}

void* World::Give(Kind kind, void* reference, Mark mark) {
  references.Add(kind, reference, mark);
  return reference;
}

std::shared_ptr<Queue> World::QueueOf(const void* reference) {
  const auto found = queues_.find(reference);
  if (found != queues_.end()) return found->second;
  const auto known = known_queues_.find(more().Queue_Hash(const_cast<void*>(reference)));
  if (known != known_queues_.end()) return known->second;
  auto queue = std::make_shared<Queue>(reference, kFirst);
  queue->number = ++last_queue_;
  return known_queues_[queue->hash] = queue;
}

void World::AddQueue(const void* reference, Mark device) {
  auto queue = std::make_shared<Queue>(reference, device);
  queue->number = ++last_queue_;
  known_queues_[queue->hash] = queue;
  journal.Note({"create queue", queue->number, 0, {}});
  AddCopy(reference, queue);
}

void World::AddCopy(const void* reference, const std::shared_ptr<Queue>& queue) {
  references.Add(Kind::kQueue, reference, queue->device);
  queues_[reference] = queue;
  ++queue->references;
}

std::shared_ptr<Queue> World::RemoveQueue(const void* reference) {
  const auto found = queues_.find(reference);
  if (found == queues_.end()) return nullptr;
  auto queue = std::move(found->second);
  queues_.erase(found);
  if (--queue->references > 0) return queue;
  journal.Note({"delete queue", queue->number, 0, {}});
  known_queues_.erase(queue->hash);
  const auto ended = [](const CommandPointer& command) { return command->Ended(); };
  orphans.erase(std::remove_if(orphans.begin(), orphans.end(), ended), orphans.end());
  if (queue->last != nullptr && !queue->last->Ended()) orphans.push_back(queue->last);
  return queue;
}

std::vector<std::shared_ptr<Queue>> World::Queues() const {
  std::vector<std::shared_ptr<Queue>> all;
  all.reserve(known_queues_.size());
  for (const auto& [hash, queue] : known_queues_) all.push_back(queue);
  return all;
}

void* World::GiveEvent(CommandPointer command) {
  void* reference = new std::byte();  // a unique address
  references.Add(Kind::kEvent, reference, kFirst);
  events_[reference] = std::move(command);
  return reference;
}

CommandPointer World::CommandOf(const void* event) const {
  const auto found = events_.find(event);
  return found == events_.end() ? nullptr : found->second;
}

CommandPointer World::RemoveEvent(const void* event) {
  const auto found = events_.find(event);
  auto command = std::move(found->second);
  events_.erase(found);
  delete static_cast<const std::byte*>(event);
  return command;
}

bool World::HasEnded(const CommandPointer& command) {
  if (!command->Ended()) return false;
  NoteEnd(*command, "complete");
  return true;
}

void World::NoteEnd(Command& command, const char* what) {
  const bool is_new = !command.ended.exchange(true);
  if (is_new) journal.Note({what, command.queue_number, command.number, {}});
}

void World::Touch(const CommandPointer& command, const Queue& queue,
                  const std::vector<const void*>& pointers, bool directly) {
  for (const void* pointer : pointers) {
    if (memory.IsKept(pointer)) {
      journal.Fault(Name(*command) + " uses " + Text(pointer) + ", which was freed");
    }
    Allocation* allocation = memory.Around(pointer);
    if (allocation == nullptr) continue;
    allocation->AddUser(command);
    if (allocation->type != UsmType::kDevice) continue;
    if (directly && allocation->device != queue.device && !reaches[queue.device]) {
      journal.Fault(Name(*command) + " reached across devices, to " + Text(pointer));
    } else if (allocation->context != queue.context) {
      journal.Fault(Name(*command) + " reached across contexts, to " + Text(pointer));
    }
  }
}

bool World::CheckFree(const void* pointer, const Allocation& allocation) {
  bool all_ended = true;
  for (const auto& user : allocation.users) {
    if (HasEnded(user)) continue;
    all_ended = false;
    journal.Fault(Text(pointer) + " was freed before " + Name(*user) +
                  ", which uses it, had ended");
  }
  return all_ended;
}

}  // namespace array_interface::sycl::interposer
