// Works with SYCL on both sides, for each of which there is a copy of dpctl's library. ARGUMENT: the
// side that comes first. PROJECT: a folder to work in. Prints how many copies are loaded, and what each side reads of the other's.
import { sycl } from '@array-interface/sycl';
import { python } from '../running.mjs';

if (process.env.PROJECT) process.chdir(process.env.PROJECT);
const importDpctl = () => python.exec('import dpctl, dpctl.memory; dpctl.get_devices()');
if (process.env.ARGUMENT === 'Python') importDpctl();
sycl.devices();
importDpctl();
python.exec(`
with open('/proc/self/maps') as maps:
    paths = {line.split()[-1] for line in maps if 'libDPCTLSyclInterface' in line}
theirs = dpctl.memory.MemoryUSMShared(3)
theirs.copy_from_host(bytearray(b'abc'))
`);
const borrowed = sycl.asArray(python.eval('theirs'));
const ours = await sycl.array([1, 2, 3], { dtype: 'uint8' });
python.import('__main__').set('ours', python.toPython(ours));
const taken = python.eval('bytes(dpctl.memory.as_usm_memory(ours).copy_to_host())');
console.log(python.eval('len(paths)'), String(await sycl.toTypedArray(borrowed)), String(taken));
