import { Monitor, Moon, Sun } from 'lucide-react'
import { type Theme, themes, useTheme } from '../kit/theme.ts'
import { MenuChoice } from '../ui/Menu.tsx'
import { texts } from './texts.ts'

const icons: Record<Theme, typeof Sun> = { system: Monitor, light: Sun, dark: Moon }

/** The choice between light and dark, as part of a menu. */
export function ThemeMenuItems() {
  const [theme, choose] = useTheme()
  const choices = themes.map(value => {
    const Icon = icons[value]
    return { value, label: texts.themes[value], icon: <Icon aria-hidden="true" className="size-5" /> }
  })
  return <MenuChoice label={texts.appearance} value={theme} choices={choices} onChoose={choose} />
}
