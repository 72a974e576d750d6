const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// One Ctrl-C arrives several times: from the terminal, and passed on by npm and by the script that started us.
const sameRequestMs = 500;
const killAtRequest = 3;

/**
 * Stops in good order at the first request (a signal, or the end of the process that started us), ignores a second
 * one, kills at the third, and exits with 0 when stopped.
 */
export function stopOnSignals(actions: { stop(): Promise<void>; kill(): void }): { readonly requested: boolean } {
  let requests = 0;
  let lastSignalAt = Number.NEGATIVE_INFINITY;
  const request = (): void => {
    const now = performance.now();
    const same = now - lastSignalAt < sameRequestMs;
    lastSignalAt = now;
    if (same) return;
    requests++;
    if (requests === killAtRequest) actions.kill();
    if (requests > 1) return;
    actions.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        actions.kill();
        process.exit(1);
      },
    );
  };
  for (const signal of stopSignals) process.on(signal, request);
  process.on('disconnect', request);
  return {
    get requested() {
      return requests > 0;
    },
  };
}
