import { Tabs as BaseTabs } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

export interface Tab<Value extends string> {
  value: Value
  label: string
  count?: string
  content: ReactNode
}

interface Props<Value extends string> {
  label: string
  tabs: readonly Tab<Value>[]
  value: Value
  onChange: (value: Value) => void
}

export function Tabs<Value extends string>({ label, tabs, value, onChange }: Props<Value>) {
  const list = useRef<HTMLDivElement>(null)
  const counts = tabs.map(tab => tab.count).join()
  // On a phone, a count that is loaded later may push the open tab beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: both change the width or the place of the open tab.
  useEffect(() => {
    const open = list.current?.querySelector<HTMLElement>('[data-active]')
    if (!list.current || !open) return
    const right = open.offsetLeft + open.offsetWidth
    list.current.scrollLeft = Math.max(list.current.scrollLeft, right - list.current.clientWidth)
  }, [value, counts])
  return (
    <BaseTabs.Root value={value} onValueChange={onChange}>
      <BaseTabs.List ref={list} aria-label={label} className="tabs -mb-px relative flex overflow-x-auto pt-1">
        {tabs.map(tab => (
          <BaseTabs.Tab
            key={tab.value}
            value={tab.value}
            className="tab inline-flex min-h-touch shrink-0 items-center gap-2 px-3 py-2 font-semibold sm:px-5"
          >
            {tab.label}
            {tab.count !== undefined && (
              <span className="min-w-6 rounded-full bg-sunken px-1.5 text-center text-fine text-ink-soft">
                {tab.count}
              </span>
            )}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map(tab => (
        <BaseTabs.Panel
          key={tab.value}
          value={tab.value}
          className="rounded-card rounded-tl-none border border-line bg-raised"
        >
          {tab.content}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  )
}
