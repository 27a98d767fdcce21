import type { KubeObject } from '@capstan/meta';
import { fieldErrorMessage } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertAutoscaler, convertEvent, strategyOf, validateBinding } from '../index.js';
import { cronScheduleError } from '../batch/schedule.js';
import { diffJson } from '../shared/diff.js';
import { parseCidr, parseIP } from '../shared/ip.js';
import { equalJson } from '../shared/json.js';
import type { ServiceAllocator } from '../strategy.js';
import { addNotReadyTaint, addProtectionFinalizer } from './admission.js';

const object = (fields: object): KubeObject => ({ apiVersion: 'v1', kind: 'X', metadata: {}, ...fields });

describe('addresses of services', () => {
  const none: ServiceAllocator = { clusterIP: () => undefined, nodePort: () => undefined };
  const service = (spec: object): KubeObject =>
    object({
      metadata: { name: 's' },
      spec: {
        type: 'ClusterIP',
        sessionAffinity: 'None',
        internalTrafficPolicy: 'Cluster',
        ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
        ...spec,
      },
    });
  const errors = (obj: KubeObject, allocate?: ServiceAllocator): string[] => {
    const context = { now: 'NOW', ...(allocate ? { allocate } : {}) };
    const strategy = strategyOf('', 'services');
    strategy.prepareForCreate?.(obj, context);
    return (strategy.validate?.(obj, context) ?? []).map(fieldErrorMessage);
  };

  it('fail alone, whatever else is wrong, when the address is taken', () => {
    expect(errors(service({ clusterIP: '10.0.0.9', sessionAffinity: 'X' }), none)).toEqual([
      'spec.clusterIPs: Invalid value: ["10.0.0.9"]: failed to allocate IP 10.0.0.9: provided IP is already allocated',
    ]);
  });

  it('fail when a node port is taken', () => {
    const obj = service({
      type: 'NodePort',
      externalTrafficPolicy: 'Cluster',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80, nodePort: 30001 }],
    });
    expect(errors(obj, { ...none, clusterIP: () => '10.0.0.1' })).toEqual([
      'spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated',
    ]);
  });

  it('stay empty where nothing allocates', () => {
    const obj = service({});
    expect(errors(obj)).toEqual([]);
    expect(obj['spec']).not.toHaveProperty('clusterIP');
  });

  it('share one node port between protocols of one port', () => {
    let next = 30000;
    const ports = [
      { name: 'a', port: 53, protocol: 'TCP', targetPort: 53 },
      { name: 'b', port: 53, protocol: 'UDP', targetPort: 53 },
    ];
    const obj = service({ type: 'NodePort', externalTrafficPolicy: 'Cluster', ports });
    expect(errors(obj, { clusterIP: () => '10.0.0.1', nodePort: () => next++ })).toEqual([]);
    expect((obj['spec'] as { ports: { nodePort: number }[] }).ports.map((port) => port.nodePort)).toEqual([
      30000, 30000,
    ]);
  });
});

describe('two views of one thing', () => {
  const event: KubeObject = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'n' },
    involvedObject: { kind: 'Pod', name: 'p' },
    reason: 'r',
    message: 'm',
    source: { component: 'c' },
    firstTimestamp: '2024-01-01T00:00:00Z',
    lastTimestamp: '2024-01-02T00:00:00Z',
    count: 3,
    type: 'Normal',
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  };

  it('an event keeps everything on the way to events.k8s.io/v1 and back', () => {
    const other = convertEvent(event, 'events.k8s.io/v1');
    expect(other).toEqual({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: event.metadata,
      regarding: { kind: 'Pod', name: 'p' },
      reason: 'r',
      note: 'm',
      deprecatedSource: { component: 'c' },
      deprecatedFirstTimestamp: '2024-01-01T00:00:00Z',
      deprecatedLastTimestamp: '2024-01-02T00:00:00Z',
      deprecatedCount: 3,
      type: 'Normal',
      eventTime: null,
    });
    expect(convertEvent(other, 'v1')).toEqual(event);
  });

  it('an autoscaler carries in annotations what autoscaling/v1 cannot say', () => {
    const memory = {
      type: 'Resource',
      resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
    };
    const cpu = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
    };
    const status = { desiredReplicas: 1, currentReplicas: 1, currentMetrics: null };
    const v2: KubeObject = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { maxReplicas: 2, metrics: [memory, cpu] },
      status,
    };
    const v1 = convertAutoscaler(v2, 'autoscaling/v1');
    expect(v1['spec']).toEqual({ maxReplicas: 2, targetCPUUtilizationPercentage: 60 });
    expect(v1.metadata.annotations).toEqual({
      'autoscaling.alpha.kubernetes.io/metrics':
        '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}}]',
    });
    expect(convertAutoscaler(v1, 'autoscaling/v2')).toEqual(v2);
  });
});

