import { toast } from 'sonner'
import type { MediaFile } from '#contract/media.ts'
import { canSendFiles, sendFileByDevice } from '../kit/send-by-device.ts'
import { texts } from './texts.ts'

/** Larger videos are sent as links: the device has to load the whole file before its menu opens. */
const MAX_BYTES = 100 * 1024 ** 2

interface Copy {
  /** Loads the file before the tap on the item, because browsers open their menu only shortly after a tap. */
  prepare: () => void
  /** Offers the link if it fails. */
  send: (sendLink: (() => void) | null) => void
}

/**
 * Sends the photo itself by the menu of the device: in the size of the viewer, without place and camera. Null where that is
 * not possible.
 */
export function copyOf(file: MediaFile): Copy | null {
  const url = addressOf(file)
  if (url === null || !canSendFiles()) return null
  let loading: Promise<File> | undefined
  const load = () => {
    loading ??= loadFile(url, file.original_name)
    loading.catch(() => (loading = undefined))
    return loading
  }

  async function send(sendLink: (() => void) | null) {
    try {
      const loaded = await load()
      try {
        await sendFileByDevice(loaded)
      } catch (error) {
        if (!(error instanceof DOMException && error.name === 'NotAllowedError')) throw error
        // Loading took longer than browsers remember the tap.
        toast(texts.quick.ready, { action: { label: texts.quick.sendNow, onClick: () => void send(sendLink) } })
      }
    } catch {
      // The connection is gone, or the device refuses this kind of file.
      toast.error(texts.quick.failed, sendLink ? { action: { label: texts.quick.link, onClick: sendLink } } : {})
    }
  }
  return { prepare: () => void load().catch(() => {}), send: sendLink => void send(sendLink) }
}

function addressOf({ file_type, animated, variant_urls, url, file_size }: MediaFile): string | null {
  if (file_type === 'image' && !animated) return variant_urls?.desktop ?? null
  return file_size <= MAX_BYTES ? url : null
}

async function loadFile(url: string, name: string): Promise<File> {
  const response = await fetch(url, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The server answered ${response.status}`)
  const bytes = await response.blob()
  const extension = bytes.type.split('/')[1]?.replace('jpeg', 'jpg').replace('quicktime', 'mov') ?? 'jpg'
  return new File([bytes], `${name.replace(/\.[^.]*$/, '')}.${extension}`, { type: bytes.type })
}
