import { pathToFileURL } from 'node:url';
import { separateEnvironments } from '#src/run/environments.ts';
import { Neighbours } from '#src/run/neighbours.ts';
import { runServices, serviceOf } from '#src/run/run.ts';
import { ServiceScope } from '#src/telemetry/service-scope.ts';

/**
 * Services in one process (ADR 20), each from its `main.ts`: `node packages/runtime/src/run/together.ts
 * services/ledger/src/main.ts …`. They start side by side, and those that are named last end first.
 */
const services = [];
for (const main of process.argv.slice(2)) {
  const scope = new ServiceScope();
  const service = await scope.run(() => serviceOf(pathToFileURL(main).href));
  services.push({ ...service, scope });
}
const environments = separateEnvironments(
  services.map(({ name }) => name),
  process.env,
);
await runServices(
  'gateway',
  services.map((service) => ({ ...service, env: environments.get(service.name) ?? {} })),
  new Neighbours(),
);
