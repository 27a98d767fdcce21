import { apiErrors, fromStatus } from '@capstan/meta';
import type { ApiError, ApiResponse } from '@capstan/meta';
import type { ResourceRef } from './resource.js';

const MOST_TEXT = 2_048;

/** What was being asked, for the text of an answer that carries no Status. */
export interface RequestSubject {
  readonly method: string;
  readonly resource?: ResourceRef | undefined;
  readonly name?: string | undefined;
}

/** The error an unsuccessful response stands for. */
export function responseError(response: ApiResponse, subject: RequestSubject): ApiError {
  const body = response.body.type === 'payload' ? response.body.value() : undefined;
  const error = fromStatus(body);
  if (error !== undefined) return error;
  const seconds = retryAfter(response);
  return apiErrors.genericServerResponse(response.status, {
    verb: subject.method,
    ...(subject.resource === undefined
      ? {}
      : { resource: { group: subject.resource.group, resource: subject.resource.plural } }),
    ...(subject.name === undefined ? {} : { name: subject.name }),
    ...(body === undefined ? {} : { serverMessage: textOf(body) }),
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    unexpected: true,
  });
}

/** As much as fits a message of what is no Status: many servers explain themselves in JSON of their own. */
function textOf(body: unknown): string {
  return (typeof body === 'string' ? body.trim() : JSON.stringify(body)).slice(0, MOST_TEXT);
}

/** Seconds of a `Retry-After` header; dates are not used by API servers. */
export function retryAfter(response: ApiResponse): number | undefined {
  const header = response.headers['retry-after'];
  const seconds = typeof header === 'string' ? Number(header) : Number.NaN;
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined;
}

/** The texts of the `Warning: 299` headers. */
export function warningsOf(response: ApiResponse): string[] {
  const header = response.headers['warning'];
  if (header === undefined) return [];
  const texts: string[] = [];
  for (const value of typeof header === 'string' ? [header] : header) {
    for (const match of value.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g))
      texts.push((match[1] ?? '').replace(/\\(.)/g, '$1'));
  }
  return texts;
}
