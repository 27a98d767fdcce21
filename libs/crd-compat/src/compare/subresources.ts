/** Status, scale and selectable fields of one version of two definitions. */
import type { DefinitionVersion } from '../definition.js';
import type { Finding } from '../report.js';
import { type Comparison, type Proof, definitionFinding, notFound, ordinaryWitness, proverFor } from './comparison.js';

const at = 'spec.versions.subresources';

function compareStatus(comparison: Comparison, required: DefinitionVersion, live: DefinitionVersion): Finding[] {
  if (required.hasStatus === live.hasStatus) return [];
  const version = required.name;
  const path = `${at}.status`;
  if (required.hasStatus) {
    const about = { version, path, message: 'the status is no subresource any more' };
    const proof = (): Proof => ordinaryWitness(comparison, required, notFound, 'status');
    return [definitionFinding('status-subresource-removed', about, proof)];
  }
  const message = 'the status is a subresource now';
  if (required.schema().root.properties?.has('status') !== true) {
    return [definitionFinding('status-subresource-unused', { version, path, message })];
  }
  const prover = proverFor(comparison, version, {
    required: { schema: required.schema(), hasStatus: false },
    live: { schema: live.schema(), hasStatus: true },
  });
  const site = [{ kind: 'property', name: 'status' }] as const;
  const proof = (): Proof =>
    prover.prove({ rule: 'status-subresource-added', site, message, trials: [{ kind: 'sample' }] });
  return [definitionFinding('status-subresource-added', { version, path, message }, proof)];
}

function compareScale(comparison: Comparison, required: DefinitionVersion, live: DefinitionVersion): Finding[] {
  const wanted = required.scale;
  if (wanted === undefined) return [];
  const version = required.name;
  if (live.scale === undefined) {
    const about = { version, path: `${at}.scale`, message: 'there is no scale subresource any more' };
    const proof = (): Proof => ordinaryWitness(comparison, required, notFound, 'scale');
    return [definitionFinding('scale-subresource-removed', about, proof)];
  }
  const given = live.scale;
  return (['specReplicasPath', 'statusReplicasPath', 'labelSelectorPath'] as const).flatMap((name) => {
    if (wanted[name] === given[name]) return [];
    const message = `${name} was ${wanted[name] || 'not set'} and is ${given[name] || 'not set'} now`;
    const about = { version, path: `${at}.scale.${name}`, message, required: wanted[name], live: given[name] };
    const outcome = { kind: 'changed', path: name, expected: wanted[name], got: given[name] } as const;
    const proof = (): Proof => ordinaryWitness(comparison, required, outcome, 'scale');
    return [definitionFinding('scale-path-changed', about, proof)];
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
    const outcome = { kind: 'rejected', message: `field label not supported: ${field.replace(/^\./, '')}` } as const;
    found.push(
      definitionFinding('selectable-field-removed', about, () => ordinaryWitness(comparison, required, outcome)),
    );
  }
  return found;
}
