export * from '#src/connector/integration.ts';
export * from '#src/connector/mov-id.ts';
