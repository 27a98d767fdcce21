import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { getAt, setAt } from '../../engine/path.js';
import { MachineConverter } from '../converter.js';
import type { ClusterApiParts } from '../converter.js';
import type { MachineRule } from '../platform.js';
import { machineParts } from '../rules.js';
import { boat, context, controlPlane, harbour } from '../testing/harbour.js';
import { CounterpartComparison } from './comparison.js';

const converter = new MachineConverter(harbour);
const comparison = new CounterpartComparison(converter);
const converted = converter.toClusterApi(boat(), context).objects as readonly [JsonObject, JsonObject];
const [infrastructure, machine] = converted;
const about = { context, converted };
type Change = (object: { metadata: JsonObject & { labels: JsonObject }; spec: JsonObject }) => void;
const changed = (object: JsonObject, change: Change): JsonObject => {
  const copy = cloneJson(object);
  change(copy as unknown as Parameters<Change>[0]);
  return copy;
};
const paths = (desired: JsonObject, change: Change): string[] =>
  comparison.differences(desired, changed(desired, change), about).map(({ path }) => path);

const back = converter.toMachineApi({ machine, infrastructure } satisfies ClusterApiParts, context)
  .objects[0] as JsonObject;

describe('a counterpart is up to date', () => {
  it.each<[string, JsonObject, Change]>([
    ['as it was converted', machine, () => undefined],
    [
      'with identity, finalizers and status of its own',
      machine,
      (it) =>
        Object.assign(
          it,
          { status: { phase: 'Running' } },
          { metadata: { ...it.metadata, uid: 'u', generation: 3, finalizers: ['x/y'] } },
        ),
    ],
    ['with owners that nobody asked to change', infrastructure, () => undefined],
    ['with a default that the server fills in', infrastructure, (it) => (it.spec['size'] = 'large')],
    [
      'with empty records that Go programs write',
      back,
      (it) => Object.assign(it.spec, { lifecycleHooks: {}, metadata: {}, taints: [] }),
    ],
    ['with an equivalent value', back, (it) => (it.spec['providerSpec'] as { value: JsonObject }).value],
  ])('%s', (_what, desired, change) => {
    expect(paths(desired, change)).toEqual([]);
    expect(comparison.isUpToDate(desired, changed(desired, change), about)).toBe(true);
  });

  it('with a value of the provider spec that means the same as absent', () => {
    const small = converter.toClusterApi(
      boat((it) => delete (it.spec['providerSpec'] as { value: JsonObject }).value['size']),
      context,
    );
    const [boatInfrastructure, boatMachine] = small.objects as [JsonObject, JsonObject];
    const desired = converter.toMachineApi({ machine: boatMachine, infrastructure: boatInfrastructure }, context)
      .objects[0] as JsonObject;
    const existing = changed(
      desired,
      (it) => ((it.spec['providerSpec'] as { value: JsonObject }).value['size'] = 'small'),
    );
    expect(comparison.differences(desired, existing, { context })).toEqual([]);
  });
});

describe('a counterpart is not up to date', () => {
  it.each<[string, JsonObject, Change, string]>([
    ['with another label', machine, (it) => (it.metadata.labels['team'] = 'b'), 'metadata.labels.team'],
    ['with another value', machine, (it) => (it.spec['failureDomain'] = 'q2'), 'spec.failureDomain'],
    ['with a field that no conversion writes', machine, (it) => (it.spec['version'] = 'v1'), 'spec.version'],
    [
      'with a field that the server sets by derivation, and has wrong',
      machine,
      (it) => (it.spec['clusterName'] = 'other'),
      'spec.clusterName',
    ],
    ['with another value of its infrastructure', infrastructure, (it) => (it.spec['berth'] = 'b-5'), 'spec.berth'],
    [
      "with a value of the provider spec that is the cluster's",
      back,
      (it) => ((it.spec['providerSpec'] as { value: JsonObject }).value['port'] = 'bremen'),
      'spec.providerSpec.value.port',
    ],
    [
      'with a value of the provider spec that is listed as equivalent, and is not',
      back,
      (it) => ((it.spec['providerSpec'] as { value: JsonObject }).value['size'] = 'huge'),
      'spec.providerSpec.value.size',
    ],
  ])('%s', (_what, desired, change, path) => {
    expect(paths(desired, change)).toEqual([path]);
  });
});

describe('a set of control plane machines', () => {
  const [template, set] = converter.toClusterApi(controlPlane(), context).objects as readonly [JsonObject, JsonObject];
  const whole = { context, converted: [template, set] };
  const compared = (desired: JsonObject, change: Change): string[] =>
    comparison.differences(desired, changed(desired, change), whole).map(({ path }) => path);
  const member = (it: JsonObject): JsonObject =>
    getAt(it, ['spec', 'template', 'machines_v1beta1_machine_openshift_io', 'spec']) as JsonObject;

  it('is compared in the form that it has in either API', () => {
    expect(compared(set, () => undefined)).toEqual([]);
    expect(compared(set, ({ spec }) => (spec['strategy'] = { type: 'OnDelete' }))).toEqual(['spec.strategy.type']);
    expect(
      compared(controlPlane(), (it) => Object.assign(member(it as never), { lifecycleHooks: {}, metadata: {} })),
    ).toEqual([]);
  });

  it('is in view when its template is compared', () => {
    const seen: unknown[] = [];
    const reading: MachineRule = {
      claims: { left: [], right: [] },
      convert: ({ run }) => {
        if (run.from === 'right' && run.to === 'right') seen.push(machineParts(run.root).machine['clusterName']);
      },
    };
    const watched = { ...harbour, infrastructure: [...harbour.infrastructure, reading] };
    const other = changed(template, ({ spec }) => setAt(spec, ['template', 'spec', 'berth'], ''));
    const without = changed(template, ({ spec }) => setAt(spec, ['template', 'spec', 'berth'], undefined));
    new CounterpartComparison(new MachineConverter(watched)).differences(without, other, whole);
    expect(seen).toEqual(['fleet', 'fleet']);
  });

  it('is written in the form it has, but for what differs: its controller replaces machines of another form', () => {
    const existing = changed(controlPlane(), (it) => {
      const spec = member(it as never);
      setAt(spec, ['providerSpec', 'value', 'size'], 'small');
      Object.assign(spec, { lifecycleHooks: {}, metadata: {}, taints: [] });
    });
    const desired = changed(controlPlane(), (it) => {
      delete (getAt(member(it as never), ['providerSpec', 'value']) as JsonObject)['size'];
    });
    expect(comparison.inExistingForm(desired, existing, whole)['spec']).toEqual(existing['spec']);
    const wanted = changed(desired, (it) => setAt(member(it as never), ['providerSpec', 'value', 'berth'], 'b-9'));
    const expected = changed(existing, (it) => setAt(member(it as never), ['providerSpec', 'value', 'berth'], 'b-9'));
    expect(comparison.inExistingForm(wanted, existing, whole)['spec']).toEqual(expected['spec']);
  });

  it('loses in its form neither items of a list nor fields that are to go', () => {
    const taint = (key: string): JsonObject => ({ key, effect: 'NoSchedule' });
    const existing = changed(controlPlane(), (it) => {
      Object.assign(member(it as never), { taints: [taint('a'), taint('b')], providerID: 'x', metadata: {} });
    });
    const desired = changed(controlPlane(), (it) => (member(it as never)['taints'] = [taint('a')]));
    const made = member(comparison.inExistingForm(desired, existing, whole) as never);
    expect([made['taints'], 'providerID' in made, made['metadata']]).toEqual([[taint('a')], false, {}]);
  });
});
