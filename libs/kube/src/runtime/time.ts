import type { Clock } from '@capstan/meta';

/** Now as the API writes times: whole seconds, UTC. */
export function timestamp(clock: Clock): string {
  return `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
}
