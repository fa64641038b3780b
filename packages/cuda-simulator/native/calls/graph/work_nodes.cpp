#include <array>
#include <cstring>

#include "base/driver_api.hpp"
#include "calls/memory/work.hpp"
#include "code/launch.hpp"
#include "code/library.hpp"
#include "node.hpp"
#include "state/event.hpp"

// Nodes with work, added by hand: kernels, copies, fills, host functions.

using namespace array_interface::cuda_simulator;

namespace {

using Attribute = std::array<char, 64>;

/// A kernel node's parameters, with its own copy of the arguments.
struct Kernel {
  CUDA_KERNEL_NODE_PARAMS given;
  std::vector<std::byte> arguments;
  std::vector<void*> pointers;  ///< into `arguments`
  std::map<int, Attribute> attributes;
};

using KernelPtr = std::shared_ptr<Kernel>;

/// The parameters of version 1 are the first part of those of version 2.
CUDA_KERNEL_NODE_PARAMS widened(const void* first) {
  CUDA_KERNEL_NODE_PARAMS whole{};
  require(first != nullptr);
  std::memcpy(&whole, first, offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
  return whole;
}

const CUDA_KERNEL_NODE_PARAMS& known(const CUDA_KERNEL_NODE_PARAMS* parameters) {
  require(parameters != nullptr);
  return *parameters;
}

const CUDA_MEMCPY3D& known(const CUDA_MEMCPY3D* plan) {
  require(plan != nullptr);
  return *plan;
}

const CUDA_MEMSET_NODE_PARAMS& known(const CUDA_MEMSET_NODE_PARAMS* parameters) {
  require(parameters != nullptr);
  return *parameters;
}

const CUDA_HOST_NODE_PARAMS& known(const CUDA_HOST_NODE_PARAMS* parameters) {
  require(parameters != nullptr);
  return *parameters;
}

Kernel& kernel_of(CUgraphNode handle) {
  return *parameters_of<KernelPtr>(handle, WorkKind::kernel);
}

template <class Parameters>
CUresult tell(const char* symbol, CUgraphNode handle, WorkKind kind, Parameters* target) {
  return driver_value(symbol, target, [&] { return parameters_of<Parameters>(handle, kind); });
}

}  // namespace

namespace array_interface::cuda_simulator {

GraphNode kernel_node(const CUDA_KERNEL_NODE_PARAMS& given, Context& context) {
  const CUfunction handle =
      given.func != nullptr ? given.func : reinterpret_cast<CUfunction>(given.kern);
  const auto function = function_of(handle, context);
  const LaunchShape shape{{given.gridDimX, given.gridDimY, given.gridDimZ},
                          {given.blockDimX, given.blockDimY, given.blockDimZ},
                          given.sharedMemBytes};
  auto kernel = std::make_shared<Kernel>();
  kernel->given = given;
  kernel->arguments = copy_arguments(*function, given.kernelParams, given.extra);
  for (const ptx::Parameter& parameter : function->parameters) {
    kernel->pointers.push_back(kernel->arguments.data() + parameter.offset);
  }
  kernel->given.kernelParams = kernel->pointers.data();
  kernel->given.extra = nullptr;
  GraphNode node;
  node.kind = WorkKind::kernel;
  node.work = launch_work(function, context, shape, kernel->arguments);
  node.parameters = std::move(kernel);
  return node;
}

CUDA_KERNEL_NODE_PARAMS kernel_parameters(CUgraphNode handle) { return kernel_of(handle).given; }

GraphNode copy_node(const CUDA_MEMCPY3D& plan) {
  GraphNode node;
  node.kind = WorkKind::copy;
  node.work = copy_of(plan);
  node.parameters = plan;
  return node;
}

GraphNode fill_node(const CUDA_MEMSET_NODE_PARAMS& parameters) {
  GraphNode node;
  node.kind = WorkKind::fill;
  node.work = fill_of(parameters);
  node.parameters = parameters;
  return node;
}

GraphNode host_node(const CUDA_HOST_NODE_PARAMS& parameters) {
  require(parameters.fn != nullptr);
  GraphNode node;
  node.kind = WorkKind::host_function;
  node.work = [parameters] {
    parameters.fn(parameters.userData);
    return CUDA_SUCCESS;
  };
  node.parameters = parameters;
  return node;
}

}  // namespace array_interface::cuda_simulator

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                              std::size_t count, const void* parameters) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context& context) { return kernel_node(widened(parameters), context); });
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                                 std::size_t count, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context& context) { return kernel_node(known(parameters), context); });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, void* parameters) {
  return driver_call(__func__, [&] {
    require(parameters != nullptr);
    const CUDA_KERNEL_NODE_PARAMS whole = kernel_parameters(node);
    std::memcpy(parameters, &whole, offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
  });
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* parameters) {
  return driver_value(__func__, parameters, [&] { return kernel_parameters(node); });
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const void* parameters) {
  return set_node(__func__, node, WorkKind::kernel,
                  [&](Context& context) { return kernel_node(widened(parameters), context); });
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                       const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return set_node(__func__, node, WorkKind::kernel,
                  [&](Context& context) { return kernel_node(known(parameters), context); });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const void* parameters) {
  return set_in(__func__, executable, node, WorkKind::kernel,
                [&](Context& context) { return kernel_node(widened(parameters), context); });
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return set_in(__func__, executable, node, WorkKind::kernel,
                [&](Context& context) { return kernel_node(known(parameters), context); });
}

// Attributes are kept and change nothing.

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, int attribute, const void* value) {
  return driver_call(__func__, [&] {
    require(value != nullptr);
    std::memcpy(kernel_of(node).attributes[attribute].data(), value, sizeof(Attribute));
  });
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, int attribute, void* value) {
  return driver_call(__func__, [&] {
    require(value != nullptr);
    const Attribute& kept = kernel_of(node).attributes[attribute];
    std::memcpy(value, kept.data(), sizeof(Attribute));
  });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode destination, CUgraphNode source) {
  return driver_call(__func__,
                     [&] { kernel_of(destination).attributes = kernel_of(source).attributes; });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                              std::size_t count, const CUDA_MEMCPY3D* plan, CUcontext) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context&) { return copy_node(known(plan)); });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* plan) {
  return tell(__func__, node, WorkKind::copy, plan);
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* plan) {
  return set_node(__func__, node, WorkKind::copy, [&](Context&) { return copy_node(known(plan)); });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D* plan, CUcontext) {
  return set_in(__func__, executable, node, WorkKind::copy,
                [&](Context&) { return copy_node(known(plan)); });
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                              std::size_t count, const CUDA_MEMSET_NODE_PARAMS* parameters,
                              CUcontext) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context&) { return fill_node(known(parameters)); });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* parameters) {
  return tell(__func__, node, WorkKind::fill, parameters);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return set_node(__func__, node, WorkKind::fill,
                  [&](Context&) { return fill_node(known(parameters)); });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return set_in(__func__, executable, node, WorkKind::fill,
                [&](Context&) { return fill_node(known(parameters)); });
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* needs,
                            std::size_t count, const CUDA_HOST_NODE_PARAMS* parameters) {
  return add_node(__func__, node, graph, needs, count,
                  [&](Context&) { return host_node(known(parameters)); });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* parameters) {
  return tell(__func__, node, WorkKind::host_function, parameters);
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return set_node(__func__, node, WorkKind::host_function,
                  [&](Context&) { return host_node(known(parameters)); });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* parameters) {
  return set_in(__func__, executable, node, WorkKind::host_function,
                [&](Context&) { return host_node(known(parameters)); });
}
