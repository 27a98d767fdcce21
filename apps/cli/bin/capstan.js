#!/usr/bin/env node
import { main } from '../dist/main.js';

// A reader that has seen enough (`| head`) is no error.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2));

// The command is over: what it has left open, such as a port that was opened while it was told to stop, holds nobody up.
const LEFT_OPEN_MS = 1000;
setInterval(() => process.stdout.writableLength === 0 && process.exit(), LEFT_OPEN_MS).unref();
