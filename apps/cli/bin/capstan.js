#!/usr/bin/env node
import { main } from '../dist/main.js';
import { endWithNpm } from './end-with-npm.js';

endWithNpm();
process.exitCode = await main(process.argv.slice(2));
