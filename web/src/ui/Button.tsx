import { Button as BaseButton } from '@base-ui/react/button'
import type { ComponentProps, ReactNode } from 'react'
import { Spinner } from './Spinner.tsx'

type Variant = 'primary' | 'soft' | 'quiet' | 'bare' | 'danger' | 'dangerQuiet'

const variantClasses: Record<Variant, string> = {
  primary: 'border-transparent bg-accent text-accent-ink not-data-disabled:hover:bg-accent-strong',
  soft: 'border-accent bg-accent-wash text-accent-strong not-data-disabled:hover:bg-accent not-data-disabled:hover:text-accent-ink',
  quiet: 'border-edge bg-raised text-ink not-data-disabled:hover:bg-sunken',
  bare: 'border-transparent text-ink not-data-disabled:hover:bg-sunken',
  danger: 'border-transparent bg-danger text-danger-ink not-data-disabled:hover:bg-danger-strong',
  dangerQuiet:
    'border-edge bg-raised text-danger not-data-disabled:hover:border-danger not-data-disabled:hover:bg-danger-wash',
}

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'style'> {
  variant?: Variant
  icon?: ReactNode
  /** In progress: keeps focus and width, and ignores clicks. */
  busy?: boolean
  wide?: boolean
  /** Without room for both side by side, the text is small and below the icon. */
  textBelow?: boolean
}

export function Button({ variant = 'quiet', icon, busy = false, wide = false, textBelow = false, ...props }: Props) {
  const { disabled, children, ...rest } = props
  return (
    <BaseButton
      {...rest}
      disabled={disabled === true || busy}
      focusableWhenDisabled={busy}
      aria-busy={busy}
      className={`inline-flex min-h-touch items-center justify-center rounded-control border font-semibold motion-quick transition-colors data-disabled:cursor-default ${busy ? '' : 'data-disabled:border-transparent data-disabled:bg-sunken data-disabled:text-ink-soft'} ${wide ? 'w-full' : ''} ${textBelow ? 'flex-col gap-0.5 px-1 py-1 text-fine leading-tight' : 'gap-2 px-4 py-1.25 text-body'} ${variantClasses[variant]}`}
    >
      {busy ? <Spinner size="small" /> : icon}
      {children}
    </BaseButton>
  )
}
