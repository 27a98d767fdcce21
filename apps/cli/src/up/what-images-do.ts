import type { Program } from '@capstan/cluster';
import {
  autoscalerOperator,
  clusterApiOperator,
  conversionOperator,
  infrastructureOperator,
  machineApiOperator,
  machineApproverOperator,
  noticesOf,
  operatorProgram,
} from '@capstan/simulation';
import type { Cloud, IMAGES, OperatorProgramOptions } from '@capstan/simulation';

/** What the images do, by name. */
export function programsOf(
  cloud: Cloud,
  options: OperatorProgramOptions,
): Readonly<Record<keyof typeof IMAGES, Program>> {
  const notices = noticesOf(cloud);
  return {
    clusterAutoscaler: operatorProgram(autoscalerOperator, options),
    clusterApi: operatorProgram(clusterApiOperator, options),
    conversion: operatorProgram(conversionOperator, options),
    infrastructure: operatorProgram(infrastructureOperator(cloud, { notices }), options),
    machineApi: operatorProgram(machineApiOperator(cloud, { notices }), options),
    machineApprover: operatorProgram(machineApproverOperator, options),
  };
}
