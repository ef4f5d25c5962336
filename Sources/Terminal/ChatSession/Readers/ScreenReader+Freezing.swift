package import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// When and where a view was frozen; its window has no clock and no log.
struct Freezing {
  let end: ContinuousClock.Instant
  /// The log's size when the view was frozen, which the view does not account for.
  let logByteCount: Int

  init(_ limits: FreezeLimits, _ store: SynchronousMessageStore) {
    end = .now + limits.age
    logByteCount = store.logByteCount
  }

  /// `nil` if the view may stay frozen.
  func reasonToThaw(_ window: MessageWindow, _ store: SynchronousMessageStore) -> String? {
    let limits = window.freezeLimits
    let age = limits.age - (end - .now)
    return switch window.reasonToThaw(after: age, pinning: store.logByteCount - logByteCount) {
    case .age(let age): "it was frozen for \(NumberText.counted(Int(age / .seconds(60)), "minute"))"
    case .pinnedBytes: "the store's log has grown to \(NumberText.bytes(store.logByteCount))"
    case nil: nil
    }
  }
}

extension ScreenReader {
  package var wakesAt: ContinuousClock.Instant? { freezing?.end }

  package mutating func freeze(_ freezes: Bool, in context: inout ReplContext) throws(StoreError) {
    if !freezes { return try thaw() }
    guard freezing == nil else { return }
    let freezing = Freezing(view.window.freezeLimits, context.store)
    try view.freeze(reading: try context.store.snapshot())
    self.freezing = freezing
  }

  mutating func timePassed(in context: inout ReplContext) throws(StoreError) {
    try thawIfCostly(context.store)
    catchUp(in: &context)
  }

  /// Thaws a view that is old, or keeps too much in the store's log: checkpoints wait for it.
  mutating func thawIfCostly(_ store: SynchronousMessageStore) throws(StoreError) {
    guard let reason = freezing?.reasonToThaw(view.window, store) else { return }
    say("the view goes on: \(reason)")
    try thaw()
  }

  private mutating func thaw() throws(StoreError) {
    guard freezing != nil else { return }
    freezing = nil
    try view.thaw()
  }
}
