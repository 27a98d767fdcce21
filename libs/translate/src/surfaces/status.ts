import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import type { Fields } from './fields.js';
import type { Surface } from './surface.js';

/** A Status: the group it speaks of, and its message. */
export function statusShape({ group, message }: Fields, { swapName }: Pick<Surface, 'swapName'>): Shape {
  const details = members({ group, ...(swapName === undefined ? {} : { name: { text: swapName } }) });
  return { members: members({ message, details: { members: details } }) };
}
