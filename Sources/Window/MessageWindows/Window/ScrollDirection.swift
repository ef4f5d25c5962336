/// A direction in a selection.
public enum ScrollDirection: Hashable, Sendable, CaseIterable {
  /// Towards the oldest message.
  case older
  /// Towards the newest message.
  case newer
}
