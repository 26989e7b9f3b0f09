import { Pause, Play, Timer } from 'lucide-react'
import { slideshow as constants } from '#contract/limits.ts'
import { Menu, MenuChoice } from '../../ui/Menu.tsx'
import { texts } from '../texts.ts'
import { ViewerButton } from '../ViewerButton.tsx'
import type { Seconds } from './interval.ts'

interface Props {
  playing: boolean
  possible: boolean
  seconds: Seconds
  toggle: () => void
  choose: (seconds: Seconds) => void
  /** Where the keys of the viewer are heard. */
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
