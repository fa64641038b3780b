#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "program.hpp"

namespace array_interface {

/// What is thrown for bytes that are no program.
struct BadProgram {
  ProgramFault message;
};

inline void Demand(bool holds, const char* expected, std::uint64_t got) {
  if (holds) return;
  throw BadProgram{"expected " + std::string(expected) + ", got " + std::to_string(got)};
}

/// Reads the words of a program.
class Words {
 public:
  Words(const std::byte* bytes, std::size_t size) : bytes_(bytes), left_(size) {}

  std::uint32_t Next() {
    std::uint32_t word = 0;
    std::memcpy(&word, Take(sizeof word), sizeof word);
    return word;
  }

  std::uint32_t Below(std::uint64_t limit, const char* expected) {
    const std::uint32_t word = Next();
    Demand(word < limit, expected, word);
    return word;
  }

  const std::byte* Take(std::size_t size) {
    if (left_ < size) throw BadProgram{"expected more bytes, got their end"};
    const std::byte* const taken = bytes_;
    bytes_ += size;
    left_ -= size;
    return taken;
  }

  std::size_t left() const { return left_; }

 private:
  const std::byte* bytes_;
  std::size_t left_;
};

/// The place of an index or a length among parameters, which has 32 or 64 bits.
std::uint32_t ReadIndexPlace(Words& words, const std::vector<ProgramParameter>& parameters);

}  // namespace array_interface
