// A trial of the deployment, from nothing to a paid deposit: builds the images, starts everything, lets two people in as
// its first admins, who make a merchant, creates a charge, pays it, and reads the balance. With --restarts it then restarts one
// part after the other and has a deposit paid after each. Plain JavaScript: needs Docker, Node 20 and nothing else.
//
//   npm run compose:trial [-- --restarts] [-- --runbooks] [-- --keep] [-- --with simulator,tls]
//
// With --runbooks it runs the commands of docs/operations that are meant for docker compose, page by page, and reads the
// balance after each.
//
// The trial has a project and an .env of its own, and removes both with their volumes, unless --keep is given.

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { enrolledPerson, firstOwner } from './trial-person.mjs';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const envFile = join(repository, '.env.trial');
const certificates = join(repository, '.tls.trial');
const backups = mkdtempSync(join(tmpdir(), 'gateway-trial-backup-'));
const ports = {
  ...{ PORT: '18080', OPS_PORT: '19080', CONSOLE_PORT: '18088' },
  ...{ SIMULATOR_PORT: '19090', GRAFANA_PORT: '13000' },
};
const consoleUrls = {
  OPERATOR_CONSOLE_URL: `http://localhost:${ports.OPS_PORT}`,
  CONSOLE_URL: `http://localhost:${ports.CONSOLE_PORT}`,
};
/** The cookies of a person who works in a terminal, as curl keeps them. */
const session = join(backups, 'session');
const readyTimeoutMs = 180_000;
const callTimeoutMs = 10_000;
const pollMs = 250;
const removalAttemptsMax = 5;
const runbooks = ['README', 'alerts', 'lost-broker', 'key-rotation', 'backup-and-restore', 'upgrade'];
const services = ['ledger', 'deposits', 'payouts', 'webhooks', 'reconciler', 'compat', 'identity', 'api-gateway'];
const restartable = [...services, 'nats', 'postgres'];

const { values: options } = parseArgs({
  options: {
    restarts: { type: 'boolean', default: false },
    runbooks: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    with: { type: 'string', default: 'simulator' },
  },
});
const compose = composeCommand();
const started = performance.now();
// Neither the timeout of a call nor a connection that is being made keeps Node 20 from ending.
const alive = setInterval(() => undefined, pollMs);
try {
  await trial();
} finally {
  clearInterval(alive);
  if (!options.keep) {
    await removeEverything();
    rmSync(envFile, { force: true });
    rmSync(certificates, { recursive: true, force: true });
    rmSync(backups, { recursive: true, force: true });
  }
}

async function trial() {
  run(['node'], [join(repository, 'deploy/secrets.mjs'), '--file', envFile, '--with', options.with]);
  run(compose, ['build']);
  const built = performance.now();
  say(`images built in ${seconds(started)} s`);
  run(compose, ['up', '--detach']);
  await untilReady();
  say(`everything answers ${seconds(built)} s after \`up\``);
  const people = [await firstAdmin('ana.lima'), await firstAdmin('bruno.reis')];
  const merchant = await createMerchant(people);
  await paidDeposit(merchant.test);
  say(`first paid deposit ${seconds(built)} s after \`up\`, ${seconds(started)} s after the beginning`);
  if (options.with.includes('simulator')) await liveDeposit(merchant.live);
  let paid = 1;
  for (const name of options.restarts ? restartable : []) {
    const restarting = performance.now();
    run(compose, ['restart', name]);
    await untilReady();
    await paidDeposit(merchant.test);
    await untilBalance(merchant.test, ++paid);
    say(`restarted ${name}: works again after ${seconds(restarting)} s, balance right`);
  }
  for (const page of options.runbooks ? runbooks : []) {
    const following = performance.now();
    await keepSession(people[0]);
    followRunbook(page);
    await untilReady();
    await paidDeposit(merchant.test);
    await untilBalance(merchant.test, ++paid);
    say(`followed ${page} in ${seconds(following)} s, balance right`);
  }
  await untilBalance(merchant.test, paid);
  say('passed');
}

async function firstAdmin(name) {
  const command = ['exec', '-T', 'identity', 'node', 'services/identity/src/bootstrap.ts', '--name', name];
  const [link] = output(compose, command).split('\n');
  return await enrolledPerson(link);
}

/** A new session, which is idle for a quarter of an hour at most: the one of the page before may have ended. */
async function keepSession(person) {
  await person.signIn();
  const [name, token] = person.cookie.split('=');
  writeFileSync(session, `#HttpOnly_localhost\tFALSE\t/\tFALSE\t0\t${name}\t${token}\n`, { mode: 0o600 });
}

