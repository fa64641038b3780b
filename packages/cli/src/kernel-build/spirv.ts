import { Failure } from '../output/failure.js';

const HEADER_WORDS = 5;
const OP_DECORATE = 71;
const LINKAGE_ATTRIBUTES = 41;
const IMPORT = 1;

/**
 * Functions that a SPIR-V module calls but does not define, by their mangled names. Throws
 * Failure if it is no SPIR-V module.
 */
export function missingInSpirv(bytes: Buffer): string[] {
  const missing: string[] = [];
  if (bytes.length % 4 !== 0) throw spoilt(`${bytes.length} bytes`);
  for (let at = HEADER_WORDS * 4; at < bytes.length; ) {
    const size = bytes.readUInt16LE(at + 2) * 4;
    if (size === 0 || at + size > bytes.length) throw spoilt(`an instruction of ${size} bytes`);
    const imported =
      bytes.readUInt16LE(at) === OP_DECORATE && importedName(bytes.subarray(at, at + size));
    if (imported) missing.push(imported);
    at += size;
  }
  return missing;
}

function spoilt(got: string): Failure {
  return new Failure(`expected whole SPIR-V instructions of llvm-spirv, got ${got}`);
}

/** OpDecorate TARGET LinkageAttributes NAME Import */
function importedName(instruction: Buffer): string | null {
  if (instruction.length < 5 * 4) return null;
  if (instruction.readUInt32LE(8) !== LINKAGE_ATTRIBUTES) return null;
  if (instruction.readUInt32LE(instruction.length - 4) !== IMPORT) return null;
  const name = instruction.toString('utf8', 12, instruction.indexOf(0, 12));
  // variables that the device itself provides
  return name.startsWith('__spirv_BuiltIn') ? null : name;
}
