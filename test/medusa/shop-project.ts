import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedFor, installTimeoutMs } from '@gateway/local-stack';
import { runProgram, succeed } from '../support/run-program.ts';

const repository = join(import.meta.dirname, '../..');
const shop = join(import.meta.dirname, 'shop');
const modules = join(shop, 'node_modules');
const typeRoots = join(repository, 'node_modules/@types');

/** What one test of the shop came to: `passed`, or how it failed. */
export type Outcomes = Readonly<Record<string, string>>;

/** A Medusa shop in a project of its own, with the provider and the SDK in it as merchants install them. */
export class ShopProject {
  /** Installs Medusa once, in the versions of its lock file, and both packages anew. */
  static async install(): Promise<ShopProject> {
    await installedFor([join(shop, 'package-lock.json')], join(modules, '.installed'), () =>
      succeed('npm', ['ci', '--prefix', shop, '--loglevel=error'], shop, installTimeoutMs),
    );
    await installPacked('sdks/typescript', '@gateway/sdk');
    await installPacked('plugins/medusa', '@gateway/medusa');
    return new ShopProject();
  }

  /** Runs the tests of the shop. @returns how each of them ended */
  async run(environment: Readonly<Record<string, string>>): Promise<Outcomes> {
    const folder = mkdtempSync(join(tmpdir(), 'medusa-shop-'));
    const results = join(folder, 'results.json');
    try {
      const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
      const args = [vitest, 'run', '--root', shop, '--reporter=json', `--outputFile=${results}`];
      const env = { ...environment, NODE_ENV: 'test', LOG_LEVEL: 'error', MEDUSA_DISABLE_TELEMETRY: 'true' };
      const { output } = await runProgram(process.execPath, args, { cwd: shop, env, timeoutMs: 20 * 60_000 });
      return outcomesOf(results, output);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { title: string; status: string; failureMessages: readonly string[] }[];
  }[];
}

function outcomesOf(results: string, output: string): Outcomes {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(results, 'utf8')) as Report;
  } catch {
    throw new Error(`the tests of the shop left no report: ${output.slice(-4_000)}`);
  }
  const each = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  if (each.length === 0) throw new Error(`no test of the shop ran: ${output.slice(-4_000)}`);
  const entries = each.map(({ title, status, failureMessages }) => [title, [status, ...failureMessages].join('\n')]);
  return Object.fromEntries(entries) as Outcomes;
}

/** Packs a package as its page says, and unpacks it where npm would: what is not in the package is not there. */
async function installPacked(source: string, name: string): Promise<void> {
  const state = join(repository, '.gateway');
  mkdirSync(state, { recursive: true });
  // Within the repository, whose compiler the packing uses; Medusa is not there.
  const folder = mkdtempSync(join(state, 'packed-'));
  try {
    const copy = join(folder, 'package');
    const target = join(modules, name);
    cpSync(join(repository, source), copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
    // The compiler finds Medusa and the SDK from where the package is going to be.
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    cpSync(copy, target, { recursive: true });
    const tsc = join(repository, 'node_modules/.bin/tsc');
    const nothingWritten = ['--noEmit', '--emitDeclarationOnly', 'false'];
    const check = ['-p', 'tsconfig.dist.json', ...nothingWritten, '--pretty', 'false', '--typeRoots', typeRoots];
    await succeed(tsc, check, target);
    await succeed('npm', ['pack', '--pack-destination', folder], copy);
    rmSync(target, { recursive: true });
    mkdirSync(target);
    const packed = join(folder, `${name.replace('@', '').replace('/', '-')}-0.1.0.tgz`);
    await succeed('tar', ['-xzf', packed, '--strip-components=1', '-C', target], folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
