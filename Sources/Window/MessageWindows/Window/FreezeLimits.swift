/// The limits of a frozen view: its age, and the bytes that its snapshot may pin.
///
/// A snapshot keeps the store from cleaning up behind its writers: 108 MB of log after a million small rows.
public struct FreezeLimits: Hashable, Sendable {
  /// The longest time that the view may be frozen.
  public var age: Duration
  /// The number of bytes that the snapshot may keep from being cleaned up.
  public var pinnedByteCount: Int

  /// A quarter of an hour, 64 MB.
  public static let standard = FreezeLimits(age: .seconds(900), pinnedByteCount: 64 << 20)

  /// Creates limits.
  public init(age: Duration, pinnedByteCount: Int) {
    self.age = age
    self.pinnedByteCount = pinnedByteCount
  }
}

/// A reason for which a view thaws by itself.
public enum ThawReason: Hashable, Sendable {
  /// It was frozen for as long as it may be.
  case age(Duration)
  /// Its snapshot kept so many bytes from being cleaned up.
  case pinnedBytes(Int)
}

extension MessageWindow {
  /// Returns why the window, which has no clock, is to be thawed; `nil` if it may stay frozen, or is not.
  ///
  /// - Parameters:
  ///   - age: For how long it has been frozen.
  ///   - pinnedByteCount: How much its snapshot keeps from being cleaned up.
  public func reasonToThaw(after age: Duration, pinning pinnedByteCount: Int) -> ThawReason? {
    guard frozen != nil else { return nil }
    if pinnedByteCount > freezeLimits.pinnedByteCount { return .pinnedBytes(pinnedByteCount) }
    return age >= freezeLimits.age ? .age(freezeLimits.age) : nil
  }
}
