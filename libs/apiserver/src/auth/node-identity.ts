import type { UserInfo } from '@capstan/meta';

/** The group of every node. */
export const NODES_GROUP = 'system:nodes';
const NODE_USER_PREFIX = 'system:node:';

/** The name of the node that a user is; undefined for others, empty for a node without a name. */
export function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  if (!username.startsWith(NODE_USER_PREFIX) || !groups.includes(NODES_GROUP)) return undefined;
  return username.slice(NODE_USER_PREFIX.length);
}
