#!/usr/bin/env node
// Runs ptxas on the checked-in PTX for every supported GPU architecture that it can target: CUDA 12
// targets sm_50 and later, CUDA 13 sm_75 and later. Needs no GPU. Prints a message if there is no
// ptxas; it comes with the CUDA toolkit, and with PyPI's nvidia-cuda-nvcc. With --statistics,
// writes the figures that ptxas reports for each kernel into native/kernels/README.md instead.
import { assemble, findPtxas, knownTo, readPtx } from './ptxas.mjs';
import { writeStatistics } from './statistics.mjs';

const ARCHITECTURES = [
  ...['sm_30', 'sm_35', 'sm_37', 'sm_50', 'sm_52', 'sm_60', 'sm_61', 'sm_70', 'sm_75'],
  ...['sm_80', 'sm_86', 'sm_89', 'sm_90', 'sm_100', 'sm_120'],
];

function assembleAll(ptxas) {
  const texts = readPtx();
  const architectures = knownTo(ptxas, ARCHITECTURES);
  for (const architecture of architectures) {
    for (const [file, ptx] of Object.entries(texts)) assembleOne(ptxas, file, ptx, architecture);
  }
  if (process.exitCode) return;
  console.log(`ptxas takes ${Object.keys(texts).join(', ')} for ${architectures.join(', ')}`);
}

function assembleOne(ptxas, file, ptx, architecture) {
  try {
    assemble(ptxas, ptx, architecture);
  } catch (error) {
    console.error(`ptxas refuses ${file} for ${architecture}: ${error.message}`);
    process.exitCode = 1;
  }
}

const ptxas = findPtxas();
const wantsStatistics = process.argv.includes('--statistics');
try {
  if (ptxas === null) {
    console.log('PTX not assembled: no ptxas on PATH, in PTXAS or in a package of python3');
    if (wantsStatistics) process.exitCode = 1;
  } else if (wantsStatistics) {
    writeStatistics(ptxas);
  } else {
    assembleAll(ptxas);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
