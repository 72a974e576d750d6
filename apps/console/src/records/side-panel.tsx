import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import {
  createContext,
  type ReactNode,
  type RefObject,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react';
import { IsBeside } from '#src/records/page-name.tsx';
import { PageSkeleton } from '#src/records/page-states.tsx';
import { useLanguage } from '#src/texts/language.tsx';
import styles from './side-panel.module.css';

/** A record beside its list: what its page has, and where that is. */
interface Beside {
  readonly address: string;
  readonly record: ReactNode;
}

/** What there is to see of a record by what its row names; undefined of what has no page. */
export const RecordsBeside = createContext<(name: string) => Beside | undefined>(() => undefined);

/** Narrower, a record has no room beside its list. */
const wide = '(min-width: 64rem)';
const leadsElsewhere = 'a, button, input, label, select, summary';

/** Opens and closes the panel. Which record is in it is the hash of the address, so that Back closes it and a link has it. */
function usePanel() {
  const navigate = useNavigate();
  const id = useLocation({ select: ({ hash }) => hash });
  const show = (hash: string) => void navigate({ to: '.', search: true, hash, hashScrollIntoView: false });
  return { id, show };
}

/** A click into a row of a table, beside what it leads to, opens its record in the panel, where the screen has room for it. */
export function useRowsBeside(frame: RefObject<HTMLElement | null>, isOfList: boolean): (id: string) => boolean {
  const { show } = usePanel();
  const recordOf = useContext(RecordsBeside);
  const open = useEffectEvent(show);
  useEffect(() => {
    const { current } = frame;
    if (!current || !isOfList) return undefined;
    const click = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest(leadsElsewhere)) return;
      const id = target.closest('tr')?.dataset['record'];
      if (id === undefined || !matchMedia(wide).matches || getSelection()?.isCollapsed === false) return;
      open(id);
    };
    current.addEventListener('click', click);
    return () => current.removeEventListener('click', click);
  }, [frame, isOfList]);
  return (id) => isOfList && recordOf(id) !== undefined;
}

/** The record of the address beside its list: the way to its page has the focus. Escape closes it and returns to its row. */
export function SidePanel() {
  const { texts } = useLanguage();
  const { id, show } = usePanel();
  const beside = useContext(RecordsBeside)(id);
  const panel = useRef<HTMLElement>(null);
  const isOpen = beside !== undefined;
  const close = () => {
    show('');
    document.querySelector<HTMLElement>(`main tr[data-record="${id}"] a`)?.focus();
  };
  const closeByKey = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return undefined;
    panel.current?.querySelector('a')?.focus();
    const press = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || document.querySelector('[role=dialog], [role=alertdialog]')) return;
      closeByKey();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isOpen, id]);
  if (!beside) return null;
  return (
    <aside ref={panel} className={styles['panel']} aria-label={texts.facts.record}>
      <p className={styles['head']}>
        <Link to={beside.address}>{texts.list.openPage}</Link>
        <button type="button" onClick={close}>
          {texts.keyboard.done}
        </button>
      </p>
      <IsBeside value={true}>
        <Suspense fallback={<PageSkeleton />}>{beside.record}</Suspense>
      </IsBeside>
    </aside>
  );
}
