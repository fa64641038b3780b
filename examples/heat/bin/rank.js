#!/usr/bin/env node
import { run } from '../dist/rank.js';

await run(process.argv.slice(2));
