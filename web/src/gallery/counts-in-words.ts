import { texts } from './texts.ts'

/** The number of files of a folder that has folders in it. The sum is what the folder tree shows. */
export function filesAndBelow(count: number, below: number): string {
  return count === 0 ? texts.filesBelow({ below }) : texts.filesAndBelow({ count, below })
}
