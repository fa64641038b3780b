#include <cstring>
#include <string_view>
#include <vector>

#include "base/driver_api.hpp"
#include "base/handle_table.hpp"
#include "driver/call.hpp"
#include "image.hpp"
#include "ptx/parse/parser.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr int input_ptx = 1;
constexpr int input_library = 4;
constexpr std::string_view archive_start = "!<arch>\n";

/// A link in progress. Its result is PTX text again: the simulator has no machine code.
struct Link {
  std::string text;
  bool has_library = false;
  std::vector<int> option_numbers;
  std::vector<void*> option_values;

  JitOptions options() const {
    return {static_cast<unsigned>(option_numbers.size()), option_numbers.data(),
            option_values.data()};
  }
};

HandleTable<Link, CUlinkState>& links() { return immortal<HandleTable<Link, CUlinkState>, 0x11>(); }

/// A library gives a link only what its texts leave open. The simulator has the functions of the
/// device's runtime library itself, and cannot read machine code: it takes nothing from libraries.
void add_library(Link& link, std::string_view data) {
  require(data.substr(0, archive_start.size()) == archive_start, CUDA_ERROR_INVALID_IMAGE);
  link.has_library = true;
}

void add(Link& link, int type, const std::string& text) {
  if (type == input_library) return add_library(link, text);
  if (type != input_ptx) {
    link.options().explain("the CUDA simulator links PTX text, got machine code or bitcode");
    throw Failure{CUDA_ERROR_NO_BINARY_FOR_GPU};
  }
  link.text += text + "\n";
}

}  // namespace

CUresult cuLinkCreate_v2(unsigned count, int* options, void** values, CUlinkState* state) {
  return context_value(__func__, state, [&](Context&) {
    require(count == 0 || (options != nullptr && values != nullptr));
    auto link = std::make_shared<Link>();
    link->option_numbers.assign(options, options + count);
    link->option_values.assign(values, values + count);
    link->options().clear_logs();
    return links().add(std::move(link));
  });
}

CUresult cuLinkAddData_v2(CUlinkState state, int type, void* data, std::size_t size, const char*,
                          unsigned, int*, void**) {
  return driver_call(__func__, [&] {
    require(data != nullptr && size != 0);
    const char* text = static_cast<const char*>(data);
    add(*links().get(state), type, std::string(text, strnlen(text, size)));
  });
}

CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char* path, unsigned, int*, void**) {
  return driver_call(__func__, [&] { add(*links().get(state), type, read_image(path)); });
}

CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* size) {
  return driver_call(__func__, [&] {
    const auto link = links().get(state);
    require(image != nullptr);
    try {
      ptx::load_program(link->text);
    } catch (const ptx::Refusal& refusal) {
      const char* hint =
          link->has_library ? "; nor does it read the machine code of libraries" : "";
      link->options().explain(std::string("the CUDA simulator refuses this PTX: ") +
                              refusal.what() + hint);
      throw Failure{CUDA_ERROR_INVALID_PTX};
    }
    *image = link->text.data();
    if (size != nullptr) *size = link->text.size() + 1;  // with the terminating NUL
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return driver_call(__func__, [&] { links().take(state); });
}

CUresult cuLinkCreate(unsigned count, int* options, void** values, CUlinkState* state) {
  return cuLinkCreate_v2(count, options, values, state);
}

CUresult cuLinkAddData(CUlinkState state, int type, void* data, std::size_t size, const char* name,
                       unsigned count, int* options, void** values) {
  return cuLinkAddData_v2(state, type, data, size, name, count, options, values);
}

CUresult cuLinkAddFile(CUlinkState state, int type, const char* path, unsigned count, int* options,
                       void** values) {
  return cuLinkAddFile_v2(state, type, path, count, options, values);
}
