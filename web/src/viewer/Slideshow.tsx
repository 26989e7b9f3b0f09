import { Pause, Play, Timer } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { slideshow as constants, slideshow } from '#contract/limits.ts'
import { useWakeLock } from '../media/wake-lock.ts'
import { Menu, MenuChoice } from '../ui/Menu.tsx'
import { texts } from './texts.ts'
import { ViewerButton } from './ViewerButton.tsx'

interface Props {
  playing: boolean
  possible: boolean
  seconds: Seconds
  toggle: () => void
  choose: (seconds: Seconds) => void
  /** Takes the focus when the menu closes, so that the viewer's keys work. */
  focusAfterwards: () => HTMLElement | null
}

export function SlideshowControls({ playing, possible, seconds, toggle, choose, focusAfterwards }: Props) {
  if (!possible) return null
  const Icon = playing ? Pause : Play
  return (
    <>
      <ViewerButton label={playing ? texts.slideshow.stop : texts.slideshow.start} onClick={toggle}>
        <Icon aria-hidden="true" className="size-5" />
      </ViewerButton>
      <Menu
        focusAfterwards={focusAfterwards}
        trigger={
          <ViewerButton label={texts.slideshow.interval(seconds)}>
            <Timer aria-hidden="true" className="size-5" />
          </ViewerButton>
        }
      >
        <MenuChoice
          closes
          label={texts.slideshow.every}
          value={String(seconds)}
          choices={constants.seconds.map(choice => ({
            value: String(choice),
            label: texts.slideshow.seconds(choice),
            icon: null,
          }))}
          onChoose={value => {
            const chosen = constants.seconds.find(choice => String(choice) === value)
            if (chosen !== undefined) choose(chosen)
          }}
        />
      </Menu>
    </>
  )
}

interface SlideshowOptions {
  id: number
  /** Whether the image is displayed; its time starts then. */
  ready: boolean
  /** A video plays to its end. */
  isVideo: boolean
  /** Undefined if there is none or it is not loaded yet. */
  nextId: number | undefined
  /** False for a single file. */
  possible: boolean
  /** Whether the person is typing or in a dialog; then the slideshow waits. */
  isUserBusy: () => boolean
  onNext: () => void
}

/** How often to check whether the person is still busy. */
const BUSY_RECHECK = 1_000

/** Shows each photo for the chosen interval, and each video to its end. */
export function useSlideshow({ id, ready, isVideo, nextId, possible, isUserBusy, onNext }: SlideshowOptions) {
  const [on, setOn] = useState(false)
  const [seconds, setSeconds] = useState<Seconds>(loadInterval)
  const playing = on && possible
  useWakeLock(playing)

  const [ended, setEnded] = useState<number>()
  const next = useEffectEvent(() => {
    if (isUserBusy()) return false
    setEnded(undefined)
    onNext()
    return true
  })
  // The interval starts when the photo is displayed.
  const over = isVideo ? ended === id : ready
  const timed = playing && over && nextId !== undefined ? id : undefined
  const time = isVideo ? 0 : seconds * 1_000
  useEffect(() => {
    if (timed === undefined) return
    const advance = () => {
      if (!next()) timer = setTimeout(advance, BUSY_RECHECK)
    }
    let timer = setTimeout(advance, time)
    return () => clearTimeout(timer)
  }, [timed, time])

  return {
    playing,
    seconds,
    possible,
    toggle: () => setOn(!playing),
    choose: (chosen: Seconds) => {
      storeInterval(chosen)
      setSeconds(chosen)
    },
    onVideoEnded: () => playing && setEnded(id),
  }
}

type Seconds = (typeof slideshow.seconds)[number]

const KEY = 'viewer.interval'

function loadInterval(): Seconds {
  const kept = Number(localStorage.getItem(KEY))
  return slideshow.seconds.find(seconds => seconds === kept) ?? slideshow.usual
}

function storeInterval(seconds: Seconds): void {
  localStorage.setItem(KEY, String(seconds))
}
