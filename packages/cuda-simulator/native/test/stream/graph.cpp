#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "test/ptx/program.hpp"

// Graphs that are built by hand, and edited.

using namespace test;

namespace {

constexpr int kernel_type = 0;
constexpr int copy_type = 1;
constexpr int fill_type = 2;

CUgraph new_graph() {
  CUgraph graph = nullptr;
  OK(cuGraphCreate(&graph, 0));
  return graph;
}

CUDA_MEMSET_NODE_PARAMS bytes_of(CUdeviceptr pointer, unsigned value, std::size_t size) {
  return {pointer, 0, value, 1, size, 1};
}

CUgraphNode add_fill(CUgraph graph, const std::vector<CUgraphNode>& needs, CUdeviceptr pointer,
                     unsigned value, std::size_t size) {
  const CUDA_MEMSET_NODE_PARAMS plan = bytes_of(pointer, value, size);
  CUgraphNode node = nullptr;
  OK(cuGraphAddMemsetNode(&node, graph, needs.data(), needs.size(), &plan, nullptr));
  return node;
}

CUgraphNode add_empty(CUgraph graph, const std::vector<CUgraphNode>& needs = {}) {
  CUgraphNode node = nullptr;
  OK(cuGraphAddEmptyNode(&node, graph, needs.data(), needs.size()));
  return node;
}

CUgraphExec instantiated(CUgraph graph) {
  CUgraphExec executable = nullptr;
  OK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  return executable;
}

Bytes run(CUgraphExec executable, CUdeviceptr pointer, std::size_t size) {
  const CUstream queue = stream();
  OK(cuGraphLaunch(executable, queue));
  return read(pointer, size, queue);
}

const std::string add_to_all = ptx_text(R"(
.visible .entry add(.param .u64 data, .param .u32 what)
{
  .reg .b32 %r<4>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [data]; ld.param.u32 %r0, [what];
  mov.u32 %r1, %tid.x; cvt.u64.u32 %d1, %r1; add.u64 %d2, %d0, %d1;
  ld.global.u8 %r2, [%d2]; add.u32 %r3, %r2, %r0; st.global.u8 [%d2], %r3;
  ret;
}
)");

}  // namespace

CASE_EVERY_SCHEDULE("graph: fills, copies, kernels and host functions run in the order of edges") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUdeviceptr copy = device_memory(8);
  const CUgraph graph = new_graph();
  // Added last to first: edges order them.
  static Bytes seen;
  seen.clear();
  const CUDA_HOST_NODE_PARAMS host{[](void*) { seen.push_back(1); }, nullptr};
  CUgraphNode last = nullptr;
  OK(cuGraphAddHostNode(&last, graph, nullptr, 0, &host));
  CUDA_MEMCPY3D plan{};
  plan.srcMemoryType = plan.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  plan.srcDevice = pointer;
  plan.dstDevice = copy;
  plan.WidthInBytes = 8;
  plan.Height = plan.Depth = 1;
  CUgraphNode third = nullptr;
  OK(cuGraphAddMemcpyNode(&third, graph, nullptr, 0, &plan, nullptr));
  CUdeviceptr argument = pointer;
  unsigned what = 5;
  void* arguments[] = {&argument, &what};
  CUDA_KERNEL_NODE_PARAMS launch{};
  launch.func = kernel_of(load_ptx(add_to_all), "add");
  launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
  launch.blockDimX = 8;
  launch.blockDimY = launch.blockDimZ = 1;
  launch.kernelParams = arguments;
  CUgraphNode second = nullptr;
  OK(cuGraphAddKernelNode_v2(&second, graph, nullptr, 0, &launch));
  argument = 0;  // the node has its own copy
  const CUgraphNode first = add_fill(graph, {}, pointer, 7, 8);
  const CUgraphNode from[] = {first, second, third};
  const CUgraphNode to[] = {second, third, last};
  OK(cuGraphAddDependencies(graph, from, to, 3));
  const CUgraphExec executable = instantiated(graph);
  CHECK(run(executable, copy, 8) == Bytes(8, 12));
  OK(cuCtxSynchronize());
  EQUAL(seen.size(), std::size_t{1});
  // Other parameters, in the executable alone.
  what = 100;
  argument = pointer;
  OK(cuGraphExecKernelNodeSetParams_v2(executable, second, &launch));
  CHECK(run(executable, copy, 8) == Bytes(8, 107));
  CUDA_KERNEL_NODE_PARAMS kept{};
  OK(cuGraphKernelNodeGetParams_v2(second, &kept));
  EQUAL(*static_cast<unsigned*>(kept.kernelParams[1]), 5u);
  OK(cuGraphNodeSetEnabled(executable, second, 0));
  CHECK(run(executable, copy, 8) == Bytes(8, 7));
  unsigned is_enabled = 1;
  OK(cuGraphNodeGetEnabled(executable, second, &is_enabled));
  EQUAL(is_enabled, 0u);
  CHECK(run(instantiated(graph), copy, 8) == Bytes(8, 12));
}

