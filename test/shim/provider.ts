import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createCa } from '@capstan/kube';
import type { JsonObject } from '@capstan/meta';
import type { WebhookClientConfig } from '@capstan/translate/mirror';

interface Review {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly JsonObject[];
  };
}

/** The conversion webhook of a provider, which knows standard names alone. */
export interface Provider {
  readonly clientConfig: WebhookClientConfig;
  /** The numbers of objects it was asked about, review by review. */
  readonly reviews: readonly number[];
  /** Every apiVersion and apiGroup it saw anywhere. */
  readonly seen: ReadonlySet<string>;
  /** Stops listening; the port stays its own. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** Starts one. It records in an annotation which version it converted from, and refuses what is marked so. */
export async function startProvider(): Promise<Provider> {
  const ca = createCa({ commonName: 'provider' });
  const pair = ca.issueServing({ commonName: 'provider', ipAddresses: ['127.0.0.1'] });
  const reviews: number[] = [];
  const seen = new Set<string>();
  const server = createServer({ cert: pair.certPem, key: pair.keyPem }, (incoming, response) => {
    void text(incoming).then((body) => {
      const review = JSON.parse(body) as Review;
      reviews.push(review.request.objects.length);
      collect(review.request, seen);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(review)));
    });
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', () => resolve()));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const down = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  const caBundle = Buffer.from(ca.certPem).toString('base64');
  return {
    clientConfig: { url: `https://127.0.0.1:${port}/convert`, caBundle },
    reviews,
    seen,
    down,
    up: () => listen(port),
  };
}

function answer({ apiVersion, request: { desiredAPIVersion, objects, uid } }: Review): JsonObject {
  const refused = objects.find(({ spec }) => (spec as JsonObject | undefined)?.['refuse'] !== undefined);
  const convertedObjects = objects.map((object) => {
    const metadata = object['metadata'] as JsonObject;
    const annotations = { ...(metadata['annotations'] as JsonObject), 'was.example.com/in': object['apiVersion'] };
    return { ...object, apiVersion: desiredAPIVersion, metadata: { ...metadata, annotations } };
  });
  const message = `the provider refuses ${String((refused?.['metadata'] as JsonObject | undefined)?.['name'])}`;
  const response =
    refused === undefined
      ? { uid, convertedObjects, result: { status: 'Success' } }
      : { uid, convertedObjects: [], result: { status: 'Failure', message } };
  return { kind: 'ConversionReview', apiVersion, response };
}

function collect(value: unknown, seen: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, below] of Object.entries(value)) {
    if (/^(?:desired)?apiVersion$|^apiGroup$/i.test(key) && typeof below === 'string') seen.add(below);
    else collect(below, seen);
  }
}
