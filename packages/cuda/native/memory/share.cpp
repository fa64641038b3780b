#include "memory/share.hpp"

#include "driver/driver.hpp"

namespace array_interface::cuda {

Share Share::Of(const Allocation& memory, const Stream& stream) {
  Share share{};
  {
    const ContextScope scope(*memory.block().context());
    Cuda().cuIpcGetMemHandle(&share.memory, memory.pointer());
  }
  share.ready = stream.Record(Event::Purpose::kInterprocess);
  share.back = stream.Record(Event::Purpose::kInterprocess);
  share.lease = std::make_shared<Lease>();
  share.lease->Keep(share.ready);
  share.lease->Keep(share.back);
  return share;
}

}  // namespace array_interface::cuda
