#include "reported_bytes.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace array_interface {

namespace {

struct Reports {
  std::mutex mutex;
  std::map<std::pair<napi_env, const void*>, std::weak_ptr<ReportedBytes>> all;
};

/// Never destroyed, since leases of worker threads may outlive the process's statics.
Reports& TheReports() {
  static auto* reports = new Reports;
  return *reports;
}

}  // namespace

std::shared_ptr<ReportedBytes> ReportedBytes::Of(napi_env env, const void* memory,
                                                 std::size_t size) {
  Reports& reports = TheReports();
  {
    std::lock_guard lock(reports.mutex);
    const auto known = reports.all.find({env, memory});
    if (known != reports.all.end()) return known->second.lock();
  }
  std::shared_ptr<ReportedBytes> report(new ReportedBytes(env, memory, size));
  std::lock_guard lock(reports.mutex);
  reports.all[{env, memory}] = report;
  return report;
}

// V8 may collect garbage here, which ends other leases: not while the lock is held.
ReportedBytes::ReportedBytes(napi_env env, const void* memory, std::size_t size)
    : env_(env), memory_(memory), size_(static_cast<std::int64_t>(size)) {
  std::int64_t total = 0;
  napi_adjust_external_memory(env_, size_, &total);
}

ReportedBytes::~ReportedBytes() {
  std::int64_t total = 0;
  napi_adjust_external_memory(env_, -size_, &total);
  Reports& reports = TheReports();
  std::lock_guard lock(reports.mutex);
  reports.all.erase({env_, memory_});
}

}  // namespace array_interface
