import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, expect, test } from 'vitest';

const lockfileName = JSON.stringify({
  packages: { '': {}, 'node_modules/left': { version: '1.0.0', integrity: 'sha' } },
});

let repository: string;

// A repository of its own, with an npm that does what `npm ci` does to the directory and notes that it ran.
beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  mkdirSync(join(repository, 'scripts'));
  mkdirSync(join(repository, 'bin'));
  copyFileSync(join(import.meta.dirname, '../../../scripts/bootstrap.mjs'), join(repository, 'scripts/bootstrap.mjs'));
  writeFileSync(join(repository, 'package-lock.json'), lockfileName);
  const npm = `#!/bin/sh
echo "$@" >> npm-calls
sleep 0.3
mkdir -p node_modules/.bin
ln -sf ${process.execPath} node_modules/.bin/node
cp package-lock.json node_modules/.package-lock.json
`;
  writeFileSync(join(repository, 'bin/npm'), npm, { mode: 0o755 });
});

afterEach(() => {
  rmSync(repository, { recursive: true, force: true });
});

function bootstrap(
  code: string,
  ...args: string[]
): ChildProcess & { output: Promise<string>; running: Promise<void> } {
  writeFileSync(join(repository, 'script.ts'), code);
  const child = spawn(process.execPath, ['scripts/bootstrap.mjs', 'script.ts', ...args], {
    cwd: repository,
    env: { PATH: `${join(repository, 'bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const running = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('running')) resolve();
    });
  });
  return Object.assign(child, { output: text(child.stdout), running });
}

function installations(): number {
  const file = join(repository, 'npm-calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

test('a fresh clone is installed once, then the script runs with its arguments', async () => {
  const first = await bootstrap('console.log("args", ...process.argv.slice(2))', 'one', 'two').output;
  expect(first).toBe('installing the packages (npm ci) …\nargs one two\n');
  expect(await bootstrap('console.log("again")').output).toBe('again\n');
  expect(installations()).toBe(1);
});

test('a changed lockfile is installed', async () => {
  await bootstrap('').output;
  writeFileSync(join(repository, 'package-lock.json'), lockfileName.replace('1.0.0', '2.0.0'));
  await bootstrap('').output;
  expect(installations()).toBe(2);
});

test('two starts at the same time install once', async () => {
  const code = 'console.log("ran")';
  const outputs = await Promise.all([bootstrap(code).output, bootstrap(code).output]);
  expect(outputs.map((output) => output.endsWith('ran\n'))).toEqual([true, true]);
  expect(installations()).toBe(1);
});

test('the lock of an installation that was killed does not block the next one', async () => {
  mkdirSync(join(repository, '.gateway'));
  const gone = spawn('true');
  await once(gone, 'exit');
  appendFileSync(join(repository, '.gateway/install.lock'), String(gone.pid));
  expect(await bootstrap('console.log("ran")').output).toContain('ran\n');
  expect(existsSync(join(repository, '.gateway/install.lock'))).toBe(false);
});

test("the script's exit code is passed on", async () => {
  const child = bootstrap('process.exit(7)');
  expect(await once(child, 'exit')).toEqual([7, null]);
});

test.for(['SIGINT', 'SIGTERM'] as const)('%s reaches the script, which ends as it likes', async (signal) => {
  const child = bootstrap(`process.on('${signal}', () => process.exit(5)); setInterval(() => {}, 1000);
console.log('running');`);
  await child.running;
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([5, null]);
});

test('a script whose bootstrap was killed is told so', async () => {
  const farewell = join(repository, 'farewell');
  const child = bootstrap(`import { writeFileSync } from 'node:fs';
process.on('disconnect', () => { writeFileSync(${JSON.stringify(farewell)}, 'bye'); process.exit(0); });
console.log('running');`);
  await child.running;
  child.kill('SIGKILL');
  await expect.poll(() => existsSync(farewell)).toBe(true);
});

test('what npm started ends when npm is killed', async () => {
  await bootstrap('').output;
  const farewell = join(repository, 'farewell');
  const code = `import { writeFileSync } from 'node:fs';
process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(farewell)}, 'bye'); process.exit(0); });
setInterval(() => {}, 1000);
console.log('running');`;
  writeFileSync(join(repository, 'script.ts'), code);
  const scripts = { start: 'node scripts/bootstrap.mjs script.ts' };
  writeFileSync(join(repository, 'package.json'), JSON.stringify({ scripts }));
  const npm = spawn('npm', ['start'], { cwd: repository, stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve) => {
    npm.stdout.on('data', (chunk: Buffer) => chunk.toString().includes('running') && resolve());
  });
  npm.kill('SIGKILL');
  await expect.poll(() => existsSync(farewell)).toBe(true);
});
