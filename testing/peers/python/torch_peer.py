"""PyTorch on the simulator's runtime library: memory of all kinds, streams and events, interfaces, PTX, and CuPy beside."""

import array_interface
import torch
from support.lines import serve
from torch.cuda import _utils

# No kernel of PyTorch's own runs: they are machine code. This one is loaded as PyTorch loads what it compiles at run time.
PTX = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry fill(.param .u64 x, .param .u32 v, .param .u32 first)
{
  .reg .b32 %r<4>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [x]; ld.param.u32 %r0, [v]; ld.param.u32 %r2, [first];
  mov.u32 %r1, %tid.x; add.u32 %r3, %r1, %r2; mul.wide.u32 %d1, %r3, 4; add.u64 %d2, %d0, %d1;
  st.global.u32 [%d2], %r0;
  ret;
}
"""


def versions():
    """The version of PyTorch, of its CUDA, and the devices that it finds."""
    return {"torch": torch.__version__, "cuda": torch.version.cuda, "devices": torch.cuda.device_count()}


def transferred():
    """By name: whether a tensor came back unchanged."""
    whole = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)
    pinned = whole.pin_memory()
    stream = torch.cuda.Stream()
    before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    with torch.cuda.stream(stream):
        before.record()
        queued = pinned.to("cuda", non_blocking=True)
        after.record()
    torch.cuda.current_stream().wait_event(after)
    there = whole.to("cuda:1")
    there_and_back = there.to("cuda:0")
    external = torch.cuda.ExternalStream(stream.cuda_stream)
    external.synchronize()
    return {
        "plain": torch.equal(whole.cuda().cpu(), whole),
        "pinned, on a stream": pinned.is_pinned() and torch.equal(queued.cpu(), whole),
        "timed": before.elapsed_time(after) >= 0,
        "second device": there.device.index == 1 and torch.equal(there_and_back.cpu(), whole),
        "cloned": torch.equal(whole.cuda().clone().cpu(), whole),
        "external stream": external.query(),
    }


def interfaces():
    """Whether PyTorch reads back its own memory, by the interface's dict and by DLPack, at the same address."""
    tensor = torch.arange(6, dtype=torch.int32).cuda()

    class Foreign:
        __cuda_array_interface__ = {**tensor.__cuda_array_interface__, "version": 3, "stream": 1}

    read = torch.as_tensor(Foreign(), device="cuda")
    taken = torch.from_dlpack(tensor)
    return {
        "version": tensor.__cuda_array_interface__["version"],
        "dict": read.data_ptr() == tensor.data_ptr() and read.tolist(),
        "dlpack": taken.data_ptr() == tensor.data_ptr() and taken.tolist(),
    }


def copied_by_ticket(ticket, value):
    """What PyTorch reads of a ticket's array, in its own memory; then writes a value into it, for Node to see."""
    with array_interface.open_cuda_ticket(ticket) as opened:
        with torch.cuda.stream(torch.cuda.ExternalStream(opened.stream)):
            tensor = torch.as_tensor(opened, device="cuda")
            read = tensor.tolist()
            tensor.copy_(torch.full((len(read),), value, dtype=tensor.dtype).pin_memory(), non_blocking=True)
        address, _ = opened.__cuda_array_interface__["data"]
        return {"same": tensor.data_ptr() == address, "values": read}


_shared = {}


def make_ticket(count):
    """A ticket of a tensor of PyTorch's, filled by a copy that has not been waited for."""
    stream = torch.cuda.Stream()
    source = torch.full((count,), 7, dtype=torch.int32).pin_memory()
    tensor = torch.zeros(count, dtype=torch.int32).cuda()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        tensor.copy_(source, non_blocking=True)
    ticket = array_interface.share(tensor)
    ticket.record(stream.cuda_stream)  # the dict names none
    _shared.update(tensor=tensor, ticket=ticket, stream=stream, source=source)
    return ticket


def values():
    """The values of the shared tensor, after the work of those who opened it."""
    _shared["ticket"].wait(_shared["stream"].cuda_stream)
    with torch.cuda.stream(_shared["stream"]):
        return _shared["tensor"].tolist()


