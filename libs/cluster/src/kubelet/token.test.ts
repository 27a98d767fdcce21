import { ManualClock } from '@capstan/kube/testing';
import type { Client } from '@capstan/kube';
import { expect, it } from 'vitest';
import { PodToken } from './token.js';

const HOUR_MS = 3_600_000;

function tokens(expirationSeconds: number): {
  clock: ManualClock;
  read: () => Promise<string>;
  server: { isUp: boolean };
} {
  const clock = new ManualClock(0);
  const server = { isUp: true };
  let made = 0;
  const create = (): Promise<object> =>
    server.isUp
      ? Promise.resolve({ status: { token: `token ${(made += 1)}` } })
      : Promise.reject(new Error('nobody answers'));
  const client = { create } as unknown as Client;
  const pod = { name: 'pod', uid: 'u' };
  const token = new PodToken({ client, clock, namespace: 'n', serviceAccount: 'a', pod, expirationSeconds });
  return { clock, server, read: async () => Buffer.from(await token.read()).toString() };
}

it('a token is asked for again when four fifths of its life are over', async () => {
  const { clock, read } = tokens(3600);
  expect(await read()).toBe('token 1');
  await clock.advance(0.79 * HOUR_MS);
  expect(await read()).toBe('token 1');
  await clock.advance(0.02 * HOUR_MS);
  expect(await read()).toBe('token 2');
});

it('a token is asked for again after a day, however long it lasts', async () => {
  const { clock, read } = tokens(30 * 24 * 3600);
  expect(await read()).toBe('token 1');
  await clock.advance(25 * HOUR_MS);
  expect(await read()).toBe('token 2');
});

it('a token that cannot be replaced is given as long as it lasts', async () => {
  const { clock, read, server } = tokens(3600);
  expect(await read()).toBe('token 1');
  server.isUp = false;
  await clock.advance(0.9 * HOUR_MS);
  expect(await read()).toBe('token 1');
  await clock.advance(0.2 * HOUR_MS);
  await expect(read()).rejects.toThrow('nobody answers');
  server.isUp = true;
  expect(await read()).toBe('token 2');
});
