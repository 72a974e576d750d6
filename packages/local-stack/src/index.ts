export { natsAccounts } from '#src/infrastructure/nats-server.ts';
export type { NatsUser } from '#src/infrastructure/nats-server.ts';
export { startInfrastructure } from '#src/infrastructure/start-infrastructure.ts';
export { startStack } from '#src/stack/start-stack.ts';
export type { Stack } from '#src/stack/start-stack.ts';
export { removeAbandonedHomes, temporaryHome } from '#src/stack/temporary-home.ts';
export { chromiumBinary, prometheusDirectory } from '#src/testing/test-programs.ts';
