import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { same } from '../engine/field-rules.js';
import { lawViolations } from '../engine/laws.js';
import { getAt, setAt } from '../engine/path.js';
import { TwoWayMap } from '../engine/two-way-map.js';
import { MachineConverter, healthCheckToClusterApi, healthCheckToMachineApi } from './converter.js';
import { PAUSED_AS_COPY } from './names.js';
import { TemplateNames } from './template-name.js';
import { boat, context, harbour } from './testing/harbour.js';

const converter = new MachineConverter(harbour);
const KEPT = 'machine.openshift.io/conversion-data';

function forward(change: (machine: JsonObject) => void) {
  const machine = boat(change);
  const { errors, objects } = converter.toClusterApi(machine, context);
  const [infrastructure = {}, there = {}] = cloneJson(objects) as JsonObject[];
  const annotations = (getAt(there, ['metadata', 'annotations']) ?? {}) as JsonObject;
  const { [KEPT]: _kept, ...own } = annotations;
  return { errors: errors.map(({ message, path }) => `${path}: ${message}`), infrastructure, machine: there, own };
}

function backward(change: (machine: JsonObject) => void) {
  const { infrastructure, machine } = forward(() => undefined);
  change(machine);
  const { errors, objects } = converter.toMachineApi({ machine, infrastructure }, context);
  const own = (getAt(objects[0], ['metadata', 'annotations']) ?? {}) as JsonObject;
  return { errors: errors.map(({ message, path }) => `${path}: ${message}`), own, object: objects[0] ?? {} };
}

const annotated = (annotations: Record<string, string>) => (machine: JsonObject) =>
  setAt(machine, ['metadata', 'annotations'], annotations);

describe('an empty record', () => {
  it('changes the name of a template', () => {
    const names = new TemplateNames(harbour.template);
    const spec = { template: { spec: { berth: 'b-4' } } };
    const spot = { template: { spec: { berth: 'b-4', spotMarketOptions: {} } } };
    expect(names.nameOf('worker', spot)).not.toBe(names.nameOf('worker', spec));
  });

  it('that is lost breaks the laws of a map', () => {
    const keeps = new TwoWayMap({ rules: [same('spot')] });
    expect(lawViolations(keeps, 'left', { spot: {} }, context)).toEqual([]);
    const loses = new TwoWayMap({
      rules: [
        same('spot', { forward: () => undefined, backward: () => undefined, normal: { left: (value) => value } }),
      ],
    });
    expect(lawViolations(loses, 'left', { spot: {} }, context)).toEqual([
      'spot is lost without an error or a warning',
      'spot: {} does not come back',
    ]);
  });
});

describe('an annotation with an effect', () => {
  const deletion = 'machine.openshift.io/delete-machine';
  const drain = 'machine.openshift.io/exclude-node-draining';
  const drainThere = 'machine.cluster.x-k8s.io/exclude-node-draining';
  it.each<readonly [string, Record<string, string>, Record<string, string>]>([
    ['of deletion', { [deletion]: 'yes' }, { 'cluster.x-k8s.io/delete-machine': 'yes' }],
    ['of deletion without a value, which has none', { [deletion]: '' }, { [deletion]: '' }],
    [
      'of deletion by its older name',
      { 'machine.openshift.io/cluster-api-delete-machine': 'true' },
      { 'cluster.x-k8s.io/delete-machine': 'true' },
    ],
    ['of draining', { [drain]: '' }, { [drainThere]: '' }],
  ])('%s has the same effect in Cluster API, and comes back', (_name, here, there) => {
    const { errors, infrastructure, machine, own } = forward(annotated(here));
    expect([errors, own]).toEqual([[], there]);
    const back = converter.toMachineApi({ machine, infrastructure }, context);
    expect(getAt(back.objects[0], ['metadata', 'annotations'])).toEqual(here);
  });

  it('has a value in Machine API, which acts on no empty one', () => {
    expect(backward(annotated({ 'cluster.x-k8s.io/delete-machine': '' })).own).toMatchObject({ [deletion]: 'true' });
  });

  it.each<readonly [string, 'forward' | 'backward', string, string]>([
    ['cluster.x-k8s.io/delete-machine', 'forward', '', `write ${deletion}`],
    [drainThere, 'forward', '', `write ${drain}`],
    [deletion, 'backward', 'yes', 'write cluster.x-k8s.io/delete-machine'],
    [drain, 'backward', '', `write ${drainThere}`],
    ['metal3.io/autoscale-to-hosts', 'forward', '', 'set replicas'],
    ['metal3.io/autoscale-to-hosts', 'backward', '', 'set replicas'],
  ])('%s of the other API is refused %s', (key, way, value, advice) => {
    const { errors } = (way === 'forward' ? forward : backward)(annotated({ [key]: value }));
    expect(errors).toEqual([expect.stringMatching(new RegExp(`^metadata\\.annotations\\[${key}\\]: .*${advice}`))]);
  });
});

