import type { PayloadOf, EventContract } from '@gateway/contracts/messages';

type Listener = (subject: string, payload: unknown) => void;

const listeners = new Set<Listener>();

/**
 * Calls a listener, for metrics, with every event that is written. A transaction that is rolled back has called it too.
 */
export function onEvent<E extends EventContract>(
  events: readonly E[],
  listener: (payload: PayloadOf<E>) => void,
): Disposable {
  const subjects = new Set(events.map(({ subject }) => subject));
  const listen: Listener = (subject, payload) => {
    if (subjects.has(subject)) listener(payload as PayloadOf<E>);
  };
  listeners.add(listen);
  return { [Symbol.dispose]: () => void listeners.delete(listen) };
}

export function eventWritten(subject: string, payload: unknown): void {
  for (const listen of listeners) listen(subject, payload);
}
