import { JsonSyntaxError, apiErrors } from '@capstan/meta';
import type { ApiRequest, ApiResponse } from '@capstan/meta';
import { parseJsonBody } from '../request/body.js';
import { ValuePayload } from '../response/payload.js';
import type { Fault, FaultAction, FaultInjector, FaultMatch } from './faults.js';

/** Where faults are armed over the wire, on servers that allow it. */
export const FAULTS_PATH = '/debug/faults';

const MATCH_FIELDS = ['verb', 'group', 'resource', 'subresource', 'namespace', 'name'] as const;
const ACTION_TYPES = ['status', 'delay', 'drop-before', 'drop-after'];

/** GET lists the armed faults, POST arms one, DELETE disarms all. */
export function faultsResponse(request: ApiRequest, faults: FaultInjector): ApiResponse {
  switch (request.method) {
    case 'GET':
      return respond(200, faults);
    case 'POST':
      faults.add(readFault(request));
      return respond(201, faults);
    case 'DELETE':
      faults.clear();
      return respond(200, faults);
    default:
      throw apiErrors.methodNotAllowed();
  }
}

function respond(status: number, faults: FaultInjector): ApiResponse {
  return {
    status,
    headers: {},
    body: new ValuePayload({ faults: faults.list().map(({ fault, left }) => ({ ...fault, times: left })) }),
  };
}

function refuse(reason: string): Error {
  return apiErrors.badRequest(
    `not a fault: ${reason}; send {"match":{"resource":"pods"},"action":{"type":"status","code":429},"times":1}`,
  );
}

function readFault(request: ApiRequest): Fault {
  const body = asObject(parseBody(request), 'the body');
  const match: Record<string, string> = {};
  const given = body['match'] === undefined ? {} : asObject(body['match'], 'match');
  for (const [field, value] of Object.entries(given)) {
    if (!MATCH_FIELDS.some((known) => known === field))
      throw refuse(`match.${field} is not one of ${MATCH_FIELDS.join(', ')}`);
    if (typeof value !== 'string') throw refuse(`match.${field} must be a string`);
    match[field] = value;
  }
  const times = body['times'] ?? 1;
  if (!isCount(times) || times < 1) throw refuse('times must be a positive integer');
  return { match: match satisfies FaultMatch, action: readAction(asObject(body['action'], 'action')), times };
}

function parseBody(request: ApiRequest): unknown {
  try {
    return parseJsonBody(request.body).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw refuse(error.message);
    throw error;
  }
}

function readAction(action: Record<string, unknown>): FaultAction {
  const { type, code, ms, retryAfterSeconds, message } = action;
  if (type === 'drop-before' || type === 'drop-after') return { type };
  if (type === 'delay') {
    if (!isCount(ms)) throw refuse('action.ms must be a number of milliseconds');
    return { type, ms };
  }
  if (type !== 'status') throw refuse(`action.type must be one of ${ACTION_TYPES.join(', ')}`);
  if (!isCount(code) || code < 400 || code > 599) throw refuse('action.code must be from 400 to 599');
  return {
    type,
    code,
    ...(isCount(retryAfterSeconds) ? { retryAfterSeconds } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function asObject(value: unknown, what: string): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refuse(`${what} must be an object`);
  return value as Record<string, unknown>;
}
