export { HOSTED_CLUSTERS_DASHBOARD, PRIVATE_TYPES_DASHBOARD } from './dashboards.js';
export { alertsOf, isAlert } from './model.js';
export type {
  AlertRule,
  Dashboard,
  LogMessage,
  Observability,
  Panel,
  PanelRow,
  Query,
  RecordingRule,
  RuleGroup,
  Severity,
  Unit,
} from './model.js';
export { assembleDashboards, dashboardConfigMap, grafanaDashboard } from './print/grafana.js';
export type { AssembledDashboard } from './print/grafana.js';
export { prometheusRule, ruleFile, RUNBOOK_BASE } from './print/rules.js';
export type { RuleFile, RuleOptions } from './print/rules.js';
export { controllerPanels, runtimeMetrics } from './runtime.js';
export { targetUp } from './scraped.js';
