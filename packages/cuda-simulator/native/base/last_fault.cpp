#include "last_fault.hpp"

#include <list>
#include <map>
#include <mutex>

#include "error_names.hpp"
#include "immortal.hpp"
#include "notice.hpp"

namespace array_interface::cuda_simulator {
namespace {

constexpr std::size_t most_texts = 1000;  // they are never freed

struct Faults {
  std::mutex mutex;
  std::list<std::string> texts;
  std::map<CUresult, const char*> last;
};

Faults& faults() { return immortal<Faults>(); }

}  // namespace

void note_fault(CUresult error, const std::string& text) {
  notice(std::string(name_of(error)) + ": " + text);
  const ErrorName* const row = find_error_name(error);
  std::lock_guard lock(faults().mutex);
  if (row == nullptr || faults().texts.size() >= most_texts) return;
  faults().last[error] = faults().texts.emplace_back(std::string(row->text) + ": " + text).c_str();
}

const char* fault_text(CUresult error) {
  std::lock_guard lock(faults().mutex);
  const auto found = faults().last.find(error);
  return found == faults().last.end() ? nullptr : found->second;
}

}  // namespace array_interface::cuda_simulator
