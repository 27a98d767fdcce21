import { readFileSync } from 'node:fs';
import { inject } from 'vitest';
import type { Logged } from './isolation/reached.js';
import { connectionTo } from './isolation/servers.js';
import { describeIsolation } from './isolation/suite.js';

const access = inject('realKube');

describeIsolation(() => {
  const { auditLog } = access;
  const logged = (): string[] => (auditLog === undefined ? [] : readFileSync(auditLog, 'utf8').trimEnd().split('\n'));
  const before = logged().length;
  return Promise.resolve({
    connection: connectionTo(access),
    log: () =>
      auditLog === undefined
        ? undefined
        : logged()
            .slice(before)
            .map((line) => JSON.parse(line) as Logged),
    stop: () => Promise.resolve(),
  });
}, 800);
