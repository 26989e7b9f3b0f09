import { formatCount } from '../kit/format.ts'
import { texts } from './texts.ts'

/** The number beside a heart; the own heart alone has none. */
export function shownCount(hearts: number, hearted: boolean): string {
  return hearts > 1 || (hearts > 0 && !hearted) ? formatCount(hearts) : ''
}

/** The name of the heart of one of many files. */
export function heartLabel({
  original_name: name,
  hearts,
  hearted,
}: {
  original_name: string
  hearts: number
  hearted: boolean
}): string {
  const act = hearted ? texts.removeFile({ name }) : texts.addFile({ name })
  return hearts > 0 ? `${act}, ${texts.lovedByCount({ count: hearts })}` : act
}
