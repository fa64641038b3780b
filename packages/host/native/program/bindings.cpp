#include "bindings.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "napi/argument.hpp"
#include "napi/failure.hpp"
#include "napi/handle.hpp"
#include "program.hpp"
#include "program/reductions/reduction.hpp"
#include "run_program.hpp"

namespace array_interface {

namespace {

/// Core's code for a struct by value. The bits above the lowest 8 are its bytes.
constexpr std::uint32_t kStruct = 12;
constexpr std::size_t kSlot = sizeof(std::uint64_t);

/// A program that JavaScript refers to.
struct HeldProgram {
  std::variant<Program, Reduction> program;
  std::vector<ProgramParameter> parameters;

  static constexpr napi_type_tag kTag = {0x5d2e90b7f4138ac6, 0x91a4c37e06fb528d};
};

template <typename T>
std::vector<T> ReadAll(const Napi::Value& value, const char* path) {
  const Bytes bytes = ReadBytes(value, path);
  std::vector<T> all(bytes.size / sizeof(T));
  if (!all.empty()) std::memcpy(all.data(), bytes.data, all.size() * sizeof(T));
  return all;
}

std::vector<ProgramParameter> ReadParameters(const Napi::Value& types, const Napi::Value& arrays) {
  std::vector<ProgramParameter> parameters;
  for (const std::uint32_t type : ReadAll<std::uint32_t>(types, "types")) {
    if ((type & 0xff) != kStruct) {
      parameters.push_back({type, 0, 0, false});
    } else {
      const std::size_t slots = ((type >> 8) + kSlot - 1) / kSlot;
      parameters.resize(parameters.size() + slots, {ProgramParameter::kNone, 0, 0, false});
    }
  }
  const std::vector<std::uint32_t> all = ReadAll<std::uint32_t>(arrays, "arrays");
  for (std::uint32_t at = 0; at + 3 <= all.size(); at += 3) {
    const bool is_pointer =
        all[at] < parameters.size() && parameters[all[at]].type == ProgramParameter::kPointer;
    if (!is_pointer || all[at + 1] == 0) {
      throw std::invalid_argument("expected places of arrays and their sizes, got other numbers");
    }
    ProgramParameter& parameter = parameters[all[at]];
    // Each array has its own extent, by its index.
    if (parameter.item_size > 0) {
      throw std::invalid_argument("expected each array once, got one twice");
    }
    parameter.item_size = all[at + 1];
    parameter.is_written = all[at + 2] != 0;
    parameter.index = at / 3;
  }
  return parameters;
}

[[noreturn]] void Refuse(Napi::Env env, const std::string& fault) {
  Throw(env, {"ERR_KERNEL", "code.host.program",
              fault + "; make it with the version of @array-interface/expressions that belongs to "
                      "this one of @array-interface/host",
              "", 0, ""});
}

std::size_t ArraysOf(const HeldProgram& program) {
  const auto is_array = [](const ProgramParameter& one) { return one.item_size > 0; };
  return static_cast<std::size_t>(
      std::count_if(program.parameters.begin(), program.parameters.end(), is_array));
}

}  // namespace

Napi::Value ReadProgramBytes(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Bytes bytes = ReadBytes(info[0], "program");
  const std::vector<ProgramParameter> parameters = ReadParameters(info[1], info[2]);
  const auto hold = [&](auto read) {
    if (const auto* const fault = std::get_if<ProgramFault>(&read)) Refuse(env, *fault);
    auto made = std::make_shared<HeldProgram>();
    made->program = std::move(std::get<0>(read));
    made->parameters = parameters;
    return Handle<HeldProgram>::Wrap(env, std::move(made));
  };
  if (IsReduction(bytes.data, bytes.size)) {
    return hold(ReadReduction(bytes.data, bytes.size, parameters));
  }
  return hold(ReadProgram(bytes.data, bytes.size, parameters));
}

void RunProgramBytes(const Napi::CallbackInfo& info) {
  const auto held = Handle<HeldProgram>::Unwrap(info[0], "program");
  const auto values = ReadAll<std::uint64_t>(info[1], "values");
  const std::vector<double> ends = ReadAll<double>(info[2], "extents");
  if (values.size() != held->parameters.size() || ends.size() != 2 * ArraysOf(*held)) {
    throw std::invalid_argument("expected a value for each parameter, got another number");
  }
  std::vector<Extent> extents;
  extents.reserve(ends.size() / 2);
  for (std::size_t at = 0; at < ends.size(); at += 2) {
    extents.push_back(
        {static_cast<std::int64_t>(ends[at]), static_cast<std::int64_t>(ends[at + 1])});
  }
  const std::uint64_t count = ReadSize(info[3], "count");
  const auto threads = static_cast<std::size_t>(ReadSize(info[4], "threads"));
  const auto check = [&](auto bound) {
    if (const auto* const fault = std::get_if<ProgramFault>(&bound)) Refuse(info.Env(), *fault);
    return std::get<0>(std::move(bound));
  };
  if (const auto* const program = std::get_if<Program>(&held->program)) {
    RunProgram(check(BindProgram(*program, values, extents, count)), threads);
  } else {
    const auto& reduction = std::get<Reduction>(held->program);
    RunReduction(check(BindReduction(reduction, values, extents, count)), threads);
  }
}

}  // namespace array_interface
