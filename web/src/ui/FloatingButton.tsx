import { Button as BaseButton } from '@base-ui/react/button'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  label: string
}

/** A round button, fixed at the bottom right above any bar there. */
export function FloatingButton({ label, children, ...rest }: Props) {
  return (
    <BaseButton
      {...rest}
      aria-label={label}
      title={label}
      className="fixed right-[max(1rem,env(safe-area-inset-right))] bottom-[calc(max(1rem,env(safe-area-inset-bottom)-var(--bottom-bar))+var(--bottom-bar))] z-20 inline-flex size-[max(56px,3rem)] items-center justify-center rounded-full bg-accent text-accent-ink shadow-high motion-quick transition-colors hover:bg-accent-strong sm:right-6 no-tabs:bottom-[calc(1.5rem+var(--bottom-bar))]"
    >
      {children}
    </BaseButton>
  )
}
