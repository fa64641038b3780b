"""CuPy and PyTorch in one process: runtime libraries of CUDA 12 and 13 on one driver."""

import cupy
import numpy as np
import torch
from support.lines import serve

_fill = cupy.RawKernel('extern "C" __global__ void fill(int* x, int v) { x[threadIdx.x] = v; }', "fill")


def versions():
    """The versions of both, and of their runtime libraries."""
    runtimes = [cupy.cuda.runtime.runtimeGetVersion() // 1000, int(torch.version.cuda.split(".")[0])]
    return {"CuPy": cupy.__version__, "torch": torch.__version__, "runtimes": runtimes}


def exchanged():
    """By way: whether each reads the other's memory at the same address, with its values."""
    tensor = torch.arange(4, dtype=torch.int32).cuda()
    array = cupy.asarray(np.arange(4, dtype="i4"))
    seen = {"dict": cupy.asarray(tensor), "DLPack": cupy.from_dlpack(tensor)}
    read = {"dict": torch.as_tensor(array, device="cuda"), "DLPack": torch.from_dlpack(array)}
    return {
        "to CuPy": {
            way: one.data.ptr == tensor.data_ptr() and one.get().tolist() for way, one in seen.items()
        },
        "to PyTorch": {way: one.data_ptr() == array.data.ptr and one.tolist() for way, one in read.items()},
    }


def waited(waits):
    """What PyTorch's stream copies of a tensor that CuPy's pending kernel fills, with or without a wait."""
    tensor = torch.zeros(4, dtype=torch.int32).cuda()
    torch.cuda.synchronize()
    producer = cupy.cuda.Stream(non_blocking=True)
    with producer:
        _fill((1,), (4,), (cupy.asarray(tensor), np.int32(7)))
    if waits:
        torch.cuda.current_stream().wait_stream(torch.cuda.ExternalStream(producer.ptr))
    read = tensor.tolist()
    torch.cuda.synchronize()  # or a pending kernel would write to whatever gets this memory next
    return read


def past_the_end():
    """PyTorch's error after a kernel of CuPy's wrote past the end of a tensor."""
    count = torch.cuda.get_device_properties(0).total_memory // 256 // 4
    tensor = torch.zeros(count, dtype=torch.int32).cuda()
    beyond = cupy.ndarray(count + 1, "i4", cupy.asarray(tensor).data)
    _fill((1,), (1,), (beyond[count:], np.int32(7)))
    try:
        torch.cuda.synchronize()
    except RuntimeError as error:
        return str(error)
    return ""


serve(versions, exchanged, waited, past_the_end)
