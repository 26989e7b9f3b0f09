import { useQuery } from '@tanstack/react-query'
import { Link2, Mail } from 'lucide-react'
import { useState } from 'react'
import { type Invitation, showInvitation } from '#contract/invitations.ts'
import { mailInvitation, mailStatus } from '#contract/mail.ts'
import { showFailure, useAction } from '../../kit/action.ts'
import { copyText } from '../../kit/clipboard.ts'
import { locale } from '../../kit/messages.ts'
import { query } from '../../kit/queries.ts'
import { sendByDevice } from '../../kit/send-by-device.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx'
import { LinkAddress } from '../../ui/LinkAddress.tsx'
import { texts } from './texts.ts'

interface Props {
  invitation: Invitation
  url: string
  onClose: () => void
}

/** The link of an invitation, in a dialog. */
export function InvitationLink({ invitation, url, onClose }: Props) {
  return (
    <>
      <p>{texts.ready.text}</p>
      {invitation.email === null && invitation.auto_approve && <p className="text-ink-soft">{texts.ready.anybody}</p>}
      <LinkAddress
        url={url}
        texts={texts.address}
        fileName={texts.address.fileName}
        onCopy={copyText}
        onSend={
          'share' in navigator
            ? () => void sendByDevice({ url }).catch(error => showFailure(texts.ready.sendFailure, error))
            : undefined
        }
      />
      {invitation.email !== null && <SendByMail id={invitation.id} address={invitation.email} />}
      <DialogButtons>
        <Button onClick={onClose}>{texts.ready.done}</Button>
      </DialogButtons>
    </>
  )
}

/** Nothing where the server sends no mails. */
function SendByMail({ id, address }: { id: number; address: string }) {
  const { data: status } = useQuery(query(mailStatus, {}))
  const mail = useAction(mailInvitation, {
    success: texts.ready.mailed({ address }),
    failure: texts.ready.mailFailure,
    changes: [],
  })
  if (!status?.configured) return null
  return (
    <div className="wrap-anywhere flex">
      <Button
        icon={<Mail aria-hidden="true" className="size-5" />}
        busy={mail.busy}
        onClick={() => void mail.run({ params: { id }, body: { language: locale } })}
      >
        {texts.ready.mail({ address })}
      </Button>
    </div>
  )
}

/** Shows the link of an open invitation again, or says why that is not possible. */
export function ShowInvitation({ invitation, nameId }: { invitation: Invitation; nameId: string }) {
  const [open, setOpen] = useState(false)
  const [url, setUrl] = useState<string | null>(null)
  const show = useAction(showInvitation, {
    failure: texts.ready.showFailure,
    changes: [],
    whenDone: answer => {
      setUrl(answer.url)
      setOpen(true)
    },
  })
  const isStored = invitation.address === 'stored'
  return (
    <>
      <Button
        icon={<Link2 aria-hidden="true" className="size-5" />}
        busy={show.busy}
        aria-haspopup="dialog"
        aria-describedby={nameId}
        onClick={() => (isStored ? void show.run({ params: { id: invitation.id } }) : setOpen(true))}
      >
        {texts.ready.show}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={texts.ready.again}>
        {url !== null ? (
          <InvitationLink invitation={invitation} url={url} onClose={() => setOpen(false)} />
        ) : (
          <>
            <p>{invitation.address === 'other_key' ? texts.ready.otherKey : texts.ready.notStored}</p>
            <DialogButtons>
              <Button onClick={() => setOpen(false)}>{texts.ready.done}</Button>
            </DialogButtons>
          </>
        )}
      </Dialog>
    </>
  )
}
