import { describe, expect, it } from 'vitest';
import { isReserved } from './reserved-keys.js';

describe('a key of metadata', () => {
  it.each([
    ['team', false],
    ['example.com/team', false],
    ['argocd.argoproj.io/tracking-id', false],
    ['kubectl.kubernetes.io/last-applied-configuration', false],
    ['my-openshift.io/team', false],
    ['openshift.io.example.com/team', false],
    ['machine-template-hash', true],
    ['kubernetes.io/os', true],
    ['node-role.kubernetes.io/worker', true],
    ['cluster.x-k8s.io/paused', true],
    ['pre-drain.delete.hook.machine.cluster.x-k8s.io/mine', true],
    ['cluster.k8s.io/delete-machine', true],
    ['machine.openshift.io/instance-type', true],
    ['sync.machine.openshift.io/finalizer', true],
    ['machine.machine.openshift.io', true],
    ['awsmachine.infrastructure.cluster.x-k8s.io', true],
    ['foregroundDeletion', false],
  ])('%s is reserved: %j', (key, reserved) => {
    expect(isReserved(key)).toBe(reserved);
  });
});
