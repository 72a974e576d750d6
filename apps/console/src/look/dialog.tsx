import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What the dialog is about, in a sentence; read out when it opens. */
  readonly about: ReactNode;
  readonly children: ReactNode;
}

/** Holds the focus while it is open and gives it back to what opened it; Escape closes it. */
export function Dialog({ open, onClose, title, about, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup className={styles['popup']}>
          <Base.Title className={styles['title']}>{title}</Base.Title>
          <Base.Description className={styles['about']} render={<div />}>
            {about}
          </Base.Description>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons at the end of a dialog: what leaves it first, what it is for last. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles['buttons']}>{children}</div>;
}
