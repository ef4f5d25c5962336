/// The limits of a frozen view: its age, and the bytes that its snapshot may pin.
///
/// A snapshot keeps the store's log from being cleaned up: after a million small rows it has 108 MB.
public struct FreezeLimits: Hashable, Sendable {
  /// The longest time that a view may be frozen.
  public var age: Duration
  /// The most bytes that the snapshot may keep from being cleaned up.
  public var pinnedByteCount: Int

  /// A quarter of an hour and 64 MB.
  public static let standard = FreezeLimits(age: .seconds(900), pinnedByteCount: 64 << 20)

  /// Creates limits.
  public init(age: Duration, pinnedByteCount: Int) {
    self.age = age
    self.pinnedByteCount = pinnedByteCount
  }
}

/// Why a view thawed by itself.
public enum ThawReason: Hashable, Sendable {
  /// It reached its age limit.
  case age(Duration)
  /// Its snapshot pinned this many bytes.
  case pinnedBytes(Int)
}

extension MessageWindow {
  /// Returns why the window, which has no clock, must thaw; `nil` if it may stay frozen, or is not.
  ///
  /// - Parameters:
  ///   - age: How long it has been frozen.
  ///   - pinnedByteCount: How much its snapshot keeps from being cleaned up.
  public func reasonToThaw(after age: Duration, pinning pinnedByteCount: Int) -> ThawReason? {
    guard frozen != nil else { return nil }
    if pinnedByteCount > freezeLimits.pinnedByteCount { return .pinnedBytes(pinnedByteCount) }
    return age >= freezeLimits.age ? .age(freezeLimits.age) : nil
  }
}
