import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';

// node cupy-torch.mjs VENV: our work, CuPy's and PyTorch's in one process, on three streams, each after the one before.
const [venv] = process.argv.slice(2);
const python = startPython({ venv });
const [cupy, torch] = ['cupy', 'torch'].map((name) => python.proxy(python.import(name)));
console.log(cupy.cuda.runtime.runtimeGetVersion(), torch.version.cuda); // 12080 13.0
cupy.cuda.Stream(python.kwargs({ non_blocking: true })).use();
torch.cuda.set_stream(torch.cuda.Stream());

const ours = await cuda.array([1, 2, 3], { dtype: 'float32' });
cuda.fill(ours.slice([[0, 1]]), 10); // pending
const doubled = cupy.multiply(cupy.from_dlpack(ours), 2); // CuPy's stream waits for ours
const cloned = torch.from_dlpack(doubled).clone(); // PyTorch's waits for CuPy's
const theirs = cuda.asArray(cloned); // ours waits for PyTorch's
console.log(await cuda.toTypedArray(theirs)); // Float32Array(3) [ 20, 4, 6 ]

cuda.fill(ours.slice([[1, 2]]), 7); // pending
const copied = torch.from_dlpack(ours).clone(); // the other way round
const negated = cuda.asArray(cupy.negative(cupy.from_dlpack(copied)));
console.log(await cuda.toTypedArray(negated)); // Float32Array(3) [ -10, -7, -3 ]

const program = `
import array_interface, cupy, json, sys, torch
with array_interface.open_cuda_ticket(json.load(sys.stdin)) as opened:
    side = torch.cuda.ExternalStream(opened.stream)
    with cupy.cuda.ExternalStream(opened.stream), torch.cuda.stream(side): # in the order of all our work
        cupy.asarray(opened)[1:] *= 10
        torch.as_tensor(opened, device='cuda')[:1] = torch.tensor([7.0])
`;
const ticket = cuda.share(ours);
cuda.fill(ours, 5);
const command = path.join(venv, 'bin', 'python');
execFileSync(command, ['-c', program], { input: JSON.stringify(ticket) });
console.log(await cuda.toTypedArray(ours)); // Float32Array(3) [ 7, 50, 50 ]
