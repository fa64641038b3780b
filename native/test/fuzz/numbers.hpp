#pragma once

#include <cstddef>
#include <cstdint>

/// Numbers made of the fuzzer's bytes, one after another; 0 once those are used up.
class Numbers {
 public:
  Numbers(const std::uint8_t* bytes, std::size_t size) : next_(bytes), end_(bytes + size) {}

  bool has_more() const { return next_ != end_; }

  std::uint32_t Byte() { return next_ == end_ ? 0 : *next_++; }

  /// Returns a number from 0 to `limit` - 1; `limit` is 1 to 65536.
  std::uint32_t Below(std::uint32_t limit) {
    const std::uint32_t low = Byte();
    return (limit <= 256 ? low : low | Byte() << 8) % limit;
  }

  bool Flag() { return (Byte() & 1) != 0; }

  /// Returns any number; small ones are as likely as large ones.
  std::int64_t Word() {
    const unsigned shift = Byte() % 64;
    std::uint64_t word = 0;
    for (int place = 0; place < 8; ++place) word = word << 8 | Byte();
    return static_cast<std::int64_t>(word) >> shift;
  }

 private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};