def refused():
    """The error of a kernel of PyTorch's own."""
    try:
        torch.ones(3).cuda() + 1
    except RuntimeError as error:
        return str(error)
    return ""


def waited(waits):
    """What the current stream reads of another's pending copy, with or without wait_stream."""
    source = torch.full((4,), 7, dtype=torch.int32).pin_memory()
    tensor = torch.zeros(4, dtype=torch.int32).cuda()
    torch.cuda.synchronize()
    producer = torch.cuda.Stream()
    with torch.cuda.stream(producer):
        tensor.copy_(source, non_blocking=True)
    if waits:
        torch.cuda.current_stream().wait_stream(producer)
    read = tensor.tolist()
    torch.cuda.synchronize()  # or a pending copy would write to whatever gets this memory next
    return read


def filled(first):
    """What a kernel in PTX wrote to four items of a tensor of 8, from the first on; or its error."""
    module = _utils._cuda_load_module(PTX, ["fill"])
    tensor = torch.zeros(8, dtype=torch.int32).cuda()
    module["fill"](grid=(1, 1, 1), block=(4, 1, 1), args=[tensor, 7, first])
    try:
        torch.cuda.synchronize()
        return tensor.tolist()
    except RuntimeError as error:
        return str(error)


# With CuPy in the same process: runtime libraries of CUDA 12 and 13 on one driver.


def _fill_of_cupy(target, value):
    """Launches a kernel of CuPy's on its current stream."""
    import cupy

    code = 'extern "C" __global__ void fill(int* x, int v) { x[threadIdx.x] = v; }'
    cupy.RawKernel(code, "fill")((1,), (target.size,), (target, value))


def runtimes():
    """The major versions of both runtime libraries."""
    import cupy

    return [cupy.cuda.runtime.runtimeGetVersion() // 1000, int(torch.version.cuda.split(".")[0])]


def exchanged_with_cupy():
    """By way: whether each reads the other's memory at the same address, with its values."""
    import cupy

    tensor = torch.arange(4, dtype=torch.int32).cuda()
    array = cupy.asarray(tensor.cpu().numpy())
    seen = {"dict": cupy.asarray(tensor), "DLPack": cupy.from_dlpack(tensor)}
    read = {"dict": torch.as_tensor(array, device="cuda"), "DLPack": torch.from_dlpack(array)}
    return {
        "to CuPy": {way: one.data.ptr == tensor.data_ptr() and one.get().tolist() for way, one in seen.items()},
        "to PyTorch": {way: one.data_ptr() == array.data.ptr and one.tolist() for way, one in read.items()},
    }


def waited_for_cupy(waits):
    """What PyTorch's stream copies of a tensor that CuPy's pending kernel fills, with or without a wait."""
    import cupy

    tensor = torch.zeros(4, dtype=torch.int32).cuda()
    torch.cuda.synchronize()
    producer = cupy.cuda.Stream(non_blocking=True)
    with producer:
        _fill_of_cupy(cupy.asarray(tensor), cupy.int32(7))
    if waits:
        torch.cuda.current_stream().wait_stream(torch.cuda.ExternalStream(producer.ptr))
    read = tensor.tolist()
    torch.cuda.synchronize()  # or a pending kernel would write to whatever gets this memory next
    return read


def past_the_end_by_cupy():
    """PyTorch's error after a kernel of CuPy's wrote past the end of a tensor."""
    import cupy

    tensor = torch.zeros(4 * 2**20, dtype=torch.int32).cuda()
    beyond = cupy.ndarray(tensor.numel() + 1, "i4", cupy.asarray(tensor).data)
    _fill_of_cupy(beyond[tensor.numel() :], cupy.int32(7))
    try:
        torch.cuda.synchronize()
    except RuntimeError as error:
        return str(error)
    return ""


serve(
    versions,
    transferred,
    interfaces,
    copied_by_ticket,
    make_ticket,
    values,
    refused,
    waited,
    filled,
    runtimes,
    exchanged_with_cupy,
    waited_for_cupy,
    past_the_end_by_cupy,
)
