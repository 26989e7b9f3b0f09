import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { countAnswers, eraseRecent, readPictures } from '../kit/device-store.ts'
import { formatSize } from '../kit/format.ts'
import { useWaitingCalls } from '../kit/outbox/page-outbox.ts'
import { texts as outboxTexts } from '../kit/outbox/texts.ts'
import { WaitingList } from '../outbox/WaitingList.tsx'
import { Button } from '../ui/Button.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { KeptLists } from './KeptLists.tsx'
import { texts } from './texts.ts'

const kept = {
  queryKey: ['what this device keeps'],
  queryFn: async () => {
    const [pictures, answers, persistent] = await Promise.all([
      readPictures(),
      countAnswers(),
      navigator.storage?.persisted?.() ?? false,
    ])
    const bytes = pictures.reduce((sum, { size }) => sum + size, 0)
    return { bytes, isEmpty: bytes + answers === 0, persistent }
  },
  staleTime: 0,
  gcTime: 0,
}

/** What the device keeps of the library, in My settings. */
export function OnThisDevice() {
  const client = useQueryClient()
  const { data } = useQuery(kept)
  const [busy, setBusy] = useState(false)
  const keepFocus = useKeepFocus<HTMLDivElement>()

  async function erase() {
    setBusy(true)
    try {
      await eraseRecent()
      toast.success(texts.settings.erased)
    } catch {
      toast.error(texts.settings.eraseFailed)
    }
    setBusy(false)
    await client.invalidateQueries(kept)
  }
  const bytes = data?.bytes ?? 0
  const waiting = useWaitingCalls()
  return (
    <>
      <p className="text-ink-soft">{texts.settings.intro}</p>
      {'serviceWorker' in navigator ? (
        <p>
          {texts.settings.recent({ size: bytes === 0 ? texts.settings.nothing : formatSize(bytes) })}
          {bytes > 0 && (
            <span className="block text-ink-soft text-small">
              {data?.persistent ? texts.settings.persistent : texts.settings.temporary}
            </span>
          )}
        </p>
      ) : (
        <p className="text-ink-soft">{texts.settings.unsupported}</p>
      )}
      <KeptLists />
      {waiting.length > 0 && (
        <section aria-labelledby="waiting-to-be-sent" className="flex flex-col gap-2">
          <h3 id="waiting-to-be-sent" className="font-semibold">
            {outboxTexts.settings.heading}
          </h3>
          <WaitingList calls={waiting} />
        </section>
      )}
      <div {...keepFocus} className="focus-visible:outline-none">
        {data?.isEmpty === false && (
          <Button icon={<Trash2 aria-hidden="true" className="size-5" />} busy={busy} onClick={() => void erase()}>
            {texts.settings.erase}
          </Button>
        )}
      </div>
    </>
  )
}
