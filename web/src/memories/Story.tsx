import './story.css'
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Pause, Play, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { MediaFile } from '#contract/media.ts'
import { cardFiles } from '#contract/memories.ts'
import { query } from '../kit/queries.ts'
import { photoInWords } from '../media/photo-words.ts'
import { useWakeLock } from '../media/wake-lock.ts'
import { CloseOnBack } from '../ui/CloseOnBack.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { StoryPictures } from './StoryPictures.tsx'
import { useStoryGestures } from './story-gestures.ts'
import { texts } from './texts.ts'

interface Props {
  /** The key of the card. */
  card: string
  title: string
  /** The list of all files. */
  listPath: string
  onClose: () => void
}

/** The files of a card, one after the other, full screen. */
export function Story({ card, title, listPath, onClose }: Props) {
  const files = useQuery(query(cardFiles, { params: { card } }, texts.story.failed))
  const popup = useRef<HTMLDivElement>(null)
  const shown = files.data?.files.filter(isShowable) ?? []
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup ref={popup} initialFocus={popup} aria-label={title} className="story">
          <CloseOnBack onBack={onClose} />
          {shown.length > 0 ? (
            <Player files={shown} title={title} listPath={listPath} onClose={onClose} />
          ) : (
            <>
              <div className="story-head">
                <CloseButton />
              </div>
              <div className="grid h-full place-items-center">
                {files.data === undefined ? (
                  <LoadingOrError query={files} texts={storyTexts} />
                ) : (
                  <p>{texts.story.empty}</p>
                )}
              </div>
            </>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const { story } = texts
const storyTexts = { loading: story.loading, failed: { title: story.failed, retry: story.retry } }

/** A video that is still being prepared has at least its poster. */
function isShowable({ url, variant_urls }: MediaFile): boolean {
  return url !== null || variant_urls !== null
}

/** How long a photo is shown, in milliseconds. */
const PHOTO_TIME = 5_000

function Player({ files, title, listPath, onClose }: Omit<Props, 'card'> & { files: readonly MediaFile[] }) {
  const [index, setIndex] = useState(0)
  const [shownIndex, setShownIndex] = useState<number>()
  const [stopped, setStopped] = useState(false)
  const [videoProgress, setVideoProgress] = useState(0)
  const file = files[Math.min(index, files.length - 1)] as MediaFile
  const isVideo = file.file_type === 'video' && file.url !== null
  const go = (to: number) => {
    if (to >= files.length) return onClose()
    setVideoProgress(0)
    setIndex(Math.max(0, to))
  }
  const { handlers, holding } = useStoryGestures({
    onPrevious: () => go(index - 1),
    onNext: () => go(index + 1),
    onClose,
  })
  const paused = stopped || holding
  useWakeLock(!paused)
  const isShown = shownIndex === index
  useCountdown({ of: index, ms: PHOTO_TIME, running: isShown && !isVideo && !paused, onEnd: () => go(index + 1) })
  useStoryKeys({ previous: () => go(index - 1), next: () => go(index + 1), pause: () => setStopped(now => !now) })
  const words = photoInWords(file)
  const position = story.position({ index: index + 1, total: files.length })
  return (
    <>
      <div {...handlers} data-testid="story" data-shown={isShown || undefined} className="story-stage">
        <StoryPictures
          file={file}
          next={files[index + 1]}
          alternative={file.caption ?? [isVideo ? story.video : story.photo, words].filter(Boolean).join(', ')}
          paused={paused}
          onShown={() => setShownIndex(index)}
          onProgress={setVideoProgress}
          onEnded={() => go(index + 1)}
        />
      </div>
      <div className="story-head">
        <div aria-hidden="true" className="story-segments">
          {files.map(({ id }, i) => (
            <span key={id} className="story-segment">
              {i < index && <span className="story-done" />}
              {i === index && isVideo && <span className="story-done" style={{ scale: `${videoProgress} 1` }} />}
              {i === index && !isVideo && isShown && (
                <span
                  className="story-running"
                  style={{ animationDuration: `${PHOTO_TIME}ms`, animationPlayState: paused ? 'paused' : 'running' }}
                />
              )}
            </span>
          ))}
        </div>
        <div className="story-line">
          <Dialog.Title className="story-title" dir="auto">
            {title}
          </Dialog.Title>
          <span className="text-small tabular-nums">{position}</span>
          <button
            type="button"
            aria-label={stopped ? story.play : story.pause}
            title={stopped ? story.play : story.pause}
            onClick={() => setStopped(!stopped)}
            className="story-button"
          >
            {stopped ? <Play aria-hidden="true" className="size-5" /> : <Pause aria-hidden="true" className="size-5" />}
          </button>
          <CloseButton />
        </div>
      </div>
      <button
        type="button"
        aria-label={story.previous}
        disabled={index === 0}
        onClick={() => go(index - 1)}
        className="story-button story-turn left-2"
      >
        <ChevronLeft aria-hidden="true" className="size-6" />
      </button>
      <button
        type="button"
        aria-label={story.next}
        onClick={() => go(index + 1)}
        className="story-button story-turn right-2"
      >
        <ChevronRight aria-hidden="true" className="size-6" />
      </button>
      <div className="story-foot">
        {/* Not read out while it plays by itself. */}
        <p aria-live={paused ? 'polite' : 'off'} className="min-w-0 flex-1" dir="auto">
          {file.caption !== null && <span className="block font-semibold text-lead">{file.caption}</span>}
          {words}
        </p>
        <Link to={listPath} onClick={onClose} className="story-all">
          {story.showAll}
        </Link>
      </div>
    </>
  )
}

function CloseButton() {
  return (
    <Dialog.Close aria-label={story.close} title={story.close} className="story-button ml-auto">
      <X aria-hidden="true" className="size-5" />
    </Dialog.Close>
  )
}

/** Calls `onEnd` after this time, in which pauses do not count. It starts again for another `of`. */
function useCountdown({ of, ms, running, onEnd }: { of: number; ms: number; running: boolean; onEnd: () => void }) {
  const left = useRef({ of, ms })
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (left.current.of !== of) left.current = { of, ms }
    if (!running) return
    const began = performance.now()
    const timer = setTimeout(() => end(), left.current.ms)
    return () => {
      clearTimeout(timer)
      left.current = { of, ms: Math.max(0, left.current.ms - (performance.now() - began)) }
    }
  }, [of, ms, running])
}

function useStoryKeys(acts: { previous: () => void; next: () => void; pause: () => void }): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Alt and the left arrow go back in the browser.
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const onControl = document.activeElement?.matches('button, a') === true
    if (event.key === 'ArrowRight') acts.next()
    else if (event.key === 'ArrowLeft') acts.previous()
    else if (event.key === ' ' && !onControl) acts.pause()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    // Captured, because the dialog keeps arrow keys to itself.
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
}
