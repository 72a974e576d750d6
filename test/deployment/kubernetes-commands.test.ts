import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { blocksOf } from '../support/document.ts';
import { commandProblems, commandsOf, type Chart } from '../support/kubernetes-command.ts';

const repository = join(import.meta.dirname, '../..');
const helm = join(repository, 'deploy/helm');
const rendered = readFileSync(join(helm, 'rendered.yaml'), 'utf8');

const chart: Chart = {
  repository,
  resources: new Set(
    parseAllDocuments(rendered)
      .map((document) => document.toJS() as { kind: string; metadata: { name: string } } | null)
      .filter((resource) => resource !== null)
      .map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`),
  ),
  secrets: new Set([...rendered.matchAll(/secretRef:\s*\{?\s*name:\s*([\w-]+)/g)].map(([, name]) => name!)),
  values: new Set(pathsOf(parse(readFileSync(join(helm, 'gateway/values.yaml'), 'utf8')))),
};

function pathsOf(value: unknown, path: readonly string[] = []): string[] {
  const own = path.length > 0 ? [path.join('.')] : [];
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

const pages = ['README.md', ...globSync(['docs/**/*.md', 'deploy/**/*.md'], { cwd: repository })];
const commands = pages.flatMap((page) =>
  blocksOf(readFileSync(join(repository, page), 'utf8'))
    .filter(({ language, place }) => language === 'sh' && place === 'kubernetes')
    .flatMap(({ text }) => commandsOf(text).map((command) => ({ page, command }))),
);

test.each(commands)('$page: what `$command` names is in the chart', ({ command }) => {
  expect(commandProblems(command, chart)).toEqual([]);
});

test('the pages show how to install and how to upgrade', () => {
  expect(commands.map(({ command }) => command.split(' ', 2).join(' '))).toEqual(
    expect.arrayContaining(['helm install', 'helm upgrade', 'kubectl create', 'kubectl rollout']),
  );
});

test.each([
  'helm upgrade pay deploy/helm/elsewhere --set image.tag=1',
  'helm upgrade pay deploy/helm/gateway --set imageTag=1',
  'helm upgrade pay deploy/helm/gateway --reuse-values',
  'kubectl create secret generic ledger --from-literal=DATABASE_URL=x --from-literal=NATS_URL=nats://ledger:x@n',
  'kubectl create secret generic pay-ledger --from-literal=DATABASE_URL=x --from-literal=NATS_URL=nats://compat:x@n',
  'kubectl create secret generic pay-ledger --from-literal=NATS_URL=nats://ledger:x@n',
  'kubectl rollout status deployment/pay-gateway',
  'kubectl scale deployment/pay-ledger --replicas 3',
])('a page that said `%s` would be noticed', (command) => {
  expect(commandProblems(command, chart)).toHaveLength(1);
});
