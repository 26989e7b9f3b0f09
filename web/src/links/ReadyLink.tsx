import type { Link } from '#contract/links.ts'
import { showFailure } from '../kit/action.ts'
import { copyText } from '../kit/clipboard.ts'
import { sendByDevice } from '../kit/send-by-device.ts'
import { Button } from '../ui/Button.tsx'
import { DialogButtons } from '../ui/Dialog.tsx'
import { LinkAddress } from '../ui/LinkAddress.tsx'
import { linkName } from './link-name.ts'
import { useEndLink } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  link: Link & { url: string }
  initialQr?: boolean
  onClose: () => void
}

/** The address of a link, in a dialog. */
export function ReadyLink({ link, initialQr = false, onClose }: Props) {
  const end = useEndLink()
  const { url, title } = link
  return (
    <>
      <LinkAddress
        url={url}
        texts={{ ...texts.address, qrAlternative: texts.address.qrAlternative({ title: linkName(link) }) }}
        fileName={texts.address.fileName({ title: linkName(link) })}
        initialQr={initialQr}
        onCopy={copyText}
        onSend={
          'share' in navigator
            ? () => void sendByDevice({ url, title }).catch(error => showFailure(texts.share.sendFailure, error))
            : undefined
        }
      />
      <p className="text-ink-soft">
        {link.has_password && texts.share.withPassword} {texts.share.manage}
      </p>
      <DialogButtons>
        <Button
          variant="dangerQuiet"
          busy={end.busy}
          onClick={() => void end.run({ params: { id: link.id }, body: { ended: true } }, { whenDone: onClose })}
        >
          {texts.end}
        </Button>
        <Button onClick={onClose}>{texts.share.close}</Button>
      </DialogButtons>
    </>
  )
}
