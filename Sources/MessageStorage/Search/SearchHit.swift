public import MessageModel

/// A pattern to look for in the texts of messages.
public enum SearchPattern: Hashable, Sendable {
  /// Words that must all be there, `"phrases"`, `prefixes*`, `OR`, `-without`, parentheses; case and accents do not
  /// matter. Answered from the search index.
  case words(String)
  /// A regular expression in Perl's syntax, looked for in one text after the other.
  case regex(String)
  /// A part of a text as it stands, regardless of case, looked for in one text after the other.
  case substring(String)
  /// Messages for which a predicate holds. The places found are those of the words and regular expressions that it
  /// wants.
  case query(MessagePredicate)

  /// Looks for what a predicate lets through, in the simplest way there is.
  package init(_ predicate: MessagePredicate) {
    switch predicate {
    case .matching(let words): self = .words(words)
    case .regex(let pattern): self = .regex(pattern)
    case .everything, .sender, .conversation, .kind, .ids, .has, .thread, .not, .and, .or:
      self = .query(predicate)
    }
  }

  /// The words of a query that asks for something else, too: most of what they find it may find; `nil` for none.
  package var wordsWithin: String? {
    guard case .query(let predicate) = self else { return nil }
    let words = predicate.conjuncts.compactMap { part in
      if case .matching(let text) = part { "(\(text))" } else { nil }
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The predicate that holds for what it finds.
  public var predicate: MessagePredicate {
    switch self {
    case .words(let query): .matching(query)
    case .regex(let pattern): .regex(pattern)
    case .substring(let text): .regex(TextPattern.finding(text))
    case .query(let predicate): predicate
    }
  }
}

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
  public var resumption: PageAnchor?
}
