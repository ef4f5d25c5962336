internal import ChatSession
internal import Foundation
internal import MessageStorage
internal import ShellCommands
internal import TerminalText

@MainActor
enum Window {
  private static var ground: Palette?
  private static var hasAsked = false

  /// Whether to ask the terminal for its background: once, and only if there are colours.
  private static func asksGround(_ context: ReplContext) -> Bool {
    guard !hasAsked, context.displayMode != .plain else { return false }
    hasAsked = true
    return true
  }

  static func open(_ request: WindowRequest) throws -> WindowEnd {
    guard let wake = WakePipe() else {
      throw UsageError("cannot open a pipe", cause: "too many files are open", status: .inputOutput)
    }
    let watching = Task.detached { [store = request.store] in
      for await _ in store.changes() { wake.wake(WakePipe.storeChanged) }
    }
    defer { watching.cancel() }
    let (traits, state) = (request.traits, request.state)
    var context = request.context
    let outcome = asksGround(context) ? GroundQuestion.ask(traits) : GroundQuestion.Outcome()
    ground = outcome.palette ?? ground
    context.ownPalette = ground ?? context.ownPalette
    let trace = try request.trace.map { try LatencyTrace(path: $0, store: request.store.path) }
    if traits.isCapable, context.displayMode == .window {
      let loop = try TerminalLoop(
        context, wake: wake, encoder: traits.encoder, state: state,
        config: request.config, isView: request.isView,
        usesWheel: request.usesWheel, trace: trace)
      loop.feed(outcome.typed)
      return WindowEnd(context: try loop.run(), signal: loop.endingSignal)
    }
    let loop = try TerminalLoop(
      printing: context, isPlain: !traits.isCapable || context.displayMode == .plain,
      isReadOnly: request.isView,
      wake: wake, encoder: traits.encoder, state: state, config: request.config, trace: trace)
    loop.feed(outcome.typed)
    return WindowEnd(context: try loop.run(), signal: loop.endingSignal)
  }
}