CASE("graph: what it has is told, and follows changes") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUgraph graph = new_graph();
  const CUgraphNode a = add_fill(graph, {}, pointer, 1, 8);
  const CUgraphNode b = add_empty(graph, {a});
  const CUgraphNode c = add_empty(graph, {a, b});
  std::size_t count = 0;
  OK(cuGraphGetEdges(graph, nullptr, nullptr, &count));
  EQUAL(count, std::size_t{3});
  CUgraphNode nodes[4] = {};
  count = 4;
  OK(cuGraphNodeGetDependencies(c, nodes, &count));
  EQUAL(count, std::size_t{2});
  CHECK(nodes[0] == a && nodes[1] == b && nodes[2] == nullptr);
  count = 1;
  OK(cuGraphNodeGetDependentNodes(a, nodes, &count));
  EQUAL(count, std::size_t{1});
  count = 4;
  OK(cuGraphGetRootNodes(graph, nodes, &count));
  EQUAL(count, std::size_t{1});
  CHECK(nodes[0] == a);
  OK(cuGraphRemoveDependencies(graph, &a, &c, 1));
  FAILS(cuGraphRemoveDependencies(graph, &a, &c, 1), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuGraphAddDependencies(graph, &a, &b, 1), CUDA_ERROR_INVALID_VALUE);
  OK(cuGraphDestroyNode(b));
  FAILS(cuGraphDestroyNode(b), CUDA_ERROR_INVALID_VALUE);
  count = 9;
  OK(cuGraphNodeGetDependencies(c, nullptr, &count));
  EQUAL(count, std::size_t{0});
  int type = -1;
  OK(cuGraphNodeGetType(a, &type));
  EQUAL(type, fill_type);
  CUgraph clone = nullptr;
  OK(cuGraphClone(&clone, graph));
  CUgraphNode there = nullptr;
  OK(cuGraphNodeFindInClone(&there, a, clone));
  CHECK(there != a);
  CUgraph owner = nullptr;
  OK(cuGraphNodeGetContainingGraph(there, &owner));
  CHECK(owner == clone);
  OK(cuGraphDestroy(graph));
  FAILS(cuGraphNodeGetType(a, &type), CUDA_ERROR_INVALID_VALUE);
  OK(cuGraphNodeGetType(there, &type));
}

CASE("graph: nodes of another graph, and cycles, are refused") {
  use_device();
  const CUgraph graph = new_graph();
  const CUgraphNode a = add_empty(graph);
  const CUgraphNode b = add_empty(graph, {a});
  const CUgraph other = new_graph();
  CUgraphNode node = nullptr;
  FAILS(cuGraphAddEmptyNode(&node, other, &a, 1), CUDA_ERROR_INVALID_VALUE);
  OK(cuGraphAddDependencies(graph, &b, &a, 1));
  CUgraphExec executable = nullptr;
  FAILS(cuGraphInstantiateWithFlags(&executable, graph, 0), CUDA_ERROR_INVALID_VALUE);
  const CUgraphEdgeData ports{1, 0, 0, {}};
  FAILS(cuGraphAddDependencies_v2(other, nullptr, nullptr, &ports, 1), CUDA_ERROR_INVALID_VALUE);
}

CASE("graph: captured work has its kind, and no parameters to tell") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUstream queue = stream();
  OK(cuStreamBeginCapture_v2(queue, 2));
  OK(cuMemsetD8Async(pointer, 1, 8, queue));
  OK(cuMemcpyDtoDAsync_v2(pointer, pointer + 4, 4, queue));
  CUgraph graph = nullptr;
  OK(cuStreamEndCapture(queue, &graph));
  CUgraphNode nodes[2] = {};
  std::size_t count = 2;
  OK(cuGraphGetNodes(graph, nodes, &count));
  int type = -1;
  OK(cuGraphNodeGetType(nodes[0], &type));
  EQUAL(type, fill_type);
  OK(cuGraphNodeGetType(nodes[1], &type));
  EQUAL(type, copy_type);
  CUDA_MEMSET_NODE_PARAMS plan{};
  FAILS(cuGraphMemsetNodeGetParams(nodes[0], &plan), CUDA_ERROR_NOT_SUPPORTED);
  FAILS(cuGraphMemsetNodeGetParams(nodes[1], &plan), CUDA_ERROR_INVALID_VALUE);
}

