import { describe, expect, it } from 'vitest';
import type { Pod } from '../workload/resources.js';
import { AddressPool, nodeAddresses } from './addresses.js';
import { BackOff } from './back-off.js';
import { fieldText, resourceText } from './downward.js';
import { expand } from './env.js';
import { Faults } from './faults.js';
import { imageName, matchesImage, ProgramRegistry } from './program.js';
import type { Program } from './program.js';

describe('images', () => {
  it.each([
    ['nginx', 'nginx'],
    ['nginx:1', 'nginx'],
    ['registry.example:5000/a/nginx', 'registry.example:5000/a/nginx'],
    ['registry.example:5000/a/nginx:1@sha256:0', 'registry.example:5000/a/nginx'],
  ])('%s is called %s', (image, name) => {
    expect(imageName(image)).toBe(name);
    expect(matchesImage(name, image)).toBe(true);
  });

  it('stand for the program of the most exact pattern', () => {
    const program = (): Program => () => ({ exited: Promise.resolve(0), stop: () => undefined, kill: () => undefined });
    const [exact, named, long, short] = [program(), program(), program(), program()];
    const registry = new ProgramRegistry()
      .register('quay.example/*', short)
      .register('quay.example/team/*', long)
      .register('quay.example/team/app', named)
      .register('quay.example/team/app:1', exact);
    const images = ['team/app:1', 'team/app:2', 'team/other:1', 'x'].map((name) => `quay.example/${name}`);
    expect(images.map((image) => registry.find(image))).toEqual([exact, named, long, short]);
    expect(registry.find('nginx')).toBeUndefined();
  });
});

describe('addresses', () => {
  it('of nodes do not overlap', () => {
    expect([0, 1, 999].map((index) => nodeAddresses(index))).toEqual([
      { podCidr: '10.128.0.0/20', nodeIp: '172.30.0.2' },
      { podCidr: '10.128.16.0/20', nodeIp: '172.30.0.3' },
      { podCidr: '10.190.112.0/20', nodeIp: '172.30.3.233' },
    ]);
  });

  it('come back after all the others, and run out', () => {
    const pool = new AddressPool('10.0.0.248/29');
    const taken = Array.from({ length: 5 }, () => pool.take());
    expect(taken).toEqual(['10.0.0.250', '10.0.0.251', '10.0.0.252', '10.0.0.253', '10.0.0.254']);
    expect(() => pool.take()).toThrow('no pod address is left on this node');
    pool.giveBack('10.0.0.252');
    pool.giveBack('10.0.0.251');
    expect([pool.take(), pool.take()]).toEqual(['10.0.0.251', '10.0.0.252']);
  });
});

it('a back-off doubles from ten seconds to five minutes, and is forgotten after ten good minutes', () => {
  const backOff = new BackOff();
  let now = 0;
  const delays = Array.from({ length: 9 }, () => {
    const delay = backOff.next(now);
    now += delay;
    return delay / 1000;
  });
  expect(delays).toEqual([0, 10, 20, 40, 80, 160, 300, 300, 300]);
  expect(backOff.next(now + 600_000)).toBe(300_000);
  expect(backOff.next(now + 300_000 + 600_000 + 600_001)).toBe(0);
});

it.each([
  ['$(A)-$(B)', 'a-$(B)'],
  ['$$(A) $$', '$(A) $'],
  ['$(A', '$(A'],
  ['$A', '$A'],
])('%s expands to %s', (text, expected) => {
  expect(expand(text, { A: 'a' })).toBe(expected);
});

describe('the downward API', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n', uid: 'u', labels: { b: 'x"y', a: '1' } },
    spec: { nodeName: 'node', containers: [{ name: 'c', resources: { requests: { cpu: '1500m', memory: '3Mi' } } }] },
  } as Pod;
  const place = { podIp: '2.2.2.2', hostIp: '1.1.1.1', allocatable: { cpu: '4', 'ephemeral-storage': '1e5000' } };

  it.each([
    ['metadata.name', 'p'],
    ['metadata.labels', 'a="1"\nb="x\\"y"'],
    ["metadata.labels['b']", 'x"y'],
    ["metadata.annotations['none']", ''],
    ['spec.nodeName', 'node'],
    ['status.podIP', '2.2.2.2'],
    ['status.hostIP', '1.1.1.1'],
    ['spec.other', undefined],
  ])('gives %s', (path, text) => {
    expect(fieldText(pod, path, place)).toBe(text);
  });

  it.each([
    ['requests.cpu', '1', '2'],
    ['requests.cpu', '1m', '1500'],
    ['requests.memory', '1Mi', '3'],
    ['limits.cpu', '0', '4'],
    ['limits.memory', '1', '0'],
    ['limits.ephemeral-storage', '1', '9223372036854775807'],
  ])('gives %s in units of %s', (resource, divisor, text) => {
    expect(resourceText(pod, { resource, divisor }, 'c', place)).toBe(text);
  });
});

describe('faults', () => {
  const victim = (annotation?: string) => ({
    node: 'node',
    image: 'nginx:1',
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'p',
        namespace: 'n',
        ...(annotation === undefined ? {} : { annotations: { 'capstan.dev/fault': annotation } }),
      },
    },
  });

  it('strike what all parts of their target match', () => {
    for (const [target, strikes] of [
      [{}, true],
      [{ namespace: 'n', pod: 'p', image: 'nginx', node: 'node' }, true],
      [{ image: 'ngi*' }, true],
      [{ namespace: 'm' }, false],
      [{ pod: 'p', node: 'other' }, false],
      [{ image: 'apache' }, false],
    ] as const) {
      const faults = new Faults();
      const remove = faults.add({ kind: 'never-ready' }, target);
      expect([target, faults.find('never-ready', victim()) !== undefined]).toEqual([target, strikes]);
      remove();
      expect(faults.find('never-ready', victim())).toBeUndefined();
    }
  });

  it('are read from annotations, and what cannot be read is nothing', () => {
    const faults = new Faults();
    const text = 'slow-start=1m30s, crash-loop=3,nonsense, never-ready';
    expect(faults.find('slow-start', victim(text))).toEqual({ kind: 'slow-start', delayMs: 90_000 });
    expect(faults.find('crash-loop', victim(text))).toEqual({ kind: 'crash-loop', exitCode: 3 });
    expect(faults.find('never-ready', victim(text))).toEqual({ kind: 'never-ready' });
    expect(faults.find('image-pull', victim(text))).toBeUndefined();
    expect(faults.find('slow-start', victim('slow-start=soon'))).toEqual({ kind: 'slow-start', delayMs: 30_000 });
    // The fault of a node is written on the node.
    expect(faults.find('node-lost', victim('node-lost'))).toBeUndefined();
  });
});
