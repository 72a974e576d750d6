import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { areLettersOn, switchLetters } from '#src/records/letters.ts';
import { isTyping } from '#src/records/is-typing.ts';
import {
  focusFilter,
  focusSearch,
  hasRowsBeside,
  hasRowsToSelect,
  moveRow,
  openBeside,
  returnToRow,
  toggleRow,
} from '#src/records/move-by-keys.ts';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './shortcuts.module.css';

/** How long after `g` the letter of a page is waited for. */
const letterWithinMs = 1_500;

/** A page that `g` and its letter lead to. */
export interface PageLetter {
  readonly letter: string;
  readonly name: string;
  readonly go: () => void;
}

/**
 * The keys of a console, the button that lists them, and the switch that turns them off: a single key is a command wherever
 * nothing is typed and no dialog is open (WCAG 2.2, 2.1.4).
 */
export function Shortcuts({ pages }: { readonly pages: readonly PageLetter[] }) {
  const { texts } = useLanguage();
  const { keyboard } = texts;
  const [isListed, list] = useState(false);
  const [isOn, setOn] = useState(areLettersOn);
  useKeys(pages, isOn, () => list(true));
  const keys = [
    ['/', keyboard.search],
    ['j k', keyboard.rows],
    ['Enter', keyboard.open],
    ...(isListed && hasRowsBeside() ? [['o', keyboard.beside] as const] : []),
    ['Esc', keyboard.close],
    ...(isListed && hasRowsToSelect() ? [['x', keyboard.select] as const] : []),
    ['f', keyboard.filter],
    ['?', keyboard.list],
    ...pages.map(({ letter, name }) => [`g ${letter}`, name] as const),
  ] as const;
  return (
    <>
      <button
        type="button"
        className={styles['open']}
        aria-label={keyboard.title}
        title={keyboard.title}
        onClick={() => list(true)}
      >
        ?
      </button>
      <Dialog open={isListed} onClose={() => list(false)} title={keyboard.title} about={keyboard.about}>
        <dl className={styles['keys']}>
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                {key.split(' ').map((part) => (
                  <kbd key={part}>{part}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <label className={styles['switch']}>
          <input
            type="checkbox"
            checked={isOn}
            onChange={({ target }) => {
              switchLetters(target.checked);
              setOn(target.checked);
            }}
          />
          {keyboard.letters}
        </label>
        <DialogButtons>
          <Button look="primary" onClick={() => list(false)}>
            {keyboard.done}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}

function useKeys(pages: readonly PageLetter[], isOn: boolean, openList: () => void): void {
  const { history } = useRouter();
  const { pathname } = useLocation();
  const goneAt = useRef<number>(-Infinity);
  /** The record that was left by Escape: its row has the focus again. */
  const left = useRef<string>(undefined);
  useEffect(() => {
    const path = left.current;
    left.current = undefined;
    return path === undefined ? undefined : returnToRow(path);
  }, [pathname]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return;
      if (event.key === 'Escape') {
        if (isTyping(event.target)) return document.getElementById('content')?.focus();
        if (!isRecord(window.location.pathname) || !history.canGoBack()) return;
        left.current = window.location.pathname;
        return history.back();
      }
      if (!isOn || isTyping(event.target)) return;
      const wasG = event.timeStamp - goneAt.current < letterWithinMs;
      goneAt.current = event.key === 'g' && !wasG ? event.timeStamp : -Infinity;
      const page = wasG ? pages.find(({ letter }) => letter === event.key) : undefined;
      const command = page?.go ?? (wasG ? undefined : commands(openList)[event.key]);
      if (!command) return;
      event.preventDefault();
      command();
      // Another page: the keyboard is in its content, and not on what was left.
      if (page) document.getElementById('content')?.focus({ preventScroll: true });
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [pages, isOn, openList, history]);
}

/** Ids are the part of an address that has a `_` in it. */
function isRecord(pathname: string): boolean {
  return pathname.split('/').at(-1)?.includes('_') === true;
}

function commands(openList: () => void): Readonly<Record<string, (() => void) | undefined>> {
  return {
    '/': focusSearch,
    j: () => moveRow(1),
    k: () => moveRow(-1),
    x: toggleRow,
    o: openBeside,
    f: focusFilter,
    '?': openList,
  };
}