CASE("graph: a capture can go on in one, after nodes of it, and change what comes before") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUgraph graph = new_graph();
  const CUgraphNode first = add_fill(graph, {}, pointer, 1, 8);
  const CUgraphNode beside = add_fill(graph, {}, pointer, 2, 4);
  const CUstream queue = stream();
  OK(cuStreamBeginCaptureToGraph(queue, graph, &first, nullptr, 1, 2));
  OK(cuStreamUpdateCaptureDependencies(queue, &beside, 1, 0));
  OK(cuMemsetD8Async(pointer, 3, 2, queue));
  CUgraph ended = nullptr;
  OK(cuStreamEndCapture(queue, &ended));
  CHECK(ended == graph);
  std::size_t count = 0;
  OK(cuGraphGetEdges(graph, nullptr, nullptr, &count));
  EQUAL(count, std::size_t{2});
  const Bytes got = run(instantiated(graph), pointer, 8);
  CHECK(got == (Bytes{3, 3, 2, 2, 1, 1, 1, 1}));
  FAILS(cuStreamUpdateCaptureDependencies(queue, nullptr, 0, 0), CUDA_ERROR_ILLEGAL_STATE);
}

CASE_EVERY_SCHEDULE("graph: events are recorded and waited for, and a graph in a graph is run") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUevent mark = event();
  const CUgraph inner = new_graph();
  const CUgraphNode fill = add_fill(inner, {}, pointer, 4, 8);
  const CUgraph graph = new_graph();
  CUgraphNode child = nullptr;
  OK(cuGraphAddChildGraphNode(&child, graph, nullptr, 0, inner));
  CUgraphNode record = nullptr;
  OK(cuGraphAddEventRecordNode(&record, graph, &child, 1, mark));
  CUevent recorded = nullptr;
  OK(cuGraphEventRecordNodeGetEvent(record, &recorded));
  CHECK(recorded == mark);
  const CUgraphExec executable = instantiated(graph);
  OK(cuGraphDestroyNode(fill));  // the child is a copy
  const CUstream producer = stream();
  const CUstream consumer = stream();
  OK(cuGraphLaunch(executable, producer));
  OK(cuStreamWaitEvent(consumer, mark, 0));
  CHECK(read(pointer, 8, consumer) == Bytes(8, 4));
  CUgraph held = nullptr;
  OK(cuGraphChildGraphNodeGetGraph(child, &held));
  std::size_t count = 0;
  OK(cuGraphGetNodes(held, nullptr, &count));
  EQUAL(count, std::size_t{1});
}

CASE("graph: a device tells how much memory the nodes of its graphs have") {
  use_device();
  enum Attribute { used, used_high, reserved, reserved_high };
  const auto bytes = [](int attribute, CUdevice device = 0) {
    std::uint64_t value = 77;
    OK(cuDeviceGetGraphMemAttribute(device, attribute, &value));
    return value;
  };
  const CUgraph graph = new_graph();
  CUDA_MEM_ALLOC_NODE_PARAMS plan{};
  plan.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  plan.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUgraphNode node = nullptr;
  for (const std::size_t size : {4096, 512}) {
    plan.bytesize = size;
    OK(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &plan));
  }
  for (const int attribute : {used, used_high, reserved, reserved_high}) {
    EQUAL(bytes(attribute), std::uint64_t{4608});
    EQUAL(bytes(attribute, 1), std::uint64_t{0});
  }
  OK(cuGraphDestroy(graph));
  OK(cuDeviceGraphMemTrim(0));
  EQUAL(bytes(used), std::uint64_t{0});
  EQUAL(bytes(used_high), std::uint64_t{4608});
  std::uint64_t value = 0;
  OK(cuDeviceSetGraphMemAttribute(0, used_high, &value));
  EQUAL(bytes(used_high), std::uint64_t{0});
  EQUAL(bytes(reserved_high), std::uint64_t{4608});
  OK(cuDeviceSetGraphMemAttribute(0, reserved_high, &value));
  EQUAL(bytes(reserved_high), std::uint64_t{0});
  FAILS(cuDeviceSetGraphMemAttribute(0, used, &value), CUDA_ERROR_INVALID_VALUE);
  value = 1;
  FAILS(cuDeviceSetGraphMemAttribute(0, used_high, &value), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuDeviceGetGraphMemAttribute(0, 4, &value), CUDA_ERROR_INVALID_VALUE);
  FAILS(cuDeviceGetGraphMemAttribute(7, used, &value), CUDA_ERROR_INVALID_DEVICE);
  FAILS(cuDeviceGraphMemTrim(7), CUDA_ERROR_INVALID_DEVICE);
}

