import { Component } from 'react'

interface Props {
  /** What changes what is shown. */
  value: unknown
  before: () => void
  after: () => void
}

/** Does something right before and right after a change reaches the page: only a class component is told value the first. */
export class BeforeAfterUpdate extends Component<Props> {
  override getSnapshotBeforeUpdate({ value }: Props): boolean {
    const changes = value !== this.props.value
    if (changes) this.props.before()
    return changes
  }

  override componentDidUpdate(_props: Props, _state: unknown, changed: boolean): void {
    if (changed) this.props.after()
  }

  override render(): null {
    return null
  }
}
