import { Avatar as BaseAvatar } from '@base-ui/react/avatar'

const sizes = { small: 'size-9 text-small', large: 'size-12 text-lead' } as const

/** A person's picture or initial. Hidden from screen readers, because the name is next to it. */
export function Avatar({ name, src, size = 'small' }: { name: string; src: string | null; size?: keyof typeof sizes }) {
  return (
    <BaseAvatar.Root
      aria-hidden="true"
      className={`inline-flex shrink-0 select-none items-center justify-center overflow-hidden rounded-full bg-accent-wash font-semibold font-serif text-accent-strong ${sizes[size]}`}
    >
      {src !== null && <BaseAvatar.Image src={src} alt="" className="size-full object-cover" />}
      <BaseAvatar.Fallback>{initialOf(name)}</BaseAvatar.Fallback>
    </BaseAvatar.Root>
  )
}

/** The first grapheme, with its combining characters. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return first === undefined ? '?' : first.segment.toLocaleUpperCase()
}