CASE("graph: memory of a node has one address, and may be used between its nodes alone") {
  use_device();
  const CUgraph graph = new_graph();
  CUDA_MEM_ALLOC_NODE_PARAMS plan{};
  plan.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  plan.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  plan.bytesize = 16;
  CUgraphNode begin = nullptr;
  OK(cuGraphAddMemAllocNode(&begin, graph, nullptr, 0, &plan));
  CHECK(plan.dptr != 0);
  const CUgraphNode use = add_fill(graph, {begin}, plan.dptr, 6, 16);
  CUgraphNode end = nullptr;
  OK(cuGraphAddMemFreeNode(&end, graph, &use, 1, plan.dptr));
  CUdeviceptr freed = 0;
  OK(cuGraphMemFreeNodeGetParams(end, &freed));
  EQUAL(freed, plan.dptr);
  const CUgraphExec executable = instantiated(graph);
  const CUstream queue = stream();
  OK(cuGraphLaunch(executable, queue));
  OK(cuGraphLaunch(executable, queue));
  OK(cuStreamSynchronize(queue));
  OK(cuMemsetD8Async(plan.dptr, 1, 16, queue));
  FAILS(cuStreamSynchronize(queue), CUDA_ERROR_ILLEGAL_ADDRESS);
}

CASE("graph: an executable takes over another graph of the same shape") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUgraph graph = new_graph();
  add_fill(graph, {add_fill(graph, {}, pointer, 1, 8)}, pointer, 2, 4);
  const CUgraphExec executable = instantiated(graph);
  const CUgraph other = new_graph();
  add_empty(other);
  CUgraphExecUpdateResultInfo info{};
  FAILS(cuGraphExecUpdate_v2(executable, other, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EQUAL(info.result, 2);
  const CUgraph same = new_graph();
  add_fill(same, {add_fill(same, {}, pointer, 8, 8)}, pointer, 9, 4);
  OK(cuGraphExecUpdate_v2(executable, same, &info));
  EQUAL(info.result, 0);
  CHECK(run(executable, pointer, 8) == (Bytes{9, 9, 9, 9, 8, 8, 8, 8}));
}

CASE("graph: nodes of all kinds by one call") {
  use_device();
  const CUdeviceptr pointer = device_memory(8);
  const CUgraph graph = new_graph();
  CUgraphNodeParams parameters{};
  parameters.type = fill_type;
  parameters.memset = bytes_of(pointer, 3, 8);
  CUgraphNode node = nullptr;
  OK(cuGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.memset.value = 5;
  OK(cuGraphNodeSetParams(node, &parameters));
  CUgraphNodeParams told{};
  OK(cuGraphNodeGetParams(node, &told));
  EQUAL(told.type, fill_type);
  EQUAL(told.memset.value, 5u);
  const CUgraphExec executable = instantiated(graph);
  CHECK(run(executable, pointer, 8) == Bytes(8, 5));
  parameters.memset.value = 6;
  OK(cuGraphExecNodeSetParams(executable, node, &parameters));
  CHECK(run(executable, pointer, 8) == Bytes(8, 6));
  parameters.type = kernel_type;
  FAILS(cuGraphNodeSetParams(node, &parameters), CUDA_ERROR_INVALID_VALUE);
  parameters.type = 13;  // conditional
  FAILS(cuGraphAddNode(&node, graph, nullptr, 0, &parameters), CUDA_ERROR_NOT_SUPPORTED);
}

CASE("graph: objects of the program live as long as a graph needs them") {
  use_device();
  static int ended = 0;
  const CUgraph graph = new_graph();
  CUuserObject object = nullptr;
  const CUhostFn end = [](void* count) { ++*static_cast<int*>(count); };
  OK(cuUserObjectCreate(&object, &ended, end, 1, 1));
  OK(cuGraphRetainUserObject(graph, object, 1, 0));
  OK(cuUserObjectRelease(object, 1));
  EQUAL(ended, 0);
  FAILS(cuUserObjectRetain(object, 1), CUDA_ERROR_INVALID_VALUE);
  const CUgraphExec executable = instantiated(graph);
  OK(cuGraphDestroy(graph));
  EQUAL(ended, 0);
  OK(cuGraphExecDestroy(executable));
  EQUAL(ended, 1);
}

CASE("graph: can be drawn") {
  use_device();
  const CUgraph graph = new_graph();
  add_fill(graph, {add_empty(graph)}, device_memory(8), 1, 8);
  const std::string name = "cuda-simulator-" + std::to_string(getpid()) + ".dot";
  const std::string path = std::filesystem::temp_directory_path() / name;
  OK(cuGraphDebugDotPrint(graph, path.c_str(), 0));
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  unlink(path.c_str());
  EQUAL(text, "digraph {\n  n0 [label=\"0 empty\"];\n  n1 [label=\"1 memset\"];\n  n0 -> n1;\n}\n");
  FAILS(cuGraphDebugDotPrint(graph, "/nowhere/at/all.dot", 0), CUDA_ERROR_OPERATING_SYSTEM);
}
