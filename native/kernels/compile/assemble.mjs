#!/usr/bin/env node
// Has ptxas assemble the checked-in PTX for every kind of GPU that we mean to run on and that it
// knows: CUDA 12's from sm_50 on, CUDA 13's from sm_75. Needs no GPU. Where there is no ptxas (it
// comes with the CUDA toolkit, and with PyPI's nvidia-cuda-nvcc), says so. With --statistics it
// writes what ptxas says of the kernels into native/kernels/README.md instead.
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
