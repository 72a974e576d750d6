// Writes the .env that docker-compose.yml reads, with secrets made up here. Values that are there already stay, so it
// can be run again after an upgrade. Plain JavaScript: it runs before anything is installed.
//
//   npm run secrets [-- --with simulator,observability,tls] [-- --renew NAME,NAME] [-- --file path]
//
// With --renew it makes new values for those named. The last value of a key that signs and seals is kept in
// …_SECRETS_KEYS_PREVIOUS: see docs/operations/key-rotation.md for what else has to be done.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const secretBytes = 24;
const keyBytes = 32;
const services = [
  'API_GATEWAY',
  'COMPAT',
  'DEPOSITS',
  'IDENTITY',
  'LEDGER',
  'PAYOUTS',
  'PSP_SIMULATOR',
  'RECONCILER',
  'WEBHOOKS',
];
const profiles = {
  simulator: {
    SIMULATOR_URL: 'http://psp-simulator:9090',
    PROVIDERS_CALLBACK_URL: 'http://api-gateway:8080',
    LEDGER_PROVIDERS: 'bacen,efi,spei,woovi',
  },
  observability: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318' },
};
/** Switched on by a file of compose beside the first one; certificates are made for it. */
const tlsFile = 'deploy/docker/tls.yml';

const { values } = parseArgs({
  options: {
    with: { type: 'string', default: '' },
    renew: { type: 'string', default: '' },
    file: { type: 'string', default: '.env' },
  },
});
const chosen = listOf(values.with);
const unknown = chosen.filter((name) => !(name in profiles) && name !== 'tls');
if (unknown.length > 0) {
  console.error(`no such profile: ${unknown.join(', ')} (there are ${[...Object.keys(profiles), 'tls'].join(', ')})`);
  process.exit(1);
}

const file = resolve(values.file);
const present = existsSync(file) ? variablesOf(readFileSync(file, 'utf8')) : new Map();
const before = [...present.keys()];
for (const [name, make] of wantedSecrets()) if (!present.get(name)) present.set(name, make());
const renewed = listOf(values.renew);
for (const name of renewed) renew(name);
const profilesChosen = chosen.filter((name) => name !== 'tls');
if (profilesChosen.length > 0) present.set('COMPOSE_PROFILES', profilesWith(present.get('COMPOSE_PROFILES') ?? ''));
for (const name of profilesChosen) for (const [key, value] of Object.entries(profiles[name])) present.set(key, value);
if (chosen.includes('tls')) encryptTraffic();
write(present);
const added = [...present.keys()].filter((name) => !before.includes(name));
console.log(`${file}: ${added.length === 0 ? 'nothing was missing' : `${added.length} values added`}`);
if (renewed.length > 0) console.log(`renewed: ${renewed.join(', ')}`);

function wantedSecrets() {
  return [
    ['POSTGRES_PASSWORD', secret],
    ...services.map((name) => [`DATABASE_PASSWORD_${name}`, secret]),
    ...services.filter((name) => name !== 'PSP_SIMULATOR').map((name) => [`NATS_PASSWORD_${name}`, secret]),
    ['WEBHOOKS_SECRETS_KEY', key],
    ['COMPAT_SECRETS_KEY', key],
    // Seals the secrets of time-based codes.
    ['IDENTITY_SECRETS_KEY', key],
    // Seals the key that signs the ledger's checkpoints.
    ['LEDGER_SECRETS_KEY', key],
    // Deposits signs links to pictures with it, the gateway verifies them.
    ['LINKS_SECRETS_KEY', key],
    // Seals secrets in the messages between the gateway, compat, identity and webhooks.
    ['BUS_SECRETS_KEY', key],
    ['OPS_TOKEN_1', secret],
    ['OPS_TOKEN_2', secret],
    ['GRAFANA_PASSWORD', secret],
  ];
}

function renew(name) {
  const make = new Map(wantedSecrets()).get(name);
  if (make === undefined) {
    console.error(`no such secret: ${name}`);
    process.exit(1);
  }
  if (make === key) {
    const previous = name.replace(/_KEY$/, '_KEYS_PREVIOUS');
    present.set(previous, [present.get(name), ...listOf(present.get(previous) ?? '')].join(','));
  }
  present.set(name, make());
}

/** The one setting for TLS between the parts: the file that gives each its certificate, and the certificates. */
function encryptTraffic() {
  const files = (present.get('COMPOSE_FILE') ?? 'docker-compose.yml').split(':');
  present.set('COMPOSE_FILE', [...new Set([...files, tlsFile])].join(':'));
  const directory = join(dirname(file), basename(file).replace('.env', '.tls'));
  present.set('INTERNAL_TLS_FILES', directory);
  const script = join(dirname(fileURLToPath(import.meta.url)), 'certificates.mjs');
  const { status } = spawnSync(process.execPath, [script, '--directory', directory], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

/** Letters and digits, a letter first: fit for URLs, for .env files and for the broker's configuration alike. */
function secret() {
  return `s${randomBytes(secretBytes).toString('hex')}`;
}

function key() {
  return randomBytes(keyBytes).toString('base64');
}

function profilesWith(current) {
  return [...new Set([...listOf(current), ...profilesChosen])].join(',');
}

function listOf(text) {
  return text.split(',').filter((name) => name !== '');
}

function variablesOf(text) {
  const pairs = text
    .split('\n')
    .filter((line) => /^[A-Z0-9_]+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  return new Map(pairs);
}

/** In one step, and readable by its owner alone from the first byte on. */
function write(variables) {
  const next = `${file}.next`;
  const lines = [...variables].map(([name, value]) => `${name}=${value}`);
  writeFileSync(next, `# Secrets of this deployment: never in version control.\n${lines.join('\n')}\n`, {
    mode: 0o600,
  });
  chmodSync(next, 0o600);
  renameSync(next, file);
}
