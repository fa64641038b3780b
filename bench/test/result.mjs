/** A benchmark result, with a target reached, one missed and one not measured. */
export const result = {
  name: 'copying',
  what: 'Copies.',
  machine: {
    date: '2026-01-02',
    cpu: 'CPU',
    cores: 2,
    memoryGiB: 8,
    system: 'Linux',
    node: 'v20',
    load: 0.1,
  },
  plot: { field: 'speed', title: 'speed, memcpy = 1 (more is better)' },
  rounds: 9,
  rows: [
    { work: 'turned', who: 'memcpy', nanoseconds: 1e7, speed: 1 },
    { work: 'turned', who: 'ours', nanoseconds: 4e7, speed: 0.25 },
    { work: 'turned', who: 'NumPy', nanoseconds: 1e8, speed: 0.1 },
  ],
  targets: [
    {
      work: 'turned',
      target: '≥ 0.45 of memcpy',
      against: 'memcpy',
      least: 0.45,
      figure: 0.25,
      reached: false,
    },
    {
      work: 'turned',
      target: '≥ 2 × NumPy',
      against: 'NumPy',
      least: 2,
      figure: 2.5,
      reached: true,
    },
    { work: 'turned', target: '≥ CuPy', against: 'CuPy', least: 1, figure: null, reached: null },
  ],
  notRun: ['CuPy: no GPU'],
};
