export { presenters } from '#src/presenters/presenters.ts';
export * from '#src/presenters/webhook.ts';
