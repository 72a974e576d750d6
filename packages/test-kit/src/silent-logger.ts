import { createLogger } from '@gateway/runtime';

/** Writes nothing. */
export const silentLogger = createLogger('test', 'silent');
