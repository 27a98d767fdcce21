import { duplicate, forbidden, invalid } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { BASE, keepField, statusUpdate } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkQualifiedName } from '../shared/checks.js';
import { checkCidr, parseCidr } from '../shared/ip.js';
import { ensure, equalJson, fields, record, records, text, texts } from '../shared/json.js';
import { structText } from '../shared/internal.js';
import { labelValueErrors } from '../shared/names.js';
import { metadataAgain, type ResourceStrategy } from '../strategy.js';
import { checkTaintEffect } from './affinity.js';
import { defaultResourceList } from './pod-defaults.js';
import { checkAmount } from './resources.js';

// The server speaks of metadata.taints, wherever the taints are.
function checkTaints(out: Errors, node: KubeObject): void {
  const seen = new Set<string>();
  records(fields(node['spec'])['taints']).forEach((taint, i) => {
    const path = `metadata.taints[${i}]`;
    const effect = text(taint['effect']);
    checkQualifiedName(out, `${path}.key`, text(taint['key']));
    const complaints = labelValueErrors(text(taint['value']));
    if (complaints.length > 0) out.push(invalid(`${path}.value`, text(taint['value']), complaints.join(';')));
    checkTaintEffect(out, `${path}.effect`, effect);
    const key = `${effect}/${text(taint['key'])}`;
    if (seen.has(key))
      out.push({ ...duplicate(path, taintText(taint)), detail: 'taints must be unique by key and effect pair' });
    seen.add(key);
  });
}

function taintText(taint: Readonly<JsonObject>): ReturnType<typeof structText> {
  return structText({
    Key: text(taint['key']),
    Value: text(taint['value']),
    Effect: text(taint['effect']),
    TimeAdded: taint['timeAdded'] ?? null,
  });
}

function checkCapacity(out: Errors, node: KubeObject): void {
  const status = fields(node['status']);
  for (const list of ['capacity', 'allocatable']) {
    const map = fields(status[list]);
    for (const name of Object.keys(map)) checkAmount(out, `status.${list}.${name}`, name, map[name]);
  }
}

function checkPodCidrs(out: Errors, node: KubeObject): void {
  const cidrs = texts(fields(node['spec'])['podCIDRs']);
  cidrs.forEach((cidr, i) => checkCidr(out, `spec.podCIDRs[${i}]`, cidr));
  if (cidrs.length < 2) return;
  const families = new Set(cidrs.map((cidr) => parseCidr(cidr)?.bytes.length));
  if (cidrs.length > 2 || families.size !== cidrs.length) {
    out.push(invalid('spec.podCIDRs', cidrs, 'may specify no more than one CIDR for each IP family'));
  }
}

function validate(node: KubeObject): FieldError[] {
  const out: Errors = [];
  checkTaints(out, node);
  checkCapacity(out, node);
  checkPodCidrs(out, node);
  return out;
}

function validateUpdate(node: KubeObject, old: KubeObject): FieldError[] {
  const out: Errors = [];
  checkCapacity(out, node);
  const addresses = new Set<string>();
  records(fields(node['status'])['addresses']).forEach((address, i) => {
    const key = `${text(address['type'])} ${text(address['address'])}`;
    if (addresses.has(key))
      out.push(
        duplicate(
          `status.addresses[${i}]`,
          structText({ Type: text(address['type']), Address: text(address['address']) }),
        ),
      );
    addresses.add(key);
  });
  const spec = fields(node['spec']);
  const before = fields(old['spec']);
  if (texts(before['podCIDRs']).length > 0 && !equalJson(before['podCIDRs'], spec['podCIDRs'])) {
    out.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  if (text(before['providerID']) !== '' && text(before['providerID']) !== text(spec['providerID'])) {
    out.push(forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  checkTaints(out, node);
  return out;
}

// Two names of one field: the first block, and all of them.
function syncPodCidrs(node: KubeObject): void {
  const spec = ensure(node, 'spec');
  const single = text(spec['podCIDR']);
  const list = texts(spec['podCIDRs']);
  if (single !== '' && (list.length === 0 || list[0] !== single)) spec['podCIDRs'] = [single];
  else if (single === '' && list.length > 0) spec['podCIDR'] = list[0];
}

function warnings(node: KubeObject): string[] {
  const spec = fields(node['spec']);
  const out: string[] = [];
  if (record(spec['configSource'])) out.push('spec.configSource: the feature is removed');
  if (text(spec['externalID']) !== '')
    out.push('spec.externalID: this field is deprecated, and is unused by Kubernetes');
  return out;
}

/** Strategy of nodes: they are born with a status, since the kubelet registers them so. */
export const nodeStrategy: ResourceStrategy = {
  ...BASE,
  applyDefaults: (node) => {
    syncPodCidrs(node);
    const status = ensure(node, 'status');
    defaultResourceList(status['capacity']);
    defaultResourceList(status['allocatable']);
    if (!record(status['allocatable']) && record(status['capacity']))
      status['allocatable'] = { ...fields(status['capacity']) };
  },
  validate,
  warningsOnCreate: warnings,
  prepareForUpdate: (node, old) => keepField(node, old, 'status'),
  validateUpdate: (node, old, context) => {
    const { asNew, asChange } = metadataAgain(context);
    return [...asNew, ...validate(node), ...asChange, ...validateUpdate(node, old)];
  },
  warningsOnUpdate: warnings,
  subresources: { status: statusUpdate(validateUpdate) },
  fieldLabels: { 'spec.unschedulable': (node) => String(fields(node['spec'])['unschedulable'] === true) },
};
