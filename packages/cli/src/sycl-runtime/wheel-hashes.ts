// Made by scripts/sycl/hashes.mjs; do not edit.

/** SHA-256 of the wheels of each pinned package, for linux on x64 with glibc. */
export const wheelHashes: Readonly<Record<string, readonly string[]>> = {
  'dpctl==0.22.1': [
    '06306e5af597f76584399486fd931fec8fea24e91149ecd2df92aeb367e8bd02',
    '14edbe66fd560cdd861c37704e7f28ab29d7faca6d010bda0fe8302857035dc0',
    '17812ccfe78034ef32d632f7c83f3b383c3edff9eb70868a244606151067294c',
    '19b90062f02ca9a8e8c534169e607b251c05d0da51a4c21d3c3e7c96d9e70bb7',
    '4917c17a295169d2bb72c4a670501b47f15d2da0351e55d596445095137e7cef',
  ],
  'intel-opencl-rt==2026.2.0': ['6b6215a420598b4999ee01caca6d5cbe106aa4155c46c52377619c5aafce9f67'],
  'intel-sycl-rt==2026.2.0': ['ad920da1ffcb43edbc03422a7c85094997e6d578f9ab534743442af70bcbfaa1'],
  'intel-cmplr-lib-rt==2026.2.0': [
    '9f713083073a820d2496a6da8e8d4f3482aba6640f74521d25ea48dcebe72748',
  ],
  'intel-cmplr-lib-ur==2026.2.0': [
    '0d0a5099aa2e1e38375b509c2a8182e719ed74aa656b2a800ddf6cfbd3384b80',
  ],
  'intel-cmplr-lic-rt==2026.2.0': [
    '402d9bc7fd418ab2df7a75b0545cf447bb52e02bedf4e3af0e7d5809b66d749d',
  ],
  'tbb==2023.2.0': ['7d80615b6e970f11671fa05b6eaa9483ac864fbfe525ac280271a78b37870b7c'],
  'tcmlib==1.6.0': ['46c2491988bfd18c4733eeb08aca6a386706a497b92cc51d155f37ddea003c14'],
  'umf==1.2.0': ['238d186fdd9e9c0fe1489da95b19b0b79045fe26c4aa98bd0a022a2a3603c195'],
  'numpy==2.2.6': ['fc7b73d02efb0e18c000e9ad8b83480dfcd5dfd11065997ed4c6747470ae8915'],
  'numpy==2.4.6': [
    '89cd468399cfd2504718f0ba50e410dca55a170b61a02ad92bb18c8a65186e93',
    '90f9849678c75fe7afa2d348ac842c168b0a4d3d61919687216dfc547976d853',
    'a2c306dea656c12c68f51f4cea133cbe78ca7435eb28c735eac1d3ebe73be6e8',
    'a7830bab239b79cda9c08c2da014761cafb48da6150e1da17ac06283f43b6089',
  ],
};
