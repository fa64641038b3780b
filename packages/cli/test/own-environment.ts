// What the caller set for their own work would be found by the tests, which set what they need.
for (const name of ['DPCTL_LIBRARY', 'LIBCUDA', 'PYTHON', 'SYCL']) {
  delete process.env[`ARRAY_INTERFACE_${name}`];
}
