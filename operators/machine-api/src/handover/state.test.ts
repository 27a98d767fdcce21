import { PAUSED_ANNOTATION, PAUSED_AS_COPY } from '@capstan/convert/machine-api';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { machineSetDescriptor } from '../descriptors/machine-set.js';
import type { Inputs } from '../resource/inputs.js';
import type { Authored } from '../shared/model.js';
import { decideHandover } from './decide.js';
import type { HandoverDecision } from './decide.js';
import { handoverState } from './state.js';

/** A set that goes back to Machine API, and whose copy in Cluster API has these finalizers. */
function decisionFor(finalizers: readonly string[]): HandoverDecision | undefined {
  const mapi = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: { name: 'workers' },
    spec: { authoritativeAPI: 'MachineAPI' },
    status: { authoritativeAPI: 'Migrating', synchronizedAPI: 'ClusterAPI' },
  } as Authored;
  const capi = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name: 'workers', finalizers, annotations: { [PAUSED_ANNOTATION]: PAUSED_AS_COPY } },
    status: { conditions: [{ type: 'Paused', status: 'True' }] },
  } as unknown as KubeObject;
  const inputs = { mapi, capi, descriptor: machineSetDescriptor, tools: {} } as unknown as Inputs;
  const state = handoverState(inputs, () => true);
  return state && decideHandover(state);
}

describe('A handover to Machine API', () => {
  it('does not wait for a finalizer to be removed that Cluster API adds to paused objects too', () => {
    expect(decisionFor(['cluster.x-k8s.io/machineset', 'sync.machine.openshift.io/finalizer'])).toEqual({
      do: 'commit',
      to: 'MachineAPI',
    });
  });

  it('removes the finalizers of providers first', () => {
    expect(decisionFor(['awsmachine.infrastructure.cluster.x-k8s.io'])).toEqual({
      do: 'remove-finalizers',
      from: 'ClusterAPI',
    });
  });
});
