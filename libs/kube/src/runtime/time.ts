import type { Clock } from '@capstan/meta';

/** The second that was written last: many times of a busy process fall into the same one. */
let lastSecond = Number.NaN;
let lastText = '';

/** Now as the API writes times: whole seconds, UTC. */
export function timestamp(clock: Clock): string {
  const second = Math.floor(clock.now() / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}
