/** One of a list of choices that can be switched on and off. */
export function SwitchItem({ label, on, onToggle }: { label: string; on: boolean; onToggle: () => void }) {
  return (
    <li>
      <label className="flex min-h-touch items-center gap-3">
        <input type="checkbox" className="size-5 shrink-0 accent-accent" checked={on} onChange={onToggle} />
        {label}
      </label>
    </li>
  )
}
