import { Client, systemClock, systemRandom } from '@capstan/kube';
import type { Reader } from '@capstan/kube';
import { ApiError } from '@capstan/meta';
import type { ApiRequest, ApiResponse, Status } from '@capstan/meta';
import { expect, it } from 'vitest';
import { ROLES } from '../kinds.js';
import { Writer } from './writer.js';

function refusal(code: number, reason: string): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, code };
}

/** A memory in which nothing is. */
const forgetful = {
  get: () => Promise.reject(new ApiError(refusal(404, 'NotFound'))),
  list: () => Promise.reject(new ApiError(refusal(404, 'NotFound'))),
} as unknown as Reader;

/** A server that has the role already; tells what was asked of it. */
function writerBeside(owner: string): { readonly writer: Writer; readonly asked: string[] } {
  const metadata = {
    name: 'beside',
    namespace: 'hosts',
    resourceVersion: '7',
    annotations: { 'hypershift.openshift.io/cluster': owner },
  };
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules: [] };
  const asked: string[] = [];
  const send = ({ method }: ApiRequest): Promise<ApiResponse> => {
    asked.push(method);
    const value = method === 'POST' ? refusal(409, 'AlreadyExists') : role;
    const chunks = (): Uint8Array[] => [Buffer.from(JSON.stringify(value))];
    const headers = { 'content-type': 'application/json' };
    return Promise.resolve({
      status: method === 'POST' ? 409 : 200,
      headers,
      body: { type: 'payload', chunks, value: () => value },
    });
  };
  const client = new Client({ send }, { clock: systemClock(), random: systemRandom('writer') });
  const { signal } = new AbortController();
  const writer = new Writer({ client, reader: forgetful, owner: 'clusters/one', namespace: 'clusters-one', signal });
  return { writer, asked };
}

const WANTED = { metadata: { name: 'beside', namespace: 'hosts', labels: { a: 'b' } }, rules: [] };

it('brings to what is wanted what is there though memory does not show it', async () => {
  const { asked, writer } = writerBeside('clusters/one');
  await writer.ensure(ROLES, WANTED);
  expect(asked).toEqual(['POST', 'GET', 'PATCH']);
});

it('leaves alone what another cluster has there, though memory does not show it', async () => {
  const { asked, writer } = writerBeside('clusters/two');
  await expect(writer.ensure(ROLES, WANTED)).rejects.toThrow('clusters/two');
  expect(asked).toEqual(['POST', 'GET']);
});
