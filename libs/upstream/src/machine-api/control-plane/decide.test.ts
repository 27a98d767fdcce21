import { describe, expect, it } from 'vitest';
import type { Machine } from '../resources.js';
import { ago, awsProviderSpec, machine, node, NOW_MS } from '../testing/objects.js';
import { countConditions, countReplicas, decideRollout, findFault, placesOf } from './decide.js';
import { failureDomainsOf, inDomain, liesIn, mapDomains } from './failure-domains.js';
import type { ControlPlaneMachine, ControlPlaneMachineSet } from './resources.js';
import { newControlPlaneMachine, viewControlPlane } from './view.js';

const labels = {
  'machine.openshift.io/cluster-api-cluster': 'demo-x7k2p',
  'machine.openshift.io/cluster-api-machine-role': 'master',
  'machine.openshift.io/cluster-api-machine-type': 'master',
};
const zone = (name: string) => ({ placement: { availabilityZone: name } });

function controlPlane(
  change: { type?: string; replicas?: number; zones?: string[]; spec?: object } = {},
): ControlPlaneMachineSet {
  const { type = 'RollingUpdate', replicas = 3, zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'] } = change;
  return {
    apiVersion: 'machine.openshift.io/v1',
    kind: 'ControlPlaneMachineSet',
    metadata: { name: 'cluster', namespace: 'openshift-machine-api', uid: 'cpms' },
    spec: {
      state: 'Active',
      replicas,
      strategy: { type },
      selector: { matchLabels: labels },
      template: {
        machineType: 'machines_v1beta1_machine_openshift_io',
        machines_v1beta1_machine_openshift_io: {
          metadata: { labels },
          spec: { providerSpec: { value: awsProviderSpec('us-east-1a') } },
          failureDomains: { platform: 'AWS', aws: zones.map(zone) },
        },
      },
      ...change.spec,
    },
  };
}

type Letter = string;
/** `R` ready, `P` pending; `r`, `p` the same but outdated; `D` up to date and leaving, `d` outdated and leaving, both ready. */
function holder(letter: Letter, index: number, order: number): ControlPlaneMachine {
  const isLeaving = letter.toLowerCase() === 'd';
  const metadata = { creationTimestamp: ago(1000 - order), ...(isLeaving ? { deletionTimestamp: ago(1) } : {}) };
  return {
    machine: machine(`m-${letter}${order}-${index}`, {
      metadata,
      status: { nodeRef: { name: `n-${index}-${order}` } },
    }),
    index,
    isReady: letter.toLowerCase() !== 'p',
    needsUpdate: letter === letter.toLowerCase(),
  };
}

const places = (held: readonly string[], replicas = 3) =>
  placesOf(
    replicas,
    held.flatMap((letters, index) => [...letters].map((letter, order) => holder(letter, index, order))),
  );

describe('a rollout of the control plane', () => {
  it.each([
    ['does nothing when all is well', 'RollingUpdate', ['R', 'R', 'R'], [], []],
    ['fills an empty place', 'RollingUpdate', ['R', '', 'R'], [1], []],
    ['fills one place after the other', 'RollingUpdate', ['R', '', ''], [1, 2], []],
    ['replaces the first outdated one', 'RollingUpdate', ['r', 'r', 'r'], [0], []],
    ['waits for the replacement', 'RollingUpdate', ['rP', 'r', 'r'], [], []],
    ['removes the replaced one', 'RollingUpdate', ['rR', 'r', 'r'], [], ['m-r0-0']],
    ['waits until it is gone', 'RollingUpdate', ['dR', 'r', 'r'], [], []],
    ['goes on to the next place', 'RollingUpdate', ['R', 'r', 'r'], [1], []],
    ['replaces what the user deletes', 'RollingUpdate', ['D', 'R', 'R'], [0], []],
    ['removes an outdated one that never got ready', 'RollingUpdate', ['rp', 'R', 'R'], [], ['m-p1-0']],
    ['removes the older of two updated ones', 'RollingUpdate', ['RR', 'R', 'R'], [], ['m-R0-0']],
    ['on delete leaves outdated ones to the user', 'OnDelete', ['r', 'r', 'r'], [], []],
    ['on delete replaces what the user deletes', 'OnDelete', ['d', 'r', 'd'], [0, 2], []],
    ['on delete makes one replacement', 'OnDelete', ['dP', 'r', 'R'], [], []],
    ['on delete fills an empty place', 'OnDelete', ['R', 'R', ''], [2], []],
  ])('%s', (...[, type, held, create, remove]) => {
    const rollout = decideRollout(controlPlane({ type }), places(held));
    expect([rollout.create, rollout.remove.map((each) => each.machine.metadata.name)]).toEqual([create, remove]);
  });

  it.each([
    ['nothing', controlPlane(), ['R', 'R', 'R'], [], undefined],
    [
      'no machine that is ready',
      controlPlane(),
      ['P', '', 'P'],
      [],
      { reason: 'NoReadyMachines', message: 'No ready control plane machines found' },
    ],
    [
      'nodes without machine',
      controlPlane(),
      ['R', 'R', 'R'],
      ['n-0-0', 'x'],
      { reason: 'UnmanagedNodes', message: 'Found 1 unmanaged node(s)' },
    ],
    [
      'too many places',
      controlPlane(),
      ['R', 'R', 'R', 'R'],
      [],
      { reason: 'ExcessIndexes', message: 'Observed 1 index(es) in excess' },
    ],
    [
      'too many updated ones, on delete',
      controlPlane({ type: 'OnDelete' }),
      ['RR', 'R', 'R'],
      [],
      { reason: 'ExcessUpdatedReplicas', message: 'Observed 1 updated machine(s) in excess for index 0' },
    ],
    [
      'a strategy that is not there yet',
      controlPlane({ type: 'Recreate' }),
      ['R', 'R', 'R'],
      [],
      {
        reason: 'InvalidStrategy',
        message: 'invalid value for spec.strategy.type: update strategy "Recreate" is not supported',
      },
    ],
    [
      'a strategy nobody knows',
      controlPlane({ type: 'Hope' }),
      ['R', 'R', 'R'],
      [],
      { reason: 'InvalidStrategy', message: 'invalid value for spec.strategy.type: unknown update strategy: Hope' },
    ],
  ])('is held up by %s', (...[, set, held, nodes, fault]) => {
    expect(findFault(set, places(held), nodes)).toEqual(fault);
  });

  it('is held up by a replacement that failed', () => {
    const failed = holder('P', 0, 1);
    const broken = { ...failed, machine: { ...failed.machine, status: { errorMessage: 'no' } } };
    const held = placesOf(3, [holder('r', 0, 0), broken, holder('R', 1, 0), holder('R', 2, 0)]);
    expect(findFault(controlPlane(), held, [])).toEqual({
      reason: 'FailedReplacement',
      message: 'Observed 1 replacement machine(s) in error state',
    });
  });

  it.each([
    [
      ['R', 'R', 'R'],
      [3, 3, 3, 0],
      ['AllReplicasAvailable', 'AsExpected', 'AllReplicasUpdated'],
    ],
    [
      ['rP', 'r', 'R'],
      [4, 3, 1, 0],
      ['AllReplicasAvailable', 'AsExpected', 'NeedsUpdateReplicas'],
    ],
    [
      ['RD', 'R', 'R'],
      [4, 4, 4, 0],
      ['AllReplicasAvailable', 'AsExpected', 'ExcessReplicas'],
    ],
    [
      ['', 'P', 'R'],
      [2, 1, 1, 2],
      ['UnavailableReplicas', 'AsExpected', 'NeedsUpdateReplicas'],
    ],
    [
      ['', '', ''],
      [0, 0, 0, 3],
      ['UnavailableReplicas', 'NoReadyMachines', 'NeedsUpdateReplicas'],
    ],
  ])('of %j counts %j and reports %j', (held, counts, reasons) => {
    const counted = countReplicas(places(held));
    const { replicas, readyReplicas, unavailableReplicas, updatedReplicas } = counted;
    expect([replicas, readyReplicas, updatedReplicas, unavailableReplicas]).toEqual(counts);
    expect(countConditions(3, counted).map(({ reason }) => reason)).toEqual(reasons);
  });
});

describe('failure domains', () => {
  const set = controlPlane();
  const domains = failureDomainsOf(set.spec?.template?.machines_v1beta1_machine_openshift_io ?? {});
  const names = (mapping: ReadonlyMap<number, object>) =>
    [...mapping]
      .sort(([a], [b]) => a - b)
      .map(([, domain]) => (domain as ReturnType<typeof zone>).placement.availabilityZone.at(-1));

  it.each([
    ['spread evenly', [0, 1, 2], [], ['a', 'b', 'c']],
    ['stay where they are', [0, 1, 2], [2, 0, 1], ['c', 'a', 'b']],
    ['keep what fits and fill the rest', [0, 1, 2], [undefined, 0, undefined], ['b', 'a', 'c']],
    ['are not crowded', [0, 1, 2], [1, 1, 1], ['b', 'a', 'c']],
    ['hold more when there are more places', [0, 1, 2, 3, 4], [0, 0, 1], ['a', 'a', 'b', 'c', 'b']],
  ])('%s', (_name, indexes, now, expected) => {
    const placed = now.map((at, index) => ({ index, domain: at === undefined ? undefined : domains[at] }));
    expect(names(mapDomains(indexes, domains, placed))).toEqual(expected);
  });

  it('are put into the provider spec, union members alone', () => {
    const domain = { subnet: { type: 'ID', id: 'subnet-1' }, placement: { availabilityZone: 'z' } };
    const moved = inDomain(awsProviderSpec(), 'AWS', domain);
    expect(moved).toMatchObject({
      subnet: { id: 'subnet-1' },
      placement: { region: 'us-east-1', availabilityZone: 'z' },
    });
    expect(liesIn(moved, 'AWS', domain)).toBe(true);
    expect(liesIn(awsProviderSpec(), 'AWS', domain)).toBe(false);
    expect(inDomain({}, 'Nutanix', { name: 'fd' })).toEqual({ failureDomain: { type: 'name', name: 'fd' } });
  });
});

describe('the control plane as it is seen', () => {
  const master = (name: string, at: string, status: Machine['status'] = {}) =>
    machine(name, { metadata: { labels }, spec: { providerSpec: { value: awsProviderSpec(at) } }, status });
  const see = (set: ControlPlaneMachineSet, machines: readonly Machine[]) =>
    viewControlPlane(set, machines, (name) => (name === '' ? undefined : node(name, name, 60)), NOW_MS);

  it('finds places by name, else by failure domain', () => {
    const view = see(controlPlane(), [master('x-0', 'us-east-1b'), master('odd', 'us-east-1c'), machine('worker-1')]);
    expect(view.machines.map((each) => [each.machine.metadata.name, each.index, each.needsUpdate])).toEqual([
      ['odd', 2, false],
      ['x-0', 0, false],
    ]);
    expect(see(controlPlane(), [master('odd', 'elsewhere')]).misplaced.map(({ metadata }) => metadata.name)).toEqual([
      'odd',
    ]);
  });

  it('sees what is outdated', () => {
    const set = controlPlane();
    const template = set.spec?.template?.machines_v1beta1_machine_openshift_io;
    const value = { ...awsProviderSpec(), instanceType: 'm6i.4xlarge' };
    const newer = controlPlane({
      spec: { template: { machines_v1beta1_machine_openshift_io: { ...template, spec: { providerSpec: { value } } } } },
    });
    expect(see(newer, [master('x-0', 'us-east-1a')]).machines[0]?.needsUpdate).toBe(true);
    expect(see(controlPlane({ zones: [] }), [master('x-0', 'us-east-1a')]).machines[0]?.needsUpdate).toBe(false);
  });

  it.each([
    ['Running', 'True', true],
    ['Running', 'False', true],
    ['Deleting', 'True', true],
    ['Deleting', 'Unknown', false],
    ['Provisioned', 'True', false],
  ])('of a machine in phase %s whose node reports %s is ready: %j', (phase, ready, isReady) => {
    const view = see(controlPlane(), [master('x-0', 'us-east-1a', { phase, nodeRef: { name: ready } })]);
    expect(view.machines[0]?.isReady).toBe(isReady);
  });

  it('makes machines for a place', () => {
    const made = newControlPlaneMachine(controlPlane(), { index: 2, domain: zone('us-east-1c') }, 'abcde');
    expect(made).toMatchObject({
      metadata: {
        name: 'demo-x7k2p-master-abcde-2',
        labels,
        ownerReferences: [{ name: 'cluster', uid: 'cpms', controller: true }],
      },
      spec: { providerSpec: { value: { placement: { availabilityZone: 'us-east-1c' } } } },
    });
    const prefixed = controlPlane({ spec: { machineNamePrefix: 'cp' } });
    expect(newControlPlaneMachine(prefixed, { index: 0, domain: undefined }, 'abcde').metadata.name).toBe('cp-abcde-0');
  });
});
