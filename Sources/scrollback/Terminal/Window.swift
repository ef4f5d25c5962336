internal import Foundation
internal import MessageShell
internal import MessageStorage
internal import ShellCommands
internal import TerminalText

/// The part of `open` that owns a terminal: a window, or lines without one.
@MainActor
enum Window {
  /// Runs until the user leaves or a signal ends it.
  static func open(_ request: WindowRequest) throws -> WindowEnd {
    guard let wake = WakePipe() else {
      throw UsageError("cannot open a pipe", cause: "too many files are open", status: .inputOutput)
    }
    let watching = Task.detached { [store = request.store] in
      for await _ in store.changes() { wake.wake(WakePipe.storeChanged) }
    }
    defer { watching.cancel() }
    let (context, traits, state) = (request.context, request.traits, request.state)
    let trace = try request.trace.map { try LatencyTrace(path: $0, store: request.store.path) }
    if traits.isCapable, context.displayMode == .window {
      let loop = try TerminalLoop(
        context, wake: wake, encoder: traits.encoder, state: state,
        config: request.config, isView: request.isView,
        usesWheel: request.usesWheel, trace: trace)
      return WindowEnd(context: try loop.run(), signal: loop.endingSignal)
    }
    let loop = try TerminalLoop(
      printing: context, isPlain: !traits.isCapable || context.displayMode == .plain,
      isReadOnly: request.isView,
      wake: wake, encoder: traits.encoder, state: state, config: request.config, trace: trace)
    return WindowEnd(context: try loop.run(), signal: loop.endingSignal)
  }
}
