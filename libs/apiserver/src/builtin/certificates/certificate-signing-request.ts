import { duplicate, forbidden, goQuote, invalid, notSupported, required, tooLong } from '@capstan/meta';
import type { FieldError, JsonObject, KubeObject } from '@capstan/meta';
import { userFields } from '../shared/user-fields.js';
import { BASE, keepField } from '../base.js';
import { diffJson } from '../shared/diff.js';
import type { Errors } from '../shared/checks.js';
import { assign, ensure, equalJson, fields, integer, records, text, texts } from '../shared/json.js';
import { dnsLabelErrors, dnsSubdomainErrors } from '../shared/texts.js';
import { metadataAgain, type ResourceStrategy } from '../strategy.js';
import { certificateFault } from './issued-certificate.js';
import { requestedCertificate } from './requested-certificate.js';

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const MAX_DOMAIN_BYTES = 253;
/** A domain, a slash, a label, a dot and a subdomain. */
const MAX_SIGNER_BYTES = MAX_DOMAIN_BYTES + 1 + 63 + 1 + 253;
const CONDITIONS = 'status.conditions';
const USER_FIELDS = ['username', 'uid', 'groups', 'extra'];

function checkSigner(out: Errors, signer: string): void {
  const field = 'spec.signerName';
  if (signer === '') {
    out.push(required(field));
    return;
  }
  if (signer === 'kubernetes.io/legacy-unknown') {
    out.push(invalid(field, signer, 'the legacy signerName is not allowed via this API version'));
    return;
  }
  const slash = signer.indexOf('/');
  if (slash < 0 || signer.indexOf('/', slash + 1) >= 0) {
    out.push(invalid(field, signer, "must be a fully qualified domain and path of the form 'example.com/signer-name'"));
    return;
  }
  const [host, path] = [signer.slice(0, slash), signer.slice(slash + 1)];
  if (Buffer.byteLength(host) > MAX_DOMAIN_BYTES) out.push(tooLong(field, host, MAX_DOMAIN_BYTES));
  checkParts(out, field, host, dnsLabelErrors);
  if (!host.includes('.'))
    out.push(invalid(field, host, 'should be a domain with at least two segments separated by dots'));
  checkParts(out, field, path, dnsSubdomainErrors);
  if (Buffer.byteLength(signer) > MAX_SIGNER_BYTES) out.push(tooLong(field, signer, MAX_SIGNER_BYTES));
}

/** What is wrong with the first part between dots that something is wrong with. */
function checkParts(out: Errors, field: string, whole: string, check: (part: string) => readonly string[]): void {
  const bad = whole.split('.').find((part) => check(part).length > 0);
  if (bad === undefined) return;
  for (const message of check(bad)) out.push(invalid(field, whole, `validating label ${goQuote(bad)}: ${message}`));
}

