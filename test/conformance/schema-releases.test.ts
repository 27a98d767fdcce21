import { expect, test } from 'vitest';
import { embeddedServer, type Backend } from '../src/conformance/backend.js';
import { differences } from '../src/conformance/differences.js';
import { Goldens } from '../src/conformance/goldens.js';
import { HELD_TO_SCHEMA, heldToSchema } from '../src/conformance/schemas.js';
import { openSession } from '../src/conformance/suite.js';

function embedded(schemaMinor: number): Backend {
  const server = embeddedServer({ schemaMinor });
  return {
    name: `schemas-1.${schemaMinor}`,
    kind: 'in-process',
    connect: () => Promise.resolve({ transport: server, as: () => server }),
  };
}

async function playedWith(schemaMinor: number): Promise<string[]> {
  const session = await openSession(embedded(schemaMinor));
  await heldToSchema(session);
  const golden = new Goldens('crds-objects').find(HELD_TO_SCHEMA, 'real-1.30') ?? [];
  expect(golden.length).toBeGreaterThan(20);
  return differences(golden, session.steps);
}

test('a server configured to validate schemas like 1.30 answers what 1.30 answered', async () => {
  expect(await playedWith(30)).toEqual([]);
});

test('the newest release does not', async () => {
  expect(await playedWith(36)).not.toEqual([]);
});
