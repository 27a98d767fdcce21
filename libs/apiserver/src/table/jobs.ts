import { humanDuration } from '@capstan/meta';
import {
  containerCells,
  count,
  formatSelector,
  since,
  text,
  type LabelSelectorView,
  type TemplateView,
} from './format.js';
import { printer, type TablePrinter, type View } from './printer.js';

interface JobSpecView {
  readonly completions?: number;
  readonly parallelism?: number;
  readonly selector?: LabelSelectorView;
  readonly template?: TemplateView;
}

interface JobView extends View {
  readonly spec?: JobSpecView;
  readonly status?: {
    readonly succeeded?: number;
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly conditions?: readonly { readonly type: string; readonly status?: string }[];
  };
}

function jobCompletions({ spec, status }: JobView): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobStatus({ metadata, status }: JobView): string {
  const has = (wanted: string): boolean => status?.conditions?.find(({ type }) => type === wanted)?.status === 'True';
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined && metadata.deletionTimestamp !== null) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function jobDuration({ status }: JobView, now: number): string {
  if (status?.startTime === undefined) return '';
  const end = status.completionTime === undefined ? now : Date.parse(status.completionTime);
  return humanDuration(end - Date.parse(status.startTime));
}

/** Jobs. */
export const jobs: TablePrinter = printer<JobView>(
  `Name
   Status      | string | How far the job is.
   Completions | string | Pods that succeeded out of those wanted.
   Duration    | string | How long it ran, or runs already.
   Age
   Containers  | string+
   Images      | string+
   Selector    | string+`,
  (job, now) => [
    job.metadata.name ?? '',
    jobStatus(job),
    jobCompletions(job),
    jobDuration(job, now),
    since(job.metadata.creationTimestamp, now),
    ...containerCells(job.spec?.template?.spec?.containers),
    formatSelector(job.spec?.selector),
  ],
);

interface CronJobView extends View {
  readonly spec?: {
    readonly schedule?: string;
    readonly timeZone?: string;
    readonly suspend?: boolean;
    readonly jobTemplate?: { readonly spec?: JobSpecView };
  };
  readonly status?: { readonly active?: readonly unknown[]; readonly lastScheduleTime?: string };
}

/** Cron jobs. */
export const cronJobs: TablePrinter = printer<CronJobView>(
  `Name
   Schedule      | string  | When it runs, in cron's notation.
   Timezone      | string  | The time zone of the schedule.
   Suspend       | boolean | Whether it holds back from starting jobs.
   Active        | integer | Jobs running now.
   Last Schedule | string  | How long ago a job was last started.
   Age
   Containers    | string+
   Images        | string+
   Selector      | string+`,
  ({ metadata, spec = {}, status = {} }, now) => {
    const { template, selector } = spec.jobTemplate?.spec ?? {};
    return [
      text(metadata.name),
      text(spec.schedule),
      spec.timeZone ?? '<none>',
      spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
      count(status.active?.length),
      status.lastScheduleTime === undefined ? '<none>' : since(status.lastScheduleTime, now),
      since(metadata.creationTimestamp, now),
      ...containerCells(template?.spec?.containers),
      formatSelector(selector),
    ];
  },
);
