import type { Link } from '#contract/links.ts'
import { formatDate } from '../kit/format.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { LinkForm } from './LinkForm.tsx'
import { useEditLink } from './queries.ts'
import { texts } from './texts.ts'

/** Changes an existing link; its address stays the same. */
export function EditDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const edit = useEditLink(link)
  return (
    <Dialog open onOpenChange={open => open || onClose()} title={texts.edit.title}>
      <LinkForm
        initialTitle={link.title ?? ''}
        initialOriginals={link.originals}
        initialCaptions={link.captions}
        keptExpiry={expiryOf(link)}
        hasPassword={link.has_password}
        sendsOnly={link.uploads !== null}
        submit={texts.edit.save}
        busy={edit.busy}
        onSubmit={({ title, password, removePassword, days, originals, captions }) => {
          const body = {
            title: title === '' ? null : title,
            originals,
            captions,
            ...(days === undefined ? {} : { days }),
            ...(removePassword ? { password: null } : password === '' ? {} : { password }),
          }
          void edit.run({ params: { id: link.id }, body }, { whenDone: onClose })
        }}
        onClose={onClose}
      >
        {texts.edit.who}
      </LinkForm>
    </Dialog>
  )
}

export function expiryOf({ expires_at }: Link): string {
  if (expires_at === null) return texts.endless
  return Date.parse(expires_at) < Date.now() ? texts.expired : texts.until({ date: formatDate(expires_at) })
}
