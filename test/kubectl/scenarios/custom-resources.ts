import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { HOLD, deleted } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';
import { block } from '../text.js';

const CRDS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const SPEC = {
  type: 'object',
  description: 'What is wanted.',
  required: ['color'],
  properties: {
    color: { type: 'string', description: 'Its colour.', enum: ['red', 'green'] },
    size: { type: 'integer', minimum: 1, default: 3 },
    replicas: { type: 'integer' },
  },
  'x-kubernetes-validations': [{ rule: 'self.size < 100', message: 'too big' }],
};
const STATUS = {
  type: 'object',
  properties: { phase: { type: 'string' }, replicas: { type: 'integer' }, selector: { type: 'string' } },
};

/** CRDs have no namespace: each scenario has a group, a short name and a category of its own. */
function groupOf(kubectl: Session): string {
  return `${kubectl.namespace}.example.com`;
}

function definition(kubectl: Session): KubeObject {
  const group = groupOf(kubectl);
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Color', type: 'string', jsonPath: '.spec.color' },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    selectableFields: [{ jsonPath: '.spec.color' }],
    schema: {
      openAPIV3Schema: { type: 'object', description: 'A gadget.', properties: { spec: SPEC, status: STATUS } },
    },
  };
  const names = {
    plural: 'gadgets',
    kind: 'Gadget',
    shortNames: [kubectl.namespace],
    categories: [`all-${kubectl.namespace}`],
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  };
}

function gadget(kubectl: Session, name: string, spec: object = { color: 'red' }, metadata: object = {}): KubeObject {
  return { apiVersion: `${groupOf(kubectl)}/v1`, kind: 'Gadget', metadata: { name, ...metadata }, spec };
}

function gadgets(kubectl: Session): ResourceRef {
  return { group: groupOf(kubectl), version: 'v1', plural: 'gadgets', namespaced: true };
}

/** Establishes the CRD with kubectl's own eyes. */
async function define(k: Session): Promise<string> {
  const crd = `crd/gadgets.${groupOf(k)}`;
  await k.create(CRDS, definition(k));
  await k.prints(
    `wait --for=condition=Established ${crd} --timeout=20s`,
    `customresourcedefinition.apiextensions.k8s.io/gadgets.<ns>.example.com condition met\n`,
  );
  // A real server opens the storage of a new resource when it is first asked for it.
  for (let attempt = 0; (await k.raw(`get ${k.namespace}`)).code !== 0; attempt += 1) {
    if (attempt > 20) throw new Error('gadgets are not served');
  }
  return crd;
}

async function withDefinition(k: Session, run: (crd: string) => Promise<void>): Promise<void> {
  const crd = await define(k);
  try {
    await run(crd);
  } finally {
    await k.raw(`delete ${crd} --wait=false --ignore-not-found`);
  }
}

