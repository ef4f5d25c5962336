public import MessageModel

extension MessageList {
  struct Freezing {
    var number: Int
    var pinnedByteCount: @Sendable () -> Int
    var timer: Task<Void, Never>
  }

  /// Shows the state of `snapshot`, and no later changes, until ``thaw()``.
  ///
  /// ``WindowHeader/sinceFrozen`` counts the changes meanwhile. At its limits the view thaws by itself, and
  /// ``Snapshot/thawed`` says why.
  ///
  /// - Parameters:
  ///   - snapshot: A source with the content that the list's source has at one moment. Without one, the view
  ///     stays as it is, and further reads fail once the source has changed.
  ///   - limits: When to thaw.
  ///   - clock: The clock that measures the age of the frozen view.
  ///   - pinnedByteCount: Returns the number of bytes that the snapshot keeps from being cleaned up: the size
  ///     of a store's log. Called after each change.
  public func freeze(
    reading snapshot: (any MessageSource)? = nil, limits: FreezeLimits = .standard,
    clock: any Clock<Duration> = ContinuousClock(), pinnedByteCount: @escaping @Sendable () -> Int = { 0 }
  ) async {
    endFreezing()
    thawed = nil
    self.snapshot = snapshot
    window.freezeLimits = limits
    freezeCount += 1
    let number = freezeCount
    let timer = Task { [weak self] in
      do { try await clock.sleep(for: limits.age) } catch { return }
      await self?.thaw(number, because: .age(limits.age))
    }
    freezing = Freezing(number: number, pinnedByteCount: pinnedByteCount, timer: timer)
    if snapshot != nil { await perform(.sourceChanged) }
    await perform(.freeze)
    if snapshot != nil { await perform(.sourceChanged) }
  }

  /// Shows the present state again.
  public func thaw() async {
    endFreezing()
    await perform(.thaw)
  }

  func noticeChange() async {
    if let freezing, let reason = window.reasonToThaw(after: .zero, pinning: freezing.pinnedByteCount()) {
      await thaw(freezing.number, because: reason)
    }
    carryOut(.sourceChanged)
  }

  private func thaw(_ number: Int, because reason: ThawReason) async {
    guard freezing?.number == number else { return }
    thawed = reason
    await thaw()
  }

  private func endFreezing() {
    freezing?.timer.cancel()
    freezing = nil
    snapshot = nil
  }
}
