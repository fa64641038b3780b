import { vi } from 'vitest';

// Before each test file: what core remembers, such as dtypes it has read, is no other file's.
vi.resetModules();
