import { describe, expect, it } from 'vitest';
import { runFlow, type Effect, type Flow } from './effects.js';

function* sum(count: number): Flow<number> {
  for (let ms = 1; ms <= count; ms += 1) yield { type: 'sleep', ms };
  return count;
}

describe('a flow', () => {
  it('that needs no effect ends at once', () => {
    expect(runFlow(sum(0), () => Promise.reject(new Error('not to be called')))).toBe(0);
  });

  it('has its effects carried out in order', async () => {
    const seen: Effect[] = [];
    const result = runFlow(sum(2), (effect) => {
      seen.push(effect);
      return Promise.resolve();
    });
    expect(await result).toBe(2);
    expect(seen).toEqual([
      { type: 'sleep', ms: 1 },
      { type: 'sleep', ms: 2 },
    ]);
  });

  it('sees a failed effect at its yield, and may recover', async () => {
    function* recovering(): Flow<string> {
      try {
        yield { type: 'sleep', ms: 1 };
      } catch {
        return 'recovered';
      }
      return 'not reached';
    }
    expect(await runFlow(recovering(), () => Promise.reject(new Error('lost')))).toBe('recovered');
  });

  it('does not see its own errors as failed effects', async () => {
    let catches = 0;
    function* failing(): Flow<void> {
      try {
        yield { type: 'sleep', ms: 1 };
      } catch {
        catches += 1;
      }
      throw new Error('own');
    }
    await expect(runFlow(failing(), () => Promise.resolve())).rejects.toThrow('own');
    expect(catches).toBe(0);
  });
});
