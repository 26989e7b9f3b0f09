import { ImageUp } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { toast } from 'sonner'
import { pictures } from '#contract/limits.ts'
import type { User } from '#contract/people.ts'
import { removeMyPicture, setMyPicture } from '#contract/settings.ts'
import { useAction } from '../kit/action.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { texts } from './texts.ts'

/** The picture of the person, and ways to change it. */
export function OwnPicture({ user, isOwn }: { user: User; isOwn: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  const changes = [{ kind: 'people' as const }]
  const set = useAction(setMyPicture, { success: texts.picture.saved, failure: texts.picture.failed, changes })
  const remove = useAction(removeMyPicture, { failure: texts.picture.failed, changes })

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (file === undefined) return
    const image = await squareOf(file).catch(() => undefined)
    if (image === undefined) toast.error(texts.picture.failed, { description: texts.picture.unreadable })
    else void set.run({ body: { image } })
  }
  return (
    // Messages appear at the height of the picture, above its buttons.
    <div className="flex flex-col items-start gap-4">
      <Avatar name={user.name} src={user.avatar_url} size="large" />
      <input ref={field} type="file" accept="image/*" hidden onChange={event => void choose(event)} />
      <Button
        icon={<ImageUp aria-hidden="true" className="size-5" />}
        busy={set.busy}
        onClick={() => field.current?.click()}
      >
        {texts.picture.choose}
      </Button>
      {isOwn && (
        <Button busy={remove.busy} onClick={() => void remove.run({})}>
          {texts.picture.remove}
        </Button>
      )}
    </div>
  )
}

/** The middle of the picture as a small JPEG in base64, so that it fits into an ordinary call. */
async function squareOf(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const side = Math.min(bitmap.width, bitmap.height)
  const size = Math.min(side, pictures.ownSize)
  const canvas = new OffscreenCanvas(size, size)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('No canvas')
  context.fillStyle = 'white'
  context.fillRect(0, 0, size, size)
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  context.drawImage(bitmap, left, top, side, side, 0, 0, size, size)
  bitmap.close()
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
  return base64Of(blob)
}

function base64Of(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
