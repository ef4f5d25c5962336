public import MessageModel

/// What to look for in the texts of messages.
public enum SearchPattern: Hashable, Sendable {
  /// Words that must all be there, `"phrases"`, `prefixes*`, `OR`, `-without`, parentheses; case and accents do not
  /// matter. Answered from the search index.
  case words(String)
  /// A regular expression in Perl's syntax, looked for in one text after the other.
  case regex(String)
  /// A part of a text as it stands, but for upper and lower case, looked for in one text after the other.
  case substring(String)

  /// The condition that holds for what is found.
  public var predicate: MessagePredicate {
    switch self {
    case .words(let query): .matching(query)
    case .regex(let pattern): .regex(pattern)
    case .substring(let text): .regex(TextPattern.finding(text))
    }
  }
}

/// A message that a search has found, and where.
public struct SearchHit: Identifiable, Hashable, Sendable {
  /// The message, as a page carries it.
  public var message: Message
  /// What was found in ``message``'s text, in bytes of its UTF-8, in order. Empty if it lies behind the preview, or
  /// if the search was for what is not there (`-word`).
  public var matches: [Range<Int>]
  /// The surroundings of the first place found, on one line.
  public var snippet: Snippet

  public var id: Message.ID { message.id }

  /// A short part of a text.
  public struct Snippet: Hashable, Sendable {
    /// The part, with line breaks as spaces, and `…` where it was cut.
    public var text: String
    /// What was found in ``text``, in bytes of its UTF-8, in order.
    public var matches: [Range<Int>]

    /// Creates a snippet.
    public init(text: String, matches: [Range<Int>]) {
      self.text = text
      self.matches = matches
    }
  }
}

/// What one read of a search returns.
public struct SearchPage: Hashable, Sendable {
  /// The hits, newest first, without a hole.
  public var hits: [SearchHit]
  /// Whether there are older hits than these; `true` also when that was not decided yet.
  public var hasOlder: Bool
  /// Whether there are newer hits than these; `true` also when that was not decided yet.
  public var hasNewer: Bool
  /// Where a scan stopped because it had looked at enough for one read: the anchor with which to go on. Its id tells
  /// how far the scan has come.
  public var resumption: PageAnchor?
}
