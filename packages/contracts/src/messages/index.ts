export * from '#src/messages/attention.ts';
export * from '#src/messages/backlog.ts';
export * from '#src/messages/define.ts';
export * from '#src/messages/health.ts';
export * from '#src/messages/message-lag.ts';
export * from '#src/messages/work-backlog.ts';
