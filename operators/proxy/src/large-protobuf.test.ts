import { afterEach, expect, it } from 'vitest';
import { proxyOptionsFrom } from './config.js';
import { ask } from './testing/ask.js';
import { serveTls, proxyInFrontOf } from './testing/fixture.js';
import type { Line, Fixture } from './testing/fixture.js';
import { rememberingLogger } from './testing/fixture.js';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const SECRETS = '/api/v1/secrets';
const LIMIT_BYTES = 256 * 1024 * 1024;

let fixture: Fixture | undefined;
afterEach(async () => {
  await fixture?.close();
  fixture = undefined;
});

function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return [...bytes, left];
}

const FLAGS = { listen: '127.0.0.1:0', healthListen: '-', responseTimeout: 1, drainTimeout: 1 };

/** The beginning of a list that declares its length. */
function beginning(listBytes: number): Buffer {
  const text = (field: number, value: string): number[] => [(field << 3) | 2, value.length, ...Buffer.from(value)];
  const type = [...text(1, 'v1'), ...text(2, 'SecretList')];
  return Buffer.from([...Buffer.from('k8s\0'), 0x0a, type.length, ...type, 0x12, ...varint(listBytes)]);
}

it('A list in protobuf alone that is larger than can be held is refused before it is read, with what to do instead', async () => {
  const logged: Line[] = [];
  let isCut = false;
  const upstream = await serveTls((_request, response) => {
    response.writeHead(200, { 'content-type': PROTOBUF });
    response.write(beginning(LIMIT_BYTES + 1));
    // The rest never comes: waiting for it would never end.
    response.on('close', () => (isCut = true));
  });
  fixture = await proxyInFrontOf(upstream, { logger: rememberingLogger(logged) });
  const answer = await ask(`${fixture.proxy.url}${SECRETS}`, { headers: { accept: PROTOBUF } });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    502,
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'the answer of the API server is too large to be translated in this encoding: limit is 268435456; ask for it in pages, or as application/json',
      reason: 'InternalError',
      code: 502,
    },
  ]);
  expect(logged.map(({ level, message }) => [level, message])).toEqual([['error', 'Translation error']]);
  await expect.poll(() => isCut).toBe(true);
});

it('The size from which a list in protobuf is refused can be lowered to what the memory of the proxy allows', async () => {
  const { heldResponseBytes } = proxyOptionsFrom({ ...FLAGS, heldResponseLimit: 1 });
  const upstream = await serveTls((_request, response) => {
    response.writeHead(200, { 'content-type': PROTOBUF });
    response.write(beginning(1024 * 1024 + 1));
  });
  fixture = await proxyInFrontOf(upstream, { heldResponseBytes });
  const answer = await ask(`${fixture.proxy.url}${SECRETS}`, { headers: { accept: PROTOBUF } });
  expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('limit is 1048576; ask for it in pages')]);
});

it('A list whose client takes JSON as well is asked for as that, whatever its size', async () => {
  let accepted: string | undefined;
  const upstream = await serveTls((request, response) => {
    accepted = request.headers.accept;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"SecretList","apiVersion":"v1"}');
  });
  fixture = await proxyInFrontOf(upstream);
  const answer = await ask(`${fixture.proxy.url}${SECRETS}`, { headers: { accept: `${PROTOBUF},application/json` } });
  expect([answer.status, accepted]).toEqual([200, 'application/json']);
});
