export * from '#src/feed-migrations.ts';
export * from '#src/feed-routes.ts';
export type * from '#src/feed-source.ts';
export * from '#src/feeds.ts';
export * from '#src/kept-events.ts';
export { waitingItems } from '#src/observe-feeds.ts';
export * from '#src/provider-call.ts';
export * from '#src/provider-text.ts';
export type { StoreRows } from '#src/read-feed.ts';
