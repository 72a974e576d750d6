export * from '#src/webhooks/account-delivery-rpc.ts';
export * from '#src/webhooks/connector-rpc.ts';
export * from '#src/webhooks/custom-headers.ts';
export * from '#src/webhooks/events.ts';
export * from '#src/webhooks/outcome-rpc.ts';
export * from '#src/webhooks/record-event-rpc.ts';
export * from '#src/webhooks/rpc.ts';
export * from '#src/webhooks/webhook.ts';
