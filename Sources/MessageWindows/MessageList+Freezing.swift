public import MessageModel

extension MessageList {
  /// How long a view may stay frozen, and at what price.
  ///
  /// A snapshot keeps the store from cleaning up behind its writers: 108 MB of log after a million small rows.
  public struct FreezeLimits: Hashable, Sendable {
    /// How long the view may be frozen.
    public var age: Duration
    /// How many bytes the snapshot may keep from being cleaned up.
    public var pinnedByteCount: Int

    /// A quarter of an hour, 64 MB.
    public static let standard = FreezeLimits(age: .seconds(900), pinnedByteCount: 64 << 20)

    /// Creates limits.
    public init(age: Duration, pinnedByteCount: Int) {
      self.age = age
      self.pinnedByteCount = pinnedByteCount
    }
  }

  /// Why a view was thawed without being asked to.
  public enum ThawReason: Hashable, Sendable {
    /// It was frozen for as long as it may be.
    case age(Duration)
    /// Its snapshot kept so many bytes from being cleaned up.
    case pinnedBytes(Int)
  }

  /// A view that is frozen, until when.
  struct Freezing {
    var number: Int
    var limits: FreezeLimits
    var pinnedByteCount: @Sendable () -> Int
    var timer: Task<Void, Never>
  }

  /// Shows the state that `snapshot` holds, and nothing of what happens from now on, until ``thaw()``.
  ///
  /// What happens meanwhile is counted in ``WindowHeader/sinceFrozen``. At its limits the view thaws by itself, and
  /// says so in ``Snapshot/thawed``.
  ///
  /// - Parameters:
  ///   - snapshot: A source that answers from one state of the list's own source for as long as it lives. Without
  ///     one, the view stays as it is, and reading on fails once the source has changed.
  ///   - limits: When to thaw.
  ///   - clock: By which the age is told.
  ///   - pinnedByteCount: Tells how much the snapshot keeps from being cleaned up: the size of a store's log. Asked
  ///     after each change.
  public func freeze(
    reading snapshot: (any MessageSource)? = nil, limits: FreezeLimits = .standard,
    clock: any Clock<Duration> = ContinuousClock(), pinnedByteCount: @escaping @Sendable () -> Int = { 0 }
  ) async {
    endFreezing()
    thawed = nil
    self.snapshot = snapshot
    freezeCount += 1
    let number = freezeCount
    let timer = Task { [weak self] in
      do { try await clock.sleep(for: limits.age) } catch { return }
      await self?.thaw(number, because: .age(limits.age))
    }
    freezing = Freezing(number: number, limits: limits, pinnedByteCount: pinnedByteCount, timer: timer)
    if snapshot != nil { await perform(.sourceChanged) }
    await perform(.freeze)
    if snapshot != nil { await perform(.sourceChanged) }
  }

  /// Shows the present state again.
  public func thaw() async {
    endFreezing()
    await perform(.thaw)
  }

  /// Passes word of a change on, and thaws a view that has become too dear.
  func noticeChange() async {
    if let freezing, case let pinned = freezing.pinnedByteCount(), pinned > freezing.limits.pinnedByteCount {
      await thaw(freezing.number, because: .pinnedBytes(pinned))
    }
    tell(.sourceChanged)
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
