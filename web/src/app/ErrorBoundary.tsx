import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { texts } from './texts.ts'

/** Shows an error message when its children throw or their code cannot be loaded; the rest of the page keeps working. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    if (!this.state.crashed) return this.props.children
    return (
      <div role="alert" className="grid min-h-[60svh] place-items-center p-6">
        <EmptyState title={texts.crash.heading} text={texts.crash.text}>
          <Button variant="primary" onClick={() => window.location.reload()}>
            {texts.crash.reload}
          </Button>
        </EmptyState>
      </div>
    )
  }
}
