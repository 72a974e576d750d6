import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What the chart makes, and the values it takes: what a command of a page may name. */
export interface Chart {
  /** `deployment/pay-ledger`, in lower case. */
  readonly resources: ReadonlySet<string>;
  /** The secrets its pods read. */
  readonly secrets: ReadonlySet<string>;
  /** The paths of values.yaml: `image.tag`. */
  readonly values: ReadonlySet<string>;
  readonly repository: string;
}

type Rule = (words: readonly string[], chart: Chart) => string[];

/** A command that is not here gets its rule before a page may show it. */
const rules: Readonly<Record<string, Rule>> = {
  'helm install': helmRelease,
  'helm upgrade': helmRelease,
  'kubectl create secret generic': newSecret,
  'kubectl rollout status': existing,
  'kubectl rollout restart': existing,
  'kubectl exec': program,
};

/** `--reuse-values` is not among them: with it the values a new chart brings are missing, and its templates fail. */
const helmFlags: readonly string[] = ['--set', '--reset-then-reuse-values', '--values', '--namespace', '--wait'];

/** The commands of a script, each with its continued lines. */
export function commandsOf(script: string): string[] {
  return script
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** What of a command does not fit the chart; nothing when it would do what its page says. */
export function commandProblems(command: string, chart: Chart): string[] {
  const verb = Object.keys(rules).find((start) => command.startsWith(`${start} `));
  if (verb === undefined) return [`nothing is known about: ${command}`];
  const words = command.slice(verb.length).trim().split(/\s+/);
  return rules[verb]!(words, chart).map((problem) => `${verb}: ${problem}`);
}

function helmRelease([release, path, ...options]: readonly string[], chart: Chart): string[] {
  const problems: string[] = [];
  if (release !== 'pay') problems.push(`the release is called pay in all pages, not ${release}`);
  if (!existsSync(join(chart.repository, path ?? '', 'Chart.yaml'))) problems.push(`${path} is no chart`);
  for (let at = 0; at < options.length; at++) {
    const flag = options[at]!;
    if (!helmFlags.includes(flag)) problems.push(`unknown flag ${flag}`);
    if (flag !== '--set') continue;
    const name = options[++at]?.split('=')[0] ?? '';
    if (!chart.values.has(name)) problems.push(`the chart has no value ${name}`);
  }
  return problems;
}

function newSecret([name, ...options]: readonly string[], chart: Chart): string[] {
  const problems = chart.secrets.has(name ?? '') ? [] : [`no pod reads the secret ${name}`];
  const service = name?.replace(/^pay-/, '') ?? '';
  const given = new Map<string, string>();
  for (const option of options) {
    const [, key, value] = /^--from-literal=(\w+)=(.+)$/.exec(option) ?? [];
    if (key === undefined || value === undefined) problems.push(`not understood: ${option}`);
    else given.set(key, value);
  }
  for (const needed of ['DATABASE_URL', 'NATS_URL']) if (!given.has(needed)) problems.push(`${needed} is missing`);
  // The broker knows each service by its own name (deploy/nats/cluster.conf).
  if (!given.get('NATS_URL')?.startsWith(`nats://${service}:`)) problems.push(`NATS_URL is not that of ${service}`);
  return problems;
}

/** A program of ours, run in a container of the chart. */
function program([resource = '', dashes, node, path = '', ..._options]: readonly string[], chart: Chart): string[] {
  const problems = existing([resource], chart);
  if (dashes !== '--' || node !== 'node') problems.push('what runs in a container is a program of ours');
  if (!existsSync(join(chart.repository, path))) problems.push(`there is no ${path}`);
  return problems;
}

function existing(words: readonly string[], chart: Chart): string[] {
  return words.filter((word) => !chart.resources.has(word)).map((word) => `the chart makes no ${word}`);
}