function checkConditions(out: Errors, request: KubeObject): void {
  const seen = new Set<string>();
  records(fields(request['status'])['conditions']).forEach((condition, i) => {
    const path = `status.conditions[${i}]`;
    const type = text(condition['type']);
    const status = text(condition['status']);
    if (type === '') out.push(required(`${path}.type`));
    const allowed = ['Approved', 'Denied', 'Failed'].includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
    if (status === '') out.push(required(`${path}.status`));
    else if (!allowed.includes(status)) out.push(notSupported(`${path}.status`, status, allowed));
    if ((type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved'))) {
      out.push(invalid('status.conditions', type, 'Approved and Denied conditions are mutually exclusive'));
    }
    if (seen.has(type)) out.push(duplicate(`${path}.type`, type));
    seen.add(type);
  });
}

function certificateOf(request: KubeObject): string {
  return text(fields(request['status'])['certificate']);
}

function validate(request: KubeObject): FieldError[] {
  const out: Errors = [];
  const spec = fields(request['spec']);
  const requested = requestedCertificate(text(spec['request']));
  if ('fault' in requested) out.push(invalid('spec.request', spec['request'] ?? null, requested.fault));
  const usages = texts(spec['usages']);
  if (usages.length === 0) out.push(required('spec.usages'));
  usages.forEach((usage, i) => {
    if (!USAGES.includes(usage)) out.push(notSupported(`spec.usages[${i}]`, usage, USAGES));
  });
  usages.forEach((usage, i) => {
    if (usages.indexOf(usage) !== i) out.push(duplicate(`spec.usages[${i}]`, usage));
  });
  checkSigner(out, text(spec['signerName']));
  const seconds = integer(spec['expirationSeconds']);
  if (seconds !== undefined && seconds < 600) {
    out.push(
      invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'),
    );
  }
  checkConditions(out, request);
  return out;
}

function ofType(request: KubeObject, type: string): JsonObject[] {
  return records(fields(request['status'])['conditions']).filter((condition) => condition['type'] === type);
}

type Allowed = 'approve' | 'issue' | 'neither';

function validateUpdate(may: Allowed): NonNullable<ResourceStrategy['validateUpdate']> {
  return (request, old, context) => {
    const { asNew, asChange } = metadataAgain(context);
    return [...asNew, ...validateChange(request, old, may), ...asChange];
  };
}

function validateChange(request: KubeObject, old: KubeObject, may: Allowed): FieldError[] {
  const out = validate(request);
  const [issued, before] = [certificateOf(request), certificateOf(old)];
  const fault = issued === before ? undefined : certificateFault(issued);
  if (fault !== undefined) out.push(invalid('status.certificate', '<certificate data>', fault));
  for (const type of ['Approved', 'Denied', 'Failed']) {
    if (ofType(request, type).length < ofType(old, type).length)
      out.push(forbidden(CONDITIONS, `updates may not remove a condition of type "${type}"`));
  }
  if (may !== 'approve') checkUndecided(out, request, old);
  if (issued === before) return out;
  if (may !== 'issue') out.push(forbidden('status.certificate', 'updates may not set certificate content'));
  else if (before !== '')
    out.push(forbidden('status.certificate', 'updates may not modify existing certificate content'));
  return out;
}

/** Who does not decide leaves decisions as they are. */
function checkUndecided(out: Errors, request: KubeObject, old: KubeObject): void {
  for (const type of ['Approved', 'Denied']) {
    const [now, then] = [ofType(request, type), ofType(old, type)];
    if (now.length > then.length) out.push(forbidden(CONDITIONS, `updates may not add a condition of type "${type}"`));
    else if (now.length === then.length && !equalJson(now, then)) {
      out.push(forbidden(CONDITIONS, `updates may not modify a condition of type "${type}"\n${diffJson(then, now)}`));
    }
  }
}

function stamp(request: KubeObject, old: KubeObject, now: string): void {
  for (const condition of records(fields(request['status'])['conditions'])) {
    if (!condition['lastUpdateTime']) condition['lastUpdateTime'] = now;
    if (condition['lastTransitionTime']) continue;
    const same = ofType(old, text(condition['type'])).find(
      (before) => before['status'] === condition['status'] && before['lastTransitionTime'],
    );
    condition['lastTransitionTime'] = same?.['lastTransitionTime'] ?? now;
  }
}

/** Approvals stay as they are, whatever a signer writes over them; one more or less is refused later. */
function keepApprovals(request: KubeObject, old: KubeObject): void {
  const conditions = [...records(fields(request['status'])['conditions'])];
  for (const type of ['Approved', 'Denied']) {
    const kept = ofType(old, type);
    const given = conditions.filter((condition) => condition['type'] === type);
    if (given.length !== kept.length) continue;
    given.forEach((condition, at) => conditions.splice(conditions.indexOf(condition), 1, { ...kept[at] }));
  }
  if (conditions.length > 0) ensure(request, 'status')['conditions'] = conditions;
}

/** Strategy of certificate signing requests. The user of the request is written into it, whatever the body claims. */
export const certificateSigningRequestStrategy: ResourceStrategy = {
  ...BASE,
  nameValidator: 'path-segment',
  prepareForCreate: (request, { user }) => {
    const spec = ensure(request, 'spec');
    for (const key of USER_FIELDS) delete spec[key];
    if (user !== undefined) Object.assign(spec, userFields(user));
    request['status'] = {};
  },
  validate,
  prepareForUpdate: (request, old) => {
    keepField(request, old, 'spec');
    keepField(request, old, 'status');
  },
  validateUpdate: validateUpdate('neither'),
  subresources: {
    status: {
      prepareForUpdate: (request, old, ctx) => {
        keepField(request, old, 'spec');
        keepApprovals(request, old);
        stamp(request, old, ctx.now);
      },
      validateUpdate: validateUpdate('issue'),
    },
    approval: {
      prepareForUpdate: (request, old, ctx) => {
        stamp(request, old, ctx.now);
        const conditions = fields(request['status'])['conditions'];
        keepField(request, old, 'spec');
        const status = { ...fields(old['status']) };
        assign(status, 'conditions', conditions);
        request['status'] = status;
      },
      validateUpdate: validateUpdate('approve'),
    },
  },
  fieldLabels: { 'spec.signerName': (request) => text(fields(request['spec'])['signerName']) },
};
