/** Prints how many milliseconds the first server of a process takes from nothing to ready, its roles included. */
import { ApiServer } from '@capstan/apiserver';
import { systemClock, systemRandom } from '@capstan/kube';

const begin = performance.now();
const server = new ApiServer({ clock: systemClock(), random: systemRandom(), authorization: 'rbac' });
const { status } = await server.handle({ method: 'GET', target: '/readyz', headers: {} });
const tookMs = performance.now() - begin;
if (status !== 200) throw new Error(`the server is not ready: ${status}`);
process.stdout.write(`${tookMs}\n`);
