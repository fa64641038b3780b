/* Of the CUDA toolkit's header what programs on the pages use, to compile them where there is none.
 */
#ifndef ARRAY_INTERFACE_DOCS_CUDA_H
#define ARRAY_INTERFACE_DOCS_CUDA_H

typedef unsigned long long CUdeviceptr;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUfunc_st *CUfunction;
typedef int CUresult;
enum { CU_EVENT_DISABLE_TIMING = 2 };

CUresult cuEventCreate(CUevent *event, unsigned flags);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventDestroy(CUevent event);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuLaunchKernel(CUfunction kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void **arguments, void **extra);

#endif
