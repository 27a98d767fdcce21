import { ApiServer, serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import { fixedCredentials, HttpTransport, systemClock, systemRandom } from '@capstan/kube';
import type { UserInfo } from '@capstan/meta';
import { explainMissingRealKube, locateRealKube, startRealKube } from '../../../real-kube/index.js';
import type { RealKube } from '../../../real-kube/index.js';
import type { BenchRow, BenchSuite, OpenSuite } from '../../model.js';
import { MovedObjects } from './copies.js';

const MACHINES = 100;
/** Hosted clusters one after the other, of so many machines. */
const CLUSTERS = 60;
const MACHINES_EACH = 10;
const TOKEN = 'bench';
const ADMIN: UserInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };

/** Wall time: servers that are other processes use their own processors. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** A server by its URL, and how to end the way to it. */
interface Reached {
  readonly moved: MovedObjects;
  close(): Promise<void>;
}

async function reach(server: string, token: string, caPem?: string): Promise<Reached> {
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const trust = caPem === undefined ? {} : { caPem };
  const transport = new HttpTransport({ server, trust, credentials, namespace: 'default' });
  return { moved: await MovedObjects.start(transport), close: () => transport.close() };
}

async function embedded(): Promise<Reached> {
  const authenticate = tokenAuthenticator(new Map([[TOKEN, ADMIN]]));
  const server = new ApiServer({ clock: systemClock(), random: systemRandom('served'), authenticate });
  const http = await serveHttp(server, { port: 0 });
  const reached = await reach(http.url, TOKEN);
  return {
    moved: reached.moved,
    close: async () => {
      await reached.close();
      await http.close();
    },
  };
}

/** The real server; undefined where its binaries are not at hand. */
async function real(): Promise<(Reached & { readonly version: string }) | undefined> {
  const assets = locateRealKube();
  if (assets === undefined) return undefined;
  const kube: RealKube = await startRealKube({ assets });
  const reached = await reach(kube.url, kube.token, kube.caPem);
  return {
    version: kube.version,
    moved: reached.moved,
    close: async () => {
      await reached.close();
      await kube.stop();
    },
  };
}

async function moveMany(moved: MovedObjects): Promise<number> {
  let ms = 0;
  for (let at = 0; at < CLUSTERS; at += 1) ms += await timed(() => moved.move(MACHINES_EACH));
  return ms;
}

async function open(): Promise<OpenSuite> {
  const served = await embedded();
  const original = await real();
  const orReal = (run: (moved: MovedObjects) => Promise<number>): Pick<BenchRow, 'missing' | 'reference'> =>
    original === undefined
      ? { missing: `kube-apiserver: ${explainMissingRealKube().split('\n')[0] ?? ''}` }
      : { reference: { name: `kube-apiserver ${original.version}`, run: () => run(original.moved) } };
  const rows: BenchRow[] = [
    {
      name: `objects of ${MACHINES} machines created, moved and deleted over HTTP`,
      unit: 'ms',
      better: 'lower',
      run: () => timed(() => served.moved.move(MACHINES)),
      ...orReal((moved) => timed(() => moved.move(MACHINES))),
    },
    {
      name: `objects of ${CLUSTERS} clusters of ${MACHINES_EACH} machines created, moved and deleted over HTTP`,
      unit: 'ms',
      better: 'lower',
      run: () => moveMany(served.moved),
      ...orReal(moveMany),
    },
  ];
  return {
    rows,
    close: async () => {
      await served.close();
      await original?.close();
    },
  };
}

/** What a migration asks of a server, on the embedded one and on the real one. */
export const migrationServersSuite: BenchSuite = {
  name: 'migration-servers',
  counts: 'median',
  rounds: 3,
  onDemand: true,
  open,
};
