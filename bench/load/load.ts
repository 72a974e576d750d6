import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type Dispatcher } from 'undici';
import { startChild, type Child } from './child.ts';
import { percentile } from './percentile.ts';

/** One call of a unit of work. */
export interface LoadStep {
  readonly method: 'GET' | 'POST';
  /** `{id}` stands for the `id` in the answer to the first step. */
  readonly path: string;
  /** JSON text; `{n}` stands for a text that no other unit of work has. */
  readonly body?: string;
  /** Any other status is counted as a failure. */
  readonly expect: number;
}

/**
 * `closed`: each connection sends its next unit of work when the last was answered, which finds the highest rate.
 * `open`: units start at a fixed rate, whatever the answers do, and their latency counts from when they should have
 * started; so a server that stalls is charged for everybody who had to wait (no coordinated omission).
 */
export type Pace =
  | { readonly kind: 'closed'; readonly connections: number; readonly durationMs: number }
  | {
      readonly kind: 'open';
      readonly connections: number;
      readonly durationMs: number;
      readonly ratePerSecond: number;
    };

export interface LoadJob {
  /** Part of each `{n}`; no two jobs of a run have the same. */
  readonly name: string;
  readonly origin: string;
  readonly steps: readonly LoadStep[];
  /** Headers of the callers, who take turns. */
  readonly callers: readonly Readonly<Record<string, string>>[];
  readonly pace: Pace;
  /** Whether the result lists each unit of work with its id and times. */
  readonly listUnits?: boolean;
}

/** Times in milliseconds of the machine's monotonic clock, which all its processes share. */
export interface Unit {
  readonly id: string;
  readonly startedAtMs: number;
  readonly answeredAtMs: number;
}

export interface LoadResult {
  /** Units of work of which each step was answered as expected. */
  readonly answered: number;
  /** All others, by status or error code. */
  readonly failures: Readonly<Record<string, number>>;
  /** From the first start to the last answer. */
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly units: readonly Unit[];
  /** Answers of 503, which ask for another try; of calls over HTTP. */
  readonly refused?: Refusals;
  /** When the last unit of work started that failed; undefined when none did. */
  readonly lastFailureAtMs?: number | undefined;
}

export interface Refusals {
  readonly count: number;
  readonly withRetryAfter: number;
  /** From the sending of the call, and not from when it was due: how long the server took. */
  readonly p99Ms: number;
}

export type LoadGenerator = Child<LoadJob, LoadResult>;

/** Generates load in a process of its own, the same one for every subject, so that it is equally warm for all. */
export function startLoadGenerator(): LoadGenerator {
  return startChild(new URL('./load-process.ts', import.meta.url));
}

/** Milliseconds of the machine's monotonic clock: comparable between processes, unlike `performance.now()`. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** An answer that takes longer is an error, so a run ends by itself. */
const answerTimeoutMs = 30_000;
const tickMs = 1;
const unavailable = 503;

type Headers = LoadJob['callers'][number];

