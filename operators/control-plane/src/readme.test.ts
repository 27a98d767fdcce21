import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMPONENTS } from './component/catalogue/components.js';
import { CAS, certificateRows } from './pki/certificates.table.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('lists every component with what it waits for, and no other', () => {
    const rows = [
      ...README.matchAll(/^\| ([a-z-]+) \| (?:Deployment|StatefulSet|ConfigMap), [^|]+ \| [^|]+ \| ([^|]+) \|/gm),
    ];
    const documented = rows.map(([, name = '', waits = '']) => [name, waits.trim()]);
    const expected = COMPONENTS.map(({ dependencies = [], isEarly, name }) => {
      const all = [...(isEarly === true ? [] : ['kube-apiserver']), ...dependencies].filter((each) => each !== name);
      return [name, all.length === 0 ? 'nothing' : all.join(', ')];
    });
    expect(documented).toEqual(expected);
  });

  it('names every Secret of a CA or a certificate', () => {
    const rows = certificateRows({ namespace: 'n', apiServerHosts: [], ignitionHosts: [], serving: new Map() });
    for (const name of [...CAS, ...rows.map(({ secret }) => secret)]) expect(README).toContain(`\`${name}\``);
  });
});
