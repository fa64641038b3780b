#include "special_register.hpp"

namespace array_interface::cuda_simulator::ptx {
namespace {

struct Entry {
  std::string_view name;
  Fill::Source source;
};

using Source = Fill::Source;

constexpr Entry entries[] = {
    {"%tid.x", Source::tid_x},
    {"%tid.y", Source::tid_y},
    {"%tid.z", Source::tid_z},
    {"%ntid.x", Source::ntid_x},
    {"%ntid.y", Source::ntid_y},
    {"%ntid.z", Source::ntid_z},
    {"%ctaid.x", Source::ctaid_x},
    {"%ctaid.y", Source::ctaid_y},
    {"%ctaid.z", Source::ctaid_z},
    {"%nctaid.x", Source::nctaid_x},
    {"%nctaid.y", Source::nctaid_y},
    {"%nctaid.z", Source::nctaid_z},
    {"%laneid", Source::laneid},
    {"%warpid", Source::warpid},
    {"%nwarpid", Source::nwarpid},
    {"%lanemask_eq", Source::lanemask_eq},
    {"%lanemask_le", Source::lanemask_le},
    {"%lanemask_lt", Source::lanemask_lt},
    {"%lanemask_ge", Source::lanemask_ge},
    {"%lanemask_gt", Source::lanemask_gt},
    {"%smid", Source::smid},
    {"%nsmid", Source::nsmid},
    {"%gridid", Source::gridid},
    {"%dynamic_smem_size", Source::dynamic_shared},
    {"%total_smem_size", Source::total_shared},
};

}  // namespace

bool find_special_register(std::string_view name, Fill::Source& source) {
  for (const Entry& entry : entries) {
    if (entry.name != name) continue;
    source = entry.source;
    return true;
  }
  return false;
}

}  // namespace array_interface::cuda_simulator::ptx
