import type { Meanings } from '../model/index.js';

/** What the kinds that configure operators and their fields mean. */
export const meanings: Meanings = {
  ClusterAPI: 'How Cluster API is installed on the cluster itself; there is one, called `cluster`.',
  'ClusterAPISpec.unmanagedCustomResourceDefinitions':
    'CustomResourceDefinitions that another owner manages and the installer leaves alone; once listed, always listed.',
  'ClusterAPIStatus.currentRevision': 'The revision that is installed.',
  'ClusterAPIStatus.desiredRevision': 'The revision that is being installed; the newest there is.',
  'ClusterAPIStatus.observedRevisionGeneration': 'The generation that the newest revision was created for.',
  'ClusterAPIStatus.revisions': 'The revisions that are still of interest; one is never changed after it was written.',
  InstallerRevision: 'One set of manifests to install.',
  'InstallerRevision.components': 'What the set consists of, in the order of installation.',
  'InstallerRevision.contentID': 'A fingerprint of the rendered manifests.',
  'InstallerRevision.manifestSubstitutions': 'Values that were put into the manifests.',
  'InstallerRevision.name': 'The name of the revision.',
  'InstallerRevision.revision': 'Its number, which only grows.',
  'InstallerRevision.unmanagedCustomResourceDefinitions': 'The definitions that this revision leaves alone.',
  'InstallerRevision.manifestSubstitutions.key': 'The placeholder.',
  'InstallerRevision.manifestSubstitutions.value': 'What stands there in its place.',
  InstallerComponent: 'One source of manifests.',
  'InstallerComponent.image': 'The image that holds the manifests.',
  'InstallerComponent.image.profile': 'Which of the sets in the image.',
  'InstallerComponent.image.ref': 'The image, by its digest.',
  'InstallerComponent.name': 'The name of the component.',
  'InstallerComponent.type': 'What kind of source it is.',
};
