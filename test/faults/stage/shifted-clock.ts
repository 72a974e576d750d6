import { readFileSync, watchFile } from 'node:fs';

// Preloaded into a service (`--import`) of the fault suite, never part of the product: its clock is off by as many
// milliseconds as the file named by FAULT_CLOCK_FILE says, from the moment the file says so.

const file = process.env['FAULT_CLOCK_FILE'];
const pollIntervalMs = 200;
let offsetMs = 0;

if (file !== undefined) {
  const read = () => {
    try {
      offsetMs = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      offsetMs = 0;
    }
  };
  read();
  watchFile(file, { interval: pollIntervalMs, persistent: false }, read);

  const real = Date;
  const now = () => real.now() + offsetMs;
  globalThis.Date = new Proxy(real, {
    apply: () => new real(now()).toString(),
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  });
}
