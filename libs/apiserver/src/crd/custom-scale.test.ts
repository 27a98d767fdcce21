import { fieldErrorMessage } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { checkScaleSpec, checkScaleStatus, scaleMapping } from './custom-scale.js';

const PATHS = {
  specReplicasPath: '.spec.n.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
const object = (fields: object): KubeObject => ({
  apiVersion: 'x.y/v1',
  kind: 'X',
  metadata: { name: 'a' },
  ...fields,
});

const SPECS: readonly (readonly [spec: object, errors: readonly string[]])[] = [
  [{}, []],
  [{ spec: null }, []],
  [{ spec: { n: { replicas: 3 } } }, []],
  [{ spec: { n: { replicas: -1 } } }, ['.spec.n.replicas: Invalid value: -1: should be a non-negative integer']],
  [
    { spec: { n: { replicas: 2147483648 } } },
    ['.spec.n.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647'],
  ],
  [
    { spec: { n: { replicas: 'x' } } },
    ['.spec.n.replicas: Invalid value: 0: .spec.n.replicas accessor error: x is of the type string, expected int64'],
  ],
  [
    { spec: { n: 5 } },
    [
      '.spec.n.replicas: Invalid value: 0: .spec.n.replicas accessor error: 5 is of the type int64, expected map[string]interface{}',
    ],
  ],
];

describe('the scale of a custom resource', () => {
  it.each(SPECS)('%j is checked with the object', (fields, errors) => {
    expect(checkScaleSpec(object(fields), PATHS).map(fieldErrorMessage)).toEqual(errors);
  });

  it('has a selector that is a text', () => {
    const errors = checkScaleStatus(object({ status: { replicas: 1, selector: { a: 'b' } } }), PATHS).map(
      fieldErrorMessage,
    );
    expect(errors).toEqual([
      '.status.selector: Invalid value: "": .status.selector accessor error: map[a:b] is of the type map[string]interface {}, expected string',
    ]);
  });

  it('is written where nothing was', () => {
    const mapping = scaleMapping(PATHS);
    const bare = object({});
    expect(mapping.custom?.hasReplicas(bare)).toBe(false);
    mapping.setReplicas(bare, 4);
    expect(bare['spec']).toEqual({ n: { replicas: 4 } });
    expect(mapping.specReplicas(bare)).toBe(4);
    expect(mapping.custom?.hasReplicas(bare)).toBe(true);
  });
});
