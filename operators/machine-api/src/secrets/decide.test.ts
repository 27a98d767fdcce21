import type { Change } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { decideCredentials, decideUserData, SOURCE_ANNOTATION } from './decide.js';
import type { UserDataInputs } from './decide.js';
import type { Secret } from './user-data.js';

const MAPI = 'openshift-machine-api';
const CAPI = 'openshift-cluster-api';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const IGNITION = base64('{"ignition":{"version":"3.2.0"}}');
const POWERSHELL = base64('<powershell>whoami</powershell>');

const secret = (namespace: string, data: Record<string, string>, from?: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'worker-user-data', namespace, ...(from && { annotations: { [SOURCE_ANNOTATION]: from } }) },
  data,
});
const source = secret(MAPI, { userData: IGNITION, disableTemplating: base64('true') });
const copied = secret(CAPI, { value: POWERSHELL }, `${MAPI}/worker-user-data`);

const decided = (inputs: Partial<UserDataInputs>) =>
  decideUserData({
    name: 'worker-user-data',
    namespaces: { machineApi: MAPI, clusterApi: CAPI },
    clusterName: 'demo',
    isReferenced: true,
    ...inputs,
  });
const dataOf = (change: Change | undefined): unknown =>
  change?.verb === 'create' ? change.object['data'] : change?.verb === 'patch' ? change.after['data'] : undefined;

describe('Copies of user data', () => {
  it.each([
    ['Ignition', IGNITION, 'ignition'],
    ['another format', POWERSHELL, 'cloud-config'],
  ])('get key and format of Cluster API: %s', (_, userData, format) => {
    const { changes } = decided({ mapi: secret(MAPI, { userData }) });
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({
      verb: 'create',
      object: { metadata: { name: 'worker-user-data', namespace: CAPI } },
    });
    expect(dataOf(changes[0])).toEqual({ value: userData, format: base64(format) });
  });

  it('follow a change of their source, with the labels that others gave them', () => {
    const labelled = { ...copied, metadata: { ...copied.metadata, labels: { mine: 'yes' } } };
    const [change] = decided({ mapi: source, capi: labelled }).changes;
    expect(dataOf(change)).toEqual({ value: IGNITION, format: base64('ignition') });
    expect(change).toMatchObject({
      after: { metadata: { labels: { mine: 'yes', 'cluster.x-k8s.io/cluster-name': 'demo' } } },
    });
  });

  it('go to Machine API where the user has the Secret in Cluster API only', () => {
    const [change] = decided({ capi: secret(CAPI, { value: IGNITION, format: base64('ignition') }) }).changes;
    expect(change).toMatchObject({ verb: 'create', object: { metadata: { namespace: MAPI } } });
    expect(dataOf(change)).toEqual({ userData: IGNITION });
  });

  it.each<[string, Partial<UserDataInputs>]>([
    ['both Secrets are users’ own', { mapi: source, capi: secret(CAPI, { value: POWERSHELL }) }],
    ['the source was deleted and the copy is in use', { capi: copied }],
    ['nothing names the Secret', { mapi: source, isReferenced: false }],
    [
      'a user’s Secret in Cluster API is named by nothing',
      { capi: secret(CAPI, { value: IGNITION }), isReferenced: false },
    ],
  ])('are not written when %s', (_, inputs) => {
    expect(decided(inputs)).toEqual({ changes: [] });
  });

  it('are deleted when nothing names them', () => {
    const { changes } = decided({ mapi: source, capi: copied, isReferenced: false });
    expect(changes).toEqual([{ verb: 'delete', kind: expect.anything(), object: copied }]);
  });

  it('report a source without user data', () => {
    expect(decided({ mapi: secret(MAPI, { other: IGNITION }) })).toEqual({
      changes: [],
      problem: `Secret ${MAPI}/worker-user-data has no key userData: nothing can be copied to ${CAPI}`,
    });
  });

  it('are converged after one write', () => {
    const [change] = decided({ mapi: source }).changes;
    const capi = (change as { object: Secret }).object;
    expect(decided({ mapi: source, capi })).toEqual({ changes: [] });
  });
});

describe('Copies of credentials', () => {
  const copy = { name: 'demo', from: `${MAPI}/vsphere-cloud-credentials`, namespace: CAPI, clusterName: 'demo' };
  const keys = { username: 'vc.example.com.username' };
  const credentials = secret(MAPI, { 'vc.example.com.username': 'dQ==', 'other.username': 'eA==' });

  it('have the keys that the provider reads', () => {
    expect(dataOf(decideCredentials({ ...copy, keys, source: credentials }).changes[0])).toEqual({ username: 'dQ==' });
  });

  it('have all keys as they are where the platform names none', () => {
    expect(dataOf(decideCredentials({ ...copy, source: credentials }).changes[0])).toEqual(credentials.data);
  });

  it('are not written over a Secret of the user, and not without a source', () => {
    expect(decideCredentials({ ...copy, source: credentials, existing: secret(CAPI, {}) })).toEqual({ changes: [] });
    expect(decideCredentials(copy)).toEqual({ changes: [] });
  });

  it('report a source that lacks a key', () => {
    expect(
      decideCredentials({ ...copy, keys: { password: 'vc.example.com.password' }, source: credentials }).problem,
    ).toBe(`Secret ${MAPI}/vsphere-cloud-credentials has no key vc.example.com.password: cannot copy credentials`);
  });
});
