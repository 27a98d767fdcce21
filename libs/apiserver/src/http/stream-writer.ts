import type { ServerResponse } from 'node:http';
import type { StreamBody } from '@capstan/meta';

/** Writes a body as it comes, no faster than the client reads; rejects when it breaks before its end. */
export async function writeStream(response: ServerResponse, body: StreamBody): Promise<void> {
  for await (const piece of body.read()) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

/** Resolves when more may be written, or never will be. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.removeListener('drain', done);
      response.removeListener('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
