import type { ProviderEvent } from '#src/notifications.ts';

export interface NotificationContent {
  /** Without the prefix, of which Woovi writes two. */
  readonly event: string;
  readonly body: unknown;
  readonly receivedAt: Date;
}

/** Reads the body of one kind of event; null for one that does not fit. */
export type EventReader = (providerId: string, content: NotificationContent) => ProviderEvent | null;
