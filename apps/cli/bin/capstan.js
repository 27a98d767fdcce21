#!/usr/bin/env node
import { main } from '../dist/main.js';
import { endWithNpm } from './end-with-npm.js';

endWithNpm();
process.exitCode = await main(process.argv.slice(2));

// The command is over: what it has left open, such as a port that was opened while it was told to stop, holds nobody up.
const LEFT_OPEN_MS = 1000;
setInterval(() => process.stdout.writableLength === 0 && process.exit(), LEFT_OPEN_MS).unref();
