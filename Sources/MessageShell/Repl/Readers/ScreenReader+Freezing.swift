package import MessageModel
internal import MessageWindows
internal import TerminalText

extension ScreenReader {
  /// A view that is frozen.
  struct Freezing {
    /// Until when at most.
    var end: ContinuousClock.Instant
    /// How large the log may grow meanwhile.
    var logLimit: Int
  }

  package var wakesAt: ContinuousClock.Instant? { freezing?.end }

  package mutating func freeze(_ freezes: Bool, in context: inout ReplContext) throws(StoreError) {
    if !freezes { return try thaw(nil) }
    guard freezing == nil else { return }
    let log = context.store.logByteCount
    try view.freeze(reading: try context.store.presentState())
    // What is in the log already is not kept there by this view.
    freezing = Freezing(end: .now + freezeLimits.age, logLimit: log + freezeLimits.pinnedByteCount)
  }

  /// Thaws a view that keeps too much in the log of the store: that is taken into its file only afterwards.
  mutating func thawIfDear(_ store: any ReplStore) throws(StoreError) {
    guard let freezing, case let size = store.logByteCount, size > freezing.logLimit else { return }
    try thaw("the store's log has grown to \(NumberText.bytes(size))")
  }

  /// Thaws a view that has been frozen for as long as it may be.
  package mutating func timePassed(in context: inout ReplContext) throws(StoreError) {
    guard let freezing, freezing.end <= .now else { return }
    let minutes = freezeLimits.age / .seconds(60)
    try thaw("it was frozen for \(NumberText.counted(Int(minutes), "minute"))")
    noteVisible(&context)
  }

  private mutating func thaw(_ reason: String?) throws(StoreError) {
    guard freezing != nil else { return }
    freezing = nil
    if let reason { say("the view goes on: \(reason)") }
    try view.thaw()
  }
}
