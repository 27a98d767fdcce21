import { describe, expect, it } from 'vitest';
import { codecViolations } from '../engine/laws.js';
import { clusterApiConversions } from './index.js';
import { variableSchema } from './variable-schema.js';

const map = clusterApiConversions.find(({ kind }) => kind === 'ClusterClass')?.map;
const context = { apiVersionOf: () => undefined };

function classOf(version: string, variables: readonly object[], annotations?: Record<string, string>) {
  const metadata = { name: 'c', ...(annotations === undefined ? {} : { annotations }) };
  return { apiVersion: `cluster.x-k8s.io/${version}`, kind: 'ClusterClass', metadata, spec: { variables } };
}

function variable(name: string, openAPIV3Schema: object): object {
  return { name, required: false, schema: { openAPIV3Schema } };
}

describe('the schema of a variable', () => {
  const schemas = [
    { type: 'string', uniqueItems: false },
    { properties: { a: { exclusiveMaximum: false, items: { uniqueItems: true } } } },
    {
      anyOf: [{ 'x-kubernetes-int-or-string': false }, {}],
      not: { additionalProperties: { exclusiveMinimum: false } },
    },
    { 'x-kubernetes-validations': [{ message: 'no rule' }, { rule: 'self > 0' }] },
    { default: { uniqueItems: false }, 'x-of-the-future': { a: 1 } },
  ];

  it('keeps the laws for either version', () => {
    expect(codecViolations(variableSchema, { left: schemas, right: schemas }, undefined)).toEqual([]);
  });

  it('leaves values alone that look like a schema', () => {
    const { forward } = variableSchema;
    const field = { restored: () => undefined } as unknown as Parameters<typeof forward>[1];
    expect(forward({ default: { uniqueItems: false }, uniqueItems: false }, field)).toEqual({
      default: { uniqueItems: false },
    });
  });

  it('gets its flags back by the name of the variable, wherever it is by then', () => {
    const off = { type: 'array', uniqueItems: false };
    const there = map?.backward(classOf('v1beta2', [variable('a', off), variable('b', { type: 'string' })]), context);
    const { metadata, spec } = (there?.value ?? {}) as {
      metadata: { annotations: Record<string, string> };
      spec: { variables: object[] };
    };
    expect(spec.variables).toMatchObject([{ schema: { openAPIV3Schema: { type: 'array' } } }, {}]);
    const edited = classOf('v1beta1', [variable('new', {}), ...spec.variables.toReversed()], metadata.annotations);
    expect(map?.forward(edited, context).value['spec']).toEqual({
      variables: [{ name: 'new', required: false }, variable('b', { type: 'string' }), variable('a', off)],
    });
  });
});
