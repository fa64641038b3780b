#pragma once

#include <stdexcept>
#include <string>
#include <type_traits>

namespace array_interface::sycl::interposer {

// Failures of calls that tests plan, by ARRAY_INTERFACE_STAND_IN_FAIL or StandIn_Fail. A plan is
// NAME:WHICH[:throw], several with commas. NAME is the function's without DPCTL. WHICH counts its
// calls from 1, from when the plan is read: 2 is one call, 2-5 four of them, * all.

enum class Failure {
  kNone,
  kRefusal,    ///< null, false or an unknown status, as the library fails mostly
  kException,  ///< for a function that gives nothing of the kind, and with `throw`
};

/// Adds to what is planned. False for a plan that it cannot understand; then nothing is added.
bool PlanFailures(const char* plan);
/// Forgets all plans.
void ForgetFailures();
/// Leaves the calling thread's calls out of all plans, so that they hit one library of a process.
void SpareThisThread(bool spares);
/// Whether the calling thread's calls are left out.
bool IsThisThreadSpared();
/// How often a function failed so far because that was planned.
unsigned long FailedCalls(const std::string& name);

/// What is planned for this call of a function.
Failure NextFailure(const char* name);

/// The function, which fails where that is planned.
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
