import { parentPort, workerData } from 'node:worker_threads';
import { inProcess } from '../runner.js';
import type { Answer, Job, Rehearsed } from '../runner.js';

/** A thread that carries out one rehearsal after the other. */
const runner = inProcess(workerData as Rehearsed);

parentPort?.on('message', (job: Job) => {
  const answer = (given: Answer): void => parentPort?.postMessage(given);
  runner.run(job).then(
    (outcome) => answer({ outcome }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  );
});
