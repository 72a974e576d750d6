import { StartFailure } from '#src/failure.ts';
import { httpAnswersOk } from '#src/processes/http-answers-ok.ts';
import { waitUntil } from '#src/processes/wait-until.ts';

const tellTimeoutMs = 2_000;

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
  const signal = AbortSignal.timeout(tellTimeoutMs);
  const answer = await fetch(url, { signal }).catch((error: unknown) => new Response(String(error)));
  return await answer.text();
}
