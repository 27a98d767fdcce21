import { formatTime } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CAS, certificateRows } from './certificates.table.js';
import type { CertificateRow, PkiInputs } from './certificates.table.js';
import { KEYS_REGENERATED_ANNOTATION } from './kept-keys.js';
import { CUSTOM_KUBECONFIG, textsOf } from './kubeconfigs.js';
import type { KubeconfigInputs } from './kubeconfigs.js';
import { checkLeaf } from './leaf.js';

/** Of a control plane: the private key for tokens of service accounts. */
export const SIGNING_KEY = 'sa-signing-key';
/** The tokens that the API server accepts. */
export const TOKENS = 'kas-tokens';
/** The password of kubeadmin. */
export const PASSWORD = 'kubeadmin-password';

/** Secrets that are generated once and never again. */
export const ONCE: readonly string[] = [...CAS, SIGNING_KEY, TOKENS, PASSWORD];

/** What certificates and kubeconfigs are made for. */
export type PlanInputs = PkiInputs & Omit<KubeconfigInputs, 'caPem' | 'tokens'>;

/** The certificates of a control plane, and all Secrets of its keys. */
export interface PkiPlan {
  readonly rows: readonly CertificateRow[];
  readonly names: readonly string[];
}

/** Plans certificates and Secrets by the spec alone. */
export function planOf(inputs: PlanInputs): PkiPlan {
  const rows = certificateRows(inputs);
  const names = [
    ...ONCE,
    ...rows.map((row) => row.secret),
    'admin-kubeconfig',
    'service-network-admin-kubeconfig',
    'bootstrap-kubeconfig',
    `${inputs.infraID}-kubeconfig`,
    CUSTOM_KUBECONFIG,
  ];
  return { rows, names };
}

/** What becomes of a Secret of {@link ONCE}. */
export type KeysDecision =
  | { readonly do: 'keep'; readonly secret: KubeObject }
  | { readonly do: 'restore'; readonly secret: KubeObject }
  | { readonly do: 'generate'; readonly annotations: Readonly<Record<string, string>> };

/** What is known of the keys in a Secret. */
export interface FoundKeys {
  readonly existing: KubeObject | undefined;
  /** As this process saw the Secret last, with keys that were good. */
  readonly lastSeen: KubeObject | undefined;
  /** Whether clients may trust the earlier keys: then new ones are annotated. */
  readonly isInUse: boolean;
  readonly nowMs: number;
}

/** Keeps what is there, whatever is in it; a deleted Secret is restored if it can be. */
export function decideKeys({ existing, isInUse, lastSeen, nowMs }: FoundKeys): KeysDecision {
  if (existing !== undefined) return { do: 'keep', secret: existing };
  if (lastSeen !== undefined) return { do: 'restore', secret: lastSeen };
  return { do: 'generate', annotations: isInUse ? { [KEYS_REGENERATED_ANNOTATION]: formatTime(nowMs) } : {} };
}

/** What becomes of a certificate. */
export type LeafDecision =
  | { readonly do: 'keep'; readonly untilMs: number }
  | { readonly do: 'issue'; readonly why: string };

/** Keeps a certificate as long as it is good for its names, under its CA, and not about to end. */
export function decideLeaf(
  row: CertificateRow,
  existing: KubeObject | undefined,
  { caPem, nowMs }: { readonly caPem: string; readonly nowMs: number },
): LeafDecision {
  if (existing === undefined) return { do: 'issue', why: 'there is none' };
  const state = checkLeaf(row, textsOf(existing), { caPem, nowMs });
  return 'goodUntilMs' in state ? { do: 'keep', untilMs: state.goodUntilMs } : { do: 'issue', why: state.reissue };
}
