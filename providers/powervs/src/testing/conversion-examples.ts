/** What the conversion of machines on Power Virtual Server is tried with. */
import { absent } from '@capstan/convert';
import type { Choices, LeafMaker } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { ConversionExamples } from '@capstan/provider/testing';

/** Nothing of a machine lives on the infrastructure cluster. */
export const conversionContext: MachineContext = {
  clusterName: 'ocean-7xk2p',
  namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
  infrastructureCluster: {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'IBMPowerVSCluster',
    metadata: { name: 'ocean-7xk2p', namespace: 'openshift-cluster-api' },
    spec: {},
  },
};

const oneOf = (choices: Choices, ...values: readonly unknown[]): unknown => values[choices.below(values.length)];
/** Now and then what cannot be converted. */
const rarely = (choices: Choices, wrong: unknown, right: unknown): unknown => (choices.below(40) === 1 ? wrong : right);

/** By what each resource of an object is found. */
const ways = new WeakMap<Choices, Map<string, string>>();

function wayOf(resource: string, choices: Choices): string {
  const known = ways.get(choices) ?? new Map<string, string>();
  ways.set(choices, known);
  const way = known.get(resource) ?? (oneOf(choices, 'id', 'name', resource === 'network' ? 'regex' : 'old') as string);
  known.set(resource, way);
  return way;
}

const typeNames: Readonly<Record<string, string>> = { id: 'ID', old: 'ID', name: 'Name', regex: 'RegEx' };

/** A field of a resource: set where it is the one by which the resource is found. */
function resource(path: string, side: 'left' | 'right', choices: Choices): unknown {
  const [, name = '', field = ''] = /(serviceInstance|image|network)\.(type|id|name|regex)$/.exec(path) ?? [];
  if (name === '') return undefined;
  const way = wayOf(name, choices);
  if (field === 'type') return rarely(choices, 'Name', typeNames[way]);
  const isIt = way === field || (side === 'left' && way === 'old' && field === 'id');
  const other = side === 'left' ? oneOf(choices, absent, '') : absent;
  return isIt ? `${name}-${choices.below(99)}` : rarely(choices, 'x', other);
}

const size: Readonly<Record<string, (choices: Choices) => unknown>> = {
  systemType: (choices) => rarely(choices, 'e880', oneOf(choices, 's922', 'e980', '', absent)),
  processorType: (choices) => rarely(choices, 'Own', oneOf(choices, 'Dedicated', 'Shared', 'Capped', '', absent)),
  processors: (choices) => rarely(choices, 'many', oneOf(choices, 0, 2, '0.75', '', absent)),
  memoryGiB: (choices) => rarely(choices, 1, oneOf(choices, 0, absent, 2 + choices.below(900))),
};
const ID = 'ibmpowervs://syd/syd05/service/instance';

function made(path: string, side: 'left' | 'right', choices: Choices): unknown {
  return resource(path, side, choices) ?? size[path.slice(path.lastIndexOf('.') + 1)]?.(choices);
}

const left: LeafMaker = (path, choices) => {
  if (path === 'spec.providerID') return rarely(choices, 'nowhere', ID);
  if (path.endsWith('credentialsSecret.name')) return rarely(choices, 'mine', 'powervs-credentials');
  return made(path, 'left', choices);
};

const right: LeafMaker = (path, choices) => {
  if (path === 'machine.spec.providerID') return rarely(choices, 'nowhere', ID);
  if (path === 'infrastructure.spec.providerID') return rarely(choices, 'x', oneOf(choices, absent, ID));
  if (path.endsWith('.serviceInstanceID')) return wayOf('serviceInstance', choices) === 'old' ? 'service' : '';
  if (path.endsWith('.imageRef.name')) return wayOf('image', choices) === 'old' ? 'imported' : absent;
  return made(path, 'right', choices);
};

const frame = [
  'spec',
  'spec.providerSpec',
  'spec.providerSpec.value',
  'machine',
  'machine.spec',
  'infrastructure',
  'infrastructure.spec',
  'infrastructure.spec.imageRef',
];
const resources = ['serviceInstance', 'image', 'network'];

/** For the trial of the conversion. */
export const conversionExamples: ConversionExamples = {
  context: conversionContext,
  makers: { left, right },
  required: [
    ...frame,
    ...resources.flatMap((name) => [`spec.providerSpec.value.${name}`, `infrastructure.spec.${name}`]),
  ],
  unconvertible: {
    'infrastructure.spec.serviceInstance.regex': 'Machine API takes an id or a name',
    'infrastructure.spec.image.regex': 'Machine API takes an id or a name',
  },
};
