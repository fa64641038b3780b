/* Runs the function of docs/your-addon.md beside a driver that writes down what it is asked. */
#include EXAMPLE

#include <assert.h>
#include <stdio.h>
#include <string.h>

static char calls[1024];
static int events;

static void note(const char *call, const void *one, const void *other) {
  const size_t used = strlen(calls);
  snprintf(calls + used, sizeof calls - used, "%s%s(%d,%d)", used ? " " : "", call,
           (int)(intptr_t)one, (int)(intptr_t)other);
}

/* An event is on the heap, where a use after its end is seen. */
struct CUevent_st {
  int is_recorded;
};

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  assert(flags == CU_EVENT_DISABLE_TIMING);
  *event = calloc(1, sizeof **event);
  events++;
  return 0;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  event->is_recorded = 1;
  note("record", stream, NULL);
  return 0;
}
CUresult cuEventDestroy(CUevent event) {
  free(event);
  events--;
  return 0;
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  assert(event->is_recorded && flags == 0);
  note("wait", stream, NULL);
  return 0;
}
CUresult cuStreamSynchronize(CUstream stream) {
  note("synchronize", stream, NULL);
  return 0;
}
CUresult cuLaunchKernel(CUfunction kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void **arguments, void **extra) {
  assert(grid_x * grid_y * grid_z == 1 && block_x * block_y * block_z > 0);
  assert(kernel != NULL && shared == 0 && extra == NULL);
  note("launch", stream, (void *)*(CUdeviceptr *)arguments[0]);
  return 0;
}

static void release(ai_array *array) {
  note("release", NULL, NULL);
  free(array);
}
static void consumed(ai_array *array, ai_order_kind kind, void *order) {
  assert(kind == AI_CUDA_EVENT && ((CUevent)order)->is_recorded);
  note("consumed", array->order, NULL);
}

static void check(ai_order_kind kind, void *order, int tells, const char *expected) {
  DLManagedTensorVersioned tensor = {.dl_tensor = {.data = (void *)4096, .byte_offset = 4}};
  ai_array *array = calloc(1, sizeof *array);
  *array = (ai_array){.abi = AI_ABI,
                      .size = sizeof *array,
                      .release = release,
                      .tensor = &tensor,
                      .order_kind = kind,
                      .order = order,
                      .consumed = tells ? consumed : NULL};
  calls[0] = '\0';
  launch((CUstream)2, (CUfunction)3, array);
  if (strcmp(calls, expected) != 0) fprintf(stderr, "expected %s\ngot %s\n", expected, calls);
  assert(strcmp(calls, expected) == 0 && events == 0);
}

int main(void) {
  struct CUevent_st event = {1};
  check(AI_READY, NULL, 0, "launch(2,4100) record(2,0) synchronize(2,0) release(0,0)");
  check(AI_READY, NULL, 1, "launch(2,4100) record(2,0) consumed(0,0) release(0,0)");
  check(AI_CUDA_STREAM, (void *)1, 0,
        "record(1,0) wait(2,0) launch(2,4100) record(2,0) wait(1,0) release(0,0)");
  check(AI_CUDA_STREAM, (void *)1, 1,
        "record(1,0) wait(2,0) launch(2,4100) record(2,0) consumed(1,0) release(0,0)");
  check(AI_CUDA_EVENT, &event, 0,
        "wait(2,0) launch(2,4100) record(2,0) synchronize(2,0) release(0,0)");
  puts("done");
}
