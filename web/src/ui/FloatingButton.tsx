import { Button as BaseButton } from '@base-ui/react/button'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  label: string
}

/** A round button, fixed at the bottom right. */
export function FloatingButton({ label, children, ...rest }: Props) {
  return (
    <BaseButton
      {...rest}
      aria-label={label}
      title={label}
      className="fixed right-[max(1rem,env(safe-area-inset-right))] bottom-[calc(max(1rem,env(safe-area-inset-bottom))+var(--dock,0px))] z-20 inline-flex size-[56px] items-center justify-center rounded-full bg-accent text-accent-ink shadow-high motion-quick transition-colors hover:bg-accent-strong sm:right-6 sm:bottom-[calc(1.5rem+var(--dock,0px))]"
    >
      {children}
    </BaseButton>
  )
}
