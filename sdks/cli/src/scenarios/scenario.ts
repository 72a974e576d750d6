import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../faults/errors.ts';

/** A step: a call, and what is expected of its answer. */
export interface Step {
  /** By which later steps refer to its answer: `${deposit.id}`. */
  readonly name: string;
  /** `POST /v1/deposits`. */
  readonly call: string;
  readonly body?: object;
  readonly expect?: Expectation;
  /** Repeats a GET until its answer is as expected, for so many seconds at most. */
  readonly wait?: number;
}

export interface Expectation {
  readonly status?: number;
  /** The code of a refusal. */
  readonly error?: string;
  /** Members of the answer, as far as they are named. */
  readonly body?: object;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly contract: '0.1' | '1.0';
  readonly steps: readonly Step[];
}

const shipped = join(import.meta.dirname, '../../scenarios');
const callForm = /^(?:GET|POST|PUT|PATCH|DELETE) \/v1\/\S*$/;
/** `${run}` is another text in each run. */
const runReference = 'run';
const waitSecMax = 300;

/** The names of the scenarios that come with the program. */
export function scenarioNames(): string[] {
  return readdirSync(shipped)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

/**
 * A scenario that comes with the program, by its name, or one of a file.
 *
 * @throws UsageError that names the step and the member that do not fit
 */
export function readScenario(nameOrFile: string): Scenario {
  const file = scenarioNames().includes(nameOrFile) ? join(shipped, `${nameOrFile}.json`) : nameOrFile;
  let scenario: unknown;
  try {
    scenario = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new UsageError(
      isMissing ? `there is no scenario ${nameOrFile}: ${scenarioNames().join(', ')}, or a file` : `${file} is no JSON`,
    );
  }
  return checked(file, scenario);
}

function checked(file: string, value: unknown): Scenario {
  const refuse = (what: string): never => {
    throw new UsageError(`${file}: ${what}`);
  };
  if (!isRecord(value)) return refuse('is no object');
  const { name, about = '', contract = '0.1', steps } = value;
  if (typeof name !== 'string' || typeof about !== 'string') return refuse('name and about are texts');
  if (contract !== '0.1' && contract !== '1.0') return refuse('contract is 0.1 or 1.0');
  if (!Array.isArray(steps) || steps.length === 0) return refuse('steps is a list of steps');
  const before = new Set([runReference]);
  for (const [index, step] of (steps as readonly unknown[]).entries()) {
    const fault = faultOf(step, before);
    if (fault !== undefined) return refuse(`step ${index + 1}: ${fault}`);
    before.add((step as Step).name);
  }
  return { name, about, contract, steps: steps as readonly Step[] };
}

/** @returns what does not fit, or undefined */
function faultOf(step: unknown, before: ReadonlySet<string>): string | undefined {
  if (!isRecord(step)) return 'is no object';
  const { name, call, body, expect = {}, wait = 0, ...others } = step;
  const [other] = Object.keys(others);
  if (other !== undefined) return `${other} is no member of a step`;
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_-]*$/.test(name)) return 'name is a word in lower case';
  if (before.has(name)) return `the name ${name} is used before`;
  if (typeof call !== 'string' || !callForm.test(call)) return 'call is such as POST /v1/deposits';
  if (body !== undefined && !isRecord(body)) return 'body is an object';
  if (!isRecord(expect)) return 'expect is an object';
  const unknown = Object.keys(expect).find((each) => !['status', 'error', 'body'].includes(each));
  if (unknown !== undefined) return `expect.${unknown} is no member of an expectation`;
  if (typeof wait !== 'number' || wait < 0 || wait > waitSecMax) return `wait is seconds, ${waitSecMax} at most`;
  if (wait > 0 && !call.startsWith('GET ')) return 'wait repeats a GET alone';
  const missing = referencesIn(JSON.stringify(step)).find((reference) => !before.has(reference.split('.')[0] ?? ''));
  return missing === undefined ? undefined : `\${${missing}} is of no step before it`;
}

function referencesIn(text: string): string[] {
  return [...text.matchAll(/\$\{([\w.-]+)\}/g)].map(([, reference = '']) => reference);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
