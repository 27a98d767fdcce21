import { parentPort, workerData } from 'node:worker_threads';
import { inProcess } from '../runner.js';
import type { Answer, Job, ScenarioFactory, ThreadData } from '../runner.js';

/** A thread that carries out one run of a scenario after the other. */
const { data, module } = workerData as ThreadData;
const { scenariosOf } = (await import(module)) as { readonly scenariosOf: ScenarioFactory<unknown> };
const runner = inProcess(scenariosOf(data));

parentPort?.on('message', (job: Job) => {
  const answer = (given: Answer): void => parentPort?.postMessage(given);
  runner.run(job).then(
    (outcome) => answer({ outcome }),
    (error: unknown) => answer({ error: error instanceof Error ? error.message : String(error) }),
  );
});
