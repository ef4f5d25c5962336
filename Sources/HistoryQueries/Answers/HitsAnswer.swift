/// What a search has found, newest first.
public struct HitsAnswer: Codable, Hashable, Sendable {
  /// The hits.
  public var hits: [HitAnswer]
  /// Where to go on in the same direction; `nil` if there is no more.
  public var next: PageStart?
}
