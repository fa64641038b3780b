#include "last_fault.hpp"

#include <array>
#include <list>
#include <mutex>

#include "error_names.hpp"
#include "immortal.hpp"
#include "notice.hpp"

namespace array_interface::cuda_simulator {
namespace {

constexpr std::size_t most_texts = 1000;  // a program may keep what cuGetErrorString returns
constexpr std::size_t most_errors = 1000;

struct Texts {
  std::mutex mutex;
  std::list<std::string> kept;
};

/// Keeps a text for the life of the process. Returns null if there are too many already.
const char* keep(const std::string& text) {
  Texts& texts = immortal<Texts>();
  std::lock_guard lock(texts.mutex);
  if (texts.kept.size() >= most_texts) return nullptr;
  return texts.kept.emplace_back(text).c_str();
}

/// By error. The caller of cuGetErrorString says neither context nor call, but each thread asks
/// about what its own calls returned. Plain data, so that it is usable while a thread ends.
thread_local std::array<const char*, most_errors> told{};

}  // namespace

void throw_fault(CUresult error, const std::string& text) {
  notice(std::string(name_of(error)) + ": " + text);
  const ErrorName* const row = find_error_name(error);
  throw Failure{error, row == nullptr ? nullptr : keep(std::string(row->text) + ": " + text)};
}

void note_failure(const Failure& failure) noexcept {
  if (static_cast<std::size_t>(failure.error) < told.size()) told[failure.error] = failure.text;
}

const char* fault_text(CUresult error) {
  return static_cast<std::size_t>(error) < told.size() ? told[error] : nullptr;
}

}  // namespace array_interface::cuda_simulator