describe('sizes', () => {
  it('of config maps are validated as a whole, without naming a field', () => {
    const errors =
      strategyOf('', 'configmaps').validate?.(object({ data: { a: 'x'.repeat(1048577) } }), { now: 'NOW' }) ?? [];
    expect(errors.map(fieldErrorMessage)).toEqual(['[]: Too long: may not be more than 1048576 bytes']);
  });

  it('of secrets count the decoded bytes', () => {
    const validate = (length: number): string[] =>
      (
        strategyOf('', 'secrets').validate?.(
          object({ type: 'Opaque', data: { a: Buffer.alloc(length).toString('base64') } }),
          { now: 'NOW' },
        ) ?? []
      ).map(fieldErrorMessage);
    expect(validate(1048576)).toEqual([]);
    expect(validate(1048577)).toEqual(['data: Too long: may not be more than 1048576 bytes']);
  });
});

describe('small parts', () => {
  it.each([
    ['*/5 * * * *', undefined],
    ['0 0 1 jan sun', undefined],
    ['@every 1h30m', undefined],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ])('schedule %s is read with complaint %s', (schedule, complaint) => {
    expect(cronScheduleError(schedule)).toBe(complaint);
  });

  it.each([
    ['10.0.0.1', [10, 0, 0, 1]],
    ['010.0.0.1', [10, 0, 0, 1]],
    ['1.2.3', undefined],
    ['256.0.0.1', undefined],
    ['::1', [...Array<number>(15).fill(0), 1]],
    ['1::2::3', undefined],
    ['::ffff:1.2.3.4', [...Array<number>(10).fill(0), 255, 255, 1, 2, 3, 4]],
  ])('address %s has bytes %j', (text, bytes) => {
    expect(parseIP(text)).toEqual(bytes);
  });

  it('refuses CIDR prefixes longer than the address', () => {
    expect([parseCidr('10.0.0.0/33'), parseCidr('10.0.0.0/x'), parseCidr('10.0.0.0')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('diffs with three lines of context and one header per hunk', () => {
    const before = { a: 1, b: 2, c: 3, d: 4, e: 5 };
    expect(diffJson(before, { ...before, e: 6 })).toBe(
      '@@ -3,5 +3,5 @@\n  "b": 2,\n  "c": 3,\n  "d": 4,\n- "e": 5\n+ "e": 6\n }\n',
    );
    expect(diffJson(before, before)).toBe('');
  });

  it('bindings name a node', () => {
    const errors = validateBinding(object({ target: { kind: 'Pod' } }));
    expect(errors.map(fieldErrorMessage)).toEqual([
      'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
      'target.name: Required value',
    ]);
  });

  it('admission adds its taint and finalizer once', () => {
    const node = object({ spec: {} });
    const claim = object({ kind: 'PersistentVolumeClaim' });
    for (let i = 0; i < 2; i++) {
      addNotReadyTaint(node);
      addProtectionFinalizer(claim);
    }
    expect(node['spec']).toEqual({ taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] });
    expect(claim.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  });

  it('equality is reflexive, and blind to absent, null and empty lists only', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => equalJson(value, JSON.parse(JSON.stringify(value)))));
    expect([
      equalJson({ a: null }, {}),
      equalJson({ a: [] }, {}),
      equalJson({ a: {} }, {}),
      equalJson({ a: 0 }, {}),
    ]).toEqual([true, true, false, false]);
  });
});
