import type { Connection } from '@capstan/kube';
import { connectionTo, loggedServer } from '../proxy/isolation/servers.js';
import { openWorld } from '../proxy/isolation/world.js';
import type { World } from '../proxy/isolation/world.js';
import { realServer } from '../src/conformance/backend.js';

/** A server of this run for a proxy to stand before, and the way to leave it. */
async function behind(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const real = realServer();
  return real === undefined ? loggedServer() : { connection: connectionTo(real), stop: () => Promise.resolve() };
}

/** Does something in a world of its own: a server that holds a kind in both groups, and a proxy before it. */
export async function inWorld(act: (world: World) => Promise<void>): Promise<void> {
  const server = await behind();
  const world = await openWorld(server.connection);
  try {
    await act(world);
  } finally {
    await world.stop();
    await server.stop();
  }
}
