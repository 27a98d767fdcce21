#!/usr/bin/env node
import { endWithNpm } from './end-with-npm.js';
import { findMain } from './load.js';

endWithNpm();
const argv = process.argv.slice(2);
const main = await findMain(argv, process.env);
process.exitCode = await main(argv);
