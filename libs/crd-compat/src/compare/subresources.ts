/** Status, scale and selectable fields of one version of two CRDs. */
import type { JsonObject } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import type { DefinitionVersion, ScalePaths } from '../definition.js';
import type { Exchange } from '../proof/definition-server.js';
import { namesOf, scaleRequest } from '../proof/scale.js';
import type { Finding } from '../report.js';
import { restOf } from '../drafts/any.js';
import {
  type Author,
  type Comparison,
  type Proof,
  type Requests,
  definitionFinding,
  proofBy,
  proverFor,
  withOnlyOf,
} from './comparison.js';
import { formatRange } from './limits.js';

const at = 'spec.versions.subresources';
const scaleNames = ['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath'] as const;

const writingStatus: Requests = ({ ordinary, request }) => [
  { before: ordinary, request: request('status', ordinary, ordinary) },
];

/** Numbers of replicas: where one shows nothing, another may. */
const replicas = [3, 2, 1, 0];

function* scaling({ ordinary, request }: Author): Generator<Exchange> {
  for (const count of replicas) {
    yield { before: ordinary, request: request('scale', ordinary, scaleRequest(ordinary, count)) };
  }
}

/** The object with the status of another. */
function withStatusOf(object: JsonObject, { status }: JsonObject): JsonObject {
  return status === undefined ? object : { ...object, status };
}

/** Reads of the scale of objects that have a value at one of its paths. */
function readingScale(name: keyof ScalePaths): Requests {
  const values = name === 'labelSelectorPath' ? ['app=a', ''] : replicas;
  return function* reads({ objectWith, request, version: { scale } }): Generator<Exchange> {
    if (scale === undefined) return;
    for (const value of values) {
      const wanting = objectWith(scale.specReplicasPath, 2);
      const having = scale[name] === '' ? wanting : objectWith(scale[name], value);
      if (wanting === undefined || having === undefined) continue;
      const before = withStatusOf(wanting, having);
      yield { before, request: request('get-scale', before) };
    }
  };
}

function compareStatus(comparison: Comparison, required: DefinitionVersion, live: DefinitionVersion): Finding[] {
  if (required.hasStatus === live.hasStatus) return [];
  const version = required.name;
  const path = `${at}.status`;
  if (required.hasStatus) {
    const about = { version, path, message: 'the status is no subresource any more' };
    return [
      definitionFinding(
        'status-subresource-removed',
        about,
        proofBy(comparison, [required], {
          requests: writingStatus,
          isolate: withOnlyOf(version, { hasStatus: false }),
        }),
      ),
    ];
  }
  const message = 'the status is a subresource now';
  // Without a schema of its own it is still written with the object where unknown fields are kept.
  if (fieldAt(required.schema().root, ['status']) === undefined) {
    return [definitionFinding('status-subresource-unused', { version, path, message })];
  }
  const sides = {
    required: { schema: required.schema(), hasStatus: false },
    live: { schema: live.schema(), hasStatus: true },
  };
  const prover = proverFor(comparison, version, sides, (each) => ({ undone: { ...each.live, hasStatus: false } }));
  const site = [{ kind: 'property', name: 'status' }] as const;
  const trials = [{ kind: 'sample' }, { kind: 'value', value: { key: 'value' } }] as const;
  const proof = (): Proof => prover.prove({ rule: 'status-subresource-added', site, message, trials });
  return [definitionFinding('status-subresource-added', { version, path, message }, proof)];
}

/** Values that a field may have and a selector may not. */
function noSelectors({ format, type }: SchemaNode): readonly unknown[] {
  if (type !== 'string') return [7, true, {}, []];
  return format === '' ? [] : [[]];
}

/** Values that a field may have and a number of replicas may not. */
function noReplicas(node: SchemaNode, minor: number): readonly unknown[] {
  if (node.type !== 'integer') return ['text', true, 1.5, {}, []];
  const most = minor < 36 ? Infinity : (formatRange(node)?.high ?? Infinity);
  const isNegative = (node.minimum ?? -Infinity) < 0;
  const isLarge = Math.min(node.maximum ?? Infinity, most) > 2 ** 31 - 1;
  return [...(isNegative ? [-1] : []), ...(isLarge ? [2 ** 31] : [])];
}

