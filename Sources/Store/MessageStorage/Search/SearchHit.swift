public import MessageModel

/// A message that a search has found, and where.
public struct SearchHit: Identifiable, Hashable, Sendable {
  /// The message, as a page carries it.
  public var message: Message
  /// The places found in ``message``'s text, in bytes of its UTF-8, in order. Empty if they lie behind the preview, or
  /// if the search was for what is not there (`-word`).
  public var matches: [Range<Int>]
  /// The surroundings of the first place found, on one line.
  public var snippet: Snippet

  public var id: Message.ID { message.id }

  /// The places found in ``message``'s text, as `String` and `AttributedString` take them.
  ///
  /// - Complexity: O(bytes of the text).
  public var ranges: [Range<String.Index>] { message.text.ranges(ofBytes: matches) }

  /// A short part of a text.
  public struct Snippet: Hashable, Sendable {
    /// The part, with line breaks as spaces, and `…` where it was cut.
    public var text: String
    /// The places found in ``text``, in bytes of its UTF-8, in order.
    public var matches: [Range<Int>]

    /// Creates a snippet.
    public init(text: String, matches: [Range<Int>]) {
      self.text = text
      self.matches = matches
    }

    /// The places found in ``text``, as `String` and `AttributedString` take them.
    ///
    /// - Complexity: O(bytes of the text).
    public var ranges: [Range<String.Index>] { text.ranges(ofBytes: matches) }
  }
}

extension String {
  /// Returns the places of bytes of its UTF-8; what lies beyond its end is left out.
  fileprivate func ranges(ofBytes places: [Range<Int>]) -> [Range<String.Index>] {
    let count = utf8.count
    return places.filter { $0.lowerBound >= 0 && $0.upperBound <= count }.map { place in
      let start = utf8.index(startIndex, offsetBy: place.lowerBound)
      return start..<utf8.index(start, offsetBy: place.count)
    }
  }
}

/// A page of hits.
public struct SearchPage: Hashable, Sendable {
  /// The hits, newest first, without a hole.
  public var hits: [SearchHit]
  /// Whether there are older hits than these; `true` also if that is not known yet.
  public var hasOlder: Bool
  /// Whether there are newer hits than these; `true` also if that is not known yet.
  public var hasNewer: Bool
  /// The anchor with which to go on, if a scan stopped because it had looked at enough for one read. Its id tells how
  /// far the scan has come.
  public var nextAnchor: PageAnchor?
}
