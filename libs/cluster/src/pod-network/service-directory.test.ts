import type { KubeObject, Random } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { Service } from '../endpoints/addresses.js';
import type { SharedInformers } from '../workload/shared-informers.js';
import { ServiceDirectory } from './service-directory.js';

const service: Service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'hooks', namespace: 'here' },
  spec: { ports: [{ port: 443 }] },
};

/** A directory with one slice. */
function directoryOf(fields: object): ServiceDirectory {
  const adders: ((object: KubeObject) => void)[] = [];
  const informers: unknown = {
    of: () => ({ addHandler: ({ add }: { add: (object: KubeObject) => void }) => adders.push(add) }),
  };
  const random: Pick<Random, 'below'> = { below: () => 0 };
  const directory = new ServiceDirectory(informers as SharedInformers, random as Random);
  const labels = { 'kubernetes.io/service-name': 'hooks' };
  adders.at(-1)?.({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'hooks-1', namespace: 'here', labels },
    ...fields,
  });
  return directory;
}

describe('what is behind a service', () => {
  const ports = [{ name: '', port: 9443 }];
  const ready = { addresses: ['10.0.0.1'], conditions: { ready: true } };
  it.each<[string, object, object | undefined]>([
    ['is a ready pod', { endpoints: [ready], ports }, { ip: '10.0.0.1', port: 9443 }],
    ['is no pod that is not ready', { endpoints: [{ ...ready, conditions: { ready: false } }], ports }, undefined],
    ['is nothing while the slice has nothing', { endpoints: null, ports: null }, undefined],
    ['is nothing while there are no pods', { endpoints: null, ports }, undefined],
  ])('%s', (_, fields, backend) => {
    const directory = directoryOf(fields);
    expect(directory.backend(service, 443)).toEqual(backend);
    expect(directory.address(service)).toBe((backend as { ip?: string } | undefined)?.ip);
  });
});
