const interruptKey = '\u0003';

/**
 * Calls what belongs to a key that is pressed. Without a terminal nothing is read.
 *
 * @returns what gives the terminal back
 */
export function onKeys(stdin: NodeJS.ReadStream, actions: Readonly<Record<string, () => void>>): () => void {
  if (!stdin.isTTY) return () => undefined;
  const pressed = (keys: Buffer) => {
    for (const key of keys.toString('utf8'))
      // In raw mode the terminal makes no signal of it.
      if (key === interruptKey) process.kill(process.pid, 'SIGINT');
      else actions[key]?.();
  };
  stdin.setRawMode(true);
  stdin.on('data', pressed);
  return () => {
    stdin.off('data', pressed);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
