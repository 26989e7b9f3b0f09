import { FolderInput, ImagePlus, UsersRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useContacts } from '../kit/contacts.ts'
import { useCan } from '../kit/me.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { PhotoCorners } from '../ui/PhotoCorners.tsx'
import { texts } from './texts.ts'

interface Props {
  uploadButton: ReactNode
  /** For admins. */
  inviteButton: ReactNode
}

/** An empty library: how to begin. Only an admin lets people in and can run commands on the server. */
export function FirstRun({ uploadButton, inviteButton }: Props) {
  const isAdmin = useCan('people.review')
  const mayUpload = useCan('media.upload')
  const { adminName } = useContacts()
  const { title, text, add, invite, bring, copy, copied } = texts.firstRun
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col items-center gap-8 py-6 sm:py-12">
      <div className="text-center">
        <h2 className="font-semibold text-heading">{title}</h2>
        <p className="mt-1 text-balance text-ink-soft">{text}</p>
      </div>
      <div className={`grid w-full grid-cols-1 gap-4 ${isAdmin ? 'lg:grid-cols-3' : 'max-w-3xl md:grid-cols-2'}`}>
        {mayUpload && (
          <Step icon={<ImagePlus aria-hidden="true" className="size-7" />} title={add.title} text={add.text}>
            {uploadButton}
          </Step>
        )}
        <Step
          icon={<UsersRound aria-hidden="true" className="size-7" />}
          title={invite.title}
          text={isAdmin ? invite.byAdmin : invite.byMember({ admin: adminName })}
        >
          {isAdmin ? (
            inviteButton
          ) : (
            <CopyField label={invite.address} value={window.location.origin} copyLabel={copy} copiedLabel={copied} />
          )}
        </Step>
        {isAdmin && (
          <Step icon={<FolderInput aria-hidden="true" className="size-7" />} title={bring.title} text={bring.text}>
            <CopyField
              label={bring.command}
              value="npm run import -- ~/Pictures"
              copyLabel={copy}
              copiedLabel={copied}
            />
          </Step>
        )}
      </div>
    </div>
  )
}

function Step({ icon, title, text, children }: { icon: ReactNode; title: string; text: string; children: ReactNode }) {
  return (
    <section className="relative flex flex-col gap-3 p-6">
      <PhotoCorners />
      <span className="grid size-14 place-items-center rounded-full bg-accent-wash text-accent-strong">{icon}</span>
      <h3 className="font-semibold text-lead">{title}</h3>
      <p className="mb-auto text-ink-soft">{text}</p>
      <div className="mt-2">{children}</div>
    </section>
  )
}
