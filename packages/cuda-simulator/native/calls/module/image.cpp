#include "image.hpp"

#include <fstream>
#include <iterator>

#include "base/failure.hpp"

namespace array_interface::cuda_simulator {

std::string read_image(const char* path) {
  require(path != nullptr);
  std::ifstream file(path, std::ios::binary);
  require(file.good(), CUDA_ERROR_FILE_NOT_FOUND);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::shared_ptr<Module> load_image(Context& context, const char* image, const JitOptions& options) {
  options.clear_logs();
  std::string reason;
  try {
    return load_module(context, image, reason);
  } catch (const Failure&) {
    options.explain(reason);
    throw;
  }
}

}  // namespace array_interface::cuda_simulator
