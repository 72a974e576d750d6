export * from '#src/broker/dead-letter.ts';
export * from '#src/broker/signals.ts';
export * from '#src/broker/streams.ts';
