import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Gateway, type Version } from '@gateway/sdk';
import { ExpectationError } from '../faults/errors.ts';
import { type Expectation, isRecord, type Scenario, type Step } from './scenario.ts';

/** How a step went. */
export interface Played {
  readonly name: string;
  readonly call: string;
  readonly status: number;
  readonly ms: number;
}

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

const pollMs = 200;
const msPerSecond = 1_000;

/**
 * Plays the steps one after the other.
 *
 * @param run stands for `${run}`: another one in each run makes other records
 * @throws ExpectationError that names the step whose answer is not as expected
 */
export async function* played(
  scenario: Scenario,
  { gateway, run, signal }: { readonly gateway: Gateway<Version>; readonly run: string; readonly signal: AbortSignal },
): AsyncGenerator<Played, void, undefined> {
  const answers: Record<string, unknown> = { run };
  for (const written of scenario.steps) {
    const step = filled(written, answers) as Step;
    const startedAt = Date.now();
    const until = startedAt + (step.wait ?? 0) * msPerSecond;
    for (;;) {
      const answer = await answerOf(gateway, step, signal);
      const difference = differenceOf(step.expect ?? {}, answer);
      if (difference === undefined) {
        answers[step.name] = answer.body;
        yield { name: step.name, call: step.call, status: answer.status, ms: Date.now() - startedAt };
        break;
      }
      if (Date.now() >= until) throw new ExpectationError(`step ${step.name}, ${step.call}: ${difference}`);
      await pause(pollMs, undefined, { signal });
    }
  }
}

/** An answer, a refusal among them. No answer at all is an error. */
async function answerOf(gateway: Gateway<Version>, { call, body }: Step, signal: AbortSignal): Promise<Answered> {
  const [method = 'GET', path = ''] = call.split(' ');
  try {
    const sent = body === undefined ? {} : { body };
    const sending = gateway.request(method as 'GET', path as `/${string}`, { ...sent, signal });
    const { data, response } = await sending.withResponse();
    return { status: response.status, body: data };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, message, ids } = error;
    return { status, body: { error: { code, message, ...ids } } };
  }
}

function differenceOf({ status, error, body }: Expectation, answer: Answered): string | undefined {
  const { code } = (answer.body as { readonly error?: { readonly code?: string } } | undefined)?.error ?? {};
  const isSuccess = answer.status >= 200 && answer.status < 300;
  const shown = code === undefined ? String(answer.status) : `${answer.status} ${code}`;
  if (status !== undefined && status !== answer.status) return `${status} was expected, ${shown} came`;
  if (error !== undefined && error !== code) return `${error} was expected, ${shown} came`;
  if (status === undefined && error === undefined && !isSuccess) return `a success was expected, ${shown} came`;
  return body === undefined ? undefined : differenceIn(body, answer.body, '');
}

/** The first member that is not as expected. Of objects and lists what is named is compared. */
function differenceIn(expected: unknown, given: unknown, path: string): string | undefined {
  if (typeof expected === 'object' && expected !== null) {
    for (const [name, value] of Object.entries(expected)) {
      const own = typeof given === 'object' && given !== null ? (given as Record<string, unknown>)[name] : undefined;
      const difference = differenceIn(value, own, path === '' ? name : `${path}.${name}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (JSON.stringify(expected) === JSON.stringify(given)) return undefined;
  return `${path} is ${JSON.stringify(given)}, ${JSON.stringify(expected)} was expected`;
}

/** The step with what `${step.path}` stands for. A text that is one reference becomes its value, a number too. */
function filled(value: unknown, answers: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') {
    const [, only] = /^\$\{([\w.-]+)\}$/.exec(value) ?? [];
    if (only !== undefined) return valueAt(answers, only);
    return value.replaceAll(/\$\{([\w.-]+)\}/g, (_, path: string) => String(valueAt(answers, path)));
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, answers));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, answers)]));
}

function valueAt(answers: Readonly<Record<string, unknown>>, path: string): unknown {
  const found = path.split('.').reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value[Number(name)] as unknown;
    return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, answers);
  if (found === undefined) throw new ExpectationError(`\${${path}} is in no answer`);
  return found;
}
