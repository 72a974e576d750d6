import type { Logger } from '@gateway/runtime';
import type { Bus } from '#src/bus/bus.ts';

/**
 * Calls the listener whenever the signal arrives, and after every reconnection, before which one may have been missed. A
 * signal may be lost all the same, so a listener also looks from time to time.
 */
export function hearSignal(bus: Bus, subject: string, listen: () => void): Disposable {
  const callback = (error: Error | null) => {
    // That it is not allowed is logged by the bus.
    if (!error) listen();
  };
  const subscription = bus.connection.subscribe(subject, { callback });
  bus.onReconnect(() => subscription.isClosed() || listen());
  return { [Symbol.dispose]: () => subscription.unsubscribe() };
}

/** To be called once what the signal is about is committed. What cannot be sent is found out without it, later. */
export function sendSignal({ connection }: Bus, subject: string, logger: Logger): void {
  try {
    connection.publish(subject);
  } catch (error) {
    logger.warn({ err: error, subject }, 'signal not sent');
  }
}
