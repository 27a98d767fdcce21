import {
  conversionOperator,
  IMAGES,
  infrastructureOperator,
  machineApproverOperator,
} from '@capstan/simulation';
import type { Cloud } from '@capstan/simulation';
