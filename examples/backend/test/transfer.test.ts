import { transferContract } from '@array-interface/contract';
import * as host from '@array-interface/host';
import * as mine from '../src/index.js';

transferContract(
  'pages and host',
  { backend: mine.pages, liveAllocations: mine.liveAllocations },
  { backend: host.host, liveAllocations: host.liveAllocations },
);