/** Values that a field may have and that a scale cannot show. */
function misfits(node: SchemaNode | undefined, name: keyof ScalePaths, minor: number): readonly unknown[] {
  if (node === undefined) return [];
  return [
    ...(node.nullable ? [null] : []),
    ...(name === 'labelSelectorPath' ? noSelectors(node) : noReplicas(node, minor)),
  ];
}

/** The schema of a field, if there can be one there. */
function fieldAt(root: SchemaNode, names: readonly string[]): SchemaNode | undefined {
  return names.reduce<SchemaNode | undefined>(
    (node, name) => node && (node.properties?.get(name) ?? restOf(node)),
    root,
  );
}

/** A scale takes no objects whose fields it cannot show. */
function compareNewScale(comparison: Comparison, required: DefinitionVersion, scale: ScalePaths): Finding[] {
  const { name: version, schema, hasStatus } = required;
  const sides = { required: { schema: schema(), hasStatus }, live: { schema: schema(), hasStatus, scale } };
  return scaleNames.flatMap((name) => {
    const names = namesOf(scale[name]);
    const values = scale[name] === '' ? [] : misfits(fieldAt(schema().root, names), name, comparison.minor);
    if (values.length === 0) return [];
    const rule = 'scale-limits-field';
    const message = `${names.join('.')} must suit the ${name} of the new scale subresource`;
    const site = names.map((each) => ({ kind: 'property', name: each }) as const);
    const draft = { rule, site, message, trials: values.map((value) => ({ kind: 'value', value }) as const) } as const;
    const about = { version, path: `${at}.scale.${name}`, message, live: scale[name] };
    return [
      definitionFinding(rule, about, () =>
        proverFor(comparison, version, sides, () => ({ undone: sides.required })).prove(draft),
      ),
    ];
  });
}

function compareScale(comparison: Comparison, required: DefinitionVersion, live: DefinitionVersion): Finding[] {
  const wanted = required.scale;
  if (wanted === undefined) return live.scale === undefined ? [] : compareNewScale(comparison, required, live.scale);
  const version = required.name;
  if (live.scale === undefined) {
    const about = { version, path: `${at}.scale`, message: 'there is no scale subresource any more' };
    return [
      definitionFinding(
        'scale-subresource-removed',
        about,
        proofBy(comparison, [required], { requests: scaling, isolate: withOnlyOf(version, { scale: undefined }) }),
      ),
    ];
  }
  const given = live.scale;
  return scaleNames.flatMap((name) => {
    if (wanted[name] === given[name]) return [];
    const message = `${name} was ${wanted[name] || 'not set'} and is ${given[name] || 'not set'} now`;
    const about = { version, path: `${at}.scale.${name}`, message, required: wanted[name], live: given[name] };
    const requests = name === 'specReplicasPath' ? scaling : readingScale(name);
    const isolate = withOnlyOf(version, { scale: { ...wanted, [name]: given[name] } });
    return [definitionFinding('scale-path-changed', about, proofBy(comparison, [required], { requests, isolate }))];
  });
}

/** What is found about the subresources and selectable fields of a version. */
export function compareSubresources(
  comparison: Comparison,
  required: DefinitionVersion,
  live: DefinitionVersion,
): Finding[] {
  const found = [...compareStatus(comparison, required, live), ...compareScale(comparison, required, live)];
  for (const field of required.selectableFields) {
    if (live.selectableFields.includes(field)) continue;
    const message = `${field} is no selectable field any more`;
    const about = { version: required.name, path: 'spec.versions.selectableFields', message, required: field };
    const selectableFields = required.selectableFields.filter((each) => each !== field);
    const isolate = withOnlyOf(required.name, { selectableFields });
    const selecting: Requests = ({ ordinary, request }) => {
      const { path: all, verb } = request('list', ordinary);
      return [{ request: { verb, path: `${all}?fieldSelector=${encodeURIComponent(`${field.slice(1)}=a`)}` } }];
    };
    found.push(
      definitionFinding(
        'selectable-field-removed',
        about,
        proofBy(comparison, [required], { requests: selecting, isolate }),
      ),
    );
  }
  return found;
}
