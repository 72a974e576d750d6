// Lints the chart with helm 3 and writes what it renders, for the test that reads it where there is no helm.
//
//   node deploy/helm/render.mjs

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const chart = join(here, 'gateway');

const files = readdirSync(chart, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort();
const digest = createHash('sha256');
for (const file of files) digest.update(readFileSync(file));

execFileSync('helm', ['lint', '--strict', chart], { stdio: 'inherit' });
const chartDigest = digest.digest('hex');
// What the chart leaves out unless it is set.
const rendersAll = [
  ...['--set', 'ingress.enabled=true'],
  ...['--set-literal', 'telemetry.traceUrl=https://traces.example.com/trace/{trace_id}'],
];
const forms = { 'rendered.yaml': [], 'rendered-tls.yaml': ['--set', 'internalTls.enabled=true'] };
for (const [name, settings] of Object.entries(forms)) {
  const options = ['template', 'pay', chart, ...rendersAll, ...settings];
  const rendered = execFileSync('helm', options, { encoding: 'utf8' });
  writeFileSync(join(here, name), `# Of the chart with sha256 ${chartDigest}\n${rendered}`);
}
