import { describe, expect, it } from 'vitest';
import { FLEET, machinesOf, parseSize, sizeText } from './size.js';

describe('the size of a fleet', () => {
  it('is read as it is written', () => {
    expect(sizeText(FLEET)).toBe('100x2x25');
    expect(parseSize(sizeText(FLEET))).toEqual(FLEET);
    expect(machinesOf(FLEET)).toBe(50);
  });

  it.each(['', '100', '100x2', '100x2x0', '1.5x2x3', 'axbxc'])('is not %j', (text) => {
    expect(() => parseSize(text)).toThrow(`not a size of a fleet: ${text}`);
  });
});
