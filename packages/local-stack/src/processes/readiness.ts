import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { httpAnswersOk, waitUntil } from '#src/processes/probes.ts';
import type { SupervisedProcess } from '#src/processes/supervised-process.ts';
import { StartFailure } from '#src/progress.ts';

const probeIntervalMs = 50;
const logTailBytes = 4_096;
const logTailLines = 15;

export interface ReadinessOptions {
  deadlineMs: number;
  /** A process that was started again this often while it was waited for will not do better later. Default: no limit. */
  restartsMax?: number;
  signal?: AbortSignal;
}

/**
 * Waits until every process is ready.
 *
 * @throws StartFailure when the time is up or a process keeps exiting, naming who is not ready, with the end of each
 *   log; the signal's reason when it is aborted first.
 */
export async function becomeReady(
  processes: readonly SupervisedProcess[],
  { deadlineMs, restartsMax = Infinity, signal }: ReadinessOptions,
): Promise<void> {
  const restartsBefore = new Map(processes.map((child) => [child, child.restartCount]));
  const keepsExiting = (child: SupervisedProcess): boolean =>
    child.restartCount - (restartsBefore.get(child) ?? 0) >= restartsMax;
  const deadline = Date.now() + deadlineMs;
  let waiting = processes;
  for (;;) {
    signal?.throwIfAborted();
    const answers = await Promise.all(waiting.map((child) => child.isReady()));
    waiting = waiting.filter((_, index) => answers[index] !== true);
    if (waiting.length === 0) return;
    const exiting = waiting.filter(keepsExiting);
    if (exiting.length > 0) throw notReady('exits again and again', exiting);
    if (Date.now() >= deadline) throw notReady(`not ready after ${deadlineMs / 1000} s`, waiting);
    await delay(probeIntervalMs);
  }
}

function notReady(how: string, waiting: readonly SupervisedProcess[]): StartFailure {
  const names = waiting.map((child) => child.name).join(', ');
  const logs = waiting.map((child) => logTail(child.definition.logFile));
  return new StartFailure([`${how}: ${names}`, ...logs].join('\n'));
}

function logTail(file: string): string {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const bytes = Buffer.alloc(Math.min(size, logTailBytes));
  if (size > 0) {
    const descriptor = openSync(file, 'r');
    readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    closeSync(descriptor);
  }
  const lines = bytes.toString('utf8').trimEnd().split('\n').slice(-logTailLines);
  return [`--- end of ${file}`, ...lines].join('\n');
}

const answerTimeoutMs = 2_000;

/**
 * Waits until each URL answers 2xx. A process that is ready may not be known yet to the one that is going to ask it, and
 * may have ended again while others were waited for.
 *
 * @throws StartFailure with what the URL answers when the time is up; the signal's reason when it is aborted first
 */
export async function becomeWhole(
  urls: readonly string[],
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  for (const url of urls) {
    const isWhole = await waitUntil(() => {
      signal?.throwIfAborted();
      return httpAnswersOk(url);
    }, deadlineMs);
    if (!isWhole) throw new StartFailure(`not whole after ${deadlineMs / 1000} s: ${url} says ${await answerOf(url)}`);
  }
}

async function answerOf(url: string): Promise<string> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  const answer = await fetch(url, { signal }).catch((error: unknown) => new Response(String(error)));
  return await answer.text();
}
