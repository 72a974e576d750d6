import type { ComponentProps } from 'react';
import styles from './button.module.css';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** One primary button a page. */
  readonly look?: 'primary' | 'plain' | 'danger';
  /** While its request is under way: pressed again it does nothing, and it keeps the focus. */
  readonly busy?: boolean;
}

export function Button({ look = 'plain', busy = false, type = 'button', onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={styles[look]}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}
