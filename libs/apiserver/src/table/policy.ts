import { humanDuration } from '@capstan/meta';
import { orElse, since, type LabelSelectorView } from './format.js';
import { printer, type TablePrinter, type View } from './printer.js';

interface BindingView extends View {
  readonly roleRef?: { readonly kind?: string; readonly name?: string };
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace?: string }[];
}

/** Role bindings and cluster role bindings. */
export const roleBindings: TablePrinter = printer<BindingView>(
  `Name
   Role            | string  | The role it grants.
   Age
   Users           | string+ | The users it grants it to.
   Groups          | string+ | The groups it grants it to.
   ServiceAccounts | string+ | The service accounts it grants it to.`,
  ({ metadata, roleRef, subjects = [] }, now) => {
    const named = (wanted: string): string =>
      subjects
        .filter(({ kind }) => kind === wanted)
        .map(({ name, namespace }) => (wanted === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
        .join(', ');
    return [
      metadata.name ?? '',
      `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
      since(metadata.creationTimestamp, now),
      named('User'),
      named('Group'),
      named('ServiceAccount'),
    ];
  },
);

interface WebhooksView extends View {
  readonly webhooks?: readonly unknown[];
}

/** Mutating and validating webhook configurations. */
export const webhookConfigurations: TablePrinter = printer<WebhooksView>(
  `Name
   Webhooks | integer | How many webhooks it has.
   Age`,
  ({ metadata, webhooks }, now) => [metadata.name ?? '', webhooks?.length ?? 0, since(metadata.creationTimestamp, now)],
);

interface AdmissionPolicyView extends View {
  readonly spec?: {
    readonly validations?: readonly unknown[];
    readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
  };
}

/** Validating admission policies. */
export const validatingAdmissionPolicies: TablePrinter = printer<AdmissionPolicyView>(
  `Name
   Validations | integer | How many validations it has.
   ParamKind   | string  | The kind of its parameters.
   Age`,
  ({ metadata, spec }, now) => [
    metadata.name ?? '',
    spec?.validations?.length ?? 0,
    spec?.paramKind === undefined ? '<unset>' : `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}`,
    since(metadata.creationTimestamp, now),
  ],
);

interface PolicyBindingView extends View {
  readonly spec?: {
    readonly policyName?: string;
    readonly paramRef?: { readonly name?: string; readonly namespace?: string; readonly selector?: LabelSelectorView };
  };
}

/** The struct notation that the real server prints a parameter selector in. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelectorView): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key] ?? ''},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

function paramReference({ spec }: PolicyBindingView): string {
  const { name = '', namespace = '', selector } = spec?.paramRef ?? {};
  if (name !== '') return `${namespace === '' ? '*' : namespace}/${name}`;
  return selector === undefined ? '<unset>' : goSelector(selector);
}

/** Validating admission policy bindings. */
export const validatingAdmissionPolicyBindings: TablePrinter = printer<PolicyBindingView>(
  `Name
   PolicyName | string | The policy it puts to work.
   ParamRef   | string | The parameters it puts it to work with.
   Age`,
  (binding, now) => [
    binding.metadata.name ?? '',
    binding.spec?.policyName ?? '',
    paramReference(binding),
    since(binding.metadata.creationTimestamp, now),
  ],
);

interface ApiServiceView extends View {
  readonly spec?: { readonly service?: { readonly namespace?: string; readonly name?: string } };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status?: string; readonly reason?: string }[];
  };
}

function availability({ status }: ApiServiceView): string {
  const condition = status?.conditions?.find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  const { status: value = '', reason = '' } = condition;
  return value === 'True' || reason === '' ? value : `${value} (${reason})`;
}

/** API services, whose columns come with every watch event. */
export const apiServices: TablePrinter = {
  ...printer<ApiServiceView>(
    `Name
     Service   | string | The service that serves the group-version, or Local.
     Available | string | Whether it answers.
     Age`,
    (object, now) => {
      const { metadata, spec } = object;
      const service =
        spec?.service === undefined ? 'Local' : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`;
      return [metadata.name ?? '', service, availability(object), since(metadata.creationTimestamp, now)];
    },
  ),
  alwaysHeaders: true,
};

interface SigningRequestView extends View {
  readonly spec?: { readonly signerName?: string; readonly username?: string; readonly expirationSeconds?: number };
  readonly status?: { readonly conditions?: readonly { readonly type: string }[]; readonly certificate?: string };
}

function signingStatus({ status }: SigningRequestView): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) === true;
  const verdict = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${verdict}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}

/** Certificate signing requests. */
export const certificateSigningRequests: TablePrinter = printer<SigningRequestView>(
  `Name
   Age
   SignerName        | string | Who should sign it.
   Requestor         | string | Who asks.
   RequestedDuration | string | How long the certificate should last.
   Condition         | string | What has become of the request.`,
  (request, now) => {
    const { metadata, spec } = request;
    return [
      metadata.name ?? '',
      since(metadata.creationTimestamp, now),
      orElse(spec?.signerName, '<none>'),
      spec?.username ?? '',
      spec?.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
      signingStatus(request),
    ];
  },
);

interface PriorityClassView extends View {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly preemptionPolicy?: string;
}

/** Priority classes. */
export const priorityClasses: TablePrinter = printer<PriorityClassView>(
  `Name
   Value            | integer | The priority it gives.
   Global-Default   | boolean | Whether pods without a class get this one.
   Age
   PreemptionPolicy | string  | Whether its pods may push others out.`,
  ({ metadata, value, globalDefault, preemptionPolicy }, now) => [
    metadata.name ?? '',
    value ?? 0,
    globalDefault ?? false,
    since(metadata.creationTimestamp, now),
    preemptionPolicy ?? '',
  ],
);

interface RuntimeClassView extends View {
  readonly handler?: string;
}

/** Runtime classes. */
export const runtimeClasses: TablePrinter = printer<RuntimeClassView>(
  `Name
   Handler | string | The runtime behind it.
   Age`,
  ({ metadata, handler }, now) => [metadata.name ?? '', handler ?? '', since(metadata.creationTimestamp, now)],
);
