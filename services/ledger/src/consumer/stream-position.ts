/** A position in a command stream: a message's sequence, and when the broker stored it (Unix milliseconds). */
export interface StreamPosition {
  readonly sequence: number;
  readonly timeMs: number;
}
