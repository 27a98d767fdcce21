import type { Meanings } from '../../model/index.js';

/** What the kinds of the KubeVirt provider and their fields mean. */
export const meanings: Meanings = {
  KubevirtCluster: 'What a cluster of virtual machines stands on inside another cluster.',
  'KubevirtClusterSpec.controlPlaneEndpoint': 'Where clients reach the API server of the cluster.',
  'KubevirtClusterSpec.controlPlaneServiceTemplate': 'What the Service in front of the API server looks like.',
  'KubevirtClusterSpec.infraClusterSecretRef':
    'The Secret with the kubeconfig of the cluster that runs the virtual machines, if another one does.',
  'KubevirtClusterSpec.sshKeys': 'The SSH keys of the machines.',
  'KubevirtClusterStatus.conditions': 'What holds of the object, one entry per aspect.',
  'KubevirtClusterStatus.failureDomains': 'Places that fail on their own, to spread machines over.',
  'KubevirtClusterStatus.ready': 'True once everything the object asks for is there.',
  KubevirtClusterTemplate: 'A template of KubevirtClusters.',
  'KubevirtClusterTemplateSpec.template': 'What the objects created from the template look like.',
  KubevirtMachine: 'A virtual machine of KubeVirt that is, or becomes, a node.',
  'KubevirtMachineSpec.infraClusterSecretRef':
    'The Secret with the kubeconfig of the cluster that runs the virtual machines, if another one does.',
  'KubevirtMachineSpec.providerID': 'The name of the host as the cloud provider and the Node know it.',
  'KubevirtMachineSpec.virtualMachineBootstrapCheck': 'How the end of the bootstrap is found out.',
  'KubevirtMachineSpec.virtualMachineTemplate': 'What the virtual machine looks like.',
  'KubevirtMachineStatus.addresses': 'The addresses of the machine.',
  'KubevirtMachineStatus.conditions': 'What holds of the object, one entry per aspect.',
  'KubevirtMachineStatus.failureMessage': 'The terminal failure, as a message for people.',
  'KubevirtMachineStatus.failureReason': 'The terminal failure, as a reason for programs.',
  'KubevirtMachineStatus.loadBalancerConfigured': 'Whether the load balancer knows the machine.',
  'KubevirtMachineStatus.nodeupdated': 'Whether the Node has got its provider ID.',
  'KubevirtMachineStatus.ready': 'True once everything the object asks for is there.',
  KubevirtMachineTemplate: 'A template of KubevirtMachines.',
  'KubevirtMachineTemplateSpec.template': 'What the objects created from the template look like.',
};
