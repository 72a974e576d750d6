export * from '#src/ledger/command-id.ts';
export * from '#src/ledger/command.ts';
export * from '#src/ledger/entry.ts';
export * from '#src/ledger/events.ts';
export * from '#src/ledger/result.ts';
export * from '#src/ledger/rpc.ts';
export * from '#src/ledger/statement-record.ts';
export * from '#src/ledger/venue-rpc.ts';
