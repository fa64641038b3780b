import { vi } from 'vitest';

// Runs before each test file, so that what core remembers (dtypes that it has read) is from that file alone.
vi.resetModules();
