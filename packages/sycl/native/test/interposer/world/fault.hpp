#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace array_interface::sycl::interposer {

// Tests plan failures of calls by ARRAY_INTERFACE_INTERPOSER_FAIL or Interposer_Fail. A plan is
// NAME:WHICH[:throw]; commas separate several. NAME is the function's without DPCTL. WHICH counts
// its calls from 1, from when the plan is read: 2 is one call, 2-5 are four, * is all.

enum class Failure {
  kNone,
  kRefusal,    ///< null, false or an unknown status, as the library usually fails
  kException,  ///< for a function that returns none of these, and with `throw`
};

/// Adds a plan. Returns false for a plan that it cannot parse; then nothing is added.
bool PlanFailures(const char* plan);
/// Removes all plans.
void ForgetFailures();
/// Excludes the calling thread's calls from all plans, so that they affect one library of a
/// process.
void SpareThisThread(bool spares);
/// Whether the calling thread's calls are excluded.
bool IsThisThreadSpared();
/// How often a function has failed as planned so far.
unsigned long FailedCalls(const std::string& name);

/// The planned failure of this call of a function.
Failure NextFailure(const char* name);

/// The function, which fails if that is planned.
template <class Name, auto function>
struct Failing;

template <class Name, class Result, class... Arguments, Result (*function)(Arguments...)>
struct Failing<Name, function> {
  static Result Call(Arguments... arguments) {
    const Failure failure = NextFailure(Name::kText);
    if (failure == Failure::kNone) return function(arguments...);
    constexpr bool kCanRefuse =
        std::is_pointer_v<Result> || std::is_same_v<Result, bool> || std::is_same_v<Result, int>;
    if constexpr (kCanRefuse) {
      if (failure == Failure::kRefusal) return Result{};
    }
    throw std::runtime_error(std::string(Name::kText) + " fails as planned");
  }
};

}  // namespace array_interface::sycl::interposer
