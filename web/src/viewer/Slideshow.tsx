import { Pause, Play, Timer } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { slideshow as constants, slideshow } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'
import { photoInWords } from '../media/photo-words.ts'
import { useWakeLock } from '../media/wake-lock.ts'
import { Menu, MenuChoice, MenuItem } from '../ui/Menu.tsx'
import { texts } from './texts.ts'
import { ViewerButton } from './ViewerButton.tsx'

export interface SlideshowView {
  playing: boolean
  possible: boolean
  seconds: Seconds
  toggle: () => void
  choose: (seconds: Seconds) => void
  /** Whether photos are slowly enlarged while they are shown. */
  zoom: boolean
  setZoom: (zoom: boolean) => void
  /** Takes the focus when a menu closes, so that the viewer's keys work. */
  focusAfterwards: () => HTMLElement | null
}

export function SlideshowButton({ playing, toggle }: Pick<SlideshowView, 'playing' | 'toggle'>) {
  const Icon = playing ? Pause : Play
  return (
    <ViewerButton label={playing ? texts.slideshow.stop : texts.slideshow.start} onClick={toggle}>
      <Icon aria-hidden="true" className="size-5" />
    </ViewerButton>
  )
}

/** Its caption, and when and where it was taken, at the lower edge. */
export function SlideshowWords({ file }: { file: MediaFile }) {
  const words = photoInWords(file)
  if (words === '' && file.caption === null) return null
  return (
    <p className="slideshow-words" dir="auto">
      {file.caption !== null && <span className="block font-semibold text-lead">{file.caption}</span>}
      {words}
    </p>
  )
}

export function SlideshowItem({ playing, toggle }: Pick<SlideshowView, 'playing' | 'toggle'>) {
  const Icon = playing ? Pause : Play
  return (
    <MenuItem icon={<Icon aria-hidden="true" className="size-5" />} onClick={toggle}>
      {playing ? texts.slideshow.stop : texts.slideshow.start}
    </MenuItem>
  )
}

export function IntervalMenu({ focusAfterwards, ...interval }: Pick<SlideshowView, IntervalProps | 'focusAfterwards'>) {
  return (
    <Menu
      focusAfterwards={focusAfterwards}
      trigger={
        <ViewerButton label={texts.slideshow.interval({ seconds: interval.seconds })}>
          <Timer aria-hidden="true" className="size-5" />
        </ViewerButton>
      }
    >
      <MenuChoice {...intervalChoice(interval)} closes />
      <ZoomChoice {...interval} />
    </Menu>
  )
}

/** The intervals inside the menu of a phone. */
export function IntervalChoice(interval: Pick<SlideshowView, IntervalProps>) {
  const choice = intervalChoice(interval)
  const short = choice.choices.map(({ value, label }) => ({
    value,
    label: texts.slideshow.short({ seconds: Number(value) }),
    name: label,
  }))
  return (
    <>
      <MenuChoice {...choice} label={texts.slideshow.interval({ seconds: interval.seconds })} choices={short} compact />
      <ZoomChoice {...interval} />
    </>
  )
}

type IntervalProps = 'seconds' | 'choose' | 'zoom' | 'setZoom'

/** Not offered where the system asks for reduced motion: nothing would move. */
function ZoomChoice({ zoom, setZoom }: Pick<SlideshowView, 'zoom' | 'setZoom'>) {
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return null
  const { movement, still, slowZoom } = texts.slideshow
  return (
    <MenuChoice
      label={movement}
      value={zoom ? 'zoom' : 'still'}
      choices={[
        { value: 'zoom', label: slowZoom },
        { value: 'still', label: still },
      ]}
      onChoose={value => setZoom(value === 'zoom')}
    />
  )
}

function intervalChoice({ seconds, choose }: Pick<SlideshowView, 'seconds' | 'choose'>) {
  return {
    label: texts.slideshow.every,
    value: String(seconds),
    choices: constants.seconds.map(choice => ({
      value: String(choice),
      label: texts.slideshow.seconds({ seconds: choice }),
    })),
    onChoose: (value: string) => {
      const chosen = constants.seconds.find(choice => String(choice) === value)
      if (chosen !== undefined) choose(chosen)
    },
  }
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
  const [zoom, setZoom] = useState(() => localStorage.getItem(ZOOM_KEY) !== 'off')
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
    start: () => setOn(true),
    stop: () => setOn(false),
    choose: (chosen: Seconds) => {
      storeInterval(chosen)
      setSeconds(chosen)
    },
    zoom,
    setZoom: (chosen: boolean) => {
      localStorage.setItem(ZOOM_KEY, chosen ? 'on' : 'off')
      setZoom(chosen)
    },
    onVideoEnded: () => playing && setEnded(id),
  }
}

type Seconds = (typeof slideshow.seconds)[number]

const KEY = 'viewer.interval'
const ZOOM_KEY = 'viewer.zoom'

function loadInterval(): Seconds {
  const kept = Number(localStorage.getItem(KEY))
  return slideshow.seconds.find(seconds => seconds === kept) ?? slideshow.default
}

function storeInterval(seconds: Seconds): void {
  localStorage.setItem(KEY, String(seconds))
}
