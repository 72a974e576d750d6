import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordTraceOf, type StoredSpan } from '@gateway/runtime';

// `npm run trace <id>`: everything that the local stack did about a record, a request or a trace, as a tree of spans.

const [id] = process.argv.slice(2);
const directory = join(process.env['GATEWAY_HOME'] ?? '.gateway', 'traces');
const usage =
  'npm run trace <id>: the id of a deposit, payout, refund or conversion, of a request (req_…), or of a trace';

if (id === undefined || !/^[A-Za-z0-9._-]{1,64}$/.test(id)) fail(usage);
if (!existsSync(directory)) fail(`there are no traces in ${directory}: they are kept by npm start`);
const spans = readSpans();
const found = tracesAbout(id, spans);
if (found.length === 0) {
  fail(`no span in ${directory} is about ${id}. Ten calls a second are traced, and the files keep the last of them.`);
}
process.stdout.write(`${shown(found)}\n`);

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}

function readSpans(): StoredSpan[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.jsonl'));
  const lines = files.flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n'));
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as StoredSpan];
    } catch {
      // The line that a process was writing when it ended.
      return [];
    }
  });
}

/**
 * The traces in which a span names the id, in the order of their beginning. The trace of a record itself is not one of them:
 * its spans only point to others.
 */
function tracesAbout(wanted: string, all: readonly StoredSpan[]): (readonly StoredSpan[])[] {
  const isPointer = ({ attributes, trace }: StoredSpan) => recordTraceOf(attributes) === trace;
  const pointedTo = all.filter((span) => isPointer(span) && span.trace === wanted).flatMap(({ links }) => links);
  const work = all.filter((span) => !isPointer(span));
  const isAbout = ({ trace, attributes }: StoredSpan) => trace === wanted || Object.values(attributes).includes(wanted);
  const wantedTraces = new Set([...pointedTo, ...work.filter(isAbout).map(({ trace }) => trace)]);
  const traces = [...Map.groupBy(work, ({ trace }) => trace)].filter(([traceId]) => wantedTraces.has(traceId));
  const inOrder = traces.map(([, ofTrace]) => ofTrace.toSorted(byStart));
  return inOrder.sort((one, other) => byStart(one[0], other[0]));
}

function byStart(one: StoredSpan | undefined, other: StoredSpan | undefined): number {
  return (one?.start ?? 0) - (other?.start ?? 0);
}

function shown(traces: readonly (readonly StoredSpan[])[]): string {
  const all = traces.flat();
  const services = new Set(all.map(({ service }) => service));
  const head = `${id}: ${traces.length} traces, ${all.length} spans of ${[...services].sort().join(', ')}`;
  return [head, ...traces.flatMap((trace) => ['', `trace ${trace[0]?.trace ?? ''}`, ...treeOf(trace)])].join('\n');
}

function treeOf(trace: readonly StoredSpan[]): string[] {
  const known = new Set(trace.map(({ span }) => span));
  const startedAt = trace[0]?.start ?? 0;
  const below = (parent: string | null, indent: string): string[] => {
    const children = trace.filter((span) => (parent === null ? !known.has(span.parent ?? '') : span.parent === parent));
    return children.flatMap((span, index) => {
      const isLast = index === children.length - 1;
      const [branch, rest] = parent === null ? ['', ''] : isLast ? ['└─ ', '   '] : ['├─ ', '│  '];
      return [`${indent}${branch}${lineOf(span, startedAt)}`, ...below(span.span, `${indent}${rest}`)];
    });
  };
  return below(null, '');
}

function lineOf({ service, name, start, ms, attributes, failure, parent }: StoredSpan, startedAt: number): string {
  const at = parent === null ? new Date(start).toISOString() : `+${(start - startedAt).toFixed(1)} ms`;
  const named = [
    'http.response.status_code',
    'gateway.event',
    'ledger.command_id',
    'ledger.outcome',
    'gateway.refusal',
  ];
  const details = named.flatMap((key) => {
    const value = attributes[key];
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
  const failed = failure === null ? [] : [`FAILED: ${failure}`];
  return [name, ...details, `(${service}, ${at}, ${ms.toFixed(1)} ms)`, ...failed].join(' ');
}
