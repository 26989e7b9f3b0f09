import { Component } from 'react'

interface Props {
  /** What changes what is shown. */
  of: unknown
  before: () => void
  after: () => void
}

/** Does something right before and right after a change reaches the page: only a class component is told of the first. */
export class Around extends Component<Props> {
  override getSnapshotBeforeUpdate({ of }: Props): boolean {
    const changes = of !== this.props.of
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
