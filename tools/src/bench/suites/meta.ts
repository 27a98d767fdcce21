import { Buffer } from 'node:buffer';

import { canonicalJson, cloneJson, deepEqual, parseJson, stringifyJson } from '@capstan/meta';

import type { BenchRow, BenchSuite } from '../model.js';

/** A pod of ordinary size: about what a list holds thousands of. */
function samplePod(number: number): Record<string, unknown> {
  const labels = { app: 'web', tier: 'front', 'pod-template-hash': '7c5ddbdf54', zone: `zone-${number % 3}` };
  const container = (name: string): Record<string, unknown> => ({
    name,
    image: `images.example/${name}:v1.2.3`,
    ports: [{ containerPort: 8080, protocol: 'TCP' }],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
      { name: 'MODE', value: 'production' },
    ],
    resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
    terminationMessagePath: '/dev/termination-log',
    imagePullPolicy: 'IfNotPresent',
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `web-7c5ddbdf54-${number}`,
      namespace: 'default',
      uid: `5d3f1a2b-0000-4000-8000-${String(number).padStart(12, '0')}`,
      resourceVersion: String(100_000 + number),
      creationTimestamp: '2026-01-02T03:04:05Z',
      labels,
      annotations: { note: 'a "quoted" text with a line\nbreak and ünïcode' },
    },
    spec: {
      containers: [container('web'), container('proxy')],
      nodeName: `node-${number % 7}`,
      restartPolicy: 'Always',
    },
    status: {
      phase: 'Running',
      podIP: '10.0.0.7',
      conditions: [{ type: 'Ready', status: 'True' }],
      qosClass: 'Burstable',
    },
  };
}

function rows(): BenchRow[] {
  const pod = samplePod(1);
  const other = samplePod(1);
  const text = JSON.stringify(pod);
  const bytes = Buffer.from(text, 'utf8');
  const list = Buffer.from(
    JSON.stringify({ kind: 'PodList', items: Array.from({ length: 500 }, (_, at) => samplePod(at)) }),
  );
  const unit = 'ops/s';
  const better = 'higher';
  return [
    {
      name: 'parse a pod',
      unit,
      better,
      reference: {
        name: 'JSON.parse',
        run: (context) => context.rate(() => JSON.parse(bytes.toString('utf8')) as unknown),
      },
      run: (context) => context.rate(() => parseJson(bytes)),
    },
    {
      name: 'parse a list of 500 pods',
      unit,
      better,
      reference: {
        name: 'JSON.parse',
        run: (context) => context.rate(() => JSON.parse(list.toString('utf8')) as unknown),
      },
      run: (context) => context.rate(() => parseJson(list)),
    },
    {
      name: 'stringify a pod',
      unit,
      better,
      reference: { name: 'JSON.stringify', run: (context) => context.rate(() => JSON.stringify(pod)) },
      run: (context) => context.rate(() => stringifyJson(pod)),
    },
    {
      name: 'canonical text of a pod',
      unit,
      better,
      reference: { name: 'JSON.stringify', run: (context) => context.rate(() => JSON.stringify(pod)) },
      run: (context) => context.rate(() => canonicalJson(pod)),
    },
    {
      name: 'clone a pod',
      unit,
      better,
      reference: { name: 'structuredClone', run: (context) => context.rate(() => structuredClone(pod)) },
      run: (context) => context.rate(() => cloneJson(pod)),
    },
    {
      name: 'compare two equal pods',
      unit,
      better,
      reference: {
        name: 'two JSON.stringify',
        run: (context) => context.rate(() => JSON.stringify(pod) === JSON.stringify(other)),
      },
      run: (context) => context.rate(() => deepEqual(pod, other)),
    },
  ];
}

/** The JSON vocabulary against what the platform has. */
export const metaSuite: BenchSuite = { name: 'meta', open: () => ({ rows: rows() }) };
