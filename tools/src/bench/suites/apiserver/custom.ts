import { crd } from '@capstan/api/model';
import { ApiServer } from '@capstan/apiserver';
import { systemClock, systemRandom } from '@capstan/kube';
import { StructuralSchema } from '@capstan/schema';
import { apiGroups } from '../../../api-kinds/groups.js';
import type { BenchRow, Measurement } from '../../model.js';
import type { Load } from './load.js';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const INSTALLED = 60;

type Schema = Record<string, unknown>;

function leaf(number: number): Schema {
  const rules = [{ rule: 'self.size() <= 63', message: 'too long' }];
  switch (number % 4) {
    case 0:
      return {
        type: 'string',
        maxLength: 63,
        pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$',
        description: 'x'.repeat(120),
        'x-kubernetes-validations': rules,
      };
    case 1:
      return { type: 'integer', format: 'int32', minimum: 0, maximum: 1000, description: 'y'.repeat(120) };
    case 2:
      return {
        type: 'array',
        maxItems: 32,
        items: { type: 'string', maxLength: 63 },
        'x-kubernetes-list-type': 'set',
        description: 'z'.repeat(120),
      };
    default:
      return { type: 'object', maxProperties: 16, additionalProperties: { type: 'string', maxLength: 63 } };
  }
}

/** A tree of objects, `width` members on each of `depth` levels, with rules as real CRDs have them. */
function tree(width: number, depth: number, seed = 0): Schema {
  const properties: Record<string, Schema> = {};
  for (let at = 0; at < width; at += 1)
    properties[`field${at}`] = depth === 0 || at > 1 ? leaf(seed + at) : tree(width, depth - 1, seed + at);
  const rules = [{ rule: '!has(self.field1) || has(self.field0)', message: 'field1 needs field0' }];
  return { type: 'object', properties, ...(depth === 0 ? {} : { 'x-kubernetes-validations': rules }) };
}

/** A CRD of about the given size. */
export function sampleDefinition(kind: string, schema: Schema): object {
  const plural = `${kind.toLowerCase()}s`;
  const status = { type: 'object', properties: { ready: { type: 'boolean' } } };
  const openAPIV3Schema = { type: 'object', properties: { spec: schema, status } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.bench.example` },
    spec: {
      group: 'bench.example',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
      ],
    },
  };
}

/** A machine as Cluster API has it, in outline: names, references, a version, two rules. */
const MACHINE: Schema = {
  type: 'object',
  required: ['clusterName', 'infrastructureRef'],
  properties: {
    clusterName: { type: 'string', minLength: 1, maxLength: 63 },
    providerID: { type: 'string', maxLength: 512 },
    version: { type: 'string', maxLength: 256 },
    replicas: { type: 'integer', format: 'int32', default: 1 },
    infrastructureRef: {
      type: 'object',
      required: ['apiGroup', 'kind', 'name'],
      properties: {
        apiGroup: { type: 'string', maxLength: 253 },
        kind: { type: 'string', maxLength: 63, pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' },
        name: { type: 'string', maxLength: 253 },
      },
    },
    taints: {
      type: 'array',
      maxItems: 64,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['key', 'effect'],
      items: {
        type: 'object',
        required: ['key', 'effect'],
        properties: {
          key: { type: 'string', maxLength: 317 },
          value: { type: 'string', maxLength: 63 },
          effect: { type: 'string', enum: ['NoSchedule', 'NoExecute', 'PreferNoSchedule'] },
        },
      },
    },
    notes: { type: 'object', maxProperties: 64, additionalProperties: { type: 'string', maxLength: 2000 } },
  },
  'x-kubernetes-validations': [
    { rule: 'self.replicas >= 0 && self.replicas <= 100', message: 'replicas must be between 0 and 100' },
    { rule: 'self.clusterName == oldSelf.clusterName', message: 'clusterName is immutable' },
  ],
};

/** A machine of 2 KB. */
export function machine(name: string): Record<string, unknown> {
  return {
    apiVersion: 'bench.example/v1',
    kind: 'Machine',
    metadata: { name, labels: { 'cluster.example/name': 'c' } },
    spec: {
      clusterName: 'c',
      providerID: `cloud:///zone/${name}`,
      version: 'v1.36.3',
      infrastructureRef: { apiGroup: 'infra.example', kind: 'CloudMachine', name },
      taints: [{ key: 'a.example/b', effect: 'NoSchedule', value: 'x' }],
      notes: { note: 'n'.repeat(1400) },
    },
  };
}

/** Makes the machines known to a server. */
export function defineMachines(load: Load): Promise<number> {
  return load.send('POST', DEFINITIONS, JSON.stringify(sampleDefinition('Machine', MACHINE)));
}

const MACHINES = '/apis/bench.example/v1/namespaces/default/machines';

