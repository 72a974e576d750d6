import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isMet, type CpuCost, type Figures, type Gate, type Invariant, type Report } from './report.ts';

/** The report as text for a terminal. */
export function printReport({ figures, costs = [], gates, invariants, notes }: Report): string {
  const sections = [
    table([['', 'rate/s', 'p50 ms', 'p99 ms', 'ratio'], ...figures.map(figuresRow)]),
    costs.length === 0 ? '' : `CPU µs per answer\n${costTable(costs)}`,
    gates.length === 0 ? '' : `Gates\n${table(gates.map(gateRow))}`,
    invariants.length === 0 ? '' : `Invariants\n${table(invariants.map(invariantRow))}`,
    notes.map((note) => `· ${note}`).join('\n'),
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

function figuresRow({ what, ratePerSecond, p50Ms, p99Ms, ratio }: Figures): string[] {
  const comparison = ratio === undefined ? '–' : `${decimal(ratio, 2)} ×`;
  return [what, decimal(ratePerSecond, 0), decimal(p50Ms, 2), decimal(p99Ms, 2), comparison];
}

function costTable(costs: readonly CpuCost[]): string {
  const processes = [...new Set(costs.flatMap((cost) => Object.keys(cost.perAnswerUs)))];
  const shown = processes.filter((name) => costs.some((cost) => (cost.perAnswerUs[name] ?? 0) >= 1));
  const rows = costs.map(({ what, perAnswerUs }) => {
    const values = shown.map((name) => perAnswerUs[name] ?? 0);
    const sum = values.reduce((total, value) => total + value, 0);
    return [what, ...values.map((value) => decimal(value, 0)), decimal(sum, 0)];
  });
  return table([['', ...shown, 'sum'], ...rows]);
}

function gateRow(gate: Gate): string[] {
  const bound = gate.atLeast === undefined ? `≤ ${gate.atMost ?? ''}` : `≥ ${gate.atLeast}`;
  const verdict = isMet(gate) ? 'met' : 'MISSED';
  return [gate.what, `${decimal(gate.value, 2)} ${gate.unit}`, `${bound} ${gate.unit}`, verdict];
}

function invariantRow({ what, holds, found }: Invariant): string[] {
  return [what, holds ? 'holds' : 'BROKEN', found];
}

/** First column to the left, the others to the right, as figures are read. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd()).join('\n');
}

function decimal(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : 'none';
}

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

const functionsMax = 12;
/** Of a process that did next to nothing there is nothing to say. */
const busyMinMs = 500;

/** Per CPU profile of the directory: the functions its process spent most of its busy time in, callees not counted. */
export function hottestFunctions(directory: string): string {
  const files = readdirSync(directory).filter((name) => name.endsWith('.cpuprofile'));
  return files.flatMap((file) => describe(readFileSync(join(directory, file), 'utf8'), file)).join('\n\n');
}

function describe(json: string, file: string): string[] {
  const { nodes, samples, timeDeltas } = profileSchema.parse(JSON.parse(json));
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const service = nodes.map(({ callFrame }) => /services\/([a-z-]+)\/src\/main/.exec(callFrame.url)?.[1]).find(Boolean);
  const busyUs = new Map<string, number>();
  let totalUs = 0;
  for (const [index, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    if (name.startsWith('(idle)')) continue;
    const us = timeDeltas[index] ?? 0;
    busyUs.set(name, (busyUs.get(name) ?? 0) + us);
    totalUs += us;
  }
  if (totalUs < busyMinMs * 1_000) return [];
  const descending = [...busyUs].sort(([, one], [, other]) => other - one).slice(0, functionsMax);
  const lines = descending.map(([name, us]) => `  ${((100 * us) / totalUs).toFixed(1).padStart(5)} %  ${name}`);
  return [`${service ?? file}: ${(totalUs / 1e6).toFixed(1)} s busy\n${lines.join('\n')}`];
}

function nameOf({
  functionName,
  url,
  lineNumber,
}: z.infer<typeof profileSchema>['nodes'][number]['callFrame']): string {
  const place = url.replace(/.*\/node_modules\//, '').replace(/.*\/(packages|services|bench)\//, '$1/');
  return `${functionName || '(anonymous)'}${place === '' ? '' : ` ${place}:${lineNumber + 1}`}`;
}
