import { describe, expect, test } from 'vitest';
import type { Finding } from '../report.js';
import { check, widget } from '../testing.js';

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const object = (properties: Fields, more: Fields = {}): Fields => ({ type: 'object', properties, ...more });
const rule = (each: string): Fields => ({ 'x-kubernetes-validations': [{ rule: each }] });

function found(required: Fields, live: Fields): ReadonlyMap<string, Finding['proof']> {
  const { findings } = check(widget(required), widget(live));
  return new Map(findings.map((each) => [`${each.rule} ${each.path}`, each.proof]));
}

describe('a witness of one of several changes', () => {
  test('loses the field that its finding is about, and meets what else is required', () => {
    const proofs = found({ a: text, b: text }, { b: { ...text, maxLength: 0 }, c: text });
    expect(proofs.get('field-removed spec.a')).toMatchObject({ outcome: { kind: 'pruned', paths: ['spec.a'] } });
    expect(proofs.get('max-length-tightened spec.b')).toMatchObject({ outcome: { kind: 'rejected' } });
  });

  test('is a read where no write gets through for another reason', () => {
    const required = { a: text, b: object({ c: text }, { required: ['c'] }) };
    const proofs = found({ x: object(required, { required: ['b'] }) }, { x: object({ b: text }, { required: ['b'] }) });
    expect(proofs.get('field-removed spec.x.a')).toMatchObject({
      request: { verb: 'get' },
      outcome: { kind: 'changed', path: 'spec.x.a' },
    });
  });

  test('is refused by the rule of its finding, and not by another', () => {
    const proofs = found(
      { a: object({ b: text, c: text }) },
      { a: object({ b: text, c: { ...text, maxLength: 1 } }, rule("!has(self.b) || self.b != 'secret'")) },
    );
    const proof = proofs.get('rule-added spec.a');
    expect(proof).toMatchObject({
      outcome: { kind: 'rejected' },
      request: { object: { spec: { a: { b: 'secret' } } } },
    });
  });

  test('is none where only another change shows', () => {
    // A longer text is refused, but that shows nothing about the pattern, which takes all that the required one takes.
    const proofs = found({ a: { ...text, pattern: '^a+$' } }, { a: { ...text, pattern: '^a+\\b$', maxLength: 3 } });
    expect(proofs.get('pattern-changed spec.a')).toBe('cannot be proved');
    expect(proofs.get('max-length-tightened spec.a')).toMatchObject({ outcome: { kind: 'rejected' } });
  });
});
