/** Two CRDs compared, for the required versions. */
import { pushAll } from '@capstan/meta';
import type { RuleId } from '../catalogue.js';
import { type DefinitionVersion, versionOf } from '../definition.js';
import type { Finding } from '../report.js';
import {
  type About,
  type Comparison,
  type Isolate,
  type Requests,
  type Showing,
  creation,
  definitionFinding,
  proofBy,
  withOnly,
  withOnlyOf,
} from './comparison.js';
import { compareConversion } from './conversion.js';
import { compareSubresources } from './subresources.js';
import { compareVersions } from './versions.js';

/** The required CRD without one of its versions. */
function without(version: string): Isolate {
  return (required) => ({ ...required, versions: required.versions.filter(({ name }) => name !== version) });
}

/** Everything that is found about the required versions and about the CRD as a whole. */
export function compareDefinitions(comparison: Comparison): Finding[] {
  const { required, live, versions } = comparison;
  const found: Finding[] = [];
  for (const name of versions) {
    const wanted = versionOf(required, name);
    if (wanted === undefined) continue;
    const given = versionOf(live, name);
    if (given === undefined) {
      const message = `version ${name} is required and is not in the CRD`;
      const about = { version: name, path: 'spec.versions', message };
      found.push(
        definitionFinding(
          'version-removed',
          about,
          proofBy(comparison, [wanted], { requests: creation, isolate: without(name) }),
        ),
      );
      continue;
    }
    pushAll(found, compareServed(comparison, wanted, given));
    pushAll(found, compareVersions(comparison, wanted, given));
    pushAll(found, compareSubresources(comparison, wanted, given));
    pushAll(found, compareConversion(comparison, wanted, given));
  }
  pushAll(found, compareWhole(comparison));
  return found;
}

function compareServed(comparison: Comparison, required: DefinitionVersion, live: DefinitionVersion): Finding[] {
  const found: Finding[] = [];
  const { name } = required;
  if (required.served && !live.served) {
    const about = { version: name, path: 'spec.versions.served', message: `version ${name} is no longer served` };
    found.push(
      definitionFinding(
        'version-not-served',
        about,
        proofBy(comparison, [required], { requests: creation, isolate: withOnlyOf(name, { served: false }) }),
      ),
    );
  }
  if (!required.deprecated && live.deprecated) {
    const about = { version: name, path: 'spec.versions.deprecated', message: `version ${name} is deprecated` };
    found.push(definitionFinding('version-deprecated', about));
  }
  return found;
}

/** Errors about the CRD as a whole are shown with any of its required versions. */
function broken(comparison: Comparison, rule: RuleId, about: About, showing: Showing): Finding {
  const versions = comparison.versions.map((name) => versionOf(comparison.required, name));
  return definitionFinding(rule, about, proofBy(comparison, versions, showing));
}

const listing: Requests = ({ ordinary, request }) => [{ request: request('list', ordinary) }];
const reading: Requests = ({ ordinary, request }) => [{ before: ordinary, request: request('get', ordinary) }];

function compareWhole(comparison: Comparison): Finding[] {
  const { required, live } = comparison;
  const found: Finding[] = [...compareNames(comparison), ...compareState(comparison), ...compareLabels(comparison)];
  if (required.scope !== live.scope) {
    const message = `the scope was ${required.scope} and is ${live.scope} now`;
    const about = { path: 'spec.scope', message, required: required.scope, live: live.scope };
    found.push(broken(comparison, 'scope-changed', about, { requests: creation, isolate: withOnly('scope') }));
  }
  if (!required.preserveUnknownFields && live.preserveUnknownFields) {
    const about = { path: 'spec.preserveUnknownFields', message: 'unknown fields are kept everywhere now' };
    found.push(definitionFinding('unknown-fields-kept-everywhere', about));
  }
  return found;
}

function compareNames(comparison: Comparison): Finding[] {
  const { required, live } = comparison;
  const found: Finding[] = [];
  const a = required.names;
  const b = live.names;
  if (required.group !== live.group || a.plural !== b.plural) {
    const values = { required: `${a.plural}.${required.group}`, live: `${b.plural}.${live.group}` };
    const message = `the CRD is ${values.live} and not ${values.required}`;
    const isolate: Isolate = (each) => ({ ...each, group: live.group, names: { ...each.names, plural: b.plural } });
    const about = { path: 'spec.names.plural', message, ...values };
    found.push(broken(comparison, 'name-changed', about, { requests: creation, isolate }));
  }
  if (a.kind !== b.kind) {
    const about = {
      path: 'spec.names.kind',
      message: `the kind was ${a.kind} and is ${b.kind} now`,
      required: a.kind,
      live: b.kind,
    };
    const isolate: Isolate = (each) => ({ ...each, names: { ...each.names, kind: b.kind } });
    found.push(broken(comparison, 'kind-changed', about, { requests: creation, isolate }));
  }
  if (a.listKind !== b.listKind) {
    const message = `the kind of lists was ${a.listKind} and is ${b.listKind} now`;
    const about = { path: 'spec.names.listKind', message, required: a.listKind, live: b.listKind };
    const isolate: Isolate = (each) => ({ ...each, names: { ...each.names, listKind: b.listKind } });
    found.push(broken(comparison, 'list-kind-changed', about, { requests: listing, isolate }));
  }
  if (a.singular !== b.singular) found.push(shortName('spec.names.singular', a.singular));
  for (const key of ['shortNames', 'categories'] as const) {
    for (const name of a[key]) if (!b[key].includes(name)) found.push(shortName(`spec.names.${key}`, name));
  }
  return found;
}

function shortName(path: string, name: string): Finding {
  return definitionFinding('short-name-changed', { path, message: `the name ${name} was removed`, required: name });
}

function compareState(comparison: Comparison): Finding[] {
  const { live } = comparison;
  const found: Finding[] = [];
  if (live.conditions.get('Established') === 'False') {
    found.push(
      definitionFinding('not-established', { path: 'status.conditions', message: 'the CRD is not served yet' }),
    );
  }
  if (live.conditions.get('NamesAccepted') === 'False') {
    const about = { path: 'status.conditions', message: 'the names are taken by another CRD' };
    found.push(
      broken(comparison, 'names-not-accepted', about, { requests: creation, isolate: withOnly('conditions') }),
    );
  }
  for (const name of live.storedVersions) {
    if (versionOf(live, name) !== undefined) continue;
    const about = {
      path: 'spec.versions',
      message: `objects may be stored in version ${name}, which is not in the CRD any more`,
      live: name,
    };
    const isolate: Isolate = (each) => ({ ...without(name)(each, live), storedVersions: [name] });
    found.push(broken(comparison, 'stored-version-dropped', about, { requests: reading, isolate }));
  }
  return found;
}

/** Labels by which Cluster API finds the versions that follow one of its contracts: `v1beta1_v1beta2`. */
const contractLabel = /^cluster\.x-k8s\.io\/v\d+(?:(?:alpha|beta)\d+)?$/;

function compareLabels({ required, live }: Comparison): Finding[] {
  return Object.entries(required.labels).flatMap(([name, value]) => {
    if (!contractLabel.test(name)) return [];
    const given = (live.labels[name] ?? '').split('_');
    const gone = value.split('_').filter((version) => !given.includes(version));
    if (gone.length === 0) return [];
    const about = {
      path: `metadata.labels[${name}]`,
      message: `the contract label ${name} no longer names ${gone.join(', ')}`,
      required: value,
      ...(live.labels[name] !== undefined && { live: live.labels[name] }),
    };
    return [definitionFinding('contract-label-removed', about)];
  });
}
