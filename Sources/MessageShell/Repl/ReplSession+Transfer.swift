extension ReplSession {
  /// Whether something long is being done, which Ctrl-C stops.
  public var isTransferring: Bool { transfer != nil }

  /// Has something long done while the reader goes on.
  ///
  /// - Parameter beginning: What to say until it tells how far it has come.
  mutating func begin(_ work: BackgroundWork, saying beginning: String) throws -> Outcome {
    if let transfer { throw ReplContext.busy(with: transfer) }
    transfer = beginning
    return Outcome(works: [work])
  }
}
