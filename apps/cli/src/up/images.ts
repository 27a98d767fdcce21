import type { Program } from '@capstan/cluster';
import {
  autoscalerOperator,
  clusterApiOperator,
  conversionOperator,
  infrastructureOperator,
  machineApiOperator,
  machineApproverOperator,
  operatorProgram,
} from '@capstan/simulation';
import type { Cloud, OperatorProgramOptions } from '@capstan/simulation';

/** The images that stand for the programs of the field, whatever their tag. */
export const images = {
  autoscaler: 'quay.io/capstan/cluster-autoscaler',
  clusterApi: 'quay.io/capstan/cluster-api',
  conversion: 'quay.io/capstan/cluster-api-conversion',
  infrastructure: 'quay.io/capstan/infrastructure-provider',
  machineApi: 'quay.io/capstan/machine-api-controllers',
  machineApprover: 'quay.io/capstan/machine-approver',
} as const;

/** What the images do, by name. */
export function programsOf(
  cloud: Cloud,
  endpointOf: Parameters<typeof infrastructureOperator>[1],
  options: OperatorProgramOptions,
): Readonly<Record<keyof typeof images, Program>> {
  return {
    autoscaler: operatorProgram(autoscalerOperator, options),
    clusterApi: operatorProgram(clusterApiOperator, options),
    conversion: operatorProgram(conversionOperator, options),
    infrastructure: operatorProgram(infrastructureOperator(cloud, endpointOf), options),
    machineApi: operatorProgram(machineApiOperator(cloud), options),
    machineApprover: operatorProgram(machineApproverOperator, options),
  };
}