/** CRDs and what they define. */
export const customResourceScenarios: readonly Scenario[] = [
  {
    name: 'a CRD is established and its objects are got by every name',
    smoke: true,
    run: (k) =>
      withDefinition(k, async () => {
        await k.prints(`apply -f ${k.file('one.json', [gadget(k, 'one')])}`, 'gadget.<ns>.example.com/one created\n');
        await k.prints(`get ${k.namespace}`, 'NAME  COLOR  PHASE  AGE\none  red  <age>\n');
        for (const name of [k.namespace, `gadget.${groupOf(k)}`, `gadgets.v1.${groupOf(k)}`, `gadgets.${groupOf(k)}`]) {
          await k.prints(`get ${name} one -o name`, 'gadget.<ns>.example.com/one\n');
        }
        await k.prints(`get ${k.namespace} -o wide`, 'NAME  COLOR  PHASE  SIZE  AGE\none  red  3  <age>\n');
        await k.prints(['get', k.namespace, 'one', '-o', 'jsonpath={.spec}'], '{"color":"red","size":3}');
        await k.prints(`get all-${k.namespace}`, 'NAME  COLOR  PHASE  AGE\none  red  <age>\n');
      }),
  },
  {
    name: 'explain prints what the schema describes',
    run: (k) =>
      withDefinition(k, async () => {
        // A real server publishes the schema a moment after it serves the resource.
        const published = async (): Promise<boolean> =>
          (await k.raw(`explain gadgets --api-version=${groupOf(k)}/v1`)).code === 0;
        for (let attempt = 0; !(await published()); attempt += 1) {
          if (attempt > 20) throw new Error('the schema of gadgets is not published');
        }
        await k.prints(
          `explain gadgets.spec.color --api-version=${groupOf(k)}/v1`,
          block`
            GROUP:  <ns>.example.com
            KIND:  Gadget
            VERSION:  v1

            FIELD: color <string>
            ENUM:
                red
                green

            DESCRIPTION:
                Its colour.


          `.replace(k.minor >= 30 ? '' : /ENUM:\n(?: {4}\w+\n)+/, ''),
        );
        const spec = await k.output(`explain ${k.namespace}.spec`);
        expect(spec).toMatch(/DESCRIPTION:\n {4}What is wanted\.\n/);
        expect(
          [...spec.matchAll(/^ {2}(\S+)\t(<.*)$/gm)].map(([, name, type]) => `${String(name)} ${String(type)}`),
        ).toEqual(['color <string> -required-', 'replicas <integer>', 'size <integer>']);
      }),
  },
  {
    name: 'apply changes custom resources by what it applied before',
    run: (k) =>
      withDefinition(k, async () => {
        const file = k.file('one.json', [gadget(k, 'one', { color: 'red', replicas: 2 })]);
        await k.prints(`apply -f ${file}`, 'gadget.<ns>.example.com/one created\n');
        await k.prints(`apply -f ${file}`, 'gadget.<ns>.example.com/one unchanged\n');
        k.file('one.json', [gadget(k, 'one', { color: 'green' })]);
        await k.prints(`apply -f ${file}`, 'gadget.<ns>.example.com/one configured\n');
        await k.prints(
          ['get', k.namespace, 'one', '-o', 'jsonpath={.spec} {.metadata.generation}'],
          '{"color":"green","size":3} 2',
        );
      }),
  },
  {
    name: 'objects that break the schema are refused in its words',
    smoke: true,
    run: (k) =>
      withDefinition(k, async () => {
        const create = (name: string, spec: object): string =>
          `create -f ${k.file(`${name}.json`, [gadget(k, name, spec)])}`;
        const blue = await k.run(create('blue', { color: 'blue' }));
        expect(blue).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(
            /^The Gadget "blue" is invalid:\n\* spec.color: Unsupported value: "blue": supported values: "red", "green"\n\* <nil>: Invalid value: "?null"?: some validation rules were not checked /,
          ),
        });
        const huge = await k.run(create('huge', { color: 'red', size: 1000 }));
        expect(huge).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(
            /^The Gadget "huge" is invalid: spec: Invalid value: (?:"object": )?too big\n$/,
          ),
        });
        await k.fails(
          create('odd', { color: 'red', shape: 'round' }),
          'Error from server (BadRequest): error when creating "odd.json": Gadget in version "v1" cannot be handled as a Gadget: strict decoding error: unknown field "spec.shape"\n',
        );
        const patch = ['patch', k.namespace, 'one', '--type=merge', '-p', '{"spec":{"size":0}}'];
        await k.create(gadgets(k), gadget(k, 'one'));
        const small = await k.run(patch);
        expect(small).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(
            'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
          ),
        });
      }),
  },
  {
    name: 'patch --subresource=status and scale reach what the CRD opened',
    run: (k) =>
      withDefinition(k, async () => {
        await k.create(gadgets(k), gadget(k, 'one', { color: 'red', replicas: 1 }));
        await k.prints(
          [
            'patch',
            k.namespace,
            'one',
            '--subresource=status',
            '--type=merge',
            '-p',
            '{"spec":{"color":"green"},"status":{"phase":"Ready","replicas":1}}',
          ],
          'gadget.<ns>.example.com/one patched\n',
        );
        await k.prints(`get ${k.namespace}`, 'NAME  COLOR  PHASE  AGE\none  red  Ready  <age>\n');
        await k.prints(`scale ${k.namespace} one --replicas=4`, 'gadget.<ns>.example.com/one scaled\n');
        await k.prints(['get', k.namespace, 'one', '-o', 'jsonpath={.spec.replicas} {.metadata.generation}'], '4 2');
        await k.prints(
          ['wait', `${k.namespace}/one`, '--for=jsonpath={.status.phase}=Ready', '--timeout=10s'],
          'gadget.<ns>.example.com/one condition met\n',
        );
        const types = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
        await k.fails(
          ['patch', k.namespace, 'one', '-p', '{"spec":{"size":5}}'],
          'error: application/strategic-merge-patch+json is not supported by <ns>.example.com/v1, Kind=Gadget: ' +
            `the body of the request was in an unknown format - accepted media types include: ${types}\n`,
        );
      }),
  },
  {
    name: 'selectable fields select',
    serverSince: { minor: 32, because: 'selectable fields are of 1.32' },
    run: (k) =>
      withDefinition(k, async () => {
        await k.create(gadgets(k), gadget(k, 'one'));
        await k.create(gadgets(k), gadget(k, 'two', { color: 'green' }));
        await k.prints(`get ${k.namespace} --field-selector spec.color=green -o name`, 'gadget.<ns>.example.com/two\n');
        const unknown = await k.run(`get ${k.namespace} --field-selector spec.size=3`);
        expect(unknown).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('field label not supported: spec.size'),
        });
        await k.prints(
          `delete ${k.namespace} --field-selector spec.color=green`,
          deleted(k, 'gadget.<ns>.example.com "two"'),
        );
      }),
  },
  {
    name: 'a CRD goes when its objects have gone',
    run: (k) =>
      withDefinition(k, async (crd) => {
        await k.create(gadgets(k), gadget(k, 'one', { color: 'red' }, { finalizers: [HOLD] }));
        expect(await k.run(`delete ${crd} --wait=false`)).toEqual({
          code: 0,
          stdout: 'customresourcedefinition.apiextensions.k8s.io "gadgets.<ns>.example.com" deleted\n',
          stderr: 'Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n',
        });
        await k.prints(
          ['wait', crd, '--for=condition=Terminating', '--timeout=20s'],
          'customresourcedefinition.apiextensions.k8s.io/gadgets.<ns>.example.com condition met\n',
        );
        await k.prints(
          ['patch', k.namespace, 'one', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'],
          'gadget.<ns>.example.com/one patched\n',
        );
        // It may be deleted before kubectl looked; then kubectl prints nothing.
        expect(await k.raw(`wait --for=delete ${crd} --timeout=40s`)).toMatchObject({ code: 0, stderr: '' });
        // What kubectl remembers of discovery may be older.
        const gone = await k.run(`get ${k.namespace}`);
        expect(gone).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(/doesn't have a resource type|could not find the requested resource/),
        });
      }),
  },
];
