import { describe, expect, it } from 'vitest';
import { childOf, offAbort, onAbort, whenAborted } from './abort.js';

describe('a signal that many wait for', () => {
  it('calls each of them once, and none that was removed', () => {
    const controller = new AbortController();
    const called: string[] = [];
    const callbacks = ['a', 'b', 'c', 'd'].map((name) => (): void => void called.push(name));
    for (const callback of callbacks) onAbort(controller.signal, callback);
    const [, second = (): void => {}, third = (): void => {}] = callbacks;
    offAbort(controller.signal, second);
    offAbort(controller.signal, third);
    onAbort(controller.signal, third);
    controller.abort();
    controller.abort();
    expect(called).toEqual(['a', 'd', 'c']);
  });

  it('lets one of them remove another while they are called', () => {
    const controller = new AbortController();
    const called: string[] = [];
    const last = (): void => void called.push('last');
    onAbort(controller.signal, () => {
      called.push('first');
      offAbort(controller.signal, last);
    });
    onAbort(controller.signal, last);
    controller.abort();
    expect(called).toEqual(['first']);
  });

  it('is over for who comes late', async () => {
    await expect(whenAborted(AbortSignal.abort())).resolves.toBeUndefined();
    expect(childOf(AbortSignal.abort('why')).controller.signal.reason).toBe('why');
  });

  it('takes its children along with its reason, but for those released', () => {
    const parent = new AbortController();
    const [kept, released] = [childOf(parent.signal), childOf(parent.signal)];
    released.release();
    parent.abort('enough');
    expect([kept.controller.signal.reason, released.controller.signal.aborted]).toEqual(['enough', false]);
  });
});
