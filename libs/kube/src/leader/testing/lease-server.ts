import type { ApiRequest, ApiResponse, KubeObject } from '@capstan/meta';
import { failed, json } from '../../testing/scripted-transport.js';

/** One Lease behind the rules of an API server: a write must name the version it replaces. */
export class LeaseServer {
  lease: KubeObject | undefined;
  #version = 0;

  answer(request: ApiRequest): ApiResponse {
    if (request.method === 'GET') return this.lease === undefined ? failed(404, 'NotFound') : json(this.lease);
    const sent = (request.body?.type === 'value' ? request.body.value : {}) as KubeObject;
    if (request.method === 'POST') {
      if (this.lease !== undefined) return failed(409, 'AlreadyExists');
    } else if (sent.metadata.resourceVersion !== this.lease?.metadata.resourceVersion) return failed(409, 'Conflict');
    return json(this.put(sent['spec'] as Record<string, unknown>));
  }

  /** Writes without asking. */
  put(spec: Record<string, unknown>): KubeObject {
    this.#version += 1;
    const metadata = { name: 'lock', namespace: 'n', resourceVersion: String(this.#version) };
    this.lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    return this.lease;
  }
}