async function createMerchant(operators) {
  const [proposer, approver] = operators;
  const account = await proposer.call('POST', '/ops/accounts', { name: 'Trial Merchant' });
  const keys = `/ops/accounts/${account.id}/keys`;
  const test = await proposer.call('POST', keys, { environment: 'test' });
  // A live key takes two people; its secret is fetched by a person of the merchant.
  const { approval } = await proposer.call('POST', keys, { environment: 'live' });
  const { outcome } = (await approver.call('POST', `/ops/approvals/${approval.id}/approve`)).approval;
  const owner = await firstOwner(account.id, operators);
  const live = await owner.call('POST', `/v1/keys/${outcome.public_key}/claim`);
  return { test: keyHeaders(test), live: keyHeaders(live) };
}

function keyHeaders({ public_key, secret_key }) {
  return { 'x-api-key': public_key, 'x-api-secret': secret_key };
}

async function paidDeposit(headers) {
  const deposit = await call(ports.PORT, '/v1/deposits', headers, { amount_cents: 1000, external_id: randomUUID() });
  const paid = await call(ports.PORT, `/v1/test/deposits/${deposit.id}/pay`, headers, {});
  if (paid.status !== 'PAID') throw new Error(`the deposit is ${paid.status}, not PAID`);
}

/** Through the simulator, as the live environment would: charge at the provider, payment, signed notification. */
async function liveDeposit(headers) {
  const deposit = await call(ports.PORT, '/v1/deposits', headers, { amount_cents: 1000, external_id: randomUUID() });
  const reference = deposit.id.slice('dep_'.length);
  await call(ports.SIMULATOR_PORT, `/control/charges/${reference}/pay`, {}, {});
  const deadline = performance.now() + readyTimeoutMs;
  for (let status = 'PENDING'; status !== 'PAID';) {
    if (performance.now() > deadline) throw new Error(`the live deposit is ${status}, not PAID`);
    await delay(pollMs);
    ({ status } = await call(ports.PORT, `/v1/deposits/${deposit.id}`, headers));
  }
  say('live deposit paid at the simulated provider, and credited');
}

async function untilBalance(headers, paidDeposits) {
  const { brl } = await call(ports.PORT, '/v1/balance', headers);
  if (brl.available_cents !== paidDeposits * 1000) throw new Error(`the balance is ${brl.available_cents}`);
}

async function untilReady() {
  const deadline = performance.now() + readyTimeoutMs;
  for (;;) {
    const health = await fetch(`http://127.0.0.1:${ports.PORT}/health`, { signal: AbortSignal.timeout(3_000) })
      .then((answer) => answer.json())
      .catch((error) => ({ status: String(error) }));
    if (health.status === 'ok') return;
    if (performance.now() > deadline) throw new Error(`not ready in time: ${JSON.stringify(health)}`);
    await delay(pollMs);
  }
}

async function call(port, path, headers, body) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** The page's blocks for docker compose in one shell, after those of the first page, on this project and its .env. */
function followRunbook(page) {
  const blocks = (name) => {
    const text = readFileSync(join(repository, `docs/operations/${name}.md`), 'utf8');
    return [...text.matchAll(/^```sh compose\n([\s\S]*?)^```$/gm)].map((match) => match[1]);
  };
  const script = ['set -euo pipefail', ...blocks('README'), ...(page === 'README' ? [] : blocks(page))]
    .join('\n')
    .replaceAll('docker compose', `${compose.join(' ')}`)
    .replaceAll('name=_', 'name=gateway-trial_')
    .replaceAll('npm run secrets', `node deploy/secrets.mjs --file ${envFile}`)
    .replaceAll(`${envFile} -- `, `${envFile} `)
    .replaceAll(/(?<![\w.])\.env(?![\w.])/g, envFile)
    .replaceAll(/(?<![\w.])\.session(?![\w.])/g, session)
    .replaceAll('backups/', `${backups}/`)
    .replaceAll('mkdir -p backups', `mkdir -p ${backups}`);
  run(['bash'], ['-c', script], 'inherit');
}

/** Older composes remove networks before the engine has let go of what was on them. */
async function removeEverything() {
  for (let attempt = 1; ; attempt++) {
    try {
      return run(compose, ['down', '--volumes', '--timeout', '5']);
    } catch (error) {
      if (attempt === removalAttemptsMax) throw error;
      await delay(1_000);
    }
  }
}

/** The plugin of today, else the program of before. */
function composeCommand() {
  const plugin = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;
  return [...(plugin ? ['docker', 'compose'] : ['docker-compose']), '-p', 'gateway-trial', '--env-file', envFile];
}

function run([command, ...first], args, stdout = 'ignore') {
  const {
    status,
    error,
    stdout: printed,
  } = spawnSync(command, [...first, ...args], {
    cwd: repository,
    stdio: ['ignore', stdout, 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, ...ports, ...consoleUrls },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
  return printed;
}

function output(command, args) {
  return run(command, args, 'pipe');
}

function seconds(since) {
  return ((performance.now() - since) / 1_000).toFixed(1);
}

function say(line) {
  console.log(line);
}
