import type { Connection } from '@capstan/kube';
import { connectionTo, loggedServer } from '../proxy/isolation/servers.js';
import { openFixture } from '../proxy/isolation/fixture.js';
import type { Fixture } from '../proxy/isolation/fixture.js';
import { realServer } from '../src/conformance/backend.js';

/** A server of this run for a proxy to stand before, and the way to leave it. */
async function behind(): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const real = realServer();
  return real === undefined ? loggedServer() : { connection: connectionTo(real), stop: () => Promise.resolve() };
}

/** Runs `act` with a fixture of its own: a server that serves a kind in both groups, and a proxy in front of it. */
export async function inFixture(act: (fixture: Fixture) => Promise<void>): Promise<void> {
  const server = await behind();
  const fixture = await openFixture(server.connection);
  try {
    await act(fixture);
  } finally {
    await fixture.stop();
    await server.stop();
  }
}
