import { inject } from 'vitest';
import type { Transport } from '@capstan/meta';
import {
  AUTHENTICATE,
  TOKEN,
  embeddedBackend,
  embeddedServer,
  namedRealServer,
  once,
  realBackend,
  type Backend,
  type RealServer,
} from './servers.js';

export { embeddedServer, overHttps } from './servers.js';
export type { Backend, Connected } from './servers.js';

const inProcess: Backend = {
  name: 'in-process',
  kind: 'in-process',
  connect: once(async () => {
    const server = embeddedServer({ authenticate: AUTHENTICATE, authorization: 'rbac' });
    const as = (token: string | undefined): Transport => ({
      send: (request) =>
        server.send({ ...request, headers: { ...request.headers, authorization: token && `Bearer ${token}` } }),
    });
    return { transport: as(TOKEN), as };
  }),
};

/** Where the real server is: started for the project by its configuration, or one that runs already. */
export function realServer(): RealServer | undefined {
  return (inject('realKube' as never) as RealServer | undefined) ?? namedRealServer();
}

/** True when this run is for real servers. */
export const isReal = process.env['CAPSTAN_BACKEND'] === 'real';

let known: readonly Backend[] | undefined;

/** The servers of this run: the embedded one both ways, or with CAPSTAN_BACKEND=real the real one. */
export function backends(): readonly Backend[] {
  if (known !== undefined) return known;
  if (!isReal) return (known = [inProcess, embeddedBackend()]);
  const server = realServer();
  known = server === undefined ? [] : [realBackend(server)];
  return known;
}
