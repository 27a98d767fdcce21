import { errorText, TransportError } from '@capstan/kube';
import type { ConversionErrorType } from '../metric-declarations.js';

/** An answer of which no more was read. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** What became of one try. */
export type Verdict =
  | { readonly type: 'answer'; readonly body: Buffer }
  /** Trying again may help; if it does not, `away` means that calling the shim again later may. */
  | { readonly type: 'again'; readonly away: boolean; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string; readonly counted: ConversionErrorType };

/** Status codes of transient failures on the way. */
const AWAY_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const SHOWN_CHARACTERS = 200;
const TIMEOUTS: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ABORTED']);
const UNTRUSTED = /CERT|^ERR_TLS|^ERR_SSL|^UNABLE_TO/;

/** What an answer is worth. */
export function ofAnswer(status: number, bytes: Buffer): Verdict {
  if (status >= 200 && status < 300) return { type: 'answer', body: bytes };
  const detail = bytes.toString('utf8', 0, SHOWN_CHARACTERS).trim();
  const reason = `it answered with HTTP ${status}${detail === '' ? '' : `: ${detail}`}`;
  if (AWAY_STATUSES.has(status)) return { type: 'again', away: true, reason };
  return status === 500
    ? { type: 'again', away: false, reason }
    : { type: 'failed', reason, counted: 'upstream-webhook-invalid' };
}

/** What it means that no answer came. */
export function ofError(error: unknown, timeoutMs: number): Verdict {
  if (error instanceof AnswerTooLarge)
    return { type: 'failed', reason: error.message, counted: 'upstream-webhook-invalid' };
  const code = error instanceof TransportError ? error.code : '';
  const counted = 'upstream-webhook-unavailable';
  if (TIMEOUTS.has(code)) return { type: 'failed', reason: `it did not answer within ${timeoutMs / 1000} s`, counted };
  if (UNTRUSTED.test(code))
    return { type: 'failed', reason: `its certificate is not trusted: ${errorText(error)}`, counted };
  return { type: 'again', away: true, reason: errorText(error) };
}
