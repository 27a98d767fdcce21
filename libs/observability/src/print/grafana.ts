import type { Dashboard, Observability, Panel } from '../model.js';
import { SCOPE, scoped } from './scope.js';

/** The last version of Grafana's classic dashboard model; every Grafana since reads it. */
const SCHEMA_VERSION = 42;
const GRID_WIDTH = 24;
const PANELS_ABREAST = 3;
const PANEL_HEIGHT = 8;
const REF_IDS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' } as const;

/** A dashboard with the panels of all components that add to it. */
export interface AssembledDashboard {
  readonly dashboard: Dashboard;
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[];
  /** The metrics of all components, which its expressions select. */
  readonly metrics: ReadonlySet<string>;
}

/** The dashboards of components: each once, its rows in their order, those without panels left out. */
export function assembleDashboards(components: readonly Observability[]): AssembledDashboard[] {
  const all = components.flatMap(({ rows }) => rows);
  const metrics = new Set(components.flatMap((each) => [...each.metrics, ...each.external].map(({ name }) => name)));
  const dashboards = new Map(all.map(({ dashboard }) => [dashboard.uid, dashboard]));
  return [...dashboards.values()].map((dashboard) => {
    const own = all.filter((row) => row.dashboard.uid === dashboard.uid);
    const rows = dashboard.rows.map((title) => ({
      title,
      panels: own.filter(({ row }) => row === title).flatMap(({ panels }) => panels),
    }));
    return { dashboard, rows: rows.filter(({ panels }) => panels.length > 0), metrics };
  });
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

const LOOKS = {
  timeseries: {
    legend: { calcs: [], displayMode: 'list', placement: 'bottom', showLegend: true },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  piechart: {
    legend: { displayMode: 'table', placement: 'right', showLegend: true, values: ['value', 'percent'] },
    pieType: 'pie',
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  },
  heatmap: {
    calculate: false,
    cellGap: 1,
    color: { mode: 'scheme', scheme: 'Oranges', steps: 64 },
    yAxis: { axisPlacement: 'left', unit: 's' },
  },
} as const satisfies Record<Panel['kind'], unknown>;

interface Spot {
  readonly id: number;
  readonly gridPos: Place;
  readonly metrics: ReadonlySet<string>;
}

function printedPanel(panel: Panel, { gridPos, id, metrics }: Spot): Readonly<Record<string, unknown>> {
  const { title, description, kind: type, unit } = panel;
  const asked = type === 'piechart' ? { instant: true, range: false } : { instant: false, range: true };
  const targets = panel.queries.map(({ expr, legend }, at) => ({
    refId: REF_IDS.charAt(at),
    datasource: DATA_SOURCE,
    editorMode: 'code',
    expr: scoped(expr, metrics),
    format: type === 'heatmap' ? 'heatmap' : 'time_series',
    legendFormat: legend,
    ...asked,
  }));
  const defaults = { unit, ...(unit === 'percentunit' ? { min: 0, max: 1 } : { min: 0 }) };
  return {
    id,
    type,
    title,
    description,
    datasource: DATA_SOURCE,
    gridPos,
    fieldConfig: { defaults, overrides: [] },
    options: LOOKS[type],
    targets,
  };
}

function printedPanels({ metrics, rows }: AssembledDashboard): Readonly<Record<string, unknown>>[] {
  const printed: Readonly<Record<string, unknown>>[] = [];
  let y = 0;
  for (const { title, panels } of rows) {
    const id = printed.length + 1;
    printed.push({
      id,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: GRID_WIDTH, h: 1 },
      panels: [],
    });
    y += 1;
    const abreast = Math.min(PANELS_ABREAST, panels.length);
    const w = GRID_WIDTH / abreast;
    for (const [at, panel] of panels.entries()) {
      const gridPos = { x: (at % abreast) * w, y: y + Math.floor(at / abreast) * PANEL_HEIGHT, w, h: PANEL_HEIGHT };
      printed.push(printedPanel(panel, { id: printed.length + 1, gridPos, metrics }));
    }
    y += Math.ceil(panels.length / abreast) * PANEL_HEIGHT;
  }
  return printed;
}

/** A dashboard as Grafana imports it. The same input gives the same text, so that a change of it is a change of ours. */
export function grafanaDashboard(assembled: AssembledDashboard): Readonly<Record<string, unknown>> {
  const { uid, title, description } = assembled.dashboard;
  return {
    uid,
    title,
    description,
    tags: ['capstan'],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    graphTooltip: 1,
    refresh: '1m',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {}, hide: 0 },
        ...SCOPE.map(({ label, name, values: query }) => ({
          name,
          label,
          type: 'query',
          datasource: DATA_SOURCE,
          query: { query, refId: name },
          // With the time range: namespaces come and go.
          refresh: 2,
          sort: 1,
          multi: true,
          includeAll: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
          hide: 0,
        })),
      ],
    },
    annotations: { list: [] },
    links: [],
    panels: printedPanels(assembled),
  };
}

/** A dashboard in a ConfigMap, labelled for the sidecar that loads dashboards into Grafana. */
export function dashboardConfigMap(
  assembled: AssembledDashboard,
  namespace: string,
): Readonly<Record<string, unknown>> {
  const { uid } = assembled.dashboard;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `dashboard-${uid}`, namespace, labels: { grafana_dashboard: '1' } },
    data: { [`${uid}.json`]: `${JSON.stringify(grafanaDashboard(assembled), null, 2)}\n` },
  };
}
