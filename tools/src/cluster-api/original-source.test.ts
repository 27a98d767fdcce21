import { expect, it } from 'vitest';

import { ORIGINAL_KINDS, originalGoMod, originalProgram } from './original-source.js';

it('asks for the module with the Go it was published for', () => {
  expect(originalGoMod('module sigs.k8s.io/cluster-api\n\ngo 1.25.0\n\ntoolchain go1.25.1\n')).toBe(
    'module capstan.invalid/cluster-api-convert\n\ngo 1.25.0\n\nrequire sigs.k8s.io/cluster-api v1.13.6\n',
  );
  expect(() => originalGoMod('module x\n')).toThrow('the go.mod of sigs.k8s.io/cluster-api has no go line');
});

it('knows every kind', () => {
  const lines = originalProgram().split('\n');
  expect(lines[0]).toBe('package main');
  for (const kind of ORIGINAL_KINDS) {
    expect(lines).toContain(
      `\t"${kind}": func() (conversion.Convertible, conversion.Hub) { return &older.${kind}{}, &newer.${kind}{} },`,
    );
  }
});
