#include "journal.hpp"

#include <cstdio>
#include <utility>

namespace array_interface::sycl::interposer {

namespace {

// Limits the memory of a long run; a test reads far fewer entries.
constexpr std::size_t kKept = 1 << 16;

template <class Range, class ToJson>
std::string List(const Range& range, ToJson to_json) {
  std::string text = "[";
  for (const auto& one : range) {
    if (text.size() > 1) text += ",";
    text += to_json(one);
  }
  return text + "]";
}

std::string Quoted(const std::string& plain) { return "\"" + plain + "\""; }

std::string ToJson(const Entry& entry) {
  return "{\"number\":" + std::to_string(entry.number) + ",\"what\":" + Quoted(entry.what) +
         ",\"queue\":" + std::to_string(entry.queue) +
         ",\"command\":" + std::to_string(entry.command) + ",\"pointers\":" +
         List(entry.pointers, [](const void* pointer) { return Quoted(Text(pointer)); }) +
         ",\"bytes\":" + std::to_string(entry.bytes) + "}";
}

}  // namespace

std::string Text(const void* pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(pointer)));
  return text;
}

void Journal::Note(Entry entry) {
  entry.number = ++last_;
  entries_.push_back(std::move(entry));
  if (entries_.size() > kKept) entries_.pop_front();
}

void Journal::Fault(std::string text) {
  std::fprintf(stderr, "interposer: fault: %s\n", text.c_str());
  Note({"fault"});
  faults_.push_back(std::move(text));
}

std::string Journal::EntriesAfter(std::uint64_t number) const {
  std::deque<Entry> later;
  for (const auto& entry : entries_) {
    if (entry.number > number) later.push_back(entry);
  }
  return List(later, ToJson);
}

std::string Journal::Faults() const { return List(faults_, Quoted); }

void Journal::Forget() {
  entries_.clear();
  faults_.clear();
}

}  // namespace array_interface::sycl::interposer
