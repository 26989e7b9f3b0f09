import { fromEvent } from 'file-selector'
import { ImagePlus, Plus } from 'lucide-react'
import type { RefObject } from 'react'
import { type FileRejection, useDropzone } from 'react-dropzone'
import { Button } from '../../ui/Button.tsx'
import { accepted, isHidden, pathOf, reasonOf, SMALLEST_FILE } from '../accept.ts'
import { pause } from '../queue/desk.ts'
import type { UploadQueue } from '../queue/queue.ts'
import { texts } from '../texts.ts'

export type Choosing = ReturnType<typeof useChoosing>

/** Files dropped anywhere on the dialog, pasted into it, or picked. */
export function useChoosing(queue: UploadQueue) {
  function take(files: File[], rejections: FileRejection[]) {
    const refused = rejections.filter(({ file }) => !isHidden(file))
    queue.addRejected(refused.map(rejection => ({ file: rejection.file, reason: reasonOf(rejection) })))
    queue.add(files.filter(file => !isHidden(file)).map(file => ({ file, path: pathOf(file) })))
  }
  const { getRootProps, getInputProps, open, isDragActive, isProcessing } = useDropzone({
    accept: accepted,
    minSize: SMALLEST_FILE,
    getFilesFromEvent: readFiles,
    onDrop: take,
    noClick: true,
    noKeyboard: true,
  })
  return {
    rootProps: getRootProps(),
    inputProps: getInputProps({ style: { display: 'none' } }),
    open,
    dragging: isDragActive,
    reading: isProcessing,
  }
}

const MEASURED_AT_ONCE = 25

/**
 * The first look at a file's size waits for the disk, and the page with it: of hundreds, a few at a time. After that the
 * browser knows them.
 */
async function readFiles(event: unknown) {
  const files = await fromEvent(event)
  for (const [i, file] of files.entries()) {
    if (i % MEASURED_AT_ONCE === 0) await pause(0)
    Reflect.get(file, 'size')
  }
  return files
}

interface Props {
  choosing: Choosing
  /** Something is chosen already. */
  compact: boolean
  button: RefObject<HTMLButtonElement | null>
}

export function ChooseFiles({ choosing, compact, button }: Props) {
  return (
    <>
      {compact ? (
        <div>
          <Button
            ref={button}
            busy={choosing.reading}
            icon={<Plus aria-hidden="true" className="size-5" />}
            onClick={choosing.open}
          >
            {texts.drop.more}
          </Button>
        </div>
      ) : (
        <button
          ref={button}
          type="button"
          onClick={choosing.open}
          className="flex min-h-56 flex-col items-center justify-center gap-3 rounded-card border-2 border-edge border-dashed px-6 py-10 text-center motion-quick transition-colors hover:border-accent hover:bg-accent-wash"
        >
          <ImagePlus aria-hidden="true" className="size-10 text-accent" />
          <span className="font-semibold text-lead pointer-coarse:hidden">{texts.drop.title}</span>
          <span className="hidden font-semibold text-lead pointer-coarse:block">{texts.drop.touch}</span>
          <span className="max-w-md text-ink-soft text-small">
            {texts.drop.text} <span className="pointer-coarse:hidden">{texts.drop.desk}</span>
          </span>
        </button>
      )}
    </>
  )
}

export function DropOverlay() {
  return (
    <div className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-card border-2 border-accent border-dashed bg-accent-wash/95">
      <p className="font-semibold text-lead">{texts.drop.now}</p>
    </div>
  )
}
