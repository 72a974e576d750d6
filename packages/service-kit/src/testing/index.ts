export * from '#src/testing/certificate.ts';
export * from '#src/testing/eventually.ts';
export * from '#src/testing/ledger-peer.ts';
export * from '#src/testing/poison.ts';
export * from '#src/testing/test-bus.ts';
export * from '#src/testing/test-database.ts';
import { createLogger } from '#src/run/logger.ts';

/** Says nothing. */
export const silentLogger = createLogger('test', 'silent');
