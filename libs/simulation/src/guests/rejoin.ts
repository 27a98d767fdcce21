import { Client } from '@capstan/kube';
import type { Clock, Random, UserInfo } from '@capstan/meta';
import { hasCondition, SIGNING_REQUESTS, withCondition } from '@capstan/upstream';
import type { SigningRequest } from '@capstan/upstream';
import type { KnownServer } from './known-servers.js';

export interface RejoinOptions {
  readonly server: Pick<KnownServer, 'handle'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Who approves. */
  readonly user: UserInfo;
}

/**
 * Approves the request of a node whose client certificate has expired, as an administrator does by `kubectl certificate
 * approve`. For the owner of the machine, who knows that the request is its own: the cluster cannot know.
 */
export async function approveRejoin(options: RejoinOptions, requestName: string): Promise<void> {
  const { clock, random, server, user } = options;
  const transport = { send: async (request: Parameters<KnownServer['handle']>[0]) => server.handle(request) };
  const client = new Client(transport, { clock, random, user, userAgent: 'capstan-machines' });
  const request = await client.get<SigningRequest>(SIGNING_REQUESTS, requestName);
  if (hasCondition(request, 'Approved') || hasCondition(request, 'Denied')) return;
  const approved = withCondition(request, clock, {
    type: 'Approved',
    reason: 'NodeRejoins',
    message: 'The certificate of the node expired while its machine was not running.',
  });
  await client.update(SIGNING_REQUESTS, approved, { subresource: 'approval' });
}
