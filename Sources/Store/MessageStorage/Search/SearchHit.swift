public import MessageModel

/// A message found by a search, and the matches in it.
public struct SearchHit: Identifiable, Hashable, Sendable {
  /// The message, as a page carries it.
  public var message: Message
  /// The matches in ``message``'s text as ranges of UTF-8 bytes, ascending. Empty if they lie beyond the
  /// preview, or if the search was for absence (`-word`).
  package var matches: [Range<Int>]
  /// The surroundings of the first match, on one line.
  public var snippet: Snippet

  public var id: Message.ID { message.id }

  /// The matches in ``message``'s text, as `String` and `AttributedString` use them.
  ///
  /// - Complexity: O(bytes of the text).
  public var ranges: [Range<String.Index>] { message.text.ranges(ofBytes: matches) }

  /// A short part of a text.
  public struct Snippet: Hashable, Sendable {
    /// The part, with line breaks as spaces, and `…` where it was cut.
    public var text: String
    /// The matches in ``text`` as ranges of UTF-8 bytes, ascending.
    package var matches: [Range<Int>]

    /// Creates a snippet.
    package init(text: String, matches: [Range<Int>]) {
      self.text = text
      self.matches = matches
    }

    /// The matches in ``text``, as `String` and `AttributedString` use them.
    ///
    /// - Complexity: O(bytes of the text).
    public var ranges: [Range<String.Index>] { text.ranges(ofBytes: matches) }
  }
}

extension String {
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
  /// The hits, newest first, without gaps.
  public var hits: [SearchHit]
  /// Whether there are older hits; `true` also if that is unknown.
  public var hasOlder: Bool
  /// Whether there are newer hits; `true` also if that is unknown.
  public var hasNewer: Bool
  /// The anchor for continuing a search that reached its limit for one read. Its id shows how far the search
  /// has got.
  public var nextAnchor: PageAnchor?
}
