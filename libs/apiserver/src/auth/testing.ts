import { Buffer } from 'node:buffer';
import type { UserInfo } from '@capstan/meta';
import { ApiServer, type ApiServerOptions } from '../server.js';
import { tokenAuthenticator } from './access.js';
import { ManualClock, countingRandom } from '../testing/fixture.js';

/** An answer, with its body read. */
export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const USERS: Readonly<Record<string, UserInfo>> = {
  admin: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
  alice: { username: 'alice', groups: ['devs', 'system:authenticated'] },
};

export const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** A server with roles and two users, `admin` and `alice`, whose tokens are their names. */
export class AccessFixture {
  readonly clock = new ManualClock();
  readonly server: ApiServer;

  constructor(options: Partial<ApiServerOptions> = {}) {
    const authenticate = tokenAuthenticator(new Map(Object.entries(USERS)));
    const random = countingRandom();
    this.server = new ApiServer({ clock: this.clock, random, authenticate, authorization: 'rbac', ...options });
  }

  /** Sends a request with a bearer token; an empty one is none. */
  async send(token: string, method: string, target: string, { body, headers }: Asked = {}): Promise<Answer> {
    const response = await this.server.send({
      method,
      target,
      headers: {
        'content-type': 'application/json',
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: body === undefined ? undefined : { type: 'bytes', bytes: Buffer.from(JSON.stringify(body)) },
    });
    const text = response.body.type === 'payload' ? Buffer.concat(response.body.chunks()).toString() : '';
    return {
      status: response.status,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text },
    };
  }

  /** Creates as the administrator; fails unless it is made. */
  async given(target: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await this.send('admin', 'POST', target, { body });
    if (answer.status !== 201) throw new Error(`not made: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** A cluster role and its binding to alice. */
  async letAlice(name: string, rules: unknown): Promise<void> {
    await this.given(`${RBAC}/clusterroles`, { metadata: { name }, rules });
    await this.given(`${RBAC}/clusterrolebindings`, binding(name, 'ClusterRole', name));
  }
}

/** A binding of a role to alice. */
export function binding(name: string, kind: string, role: string): unknown {
  return {
    metadata: { name },
    subjects: [{ kind: 'User', name: 'alice' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
  };
}
