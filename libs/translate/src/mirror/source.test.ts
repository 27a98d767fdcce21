import { canonicalJson } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { readAlike, refusedAlike } from './kubernetes-yaml.table.js';
import { readObjects } from './source.js';

function read(yaml: string): unknown[] {
  return readObjects(yaml, 'f', { wholeLists: true }).map(({ object }) => object);
}

describe('YAML of Kubernetes', () => {
  it.each(readAlike)('%j is read as kubectl reads it', (yaml, json) => {
    expect(canonicalJson(read(yaml))).toBe(json);
  });

  it.each(refusedAlike)('%j is refused, as by kubectl', (yaml) => {
    expect(() => read(yaml)).toThrow(/^f, document \d+, line \d+: /);
  });

  it.each([
    ['a key that is there twice, of which kubectl takes the last', 'a: 1\na: 2'],
    ['what stands behind the document, which kubectl drops', ' a: 1\nb: 2'],
    ['the same behind a text', '"a":1'],
  ])('refuses %s', (_, yaml) => {
    expect(() => read(yaml)).toThrow(/line \d/);
  });

  it('names the line of a control character', () => {
    expect(() => read('a: 1\nb: \u0007\n')).toThrow('f, document 1, line 2: control character \\u0007 is not allowed');
  });

  it('names the line of an error in the text as it is written', () => {
    expect(() => read('a: "x\ny"\nb: [\n')).toThrow(/line [13]: /);
  });
});