/** Custom resources over the wire: schema, rules and managed fields on every write. */
export function customWireRows(ours: Load, bare: Load): BenchRow[] {
  const reference = (body: () => string): { name: string; run: Measurement } => ({
    name: 'bare node:https',
    run: (context) => bare.rate(context, () => bare.send('POST', '/', body())),
  });
  const create: Measurement = (context) =>
    ours.rate(context, () => ours.send('POST', MACHINES, JSON.stringify(machine(ours.nextName()))));
  let turn = 0;
  const apply: Measurement = (context) =>
    ours.rate(context, () => {
      turn += 1;
      const config = machine(`applied-${turn % 100}`);
      (config['spec'] as Record<string, unknown>)['version'] = `v1.0.${turn}`;
      return ours.apply(`${MACHINES}/applied-${turn % 100}?fieldManager=bench&force=true`, JSON.stringify(config));
    });
  const sample = (): string => JSON.stringify(machine('sample'));
  return [
    {
      name: 'create a 2 KB custom resource over HTTPS',
      unit: 'ops/s',
      better: 'higher',
      target: 1500,
      run: create,
      reference: reference(sample),
    },
    {
      name: 'apply a 2 KB custom resource over HTTPS',
      unit: 'ops/s',
      better: 'higher',
      target: 1000,
      run: apply,
      reference: reference(sample),
    },
  ];
}

function send(server: ApiServer, method: string, target: string, value: unknown): void {
  const response = server.handle({ method, target, headers: {}, body: { type: 'value', value } });
  if (response instanceof Promise || response.status >= 300) throw new Error(`${method} ${target} did not go through`);
}

function newServer(): ApiServer {
  return new ApiServer({ clock: systemClock(), random: systemRandom() });
}

/** Everything a management cluster of every platform has. */
function installOurs(timed: (work: () => void) => number): BenchRow {
  const ours = apiGroups.flatMap(({ kinds }) => kinds.map((kind) => crd(kind, { conversion: 'none' })));
  const texts = ours.map((each) => JSON.stringify(each));
  return {
    name: 'install every CRD of api/',
    unit: 'ms',
    better: 'lower',
    target: 1000,
    run: () => {
      const fresh = newServer();
      return timed(() => ours.forEach((each) => send(fresh, 'POST', DEFINITIONS, each)));
    },
    reference: { name: 'JSON.parse of them', run: () => timed(() => texts.forEach((each) => JSON.parse(each))) },
  };
}

/** CRDs as large as real ones, in process. */
export function definitionRows(): BenchRow[] {
  const many = Array.from({ length: INSTALLED }, (_, at) => sampleDefinition(`Kind${at}`, tree(20, 3, at)));
  const largest = sampleDefinition('Largest', tree(27, 5));
  const bytes = many.map((each) => JSON.stringify(each)).join('\n');
  const largestText = JSON.stringify(largest);
  const timed = (work: () => void): number => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  };
  const machineText = JSON.stringify(machine('x'));
  const server = newServer();
  send(server, 'POST', DEFINITIONS, sampleDefinition('Machine', MACHINE));
  let count = 0;
  return [
    {
      name: `install ${INSTALLED} CRDs, ${(bytes.length / 1e6).toFixed(1)} MB`,
      unit: 'ms',
      better: 'lower',
      target: 1000,
      run: () => {
        const fresh = newServer();
        return timed(() => many.forEach((each) => send(fresh, 'POST', DEFINITIONS, each)));
      },
      reference: {
        name: 'JSON.parse of them',
        run: () => timed(() => bytes.split('\n').forEach((each) => JSON.parse(each) as unknown)),
      },
    },
    installOurs(timed),
    {
      name: `install a CRD of ${Math.round(largestText.length / 1000)} KB`,
      unit: 'ms',
      better: 'lower',
      target: 100,
      run: () => {
        const fresh = newServer();
        return timed(() => send(fresh, 'POST', DEFINITIONS, largest));
      },
      reference: { name: 'JSON.parse of it', run: () => timed(() => JSON.parse(largestText) as unknown) },
    },
    {
      name: 'validate a machine',
      unit: 'us',
      better: 'lower',
      target: 50,
      run: (context) => {
        const schema = new StructuralSchema({ type: 'object', properties: { spec: MACHINE } });
        const object = machine('validated');
        return 1e6 / context.rate(() => (schema.prepare(object), schema.validate(object, { old: object })));
      },
      reference: { name: 'JSON.parse', run: (context) => 1e6 / context.rate(() => JSON.parse(machineText) as unknown) },
    },
    {
      name: 'create a machine in process',
      unit: 'us',
      better: 'lower',
      run: (context) => 1e6 / context.rate(() => send(server, 'POST', MACHINES, machine(`m-${(count += 1)}`))),
      reference: {
        name: 'JSON.parse + stringify',
        run: (context) => 1e6 / context.rate(() => JSON.stringify(JSON.parse(JSON.stringify(machine('x'))))),
      },
    },
  ];
}
