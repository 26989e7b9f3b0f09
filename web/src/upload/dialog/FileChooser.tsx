import { fromEvent } from 'file-selector'
import { ImagePlus, Plus } from 'lucide-react'
import type { RefObject } from 'react'
import { type FileRejection, useDropzone } from 'react-dropzone'
import { isIos } from '../../kit/platform.ts'
import { Button } from '../../ui/Button.tsx'
import { accepted, folderPathOf, isHidden, MIN_FILE_SIZE, rejectionReason } from '../accept.ts'
import { texts } from '../texts.ts'
import { delay } from '../upload-batch.ts'
import type { UploadQueue } from '../upload-queue.ts'

export type FileChooser = ReturnType<typeof useFileChooser>

/** Files dropped on the dialog, pasted into it, or picked. */
export function useFileChooser(queue: UploadQueue) {
  function take(files: File[], rejections: FileRejection[]) {
    const refused = rejections.filter(({ file }) => !isHidden(file))
    queue.addRejected(refused.map(rejection => ({ file: rejection.file, reason: rejectionReason(rejection) })))
    queue.add(files.filter(file => !isHidden(file)).map(file => ({ file, path: folderPathOf(file) })))
  }
  const { getRootProps, getInputProps, open, isDragActive, isProcessing } = useDropzone({
    accept: accepted,
    minSize: MIN_FILE_SIZE,
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

const SIZES_PER_TASK = 25

/**
 * The first access to a file's size blocks on the disk. Yielding after every few files keeps the page responsive;
 * afterwards the browser has the sizes cached.
 */
async function readFiles(event: unknown) {
  const files = await fromEvent(event)
  for (const [i, file] of files.entries()) {
    if (i % SIZES_PER_TASK === 0) await delay(0)
    Reflect.get(file, 'size')
  }
  return files
}

interface Props {
  choosing: FileChooser
  /** Files are chosen already. */
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
            {texts.drop.text} <span className="pointer-coarse:hidden">{texts.drop.desktop}</span>
          </span>
        </button>
      )}
      {isIos() && (
        // In a new tab: the chosen files stay in this one.
        <a
          href="/iphone"
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-touch items-center self-start font-semibold text-accent underline-offset-4 hover:underline"
        >
          {texts.drop.iphone}
        </a>
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
