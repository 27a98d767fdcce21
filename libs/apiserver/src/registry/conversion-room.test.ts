import { expect, it } from 'vitest';
import type { Clock } from '@capstan/meta';
import { ConversionRoom } from './conversion-room.js';
import { runFlow, type Flow } from './effects.js';

/** Time that the test moves on. */
class Hours implements Pick<Clock, 'after'> {
  readonly #due: (() => void)[] = [];

  after(_delayMs: number, callback: () => void): { cancel(): void } {
    this.#due.push(callback);
    return { cancel: () => void this.#due.splice(this.#due.indexOf(callback), 1) };
  }

  /** Until the first that is due. */
  pass(): void {
    this.#due.shift()?.();
  }
}

interface Work {
  readonly done: Promise<string>;
  readonly end: () => void;
}

function setup(): { start: (name: string, bytes: number) => Work; begun: string[]; hours: Hours } {
  const hours = new Hours();
  const room = new ConversionRoom(hours as unknown as Clock, 100);
  const begun: string[] = [];
  const start = (name: string, bytes: number): Work => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    function* work(): Flow<string> {
      begun.push(name);
      yield { type: 'reach', run: () => ended };
      return name;
    }
    const run = async (effect: { readonly type: string; readonly run?: () => Promise<void> }): Promise<void> =>
      effect.run?.();
    return { done: Promise.resolve(runFlow(room.within(bytes, work), run)), end };
  };
  return { start, begun, hours };
}

it('lets in what fits, and others in their order when there is room', async () => {
  const { begun, start } = setup();
  const [first, second, third, fourth] = [start('a', 60), start('b', 40), start('c', 90), start('d', 1)] as const;
  expect(begun).toEqual(['a', 'b']);
  first.end();
  await first.done;
  expect(begun).toEqual(['a', 'b']);
  second.end();
  await second.done;
  third.end();
  fourth.end();
  expect(await Promise.all([third.done, fourth.done])).toEqual(['c', 'd']);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

it('takes what is larger than all room when nothing else is there', async () => {
  const { begun, start } = setup();
  const large = start('large', 1000);
  expect(begun).toEqual(['large']);
  large.end();
  expect(await large.done).toBe('large');
});

it('refuses with 429 what waited too long, and lets in who stood behind it', async () => {
  const { begun, hours, start } = setup();
  const first = start('a', 60);
  const refused = start('b', 90).done.catch((error: unknown) => error);
  const third = start('c', 40);
  expect(begun).toEqual(['a']);
  hours.pass();
  expect(await refused).toMatchObject({ code: 429 });
  first.end();
  third.end();
  expect(await Promise.all([first.done, third.done])).toEqual(['a', 'c']);
  expect(begun).toEqual(['a', 'c']);
});
