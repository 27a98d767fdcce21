import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { LastSaid } from './last-said.js';

interface Counted extends KubeObject {
  readonly status?: { readonly count?: number; readonly others?: string };
}

let writes = 0;
const counted = (count: number | undefined, others = '', name = 'a'): Counted => ({
  apiVersion: 'v1',
  kind: 'Counted',
  metadata: { namespace: 'n', name, resourceVersion: String((writes += 1)) },
  status: { ...(count === undefined ? {} : { count }), others },
});

it('tells what others wrote from what was said here', () => {
  const said = new LastSaid<Counted>(({ status }) => status?.count);
  const hears = (old: Counted, object: Counted): boolean => said.contradicted({ type: 'update', old, object });
  // Nothing was said: whoever wrote it was another.
  expect(hears(counted(1), counted(2))).toBe(true);
  said.say(counted(3));
  expect(hears(counted(2), counted(3))).toBe(false);
  expect(hears(counted(3), counted(3, 'not its own'))).toBe(false);
  expect(hears(counted(3), counted(4))).toBe(true);
  expect(hears(counted(3), counted(undefined))).toBe(true);
  expect(hears(counted(4), counted(3))).toBe(false);
  expect(hears(counted(4, '', 'b'), counted(3, '', 'b'))).toBe(true);
  said.forget('n/a');
  expect(hears(counted(4), counted(3))).toBe(true);
  expect(said.contradicted({ type: 'delete', object: counted(9) } as never)).toBe(false);
});
