import { Buffer } from 'node:buffer';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { ServerResponse } from 'node:http';
import { createCa } from '@capstan/kube';
import { givenDefinition, objectsPath, ready, specVersion } from './crds.js';
import { cached, given, versionOf } from './objects.js';
import type { Answer, Session } from './session.js';

type Fields = Record<string, unknown>;

interface CustomObject extends Fields {
  apiVersion: string;
  metadata: Fields;
  spec?: Record<string, string> | null;
}

/** A review as it came. */
export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: CustomObject[] };
  readonly response?: unknown;
}

/** What the webhook would say if it were honest. */
export interface GoodReview {
  apiVersion?: string;
  kind?: string;
  response?: { uid?: string; convertedObjects?: CustomObject[]; result?: Fields };
}

/** What to answer instead of the truth; with `raw` nothing is answered but what it does itself. */
export type Lie = (good: GoodReview, review: Review) => unknown;

/** `address` of the first version is `host` and `port` of the second; nothing is lost on the way. */
export function convertHost(object: CustomObject, desired: string): CustomObject {
  const copy = structuredClone(object);
  copy.apiVersion = desired;
  const { spec } = copy;
  if (spec == null || object.apiVersion === desired) return copy;
  const { address, host, port, ...rest } = spec;
  if (desired.endsWith('/v2')) {
    if (address === undefined) return copy;
    const at = address.indexOf(':');
    copy.spec = { ...rest, host: address.slice(0, at), port: address.slice(at + 1) };
  } else if (host !== undefined || port !== undefined) {
    copy.spec = { ...rest, address: `${host ?? ''}:${port ?? ''}` };
  }
  return copy;
}

let started = 0;

/** A conversion webhook over TLS, which converts correctly unless a test replaces its answer. */
export class Converter {
  readonly caBundle: string;
  lie: Lie | undefined;
  /** Answers in place of everything else. */
  raw: ((response: ServerResponse) => void) | undefined;
  last: Review | undefined;
  /** What it does before it answers. */
  pause: (() => Promise<void>) | undefined;
  readonly #server: Server;

  /** How an API server reaches it. */
  get client(): { readonly url: string; readonly caBundle: string } {
    return { url: this.url, caBundle: this.caBundle };
  }

  private constructor(server: Server, caPem: string) {
    this.#server = server;
    this.caBundle = Buffer.from(caPem).toString('base64');
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        void Promise.resolve(this.pause?.()).then(() => this.#answer(Buffer.concat(chunks), response));
      });
    });
  }

  /** Starts one that can be reached by an address of this machine, or also by the name of a Service. */
  static async start(address = '127.0.0.1', serviceName?: string): Promise<Converter> {
    // CAs of one name are mistaken for each other until their keys are tried, and error messages show it.
    const ca = createCa({ commonName: `converter ${(started += 1)}` });
    const pair = ca.issueServing({
      commonName: 'converter',
      ipAddresses: [address],
      ...(serviceName === undefined ? {} : { dnsNames: [serviceName] }),
    });
    const server = createServer({ cert: pair.certPem, key: pair.keyPem });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return new Converter(server, ca.certPem);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}/convert`;
  }

  honest(): void {
    this.lie = undefined;
    this.raw = undefined;
    this.pause = undefined;
  }

  /** Refuses everything with a message. */
  refuse(message: string): void {
    this.lie = (good) => ({ ...good, response: { ...good.response, result: { status: 'Failure', message } } });
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #answer(body: Buffer, response: ServerResponse): void {
    const review = JSON.parse(body.toString('utf8')) as Review;
    this.last = review;
    if (this.raw !== undefined) return this.raw(response);
    const { uid, desiredAPIVersion, objects } = review.request;
    const good = {
      apiVersion: review.apiVersion,
      kind: review.kind,
      response: {
        uid,
        convertedObjects: objects.map((object) => convertHost(object, desiredAPIVersion)),
        result: { status: 'Success' },
      },
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(this.lie === undefined ? good : this.lie(good, review)));
  }
}

/** The two versions of hosts; the first is stored by default. */
export function hostVersions(storage: 'v1' | 'v2' = 'v1'): Fields[] {
  const text = { type: 'string' };
  const replicas = { type: 'integer' };
  const subresources = {
    status: {},
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  };
  return [
    specVersion({ address: text, replicas }, { storage: storage === 'v1', subresources }),
    specVersion(
      { host: text, port: text, replicas },
      {
        name: 'v2',
        storage: storage === 'v2',
        subresources,
        additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
      },
    ),
  ];
}

/** The spec of a CRD of hosts converted by a webhook. */
export function hostSpec(client: Fields, reviews: readonly string[] = ['v1'], storage: 'v1' | 'v2' = 'v1'): Fields {
  const webhook = { clientConfig: client, conversionReviewVersions: reviews };
  return { versions: hostVersions(storage), conversion: { strategy: 'Webhook', webhook } };
}

/** Creates the CRD of hosts, converted by a webhook, and waits until both versions are served. */
export async function givenHosts(s: Session, client: object, reviews?: readonly string[]): Promise<void> {
  await givenDefinition(s, 'hosts', hostSpec({ ...client }, reviews));
  await ready(s, 'hosts', 'v2');
}

export const FIRST = objectsPath('hosts', 'v1');
export const SECOND = objectsPath('hosts', 'v2');

/**
 * Creates a host, and waits until the caches of both versions have it. A real server converts for them when it likes,
 * and one that cannot be filled keeps its version from being served.
 */
export async function givenHost(s: Session, collection: string, object: Fields): Promise<Answer> {
  const made = await given(s, collection, object);
  await cachedBoth(s, versionOf(made));
  return made;
}

/** Waits until the caches of both versions have seen a version. */
export async function cachedBoth(s: Session, version: string): Promise<void> {
  for (const each of [FIRST, SECOND]) await cached(s, each, version);
}

/** Writes down the message of an answer, the ephemeral port of a webhook left out. */
export async function remarkMessage(s: Session, target: string, port: number): Promise<void> {
  const answer = await s.quiet('GET', target);
  const { message } = answer.body as { message?: string };
  s.remark(`GET ${target}`, { status: answer.status, message: message?.replaceAll(`:${port}`, ':{port}') });
}

/** An address of this machine that endpoints may have. */
export function outerAddress(): string {
  const found = Object.values(networkInterfaces())
    .flat()
    .find((each) => each !== undefined && each.family === 'IPv4' && !each.internal);
  if (found === undefined) throw new Error('this machine has no address but those of itself');
  return found.address;
}
