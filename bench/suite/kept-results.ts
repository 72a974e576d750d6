import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { resultSchema, type Result } from '../report/result.ts';
import { pageWith } from './performance-page.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const resultsFile = `${root}docs/performance.json`;
const pageFile = `${root}docs/performance.md`;
const prettier = `${root}node_modules/.bin/prettier`;

/**
 * Puts a result in the place of the one its benchmark had, and writes the page anew. Called after each benchmark, so
 * that a run that is broken off keeps what it has measured.
 *
 * @param order names of all benchmarks, as the page lists them; others are dropped
 */
export async function keepResult(result: Result, order: readonly string[]): Promise<void> {
  const others = (await keptResults()).filter(({ name }) => name !== result.name);
  const results = [...others, result]
    .filter(({ name }) => order.includes(name))
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  await writeFile(resultsFile, JSON.stringify(results, undefined, 2));
  await writeFile(pageFile, pageWith(await readFile(pageFile, 'utf8'), results));
  await promisify(execFile)(process.execPath, [prettier, '--write', '--log-level', 'warn', resultsFile, pageFile]);
}

async function keptResults(): Promise<Result[]> {
  const json = await readFile(resultsFile, 'utf8').catch(() => '[]');
  return z.array(resultSchema).parse(JSON.parse(json));
}
