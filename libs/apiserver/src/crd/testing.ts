import { Buffer } from 'node:buffer';
import type { ApiResponse, JsonObject, KubeObject } from '@capstan/meta';
import { ApiServer, type ApiServerOptions } from '../server.js';
import { ManualClock, countingRandom } from '../testing/fixture.js';

export const DEFINITIONS_PATH = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const GROUP = 'crd.example.com';

export interface Sent {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  readonly body: KubeObject & { readonly message?: string; readonly items?: readonly KubeObject[]; spec: JsonObject };
}

/** A server of its own, spoken to as clients do. */
export class Fixture {
  readonly server: ApiServer;
  readonly errors: unknown[] = [];

  constructor(options: Partial<ApiServerOptions> = {}) {
    this.server = new ApiServer({
      clock: new ManualClock(),
      random: countingRandom(),
      onError: (error) => this.errors.push(error),
      ...options,
    });
  }

  async send(method: string, target: string, body?: unknown, type = 'application/json'): Promise<Sent> {
    const bytes = body === undefined ? undefined : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const response = await this.server.send({
      method,
      target,
      headers: { 'content-type': type },
      body: bytes && { type: 'bytes', bytes },
    });
    const text = response.body.type === 'payload' ? Buffer.concat(response.body.chunks()).toString() : '';
    const isJson = text.startsWith('{');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson ? JSON.parse(text) : {}) as Sent['body'],
    };
  }

  merge(target: string, body: unknown): Promise<Sent> {
    return this.send('PATCH', target, body, 'application/merge-patch+json');
  }
}

/** A version of the CRD of widgets whose spec has the given properties. */
export function version(properties: JsonObject = {}, fields: JsonObject = {}): JsonObject {
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties },
      status: { type: 'object', properties: { phase: { type: 'string' } } },
    },
  };
  return { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, ...fields };
}

/** The CRD of widgets. */
export function widgets(...versions: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: versions.length === 0 ? [version()] : versions,
    },
  };
}

/** Where widgets are. */
export function widgetsPath(apiVersion = 'v1'): string {
  return `/apis/${GROUP}/${apiVersion}/namespaces/default/widgets`;
}

/** A widget. */
export function widget(name: string, spec: JsonObject = {}, apiVersion = 'v1'): JsonObject {
  return { apiVersion: `${GROUP}/${apiVersion}`, kind: 'Widget', metadata: { name }, spec };
}
