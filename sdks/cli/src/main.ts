#!/usr/bin/env node
import { run } from './run.ts';

// Other users of the machine read the arguments of a process.
process.title = 'gateway';
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe has had enough.
  if (error.code === 'EPIPE') process.exit(0);
});
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
process.exitCode = await run(process.argv.slice(2), {
  variables: process.env,
  folder: process.cwd(),
  streams: process,
  signal: interrupted.signal,
});
