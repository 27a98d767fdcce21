import type { ApiRequest, Transport } from '@capstan/meta';
import { isSilent } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';

const WRITES: Readonly<Record<string, string>> = {
  POST: 'object created',
  PUT: 'object updated',
  PATCH: 'object patched',
  DELETE: 'object deleted',
};

/** A transport that logs each write the server has accepted; reviews and dry runs change nothing and are left out. */
export function loggedTransport(transport: Transport, logger: Logger): Transport {
  if (isSilent(logger)) return transport;
  return {
    send: async (request) => {
      const response = await transport.send(request);
      const message = WRITES[request.method];
      if (message !== undefined && response.status < 400) {
        const fields = fieldsOf(request);
        if (fields !== undefined) logger.info(message, fields);
      }
      return response;
    },
  };
}

function fieldsOf({ body, method, target }: ApiRequest): Readonly<Record<string, unknown>> | undefined {
  const [path = '', query = ''] = target.split('?');
  if (path.endsWith('reviews') || /(?:^|&)dryRun=/.test(query)) return undefined;
  // The path of a creation ends with the resource: the name is in the object.
  const name = method === 'POST' && body?.type === 'value' ? nameIn(body.value) : undefined;
  return { path, ...(name === undefined ? {} : { name }) };
}

function nameIn(object: unknown): string | undefined {
  const { metadata } = (object ?? {}) as {
    readonly metadata?: { readonly name?: unknown; readonly generateName?: unknown };
  };
  const { generateName, name } = metadata ?? {};
  if (typeof name === 'string') return name;
  return typeof generateName === 'string' ? `${generateName}…` : undefined;
}