describe('minReadySeconds', () => {
  it('of a machine of Cluster API comes back, though Machine API has it on sets only', () => {
    const { errors, object } = backward((machine) => setAt(machine, ['spec', 'minReadySeconds'], 30));
    expect(errors).toEqual([]);
    const again = converter.toClusterApi(object, context);
    expect(getAt(again.objects[1], ['spec', 'minReadySeconds'])).toBe(30);
  });
});

describe('what tools track their objects by', () => {
  const tracking = {
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    'argocd.argoproj.io/tracking-id': 'fleet:machine',
  };
  const label = { 'app.kubernetes.io/instance': 'fleet' };

  it('goes to no counterpart, in either direction', () => {
    const { machine } = forward((object) => {
      setAt(object, ['metadata', 'annotations'], tracking);
      setAt(object, ['metadata', 'labels'], label);
    });
    expect(JSON.stringify(machine)).not.toMatch(/last-applied|tracking-id|app\.kubernetes\.io/);
    const { object } = backward((there) => {
      setAt(there, ['metadata', 'annotations'], tracking);
      setAt(there, ['metadata', 'labels', 'app.kubernetes.io/instance'], 'fleet');
    });
    expect(JSON.stringify(object)).not.toMatch(/last-applied|tracking-id|app\.kubernetes\.io/);
  });

  it('stays on machines of a set, whose selector may name the label', () => {
    const { machine } = forward((object) => {
      setAt(object, ['metadata', 'labels'], label);
      setAt(object, ['metadata', 'ownerReferences'], [{ kind: 'MachineSet', name: 'worker-a' }]);
    });
    expect(getAt(machine, ['metadata', 'labels'])).toMatchObject(label);
  });
});

describe('a health check', () => {
  const check = (annotations: Record<string, string>): JsonObject => ({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineHealthCheck',
    metadata: { name: 'workers', namespace: 'openshift-machine-api', annotations },
    spec: { selector: {}, unhealthyConditions: [{ type: 'Ready', status: 'False', timeout: '5m0s' }] },
  });

  it('that is paused is paused in both APIs', () => {
    const paused = { 'cluster.x-k8s.io/paused': '' };
    const { objects } = healthCheckToClusterApi(check(paused), context);
    expect(getAt(objects[0], ['metadata', 'annotations'])).toEqual(paused);
    const back = healthCheckToMachineApi(cloneJson(objects[0]) as JsonObject, context);
    expect(back.warnings).toEqual([]);
    expect(getAt(back.objects[0], ['metadata', 'annotations'])).toEqual(paused);
  });

  it('that is paused for being the copy is not paused in Machine API', () => {
    const { objects } = healthCheckToClusterApi(check({}), context);
    const copy = cloneJson(objects[0]) as JsonObject;
    setAt(copy, ['metadata', 'annotations', 'cluster.x-k8s.io/paused'], PAUSED_AS_COPY);
    const back = healthCheckToMachineApi(copy, context);
    expect(getAt(back.objects[0], ['metadata', 'annotations'])).toBeUndefined();
  });

  it('of external remediation on bare metal is refused, with the template to use', () => {
    const strategy = 'machine.openshift.io/remediation-strategy';
    const { errors } = healthCheckToClusterApi(check({ [strategy]: 'external-baremetal' }), context);
    expect(errors.map(({ message, path }) => `${path}: ${message}`)).toEqual([
      `metadata.annotations[${strategy}]: has no effect in Cluster API: remove it, and name a Metal3RemediationTemplate in spec.remediationTemplate`,
    ]);
    expect(healthCheckToClusterApi(check({ [strategy]: 'other' }), context).errors).toEqual([]);
  });
});
