import { apiErrors, goQuote, invalid, notSupported } from '@capstan/meta';
import type { FieldError } from '@capstan/meta';
import { structOf } from '@capstan/api/kubernetes';
import { decodeTyped, readBodyKind } from '../codec/index.js';
import { typedText } from '../codec/index.js';
import type { ParsedBody } from './body.js';
import { LEAF_TEXTS } from '../codec/index.js';
import { dryRunErrors, parseInt64, requireValidOptions } from './options.js';
import { isTrue } from './request-info.js';

export type PropagationPolicy = 'Orphan' | 'Background' | 'Foreground';

export interface DeleteOptions {
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  /** The deprecated form was used with `false`: the answer is then 202 while the object lingers. */
  readonly orphanDependents: boolean | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: boolean;
}

interface RawDeleteOptions {
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
  orphanDependents?: boolean;
  propagationPolicy?: string;
  dryRun?: string[];
}

/** Options as a body brought them. */
type SentOptions = Pick<ParsedBody, 'value' | 'withNotes'>;

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** Delete options from the body if there is one, else from the query. */
export function parseDeleteOptions(body: SentOptions | undefined, query: URLSearchParams): DeleteOptions {
  const raw = body === undefined ? fromQuery(query) : fromBody(body);
  requireValidOptions('DeleteOptions', [...policyErrors(raw), ...dryRunErrors(raw.dryRun ?? [])]);
  const grace = raw.gracePeriodSeconds;
  return {
    gracePeriodSeconds: grace !== undefined && grace < 0 ? 1 : grace,
    propagationPolicy: policyOf(raw),
    orphanDependents: raw.orphanDependents,
    preconditions: raw.preconditions ?? {},
    dryRun: (raw.dryRun?.length ?? 0) > 0,
  };
}

function policyOf(raw: RawDeleteOptions): PropagationPolicy | undefined {
  if (raw.orphanDependents !== undefined) return raw.orphanDependents ? 'Orphan' : 'Background';
  return raw.propagationPolicy as PropagationPolicy | undefined;
}

function policyErrors(raw: RawDeleteOptions): FieldError[] {
  const { propagationPolicy: policy } = raw;
  if (policy === undefined) return [];
  const errors: FieldError[] = [];
  if (raw.orphanDependents !== undefined)
    errors.push(invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'));
  if (!POLICIES.includes(policy))
    errors.push(notSupported('propagationPolicy', typedText(policy), [...POLICIES, 'nil']));
  return errors;
}

function kindOf(body: unknown): { kind: string; apiVersion: string } {
  try {
    return readBodyKind(body);
  } catch (error) {
    throw apiErrors.badRequest(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function fromBody({ value, withNotes }: SentOptions): RawDeleteOptions {
  const struct = structOf('meta.k8s.io', 'v1', 'DeleteOptions');
  if (struct === undefined) throw apiErrors.internal('the type tables have no DeleteOptions');
  const { kind, apiVersion } = kindOf(value);
  if (kind !== '' && kind !== 'DeleteOptions') {
    const where = 'in scheme "pkg/runtime/scheme.go:111"';
    throw apiErrors.badRequest(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} ${where}`);
  }
  try {
    const { notes, value: noted } = withNotes?.() ?? { notes: undefined, value };
    const context = { texts: LEAF_TEXTS, ...(notes === undefined ? {} : { notes }) };
    return decodeTyped(struct, noted, context).value as RawDeleteOptions;
  } catch (error) {
    throw apiErrors.badRequest(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function fromQuery(query: URLSearchParams): RawDeleteOptions {
  const raw: RawDeleteOptions = {};
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  const policy = query.get('propagationPolicy');
  const dryRun = query.getAll('dryRun');
  if (grace !== null) raw.gracePeriodSeconds = parseInt64(grace);
  if (orphan !== null) raw.orphanDependents = isTrue(orphan);
  if (policy !== null) raw.propagationPolicy = policy;
  if (dryRun.length > 0) raw.dryRun = dryRun;
  return raw;
}
