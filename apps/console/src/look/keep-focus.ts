const settledFrames = 2;

/**
 * Keyboard focus never falls to the body: when the element that has it leaves the page, for a button that was pressed and
 * is not offered any more or for another page, the content of the page takes it. A dialog that closes comes first: it gives
 * the focus back to what opened it.
 *
 * @returns what ends it
 */
export function keepFocus(page: Document, homeId: string): () => void {
  let last: Element | null = null;
  const remember = () => {
    last = page.activeElement;
  };
  const isLost = () => last?.isConnected === false && (page.activeElement ?? page.body) === page.body;
  const observer = new MutationObserver(() => {
    if (!isLost()) return;
    afterFrames(settledFrames, () => {
      if (isLost()) page.getElementById(homeId)?.focus({ preventScroll: true });
    });
  });
  page.addEventListener('focusin', remember);
  observer.observe(page.body, { childList: true, subtree: true });
  return () => {
    page.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}

function afterFrames(frames: number, done: () => void): void {
  requestAnimationFrame(() => (frames === 1 ? done() : afterFrames(frames - 1, done)));
}
