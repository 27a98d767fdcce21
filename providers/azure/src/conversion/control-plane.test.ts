import { MachineConverter, StatusConverter } from '@capstan/convert/machine-api';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { conversionContext as context } from '../testing/conversion-examples.js';
import { machineApiMachine, workerProviderSpec } from '../testing/machines.js';
import { changed } from '@capstan/provider/testing';
import type { Changes } from '@capstan/provider/testing';
import { conversion } from './index.js';

describe('machines of a control plane', () => {
  const converter = new MachineConverter(conversion);
  const master = (changes: Changes): JsonObject => ({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name: 'ocean-7xk2p-master-0',
      namespace: 'openshift-machine-api',
      labels: {
        'machine.openshift.io/cluster-api-cluster': 'ocean-7xk2p',
        'machine.openshift.io/cluster-api-machine-role': 'master',
        'machine.openshift.io/cluster-api-machine-type': 'master',
      },
    },
    ...machineApiMachine(changed(workerProviderSpec(), { internalLoadBalancer: 'ocean-7xk2p-internal', ...changes })),
  });
  const networkSpec = (changes: JsonObject): MachineContext => {
    const spec = context.infrastructureCluster?.['spec'] as JsonObject;
    const network = { ...(spec['networkSpec'] as JsonObject), ...changes };
    return { ...context, infrastructureCluster: { spec: { ...spec, networkSpec: network } } };
  };

  it.each<[string, MachineContext]>([
    ['an internal one and one to go out', context],
    [
      'a public one with an internal one',
      networkSpec({ apiServerLB: { name: 'ocean-7xk2p', type: 'Public', frontendIPs: [{ privateIP: '10.0.0.100' }] } }),
    ],
  ])('join the load balancers of the cluster and come back with them: %s', (_what, inputs) => {
    const forward = converter.toClusterApi(master({}), inputs);
    expect(forward.errors).toEqual([]);
    const [infrastructure, machine] = forward.objects as [JsonObject, JsonObject];
    const again = converter.toMachineApi({ machine, infrastructure }, inputs);
    expect(again).toMatchObject({
      errors: [],
      objects: [
        {
          spec: {
            providerSpec: {
              value: { publicLoadBalancer: 'ocean-7xk2p', internalLoadBalancer: 'ocean-7xk2p-internal' },
            },
          },
        },
      ],
    });
  });

  it('must join the load balancers of the cluster, and have no address of their own', () => {
    const { errors } = converter.toClusterApi(master({ internalLoadBalancer: 'other', publicIP: true }), context);
    expect(errors.map(({ message, path }) => `${path}: ${message}`)).toEqual([
      'spec.providerSpec.value.internalLoadBalancer: is "other", but spec.networkSpec.apiServerLB.name of the infrastructure cluster has it join "ocean-7xk2p-internal"',
      'spec.providerSpec.value.publicIP: is true, but Cluster API gives machines of the control plane no public address: set it to false',
    ]);
  });

  it('cannot be on Azure Stack Hub', () => {
    const infrastructure = { status: { platformStatus: { azure: { cloudName: 'AzureStackCloud' } } } };
    const { errors } = converter.toClusterApi(master({}), { ...context, infrastructure });
    expect(errors).toMatchObject([{ message: 'is on Azure Stack Hub, which Cluster API does not know' }]);
  });

  it('are spread over zones', () => {
    const { failureDomains } = conversion;
    expect(failureDomains?.toName({ zone: '2' }, context)).toEqual({ name: '2' });
    expect(failureDomains?.toDomain('2', context)).toEqual({ domain: { zone: '2' } });
    expect(failureDomains?.toName({ zone: '2', subnet: 's' }, context)).toEqual({
      path: 'subnet',
      message: 'cannot be kept: Cluster API has one subnet for all zones; remove it',
    });
    expect(failureDomains?.toName({ zone: 2 }, context)).toMatchObject({ path: 'zone' });
  });
});

describe('the status of a virtual machine', () => {
  const converter = new StatusConverter(conversion);
  const now = '2026-01-02T03:04:05Z';
  const condition = (status: string): JsonObject => ({
    type: 'MachineCreation',
    status,
    reason: status === 'True' ? 'MachineCreationSucceeded' : 'MachineCreationFailed',
    message: '',
    lastTransitionTime: now,
  });
  const there = (vmState: string): JsonObject => {
    const providerStatus = { vmId: '/subscriptions/s/x', vmState, conditions: [condition('True')] };
    const { errors, status } = converter.toClusterApi({ status: { providerStatus } }, context, now);
    expect(errors).toEqual([]);
    return status.infrastructure;
  };
  const back = (infrastructure: JsonObject): unknown => {
    const { status } = converter.toMachineApi(
      { machine: { status: {} }, infrastructure: { status: infrastructure } },
      context,
      now,
    );
    return status['providerStatus'];
  };

  it.each([
    ['Running', { vmState: 'Succeeded', ready: true }, 'Running'],
    ['Stopped', { vmState: 'Succeeded', ready: false }, 'Unknown'],
    ['Creating', { vmState: 'Creating', ready: false }, 'Creating'],
    ['Failed', { vmState: 'Failed', ready: false }, 'Failed'],
    ['Unknown', { ready: false }, undefined],
  ])('%s', (vmState, expected, again) => {
    const { conditions, ...rest } = there(vmState);
    expect(rest).toEqual(expected);
    const state = vmState === 'Running' ? { status: 'True' } : { status: 'Unknown', severity: 'Error' };
    expect(conditions).toEqual(['Ready', 'VMRunning'].map((type) => ({ type, ...state, lastTransitionTime: now })));
    expect(back(there(vmState))).toEqual({
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AzureMachineProviderStatus',
      ...(again === undefined ? {} : { vmState: again }),
      conditions: [condition(vmState === 'Running' ? 'True' : 'False')],
    });
  });
});
