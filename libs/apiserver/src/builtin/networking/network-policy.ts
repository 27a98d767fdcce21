import { forbidden, invalid, notSupported, required } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { counted } from '../base.js';
import type { Errors } from '../shared/checks.js';
import { checkLabelSelector, checkText } from '../shared/checks.js';
import { typedText } from '../../codec/index.js';
import { checkCidr, isStrictSubset, parseCidr } from '../shared/ip.js';
import { defaultTo, ensure, fields, integer, record, records, text, texts } from '../shared/json.js';
import { portNameErrors, portNumberErrors } from '../shared/texts.js';
import type { ResourceStrategy } from '../strategy.js';

function defaults(policy: KubeObject): void {
  const spec = ensure(policy, 'spec');
  ensure(spec, 'podSelector');
  for (const rule of [...records(spec['ingress']), ...records(spec['egress'])]) {
    for (const port of records(rule['ports'])) defaultTo(port, 'protocol', 'TCP');
  }
  if (texts(spec['policyTypes']).length === 0)
    spec['policyTypes'] = records(spec['egress']).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

function checkPort(out: Errors, path: string, port: JsonObject): void {
  const protocol = port['protocol'];
  if (protocol !== undefined && !['TCP', 'UDP', 'SCTP'].includes(text(protocol)))
    out.push(notSupported(`${path}.protocol`, protocol, ['TCP', 'UDP', 'SCTP']));
  const value = port['port'];
  const end = integer(port['endPort']);
  if (typeof value === 'string') {
    if (end !== undefined) out.push(invalid(`${path}.endPort`, end, 'may not be specified when `port` is non-numeric'));
    checkText(out, `${path}.port`, value, portNameErrors(value));
  } else if (value === undefined) {
    if (end !== undefined)
      out.push(invalid(`${path}.endPort`, end, 'may not be specified when `port` is not specified'));
  } else {
    const number = integer(value) ?? 0;
    checkText(out, `${path}.port`, number, portNumberErrors(number));
    if (end === undefined) return;
    if (end < number) out.push(invalid(`${path}.endPort`, number, 'must be greater than or equal to `port`'));
    checkText(out, `${path}.endPort`, end, portNumberErrors(end));
  }
}

function checkBlock(out: Errors, path: string, block: JsonObject, known: readonly string[]): void {
  const cidr = text(block['cidr']);
  if (cidr === '') {
    out.push(required(`${path}.cidr`));
    return;
  }
  checkCidr(out, `${path}.cidr`, cidr, known);
  const outer = parseCidr(cidr);
  if (!outer) return;
  texts(block['except']).forEach((except, i) => {
    checkCidr(out, `${path}.except[${i}]`, except, known);
    const inner = parseCidr(except);
    if (inner && !isStrictSubset(inner, outer))
      out.push(invalid(`${path}.except[${i}]`, except, 'must be a strict subset of `cidr`'));
  });
}

function checkPeer(out: Errors, path: string, peer: JsonObject, known: readonly string[]): void {
  let count = 0;
  for (const key of ['podSelector', 'namespaceSelector']) {
    if (!record(peer[key])) continue;
    count++;
    checkLabelSelector(out, `${path}.${key}`, peer[key]);
  }
  const block = record(peer['ipBlock']);
  if (block) {
    count++;
    checkBlock(out, `${path}.ipBlock`, block, known);
  }
  if (count === 0) out.push(required(path, 'must specify a peer'));
  else if (count > 1 && block) out.push(forbidden(path, 'may not specify both ipBlock and another peer'));
}

const DIRECTIONS = [
  ['ingress', 'from'],
  ['egress', 'to'],
] as const;

function blocksOf(policy: KubeObject | undefined): string[] {
  const spec = fields(policy?.['spec']);
  return DIRECTIONS.flatMap(([direction, peers]) =>
    records(spec[direction]).flatMap((rule) =>
      records(rule[peers]).flatMap((peer) => [
        text(fields(peer['ipBlock'])['cidr']),
        ...texts(fields(peer['ipBlock'])['except']),
      ]),
    ),
  );
}

function validate(policy: KubeObject, old?: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(policy['spec']);
  const known = blocksOf(old);
  checkLabelSelector(out, 'spec.podSelector', spec['podSelector']);
  for (const [direction, peers] of DIRECTIONS) {
    records(spec[direction]).forEach((rule, i) => {
      const path = `spec.${direction}[${i}]`;
      records(rule['ports']).forEach((port, j) => checkPort(out, `${path}.ports[${j}]`, port));
      records(rule[peers]).forEach((peer, j) => checkPeer(out, `${path}.${peers}[${j}]`, peer, known));
    });
  }
  const types = texts(spec['policyTypes']);
  if (types.length > 2) {
    out.push(invalid('spec.policyTypes', types, 'may not specify more than two policyTypes'));
    return out;
  }
  types.forEach((type, i) => {
    if (type !== 'Ingress' && type !== 'Egress')
      out.push(notSupported(`spec.policyTypes[${i}]`, typedText(type), ['Ingress', 'Egress']));
  });
  return out;
}

/** Strategy of network policies. */
export const networkPolicyStrategy: ResourceStrategy = counted(['spec'], {
  applyDefaults: defaults,
  validate: (policy) => validate(policy),
  validateUpdate: validate,
});
