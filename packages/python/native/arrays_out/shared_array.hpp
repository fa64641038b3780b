#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "array_interface.h"
#include "interpreter/abi.hpp"

namespace array_interface {

/// The kind of memory that contains an array's elements.
enum class ArrayPlace { kHost, kCuda, kSycl };

/// An array that Python has, imported from a capsule. Python's object, its buffers and its DLPack
/// tensors share it. It may end on any thread, attached or not: it calls no Python.
class SharedArray {
 public:
  /// What JavaScript passes beside the capsule.
  struct Words {
    bool read_only = false;
    /// That of the elements, if the capsule has their bytes, along a last axis: for a layout that
    /// DLPack has no strides for. Empty for any other.
    std::string typestr;
    /// the fields of a record, as a Python expression; empty for a plain dtype
    std::string descr;
    std::string format;  ///< PEP 3118's format of a record; empty if it has none
  };

  /// Takes over the array, whose major version must be this one's. Throws std::invalid_argument,
  /// and std::overflow_error for a layout that fits in no memory; the caller then keeps the array.
  SharedArray(ai_array* array, Words words);
  /// Notifies the producer of work that Python may have enqueued, then releases the memory.
  ~SharedArray();

  const ai_array& array() const { return *array_; }
  const DLTensor& tensor() const { return array_->tensor->dl_tensor; }
  ArrayPlace place() const { return place_; }
  bool read_only() const { return read_only_; }
  bool is_padded() const;
  /// True if DLPack has a code for the elements.
  bool has_code() const { return array_->typestr == nullptr; }
  /// True if DLPack has no strides for the elements, which are not so many elements apart.
  bool has_bytes() const { return has_bytes_; }

  std::uint64_t pointer() const;
  std::size_t itemsize() const { return itemsize_; }
  std::size_t size() const { return size_; }
  /// True if the elements are contiguous in C order, or in Fortran order.
  bool is_c() const { return is_c_; }
  bool is_fortran() const { return is_fortran_; }
  const std::vector<std::int64_t>& shape() const { return shape_; }
  const std::vector<std::int64_t>& element_strides() const { return element_strides_; }
  const std::vector<std::int64_t>& byte_strides() const { return byte_strides_; }

  const std::string& typestr() const { return typestr_; }
  const std::string& descr() const { return descr_; }
  /// Empty if PEP 3118 has none.
  const std::string& format() const { return format_; }

  /// Records that a consumer got the array for a CUDA stream whose handle may not be used later.
  void NoteStranger() const;
  /// Keeps a dpctl reference of a queue that a consumer got the array for. False if it has one of
  /// the same queue.
  bool NoteQueue(void* queue, bool (*is_same)(void*, void*)) const;

 private:
  void ReadLayout();
  void ReadSize();
  void ReadStrides();
  void FoldBytes();
  void CheckPlace() const;
  bool IsDense(bool fortran) const;

  ai_array* array_;
  ArrayPlace place_;
  bool read_only_;
  bool has_bytes_;
  std::string typestr_, descr_, format_;
  std::size_t itemsize_ = 0, size_ = 1;
  bool is_c_ = true, is_fortran_ = true;
  std::vector<std::int64_t> shape_, element_strides_, byte_strides_;

  mutable std::mutex mutex_;
  mutable bool has_strangers_ = false;
  mutable std::vector<void*> queues_;
};

}  // namespace array_interface
