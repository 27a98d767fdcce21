/** Where the module keeps the definitions of a group and version. */
export function openshift(groupVersion: string, name: string): string {
  return `${groupVersion}/zz_generated.crd-manifests/${name}.crd.yaml`;
}

/** The module, with its version. */
export const openshiftModule = 'github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8';
