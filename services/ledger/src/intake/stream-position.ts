/** A place in a command stream: the message's sequence, and when the broker stored it (Unix milliseconds). */
export interface StreamPosition {
  readonly sequence: number;
  readonly timeMs: number;
}
