import { runProviderCheck } from '#src/check/run-check.ts';

// The check where there is no npm: in the container of a service that calls providers, with that service's configuration.

process.exitCode = await runProviderCheck(process.argv.slice(2), {
  env: process.env,
  now: () => new Date(),
  print: (line) => void process.stdout.write(`${line}\n`),
});
