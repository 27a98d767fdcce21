import { expect, it } from 'vitest';
import type { Node, Pod } from '../workload/resources.js';
import { NodeLedger } from './node-ledger.js';

const node = (name: string): Node => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });

function pod(uid: string, nodeName: string, phase = 'Running'): Pod {
  const ports = [{ containerPort: 1, hostPort: 1 }];
  const containers = [{ name: 'c', ports, resources: { requests: { cpu: '1' } } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: uid, uid },
    spec: { nodeName, containers },
    status: { phase },
  };
}

function use(ledger: NodeLedger): unknown[] {
  return [...ledger.nodes()].map((each) => [
    each.node.metadata.name,
    each.pods,
    each.used.get('cpu') ?? 0,
    [...each.hostPorts],
  ]);
}

it('charges a pod once, to the node it is on, until it is over', () => {
  const ledger = new NodeLedger();
  ledger.setNode(node('a'));
  ledger.setNode(node('b'));
  ledger.charge(pod('1', ''), 'a');
  // Not yet seen bound: the decision counts.
  ledger.setPod(pod('1', ''));
  ledger.setPod(pod('1', 'a'));
  expect(use(ledger)).toEqual([
    ['a', 1, 1000, ['TCP/1']],
    ['b', 0, 0, []],
  ]);
  ledger.setPod(pod('1', 'b'));
  ledger.setPod(pod('2', 'a', 'Succeeded'));
  expect(use(ledger)).toEqual([
    ['a', 0, 0, []],
    ['b', 1, 1000, ['TCP/1']],
  ]);
  ledger.setPod(pod('1', 'b', 'Failed'));
  expect(ledger.removePod('1')).toBe(false);
  ledger.removeNode('b');
  expect(use(ledger)).toEqual([['a', 0, 0, []]]);
});

it('remembers pods of a node it does not know yet', () => {
  const ledger = new NodeLedger();
  ledger.setPod(pod('1', 'a'));
  expect(use(ledger)).toEqual([]);
  ledger.setNode(node('a'));
  expect(use(ledger)).toEqual([['a', 1, 1000, ['TCP/1']]]);
});
