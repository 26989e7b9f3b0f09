import { BellRing, Download, RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toast } from 'sonner'
import { showFailure } from '../kit/action.ts'
import { useMomentHappened } from '../kit/moments.ts'
import { useAppSettings } from '../kit/settings.ts'
import { Button } from '../ui/Button.tsx'
import { prefetchedDialog } from '../ui/prefetched-lazy.ts'
import { declineInstall, install, isGoodMoment, useInstallWay } from './install.ts'
import { declinePush, mayOfferPush, usePushActions, usePushHere, usePushOfServiceWorker } from './push.ts'
import { loadUpdate, useUpdateReady } from './service-worker-registration.ts'
import { texts } from './texts.ts'

const HowOnIos = prefetchedDialog(async () => (await import('./HowOnIos.tsx')).HowOnIos)

/** What concerns this device: a new version, and the offer to install the page as an app. Both wait for the person. */
export function DeviceNotices({ person }: { person: number }) {
  usePushOfServiceWorker(person)
  const happened = useMomentHappened()
  const here = usePushHere()
  const [asked, setAsked] = useState(() => !mayOfferPush())
  const mayAsk = happened && !asked && here === 'off'
  const updateReady = useUpdateReady()
  const [later, setLater] = useState(false)
  if (updateReady && !later) {
    return (
      <Card icon={<RefreshCw aria-hidden="true" className="size-5" />} text={texts.update.text}>
        <Button variant="bare" onClick={() => setLater(true)}>
          {texts.update.later}
        </Button>
        <Button variant="soft" onClick={loadUpdate}>
          {texts.update.load}
        </Button>
      </Card>
    )
  }
  return mayAsk ? <PushOffer person={person} onAnswered={() => setAsked(true)} /> : <InstallOffer />
}

/** After something that makes it wanted. */
function PushOffer({ person, onAnswered }: { person: number; onAnswered: () => void }) {
  const { switchOn } = usePushActions(person)

  function decline() {
    declinePush()
    onAnswered()
  }

  async function accept() {
    try {
      // A No to the browser's own question is one to ours.
      if ((await switchOn()) === 'on') toast.success(texts.push.switchedOn)
      else declinePush()
    } catch (error) {
      showFailure(texts.push.saveFailed, error)
    }
    onAnswered()
  }
  return (
    <Card icon={<BellRing aria-hidden="true" className="size-5" />} text={texts.push.offer.text}>
      <Button variant="bare" onClick={decline}>
        {texts.push.offer.no}
      </Button>
      <Button variant="soft" onClick={() => void accept()}>
        {texts.push.offer.yes}
      </Button>
    </Card>
  )
}

function InstallOffer() {
  const { title } = useAppSettings()
  const way = useInstallWay()
  const [mayOffer, setMayOffer] = useState(isGoodMoment)
  const [explaining, setExplaining] = useState(false)
  if (way === null || !mayOffer) return null

  function decline() {
    declineInstall()
    setMayOffer(false)
  }

  async function accept() {
    if (way === 'by hand') return setExplaining(true)
    if (await install()) toast.success(texts.install.done({ title }))
    else decline()
  }
  return (
    <>
      <Card icon={<Download aria-hidden="true" className="size-5" />} text={texts.install.text({ title })}>
        <Button variant="bare" onClick={decline}>
          {texts.install.no}
        </Button>
        <Button variant="soft" onClick={() => void accept()}>
          {way === 'dialog' ? texts.install.install : texts.install.show}
        </Button>
      </Card>
      {explaining && <HowOnIos title={title} onClose={() => setExplaining(false)} />}
    </>
  )
}

/** Above the bars along the bottom, where it covers no control at the end of scrolling. */
function Card({ icon, text, children }: { icon: ReactNode; text: string; children: ReactNode }) {
  return (
    <aside
      role="status"
      className="fixed bottom-[calc(1rem+var(--bottom-bar))] left-[calc(1rem+var(--side))] z-20 flex max-w-[min(24rem,calc(100vw-2rem-var(--side)))] flex-col gap-3 rounded-card border border-line bg-raised p-4 shadow-high"
    >
      <p className="flex gap-3">
        <span className="mt-0.5 shrink-0 text-accent-strong">{icon}</span>
        {text}
      </p>
      <div className="flex flex-wrap justify-end gap-2">{children}</div>
    </aside>
  )
}
