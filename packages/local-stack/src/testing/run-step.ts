import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { repository } from '#src/stack/gateway-services.ts';

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a script with this Node in the foreground and passes signals on. @returns its exit code; 1 after a signal. */
export async function runStep(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { cwd: repository, stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  const end = (): void => forward('SIGTERM');
  for (const signal of stopSignals) process.on(signal, forward);
  process.on('disconnect', end);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    for (const signal of stopSignals) process.off(signal, forward);
    process.off('disconnect', end);
  }
}
