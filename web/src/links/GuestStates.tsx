import { type ReactNode, useState } from 'react'
import { usePageTitle } from '../kit/page-title.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextField } from '../ui/TextField.tsx'
import { texts } from './texts.ts'

/** For every reason: a guest can only ask the sender. */
export function LinkGone() {
  usePageTitle(texts.guest.page)
  return (
    <main className="grid min-h-svh place-items-center p-[16px]">
      <EmptyState headingLevel="h1" title={texts.guest.gone.title} text={texts.guest.gone.text} />
    </main>
  )
}

interface Props {
  /** Why the last password was refused. */
  wrong: string | null
  busy: boolean
  onSubmit: (password: string) => void
}

export function LinkPassword(props: Props) {
  usePageTitle(texts.guest.page)
  return (
    <main className="grid min-h-svh place-items-center p-[16px]">
      <PasswordForm {...props}>
        <Logo className="size-10" />
        <h1 className="font-semibold text-lead">{texts.guest.password.title}</h1>
      </PasswordForm>
    </main>
  )
}

/** `children`: what it is asked for. */
export function PasswordForm({ wrong, busy, onSubmit, children }: Props & { children: ReactNode }) {
  const [password, setPassword] = useState('')
  return (
    <form
      className="flex w-full max-w-sm flex-col gap-4 rounded-card border border-line bg-raised p-6"
      onSubmit={event => {
        event.preventDefault()
        if (password !== '' && !busy) onSubmit(password)
      }}
    >
      {children}
      {wrong !== null && <Notice>{wrong}</Notice>}
      <TextField
        label={texts.guest.password.label}
        type="password"
        autoComplete="off"
        value={password}
        onChange={setPassword}
      />
      <Button variant="primary" type="submit" busy={busy}>
        {texts.guest.password.open}
      </Button>
    </form>
  )
}
