// Runs a TypeScript file of this repository on the Node it needs, installing what is missing first.
// Plain JavaScript without dependencies: on a fresh clone nothing is installed yet, and the system's Node may be older.
//
//   node scripts/bootstrap.mjs <script.ts> [arguments]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const nodeProgram = join(repository, 'node_modules/.bin/node');
const installLock = join(repository, '.gateway/install.lock');
const lockPollMs = 300;
const parentPollMs = 1_000;
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const [script, ...args] = process.argv.slice(2);
if (script === undefined) fail('usage: node scripts/bootstrap.mjs <script.ts> [arguments]');

/** The child that signals go to: npm while installing, the script afterwards. */
let child;
for (const signal of stopSignals)
  process.on(signal, () => (child === undefined ? process.exit(130) : child.kill(signal)));
stopWithNpm();

if (!isInstalled()) await installOnce();
await runScript();

/** Whether node_modules holds exactly what package-lock.json asks for. npm writes its own record when it is done. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const present = readPackages('node_modules/.package-lock.json');
  if (wanted === undefined) fail('package-lock.json is missing');
  if (present === undefined || !existsSync(nodeProgram)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    // Optional packages are left out where the platform does not need them.
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(repository, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Two starts at the same time install once: the second one waits and then finds everything there. */
async function installOnce() {
  let waiting = false;
  while (!takeInstallLock()) {
    if (!waiting) console.log(`another start is installing the packages, waiting for it (${installLock}) …`);
    waiting = true;
    await delay(lockPollMs);
  }
  try {
    if (!isInstalled()) await install();
  } finally {
    rmSync(installLock, { force: true });
  }
}

/** Takes the lock if it is free; the lock of a process that has died is removed, to be taken at the next attempt. */
function takeInstallLock() {
  const own = `${installLock}.${process.pid}`;
  try {
    mkdirSync(dirname(installLock), { recursive: true, mode: 0o711 });
    writeFileSync(own, String(process.pid));
  } catch (error) {
    fail(`the packages are not installed, and ${repository} cannot be written to: ${error.message}`);
  }
  try {
    // A hard link appears with its content, and only if the name is free.
    linkSync(own, installLock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const holder = readLock(installLock);
    if (holder !== undefined && !isAlive(Number(holder))) removeStaleLock(holder);
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Two starts may find the same stale lock: the one that moves a fresh one away by mistake puts it back. */
function removeStaleLock(holder) {
  const aside = `${installLock}.stale.${process.pid}`;
  try {
    renameSync(installLock, aside);
    if (readLock(aside) !== holder) linkSync(aside, installLock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readLock(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function install() {
  console.log('installing the packages (npm ci) …');
  child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: repository,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.once('error', (error) => fail(`cannot run npm: ${error.message}`));
  const [code, signal] = await once(child, 'exit');
  child = undefined;
  if (signal !== null || code === 130) process.exit(130);
  if (code !== 0) fail('npm ci failed: the lines above say why');
  if (!existsSync(nodeProgram)) {
    fail('npm ci did not install Node 24, because install scripts are off: run npm rebuild --ignore-scripts=false');
  }
}

async function runScript() {
  const options = { cwd: repository, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] };
  // The channel carries nothing; its end shows the script that this process is gone.
  child = spawn(nodeProgram, [resolve(repository, script), ...args], options);
  child.once('error', (error) => fail(`cannot run ${nodeProgram}: ${error.message}`));
  const [code, signal] = await once(child, 'exit');
  if (signal === null) process.exit(code);
  for (const name of stopSignals) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}

/**
 * When npm itself is killed it cannot pass that on, and what it started would run on unseen. So this process, which npm
 * started directly or through a shell, notices that npm is gone and ends too.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const ancestors = () => [process.ppid, parentOf(process.ppid)];
  const [parent, grandparent] = ancestors();
  const throughShell = grandparent !== undefined && isNpm(grandparent);
  const watch = setInterval(() => {
    const [parentNow, grandparentNow] = ancestors();
    if (parentNow === parent && (!throughShell || grandparentNow === grandparent)) return;
    clearInterval(watch);
    if (child === undefined) process.exit(1);
    child.kill('SIGTERM');
  }, parentPollMs);
  watch.unref();
}

/** The parent of a process; undefined where the system has no /proc, or the process is gone. */
function parentOf(pid) {
  const parent = /^PPid:\s+(\d+)$/m.exec(readProcess(pid, 'status') ?? '')?.[1];
  return parent === undefined ? undefined : Number(parent);
}

function isNpm(pid) {
  return readProcess(pid, 'comm')?.startsWith('npm') === true;
}

function readProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
