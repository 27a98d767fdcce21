import type { ApiRequest, ApiResponse, Transport } from '@capstan/meta';
import { expect, it } from 'vitest';
import { silentLogger } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';
import { loggedTransport } from './logged-transport.js';

function answering(status: number): Transport {
  return { send: () => Promise.resolve({ status, headers: {}, body: { type: 'none' } } as unknown as ApiResponse) };
}

function recording(): { lines: [string, unknown][]; logger: Logger } {
  const lines: [string, unknown][] = [];
  return { lines, logger: { ...silentLogger(), info: (message, fields) => lines.push([message, fields]) } };
}

const request = (method: string, target: string, value?: object): ApiRequest =>
  ({ method, target, headers: {}, ...(value === undefined ? {} : { body: { type: 'value', value } }) }) as ApiRequest;

const MAPS = '/api/v1/namespaces/a/configmaps';

it.each<[ApiRequest, number, [string, unknown][]]>([
  [
    request('POST', `${MAPS}?fieldManager=x`, { metadata: { name: 'm' } }),
    201,
    [['object created', { path: MAPS, name: 'm' }]],
  ],
  [request('POST', MAPS, { metadata: { generateName: 'm-' } }), 201, [['object created', { path: MAPS, name: 'm-…' }]]],
  [request('PATCH', `${MAPS}/m`, {}), 200, [['object patched', { path: `${MAPS}/m` }]]],
  [request('PUT', `${MAPS}/m`, {}), 200, [['object updated', { path: `${MAPS}/m` }]]],
  [request('DELETE', `${MAPS}/m`), 200, [['object deleted', { path: `${MAPS}/m` }]]],
  [request('GET', `${MAPS}/m`), 200, []],
  [request('PATCH', `${MAPS}/m?dryRun=All`, {}), 200, []],
  [request('PATCH', `${MAPS}/m`, {}), 409, []],
  [request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {}), 201, []],
])('%j answered with %i', async (sent, status, expected) => {
  const { lines, logger } = recording();
  await loggedTransport(answering(status), logger).send(sent);
  expect(lines).toEqual(expected);
});

it('costs nothing where nobody reads', () => {
  const transport = answering(200);
  expect(loggedTransport(transport, silentLogger())).toBe(transport);
});
