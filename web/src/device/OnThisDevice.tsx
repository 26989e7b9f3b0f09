import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { eraseRecent, readPictures } from '../kit/device-store.ts'
import { formatSize } from '../kit/format.ts'
import { Button } from '../ui/Button.tsx'
import { texts } from './texts.ts'

const kept = {
  queryKey: ['what this device keeps'],
  queryFn: async () => {
    const [pictures, persistent] = await Promise.all([readPictures(), navigator.storage?.persisted?.() ?? false])
    return { bytes: pictures.reduce((sum, { size }) => sum + size, 0), persistent }
  },
  staleTime: 0,
  gcTime: 0,
}

/** What the device keeps of the library, in My settings. */
export function OnThisDevice() {
  const client = useQueryClient()
  const { data } = useQuery(kept)
  const [busy, setBusy] = useState(false)
  if (!('serviceWorker' in navigator)) return <p className="text-ink-soft">{texts.settings.unsupported}</p>

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
  const isEmpty = data === undefined || data.bytes === 0
  return (
    <>
      <p className="text-ink-soft">{texts.settings.intro}</p>
      <p>
        {texts.settings.recent({ size: isEmpty ? texts.settings.nothing : formatSize(data.bytes) })}
        {!isEmpty && (
          <span className="block text-ink-soft text-small">
            {data.persistent ? texts.settings.persistent : texts.settings.temporary}
          </span>
        )}
      </p>
      {!isEmpty && (
        <div>
          <Button icon={<Trash2 aria-hidden="true" className="size-5" />} busy={busy} onClick={() => void erase()}>
            {texts.settings.erase}
          </Button>
        </div>
      )}
    </>
  )
}
