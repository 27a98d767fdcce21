import type { Program } from '@capstan/cluster';
import {
  autoscalerOperator,
  clusterApiOperator,
  conversionOperator,
  IMAGES,
  infrastructureOperator,
  machineApiOperator,
  machineApproverOperator,
  noticesOf,
  operatorProgram,
} from '@capstan/simulation';
import type { Cloud, OperatorProgramOptions } from '@capstan/simulation';

/** What the images do, besides those of this command. */
export function programsOf(cloud: Cloud, options: OperatorProgramOptions): ReadonlyMap<string, Program> {
  const notices = noticesOf(cloud);
  return new Map([
    [IMAGES.clusterAutoscaler, operatorProgram(autoscalerOperator, options)],
    [IMAGES.clusterApi, operatorProgram(clusterApiOperator, options)],
    [IMAGES.conversion, operatorProgram(conversionOperator, options)],
    [IMAGES.infrastructure, operatorProgram(infrastructureOperator(cloud, { notices }), options)],
    [IMAGES.machineApi, operatorProgram(machineApiOperator(cloud, { notices }), options)],
    [IMAGES.machineApprover, operatorProgram(machineApproverOperator, options)],
  ]);
}
