export * from '#src/providers/call-figures.ts';
export * from '#src/providers/feed-rpc.ts';
export type * from '#src/providers/feed.ts';
export * from '#src/providers/notification.ts';
export * from '#src/providers/provider-balance.ts';
