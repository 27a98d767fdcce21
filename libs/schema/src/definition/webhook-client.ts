/** Addresses of webhooks: of admission and of conversion alike. */
import { Buffer } from 'node:buffer';
import { checkDns1123Subdomain, invalid, required } from '@capstan/meta';
import type { FieldError, JsonObject } from '@capstan/meta';
import { text } from './read.js';

const MAX_PORT = 65_535;

/** The address of a webhook outside the cluster. */
export function checkUrl(out: FieldError[], field: string, url: string): void {
  const example = '; desired format: https://host[/path]';
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    out.push(required(field, `url must be a valid URL: parse ${JSON.stringify(url)}: invalid URL${example}`));
    return;
  }
  if (parsed.protocol !== 'https:')
    out.push(invalid(field, parsed.protocol.replace(/:$/, ''), `'https' is the only allowed URL scheme${example}`));
  if (parsed.host === '') out.push(invalid(field, parsed.host, `host must be specified${example}`));
  const user = parsed.password === '' ? parsed.username : `${parsed.username}:${parsed.password}`;
  if (user !== '') out.push(invalid(field, user, 'user information is not permitted in the URL'));
  if (parsed.hash !== '') out.push(invalid(field, parsed.hash.slice(1), 'fragments are not permitted in the URL'));
  if (parsed.search !== '')
    out.push(invalid(field, parsed.search.slice(1), 'query parameters are not permitted in the URL'));
}

function checkServicePath(out: FieldError[], field: string, path: string): void {
  if (path === '/' || path === '') return;
  if (path === '//') {
    out.push(invalid(field, path, 'segment[0] may not be empty'));
    return;
  }
  if (!path.startsWith('/')) out.push(invalid(field, path, "must start with a '/'"));
  // By bytes: of a character that has several the rest is left.
  const steps = Buffer.from(path).subarray(1).toString('utf8').replace(/\/$/, '').split('/');
  steps.forEach((step, i) => {
    if (step === '') out.push(invalid(field, path, `segment[${i}] may not be empty`));
    else for (const message of checkDns1123Subdomain(step)) out.push(invalid(field, path, `segment[${i}]: ${message}`));
  });
}

/** The address of a webhook behind a service. */
export function checkService(out: FieldError[], path: string, service: JsonObject): void {
  // The real server swaps name and namespace in the error about a missing one.
  if (text(service['namespace']) === '') out.push(required(`${path}.name`));
  if (text(service['name']) === '') out.push(required(`${path}.namespace`));
  const port = service['port'] ?? 443;
  if (!(Number(port) >= 1 && Number(port) <= MAX_PORT))
    out.push(invalid(`${path}.port`, Number(port), `port is not valid: must be between 1 and ${MAX_PORT}, inclusive`));
  if (service['path'] !== undefined) checkServicePath(out, `${path}.path`, text(service['path']));
}
