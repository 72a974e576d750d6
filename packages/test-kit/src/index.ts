export * from '#src/certificate.ts';
export * from '#src/eventually.ts';
export * from '#src/free-port.ts';
export * from '#src/ledger-peer.ts';
export * from '#src/poison.ts';
export * from '#src/silent-logger.ts';
export * from '#src/test-bus.ts';
export * from '#src/test-database.ts';
