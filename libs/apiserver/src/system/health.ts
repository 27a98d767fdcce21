import type { ApiResponse } from '@capstan/meta';
import { textPayload, textResponse } from '../response/payload.js';

/** One thing that must be well; gives the trouble, or nothing. */
export type HealthCheck = () => string | undefined;

/** Single checks are answered without the header against content sniffing. */
function plainOk(): ApiResponse {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: textPayload('ok') };
}

const ROOTS = new Set(['healthz', 'livez', 'readyz']);

/** Answers `/healthz`, `/livez`, `/readyz` and the path of each check; undefined for other paths. */
export function healthResponse(
  path: string,
  query: URLSearchParams,
  checks: ReadonlyMap<string, HealthCheck>,
): ApiResponse | undefined {
  const [, root = '', ...rest] = path.split('/');
  if (!ROOTS.has(root)) return undefined;
  const one = rest.join('/');
  return one === '' ? allChecks(root, query, checks) : oneCheck(checks.get(one));
}

function oneCheck(check: HealthCheck | undefined): ApiResponse {
  if (check === undefined) return textResponse(404, '404 page not found\n');
  const trouble = check();
  return trouble === undefined ? plainOk() : textResponse(500, `internal server error: ${trouble}`);
}

function allChecks(root: string, query: URLSearchParams, checks: ReadonlyMap<string, HealthCheck>): ApiResponse {
  const excluded = new Set(query.getAll('exclude'));
  const lines: string[] = [];
  let isWell = true;
  for (const [name, check] of checks) {
    const isExcluded = excluded.has(name);
    const isOk = isExcluded || check() === undefined;
    isWell &&= isOk;
    lines.push(isExcluded ? `[+]${name} excluded: ok` : isOk ? `[+]${name} ok` : `[-]${name} failed: reason withheld`);
  }
  if (isWell && !query.has('verbose')) return textResponse(200, 'ok');
  lines.push(`${root} check ${isWell ? 'passed' : 'failed'}`);
  return textResponse(isWell ? 200 : 500, lines.join('\n') + '\n');
}