/** Applies the load of one job and counts the answers. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const pool = new Pool(job.origin, {
    connections: job.pace.connections,
    pipelining: 1,
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
  });
  const run = new LoadRun(job, pool);
  const startedAtMs = monotonicMs();
  await (job.pace.kind === 'closed' ? keepBusy(run, job.pace, startedAtMs) : keepPace(run, job.pace, startedAtMs));
  const elapsedMs = run.lastAnswerAtMs - startedAtMs;
  await pool.close();
  return run.result(elapsedMs);
}

async function keepBusy(run: LoadRun, pace: LoadJob['pace'], startedAtMs: number): Promise<void> {
  const endsAtMs = startedAtMs + pace.durationMs;
  const connection = async (): Promise<void> => {
    for (let now = monotonicMs(); now < endsAtMs; now = monotonicMs()) await run.unit(now);
  };
  await Promise.all(Array.from({ length: pace.connections }, connection));
}

async function keepPace(
  run: LoadRun,
  pace: Extract<LoadJob['pace'], { kind: 'open' }>,
  startedAtMs: number,
): Promise<void> {
  const total = Math.floor((pace.durationMs * pace.ratePerSecond) / 1_000);
  const dueAtMs = (index: number): number => startedAtMs + (index * 1_000) / pace.ratePerSecond;
  const started: Promise<void>[] = [];
  while (started.length < total) {
    while (started.length < total && dueAtMs(started.length) <= monotonicMs()) {
      started.push(run.unit(dueAtMs(started.length)));
    }
    await delay(tickMs);
  }
  await Promise.all(started);
}

class LoadRun {
  readonly #job: LoadJob;
  readonly #dispatcher: Dispatcher;
  readonly #latenciesMs: number[] = [];
  readonly #failures: Record<string, number> = {};
  readonly #units: Unit[] = [];
  readonly #refusalsMs: number[] = [];
  #withRetryAfter = 0;
  #lastFailureAtMs: number | undefined;
  #count = 0;
  lastAnswerAtMs = 0;

  constructor(job: LoadJob, dispatcher: Dispatcher) {
    this.#job = job;
    this.#dispatcher = dispatcher;
  }

  /** One unit of work, whose latency counts from the given time; never rejects. */
  async unit(startedAtMs: number): Promise<void> {
    const { callers, name, listUnits = false } = this.#job;
    const index = this.#count++;
    const caller = callers[index % callers.length] ?? {};
    const outcome = await this.#steps(caller, `${name}-${index}`).catch((error: unknown) => codeOf(error));
    const answeredAtMs = monotonicMs();
    this.lastAnswerAtMs = answeredAtMs;
    if (typeof outcome === 'string') {
      this.#failures[outcome] = (this.#failures[outcome] ?? 0) + 1;
      this.#lastFailureAtMs = Math.max(this.#lastFailureAtMs ?? 0, startedAtMs);
      return;
    }
    this.#latenciesMs.push(answeredAtMs - startedAtMs);
    if (listUnits) this.#units.push({ id: outcome.id ?? '', startedAtMs, answeredAtMs });
  }

  result(elapsedMs: number): LoadResult {
    const ascending = Float64Array.from(this.#latenciesMs).sort();
    return {
      answered: ascending.length,
      failures: this.#failures,
      elapsedMs,
      p50Ms: percentile(ascending, 0.5),
      p99Ms: percentile(ascending, 0.99),
      units: this.#units,
      refused: {
        count: this.#refusalsMs.length,
        withRetryAfter: this.#withRetryAfter,
        p99Ms: percentile(Float64Array.from(this.#refusalsMs).sort(), 0.99),
      },
      lastFailureAtMs: this.#lastFailureAtMs,
    };
  }

  /** A text says why it failed. */
  async #steps(caller: Headers, unique: string): Promise<{ id?: string } | string> {
    const { steps, listUnits = false } = this.#job;
    let id: string | undefined;
    for (const step of steps) {
      const answer = await send(this.#dispatcher, callOf(step, this.#job.origin, caller, unique, id));
      if (answer.status === unavailable) {
        this.#refusalsMs.push(monotonicMs() - answer.sentAtMs);
        if (answer.hasRetryAfter) this.#withRetryAfter += 1;
      }
      if (answer.status !== step.expect) return String(answer.status);
      if (steps.length > 1 || listUnits) id ??= (JSON.parse(answer.body.toString()) as { id?: string }).id;
    }
    return id === undefined ? {} : { id };
  }
}

function callOf(step: LoadStep, origin: string, caller: Headers, unique: string, id = '') {
  const { method, path, body } = step;
  if (body === undefined) return { origin, method, path: path.replace('{id}', id), headers: caller, body: null };
  const headers = { ...caller, 'content-type': 'application/json' };
  return { origin, method, path: path.replace('{id}', id), headers, body: body.replace('{n}', unique) };
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'unknown error';
}

export interface Call {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Answer {
  /** When a connection was free for it. */
  readonly sentAtMs: number;
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly body: Buffer;
}

/**
 * One call through undici's lowest interface: the load generator shares the machine with what it measures, so each
 * microsecond it saves is theirs.
 */
function send(dispatcher: Dispatcher, call: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let sentAtMs = 0;
    let hasRetryAfter = false;
    const chunks: Buffer[] = [];
    dispatcher.dispatch(call, {
      // The interface a handler is recognised by.
      onRequestStart: () => {
        sentAtMs = monotonicMs();
      },
      onResponseStart: (_controller, statusCode, headers) => {
        status = statusCode;
        hasRetryAfter = 'retry-after' in headers;
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => resolve({ sentAtMs, status, hasRetryAfter, body: Buffer.concat(chunks) }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
