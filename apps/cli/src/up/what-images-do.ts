import type { Program } from '@capstan/cluster';
import { operatorProgram } from '@capstan/simulation';
import type { OperatorProgramOptions } from '@capstan/simulation';
import {
  autoscalerOperator,
  clusterApiOperator,
  conversionOperator,
  IMAGES,
  infrastructureOperator,
  machineApiOperator,
  machineApproverOperator,
  noticesOf,
} from '@capstan/upstream';
import type { Cloud } from '@capstan/upstream';

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
