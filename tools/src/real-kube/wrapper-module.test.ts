import { describe, expect, it } from 'vitest';

import { kubeLinkerFlags, stagingModules, stagingVersion, wrapperGoMod } from './wrapper-module.js';

const KUBERNETES_GO_MOD = `// This is a generated file. Do not edit directly.

module k8s.io/kubernetes

go 1.26.0

godebug default=go1.26

require (
	github.com/kylelemons/godebug v1.1.0 // indirect
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.140.0
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/client-go => ./staging/src/k8s.io/client-go
)
`;

describe('wrapperGoMod', () => {
  it("replaces every staging module with its published version and keeps Go's defaults", () => {
    expect(wrapperGoMod({ module: 'k8s.io/kubernetes', version: 'v1.36.3', goMod: KUBERNETES_GO_MOD })).toBe(
      `module capstan.invalid/real-kube

go 1.26.0

godebug default=go1.26

require k8s.io/kubernetes v1.36.3

replace k8s.io/api => k8s.io/api v0.36.3
replace k8s.io/client-go => k8s.io/client-go v0.36.3
`,
    );
  });

  it('needs no replace lines for a module that has only its own siblings replaced', () => {
    const goMod = 'module go.etcd.io/etcd/server/v3\n\ngo 1.25.0\n\nreplace go.etcd.io/etcd/api/v3 => ../api\n';
    expect(wrapperGoMod({ module: 'go.etcd.io/etcd/server/v3', version: 'v3.6.16', goMod })).toBe(
      'module capstan.invalid/real-kube\n\ngo 1.25.0\n\nrequire go.etcd.io/etcd/server/v3 v3.6.16\n\n',
    );
  });

  it('refuses a go.mod without a go line', () => {
    expect(() => wrapperGoMod({ module: 'm', version: 'v1.0.0', goMod: 'module m\n' })).toThrow('no go line');
  });
});

describe('stagingModules', () => {
  it('reads the one-line form of replace as well', () => {
    expect(stagingModules('replace k8s.io/kms => ./staging/src/k8s.io/kms\n')).toEqual(['k8s.io/kms']);
  });
});

describe('stagingVersion', () => {
  it('maps v1.Y.Z to v0.Y.Z', () => {
    expect(stagingVersion('v1.30.14')).toBe('v0.30.14');
    expect(() => stagingVersion('v2.0.0')).toThrow('not a Kubernetes version');
  });
});

describe('kubeLinkerFlags', () => {
  it('sets the version in both packages that report it', () => {
    const flags = kubeLinkerFlags('v1.30.14', '2025-06-18T19:07:32Z');
    for (const pkg of ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version']) {
      expect(flags).toContain(`-X ${pkg}.gitVersion=v1.30.14`);
      expect(flags).toContain(`-X ${pkg}.gitMinor=30`);
      expect(flags).toContain(`-X ${pkg}.buildDate=2025-06-18T19:07:32Z`);
    }
  });
});
