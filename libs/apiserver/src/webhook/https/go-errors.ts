import type { ServiceAddress } from '../call.js';

/** Codes with which certificates that no known authority signed are refused. */
const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** The kernel's error when a connection cannot be made. */
const DIAL_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  EADDRNOTAVAIL: 'connect: cannot assign requested address',
  ETIMEDOUT: 'connect: connection timed out',
  EACCES: 'connect: permission denied',
};

const LOOKUP_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']);

interface NodeError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  /** Of attempts on all addresses of a name. */
  readonly errors?: readonly NodeError[];
}

/** `host:port`, brackets around IPv6. */
export function hostPort({ host, port }: ServiceAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A failed exchange in the words of Go's client. */
export function goErrorText(error: unknown, address: ServiceAddress): string {
  const first = firstOf(error as NodeError);
  return dialText(first, address) ?? tlsText(first) ?? streamText(first);
}

function dialText(error: NodeError, address: ServiceAddress): string | undefined {
  const { code = '', syscall } = error;
  if (LOOKUP_CODES.has(code)) return `dial tcp: lookup ${address.host}: no such host`;
  const text = DIAL_TEXTS[code];
  if (text === undefined || syscall !== 'connect') return undefined;
  return `dial tcp ${hostPort(dialed(error, address))}: ${text}`;
}

function tlsText({ code = '', message }: NodeError): string | undefined {
  if (UNKNOWN_AUTHORITY.has(code))
    return 'tls: failed to verify certificate: x509: certificate signed by unknown authority';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'tls: failed to verify certificate: x509: certificate has expired or is not yet valid';
  if (/wrong version number|packet length too long/.test(message))
    return 'http: server gave HTTP response to HTTPS client';
  const alert = /alert ([a-z ]+?)(?::|$)/.exec(message)?.[1];
  return alert === undefined ? undefined : `remote error: tls: ${alert}`;
}

function streamText({ code, message }: NodeError): string {
  if (code === 'EPIPE') return 'write: broken pipe';
  if (code !== 'ECONNRESET') return message;
  // Node distinguishes a closed connection from a reset one by the text alone.
  return message.startsWith('read ') ? 'read: connection reset by peer' : closedText(message);
}

function closedText(message: string): string {
  return message === 'aborted' ? 'unexpected EOF' : 'EOF';
}

function firstOf(error: NodeError): NodeError {
  return error.errors?.[0] ?? error;
}

/** Where it was that the connection failed: a name has been looked up by then. */
function dialed(error: NodeError, asked: ServiceAddress): ServiceAddress {
  const { address, port } = error as { address?: string; port?: number };
  return { host: address ?? asked.host, port: port ?? asked.port };
}
